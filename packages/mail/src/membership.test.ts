import { LANGUAGES } from "@paraph/core/language"
import { describe, expect, it } from "vitest"
import { type MembershipMail, membershipMail } from "./membership.ts"
import { MEMBERSHIP_WORDS } from "./words/membership-words.ts"

const LINK = "https://sign.example.ch/console/"
const PLAIN = { business: "Acme AG", by: "olga@acme.example", registered: true, link: LINK }

const hrefs = (html: string) => Array.from(html.matchAll(/href="([^"]*)"/gu), ([, href]) => href)

describe.each(LANGUAGES)("the letter to a new member in %s", (language) => {
  const write = (more: Partial<MembershipMail> = {}) => membershipMail({ language, ...PLAIN, ...more })
  const words = MEMBERSHIP_WORDS[language]

  it("is whole, names the business and who did it, and has one link", () => {
    const { subject, text, html } = write()
    for (const part of [subject, text, html]) {
      expect(part).not.toMatch(/undefined|\bnull\b|\[object|ß/u)
      expect(part).toContain("Acme AG")
    }
    for (const part of [text, html]) expect(part.replaceAll("\u200C", "")).toContain("olga@acme.example")
    expect(hrefs(html)).toEqual([LINK, LINK])
  })

  it("says how to get in: with the account that is there, or by making one", () => {
    expect(write().text).toContain(words.signIn)
    expect(write().text).not.toContain(words.register)
    expect(write({ registered: false }).text).toContain(words.openRegister)
  })

  it.each([
    '"><img src=x onerror=alert(1)>',
    "Pay at https://evil.example/now",
    "Acme\r\nBcc: victim@example.com",
    "A".repeat(1024),
  ])("lends nobody our voice: %j", (business) => {
    const { subject, text, html } = write({ business, by: business })
    expect(hrefs(html)).toEqual([LINK, LINK])
    expect(html).not.toContain("<img")
    expect(subject).not.toMatch(/\p{Cc}/u)
    expect(subject.length).toBeLessThan(200)
    for (const part of [text, html])
      expect(part.replaceAll(LINK, "")).not.toMatch(/https:\/\/|evil\.example|\w@example/u)
    expect(text.split("\n").length).toBe(write().text.split("\n").length)
  })
})

it("each language says it in its own words", () => {
  for (const key of ["signIn", "register", "openConsole", "openRegister"] as const)
    expect(new Set(LANGUAGES.map((language) => MEMBERSHIP_WORDS[language][key])).size).toBe(LANGUAGES.length)
})
