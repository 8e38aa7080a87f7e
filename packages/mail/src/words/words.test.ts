import { expect, it } from "vitest"
import { WORDS } from "./of-language.ts"

const NAMES = ["ALPHA", "BETA"] as const
/** These take a number for its grammar, and do not say it. */
const FORMS = ["/invitation/open", "/completed/keep"]

it("every language says everything, and nothing in the words of another", () => {
  const spoken = Object.values(WORDS).map(
    (words) => new Map(said(words).map(([key, sentence]) => [key, sentence])),
  )
  const keys = Array.from(spoken[0]?.keys() ?? [])
  expect(keys.length).toBe(69)
  for (const key of keys) {
    const sentences = spoken.map((language) => language.get(key))
    for (const sentence of sentences)
      expect([key, sentence?.trim()]).toEqual([key, expect.stringMatching(/./)])
    expect([key, new Set(sentences).size]).toEqual([key, 4])
  }
})

it("names whoever and whatever a sentence takes, in the same order of importance", () => {
  for (const words of Object.values(WORDS))
    for (const [key, sentence, taken] of said(words).filter(([key]) => !FORMS.includes(key)))
      for (const name of NAMES.slice(0, taken))
        expect([key, sentence]).toEqual([key, expect.stringContaining(name)])
})

it("tells one from many where it counts", () => {
  for (const { invitation, completed } of Object.values(WORDS)) {
    expect(invitation.documents(1)).not.toContain("1")
    expect(invitation.documents(12)).toContain("12")
    for (const form of [invitation.open, completed.keep]) expect(form(1)).not.toBe(form(2))
    for (const count of [
      completed.attached,
      (n: number) => completed.tooLarge("S", n),
      (n: number) => completed.notAttached("S", n),
    ]) {
      expect(count(1)).not.toContain("1")
      expect(count(12)).toContain("12")
    }
  }
})

/** Every sentence by its place; one that takes names is given them, and says how many it took. */
function said(words: object, path = ""): [key: string, sentence: string, taken: number][] {
  return Object.entries(words).flatMap(([key, value]: [string, unknown]) => {
    const place = `${path}/${key}`
    if (typeof value === "string") return [[place, value, 0]]
    if (typeof value === "function") return [[place, String(value(...NAMES)), value.length]]
    return said(value as object, place)
  })
}
