import { LANGUAGES } from "@paraph/core/language"
import { describe, expect, it } from "vitest"
import { accountMail } from "./account.ts"
import { ACCOUNT_WORDS, type AccountMailLetter } from "./words/account-words.ts"

const LINK = "https://sign.example.ch/account/recover"
const LETTERS = Object.keys(ACCOUNT_WORDS.en.letters) as AccountMailLetter[]

describe.each(LANGUAGES)("letters about an account in %s", (language) => {
  it.each(LETTERS)("%s: is whole, and carries either a code or a link", (letter) => {
    const withCode = letter === "register" || letter === "recover"
    const sent = { code: withCode ? "012345" : null, link: withCode ? null : LINK }
    const { subject, text, html } = accountMail({ language, letter, ...sent })
    for (const part of [subject, text, html]) expect(part).not.toMatch(/undefined|\bnull\b|\[object|ß/u)
    for (const part of [text, html]) {
      expect(part.includes("012345")).toBe(withCode)
      expect(part.includes(LINK)).toBe(!withCode)
    }
    // What is seen on a locked screen tells nobody the code.
    expect(subject).not.toContain("012345")
    const { notYou, ignore } = ACCOUNT_WORDS[language]
    expect(text).toContain(withCode || letter === "known" ? ignore : notYou)
  })
})
