import { expect, it } from "vitest"
import { nextPath, withNext } from "./next.ts"

const VIEW = "/view/6f1c?exitURL=https%3A%2F%2Fshop.example%2Fdone%3Fa%3D1&lang=de"

it("goes on to what was asked for, with all that stood behind its address", () => {
  for (const next of [VIEW, "/console/requests?status=OPEN", "/account/security"])
    expect(nextPath(`?next=${encodeURIComponent(next)}`)).toBe(next)
  expect(withNext("register", `?next=${encodeURIComponent(VIEW)}`)).toBe(
    `/account/register?next=${encodeURIComponent(VIEW)}`,
  )
})

it.each([
  "https://evil.example/view/1",
  "//evil.example/view/1",
  "/\\evil.example",
  "/view/\\evil.example",
  "/view//evil.example",
  "/view/1\n//evil.example",
  "javascript:alert(1)",
  "/app/api/account",
  "view/1",
  "",
])("does not follow %j", (next) => {
  expect(nextPath(`?next=${encodeURIComponent(next)}`)).toBe("/account/security")
})

it("never leaves our origin, as a browser reads what it lets through", () => {
  for (const next of [VIEW, "/view/..%2F..%2Fevil", "/view/../../evil.example", "/account/@evil.example"]) {
    const to = new URL(nextPath(`?next=${encodeURIComponent(next)}`), "https://sign.example")
    expect(to.origin).toBe("https://sign.example")
  }
})
