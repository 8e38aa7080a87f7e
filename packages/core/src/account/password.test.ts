import { expect, it } from "vitest"
import { mustBeGood } from "./password.ts"

const ADA = { email: "ada.lovelace@example.org", name: "Ada Lovelace" }

it.each(["a long walk by the lake", "xK9$wq!TzP2#", "ein Gruss aus Zürich", "漢字漢字仮名交じり文を書く人"])(
  "takes %j",
  (password) => {
    expect(mustBeGood(password, ADA)).toBe(password)
  },
)

it.each([
  "elevenchars",
  "x".repeat(300),
  "password1234",
  "Passwort1234!",
  "qwertzuiop123",
  "lovelace1234",
  "ada.lovelace@example.org",
  "abababababab",
])("refuses %j", (password) => {
  expect(() => mustBeGood(password, ADA)).toThrow(expect.objectContaining({ code: "password-weak" }))
})

it("hashes one spelling of what looks the same (RFC 8265, 4.2)", () => {
  expect(mustBeGood("Zu\u0308rich am See, abends", ADA)).toBe("Z\u00fcrich am See, abends")
})
