import { expect, it } from "vitest"
import { LIMITS } from "../limits.ts"
import { mustBeGood } from "./password.ts"

/** Estimates every password as strong; the dictionaries are tested in apps/server/src/password-strength. */
const parts = { estimateGuesses: async () => 12 }
const refused = expect.objectContaining({ code: "password-weak" })
const ADA = { email: "ada.lovelace@example.org", name: "Ada Lovelace" }

it.each(["a long walk by the lake", "xK9$wq!TzP2#", "ein Gruss aus Zürich", "漢字漢字仮名交じり文を書く人"])(
  "takes %j",
  async (password) => {
    expect(await mustBeGood(parts, password, ADA)).toBe(password)
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
])("refuses %j", async (password) => {
  await expect(mustBeGood(parts, password, ADA)).rejects.toThrow(refused)
})

it("hashes one spelling of what looks the same (RFC 8265, 4.2)", async () => {
  expect(await mustBeGood(parts, "Zu\u0308rich am See, abends", ADA)).toBe("Z\u00fcrich am See, abends")
})

it("[B14] decides by the guesses that a password withstands, estimated of its beginning and with the person's words", async () => {
  const asked: { password: string; words: readonly string[] }[] = []
  const withstands = (guessesLog10: number) => ({
    estimateGuesses: async (_: string, password: string, words: readonly string[]) => {
      asked.push({ password, words })
      return guessesLog10
    },
  })
  const long = "Tanne, Kiesel, Ofen, Brücke ".repeat(9)
  expect(await mustBeGood(withstands(10), long, ADA)).toBe(long)
  await expect(mustBeGood(withstands(9.99), long, ADA)).rejects.toThrow(refused)
  expect(asked[0]?.password).toHaveLength(LIMITS.passwordCharactersEstimated)
  expect(asked[0]?.words).toEqual(
    expect.arrayContaining(["ada", "lovelace", "example", "org", "ada.lovelace@example.org", "paraph"]),
  )
  const wordy = { email: `${"x.".repeat(120)}y@example.org`, name: "Ada ".repeat(50) }
  await mustBeGood(withstands(12), long, wordy)
  for (const word of asked.at(-1)?.words ?? []) expect(word.length).toBeLessThanOrEqual(32)
  expect(asked.at(-1)?.words.length).toBeLessThanOrEqual(40)
})
