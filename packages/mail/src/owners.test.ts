import type { LetterToOwners } from "@paraph/core/account/model"
import { LANGUAGES, type Language } from "@paraph/core/language"
import { describe, expect, it } from "vitest"
import { ownerMail } from "./owners.ts"
import { OWNER_WORDS } from "./words/owner-words.ts"

const LINK = "https://sign.example.ch/console/settings/single-sign-on"
const OF = { businessId: "00000000-0000-4000-8000-000000000000", at: "2026-11-15T22:10:00Z" }
const changed = (foreign = "login.example.org"): LetterToOwners => ({
  ...OF,
  letter: "single-sign-on-changed",
  by: "olga@acme.example",
  changes: [
    { what: "issuer", to: `https://${foreign}` },
    { what: "client", to: foreign },
    { what: "secret", to: null },
    { what: "enforced", to: true },
    { what: "joins", to: false },
    { what: "removed", to: null },
  ],
})
const reset = (name = "Shop"): LetterToOwners => ({ ...OF, letter: "key-reset", key: { name, hint: "a1b2" } })
const write = (language: Language, letter: LetterToOwners, business = "Acme AG") =>
  ownerMail({ language, business, letter, timeZone: "Europe/Zurich", link: LINK })
const plain = (text: string) => text.replaceAll("\u200C", "")

describe.each(LANGUAGES)("letters to owners in %s", (language) => {
  it("say what was changed, when and by whom, and have one link", () => {
    const { subject, text, html } = write(language, changed())
    for (const part of [subject, text, html]) expect(part).not.toMatch(/undefined|\bnull\b|\[object|ß/u)
    expect(subject).toContain("Acme AG")
    const words = OWNER_WORDS[language]
    for (const said of ["olga@acme.example", "https://login.example.org", "2026", "23:10"])
      expect(plain(text)).toContain(said)
    expect(text).toContain(words.singleSignOn.changes.enforced(words.on))
    expect(text).toContain(words.singleSignOn.changes.joins(words.off))
    expect(html.match(/href="[^"]*"/gu)).toEqual([`href="${LINK}"`, `href="${LINK}"`])
  })

  it("name the key that was ended, and hold none", () => {
    const { subject, text } = write(language, reset())
    expect(subject).toContain("Acme AG")
    expect(text).toContain("Shop …a1b2")
    expect(text).toContain(OWNER_WORDS[language].keyReset.claim)
  })

  it.each(['"><img src=x>', "evil.example/now", "Acme\r\nBcc: victim@example.com", "A".repeat(500)])(
    "lend nobody our voice: %j",
    (foreign) => {
      for (const letter of [changed(foreign), reset(foreign)]) {
        const { subject, text, html } = write(language, letter, foreign)
        expect(subject).not.toMatch(/\p{Cc}/u)
        expect(html).not.toContain("<img")
        for (const part of [text, html])
          expect(part.replaceAll(LINK, "")).not.toMatch(/https:\/\/|evil\.example|\w@example/u)
      }
    },
  )
})

it("each language says it in its own words", () => {
  for (const said of [
    (language: Language) => OWNER_WORDS[language].singleSignOn.notYou,
    (language: Language) => OWNER_WORDS[language].keyReset.claim,
    (language: Language) => OWNER_WORDS[language].singleSignOn.changes.removed(""),
  ])
    expect(new Set(LANGUAGES.map(said)).size).toBe(LANGUAGES.length)
})
