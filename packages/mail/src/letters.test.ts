import { LANGUAGES, type Language } from "@paraph/core/language"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { Mail } from "./mail.ts"
import { everyLetter, type Foreign, LINK, type Sample } from "./testing/every-letter.ts"

const PLAIN: Foreign = {
  sender: "Acme AG",
  title: "Rental agreement",
  words: "Dear Anna\n\nPlease sign by Friday.",
  who: "Ben Other",
}
const TAGS = { en: "en", de: "de-CH", fr: "fr-CH", it: "it-CH" } as const

describe.each(LANGUAGES)("every letter in %s", (language) => {
  it.each(everyLetter(language, PLAIN).map((sample) => [sample.name, sample] as const))(
    "%s: is whole, and has one link at most",
    (_, { mail, hasLink, hasQuote }) => {
      for (const part of [mail.subject, mail.text, mail.html]) {
        expect(part).not.toMatch(/undefined|\bnull\b|NaN|\[object|Invalid Date|\$\{/u)
        expect(part).toContain("Rental agreement")
      }
      expect(mail.html).toContain(`<html lang="${TAGS[language]}" dir="ltr">`)
      expect(mail.text + mail.html).not.toContain("ß")
      expect(mail.html).not.toMatch(
        /<(img|script|link|iframe|object|form|svg|video|audio)\b|url\(|@import|src=/iu,
      )
      // Once as a button and once to copy; in the text once.
      expect(hrefs(mail.html)).toEqual(hasLink ? [LINK, LINK] : [])
      expect(mail.text.split(LINK).length - 1).toBe(hasLink ? 1 : 0)
      expect(mail.html.includes("<blockquote")).toBe(hasQuote)
      expect(mail.text).toContain(PLAIN.sender)
      expect(longestLine(mail.text)).toBeLessThan(998)
      expect(longestLine(mail.html)).toBeLessThan(998)
    },
  )
})

describe("who reads it", () => {
  const textOf = (name: string, language: Language = "en") => {
    const sample = everyLetter(language, PLAIN, false).find((each) => each.name === name)
    if (sample === undefined) throw new Error(`There is no letter ${name}.`)
    return sample.mail.text
  }

  it("is told apart: a signer has signed, who follows reads that everyone has", () => {
    expect(textOf("completed, to a signer")).toContain("Everyone has signed “Rental agreement”")
    expect(textOf("completed, one alone, to a signer")).toContain("You have signed “Rental agreement”")
    expect(textOf("completed, to a follower")).toContain("“Rental agreement” has been signed by everyone")
    expect(textOf("completed, to a follower")).not.toContain("You have")
    expect(textOf("completed, one alone, to a follower")).toContain("“Rental agreement” has been signed\n")
    expect(textOf("declined, to a signer")).toContain("Ben Other has declined to sign")
    expect(textOf("declined by the reader, to a signer")).toContain("You have declined to sign")
    expect(textOf("expiring-soon, to a signer")).toContain("Your signature is still missing")
    expect(textOf("expiring-soon, to a follower")).toContain("Not everyone has signed yet")
  })

  it("finds the code at the very end of the subject, and no link beside it", () => {
    for (const language of LANGUAGES) {
      const { mail } = everyLetter(language, PLAIN).find((each) => each.name === "code") as Sample
      expect(mail.subject).toMatch(/\D042137$/u)
      for (const part of [mail.text, mail.html]) expect(part.split("042137").length).toBeGreaterThan(1)
      expect(mail.text + mail.html).not.toMatch(/https?:/u)
    }
  })

  it("learns what is attached, or why nothing is", () => {
    expect(textOf("completed, to a signer")).toContain("The 2 signed documents are attached.")
    expect(textOf("completed, one alone, to a signer")).toContain("The signed document is attached.")
    expect(textOf("completed, to a signer", "de")).toContain("Bewahren Sie die PDF-Dateien selbst auf")
    expect(textOf("completed, one alone, to a signer", "de")).toContain(
      "Bewahren Sie die PDF-Datei selbst auf",
    )
    expect(textOf("completed, too large, to a signer")).toContain("too large for an e-mail")
    for (const name of ["completed, too large, to a signer", "completed, nothing attached, to a signer"])
      expect(textOf(name)).not.toContain("attached.")
  })

  it("learns where the signature protocol is, where one was asked for", () => {
    expect(textOf("completed, to a signer")).not.toMatch(/protocol/i)
    expect(textOf("completed, with its protocol, to a signer")).toContain(
      "The signature protocol is attached:",
    )
    for (const reader of ["signer", "follower"]) {
      const text = textOf(`completed, without its protocol, to a ${reader}`).replaceAll(/\s+/g, " ")
      expect(text).toContain("The signature protocol could not be attached to this e-mail.")
      expect(text).toMatch(/\S can get it from the service and give you a copy\./)
    }
  })

  it("reads dates as people write them there", () => {
    const written = {
      en: ["until 30 November 2026", "until 1 December 2026"],
      de: ["bis am 30. November 2026", "bis am 1. Dezember 2026"],
      fr: ["jusqu’au 30 novembre 2026", "jusqu’au 1er décembre 2026"],
      it: ["fino al 30 novembre 2026", "fino al 1º dicembre 2026"],
    } as const
    for (const language of LANGUAGES) {
      expect(textOf("expired, to a signer", language)).toContain(written[language][0])
      expect(textOf("your-turn", language)).toContain(written[language][1])
    }
    expect(textOf("invitation, by a person", "it")).toContain("fino all’8 novembre 2026 compreso")
  })

  it("sees the banner of a test, and of nothing else", () => {
    for (const language of LANGUAGES) {
      for (const { mail } of everyLetter(language, PLAIN, true)) expect(mail.text).toContain("*** TEST")
      for (const { mail } of everyLetter(language, PLAIN, false))
        expect(mail.text + mail.html).not.toContain("TEST")
    }
  })
})

const PAYLOADS = [
  "<script>alert(1)</script>",
  '"><img src=x onerror=alert(1)>',
  "</title><a href='https://evil.example'>here</a>",
  "</blockquote><h1>Pay now</h1>",
  "<!-- --><style>*{display:none}</style>",
  "&lt;script&gt;",
  "Contract\r\nBcc: victim@example.com\r\n\r\nhello",
  "line\u2028separator\u2029and\u0085next",
  "see https://evil.example/login?a=b now",
  "www.evil.example and evil.example/path and HTTPS://EVIL.EXAMPLE",
  "mailto:a@evil.example tel:+41791234567 javascript:alert(1)",
  "https://10.0.0.1/ http://[::1]/ //evil.example ftp://x",
  "https:\\\\evil.example evil。example",
  "\u202Egpj.exe\u202C \u2066x\u2069",
  "zero\u200Bwidth\uFEFF and \u{E0041}tag\u00AD",
  "$& $1 $` %s {id}",
]

describe("other people's words", () => {
  it.each(PAYLOADS)("stay words in every letter and language: %j", (payload) => {
    for (const language of LANGUAGES)
      holds(language, { sender: payload, title: payload, words: payload, who: payload })
  })

  it("stay words for any Unicode", { timeout: 30_000 }, () => {
    const piece = fc.constantFrom(
      ...PAYLOADS,
      "<",
      ">",
      '"',
      "'",
      "&",
      "\r\n",
      "\n",
      "\0",
      ".",
      "://",
      "a",
      "\uD800",
    )
    const words = fc.oneof(
      fc.string({ unit: "binary", maxLength: 120 }),
      fc.string({ unit: "grapheme", maxLength: 120 }),
      fc.array(piece, { maxLength: 12 }).map((parts) => parts.join("")),
    )
    // A name that begins with the sign of a quotation would be counted as one below.
    const names = words.map((name) => `x${name}`)
    fc.assert(
      fc.property(
        fc.constantFrom(...LANGUAGES),
        names,
        words,
        words,
        names,
        (language, sender, title, said, who) => holds(language, { sender, title, words: said, who }),
      ),
      { numRuns: 40 },
    )
  })

  it("make no subject long, whatever the title", () => {
    for (const language of LANGUAGES)
      for (const { mail } of everyLetter(language, {
        ...PLAIN,
        sender: "S".repeat(1024),
        title: "😀".repeat(512),
        who: "W".repeat(1024),
      })) {
        expect(Array.from(mail.subject).length).toBeLessThan(260)
        expect(mail.subject.isWellFormed()).toBe(true)
        expect(mail.text.length).toBeLessThan(3_000)
      }
  })
})

const QUIET = Object.fromEntries(
  LANGUAGES.map((language) => [
    language,
    everyLetter(language, { sender: "a", title: "a", words: "a", who: "a" }),
  ]),
) as Record<Language, readonly Sample[]>

/** What must be true of every mail, whoever wrote the words in it: it is built as the one with harmless words is. */
function holds(language: Language, foreign: Foreign): void {
  const letters = everyLetter(language, foreign)
  const quiet = QUIET[language]
  const bare = foreign.words.trim() === ""
  letters.forEach((sample, index) => {
    const harmless = quiet[index]
    if (harmless === undefined) throw new Error("A letter is missing.")
    isBuiltAs(sample, harmless, bare)
  })
}

function isBuiltAs({ mail, hasLink, hasQuote }: Sample, quiet: Sample, bare: boolean): void {
  expect(mail.subject).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}]|(?![\u200C\u200D])\p{Cf}/u)
  expect(mail.subject.isWellFormed()).toBe(true)
  if (!bare) expect(tags(mail.html)).toBe(tags(quiet.mail.html))
  expect(hrefs(mail.html)).toEqual(hasLink ? [LINK, LINK] : [])
  for (const part of [mail.text, withoutTags(mail.html)]) {
    const strangers = part.replaceAll(LINK, "").replaceAll(LINK.replaceAll("&", "&amp;"), "")
    expect(strangers).not.toMatch(/:[/\\]{2}|\bwww\.\w|\w\.(example|com|ch)\b|\w@\w/iu)
  }
  // Nobody's words make a line of ours: those of a message are marked as quoted.
  expect(unquoted(mail)).toBe(unquoted(quiet.mail) - (bare && hasQuote ? 2 : 0))
}

const unquoted = ({ text }: Mail): number => text.split("\n").filter((line) => !line.startsWith(">")).length

const tags = (html: string): string =>
  (html.match(/<[^>]*>/gu) ?? []).filter((tag) => tag !== "<br>").join("")

const hrefs = (html: string): readonly string[] =>
  Array.from(html.matchAll(/href="([^"]*)"/gu), (match) => (match[1] ?? "").replaceAll("&amp;", "&"))

const withoutTags = (html: string): string => html.slice(html.indexOf("<body")).replace(/<[^>]*>/gu, " ")

const longestLine = (part: string): number => Math.max(...part.split("\n").map((line) => line.length))
