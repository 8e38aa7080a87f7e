import { LANGUAGES } from "@paraph/core/language"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { type Invitation, invitation } from "./invitation.ts"

const LINK = "https://sign.example.ch/app/s/AbC123?x=1&y=2"

const PLAIN: Invitation = {
  language: "en",
  sender: "Acme AG",
  title: "Rental agreement",
  message: "Dear Anna\n\nPlease sign by Friday.",
  link: LINK,
  demo: false,
  documentCount: 1,
}

describe("an invitation", () => {
  it("says who asks for what, in the subject and in both parts", () => {
    const mail = invitation(PLAIN)
    expect(mail.subject).toBe("Acme AG asks you to sign: Rental agreement")
    expect(mail.text).toContain("Acme AG asks you to sign “Rental agreement”")
    expect(mail.text).toContain("> Dear Anna\n>\n> Please sign by Friday.")
    expect(mail.text).toContain(LINK)
    expect(mail.html).toContain("Dear Anna<br><br>Please sign by Friday.")
    expect(mail.html).toContain('<html lang="en"')
  })

  it("tells a test, a later turn and the number of documents from each other", () => {
    const mail = invitation({ ...PLAIN, demo: true, theirTurnIsLater: true, documentCount: 3 })
    expect(mail.text).toContain("TEST – no legal effect")
    expect(mail.text).toContain("There are 3 documents.")
    expect(mail.text).toContain("Others sign before you")
    expect(mail.html).toContain("TEST – no legal effect")
    const now = invitation(PLAIN)
    expect(now.html).not.toContain("TEST")
    expect(now.text).not.toContain("Others sign before you")
  })

  it("leaves the quotation out where the sender wrote nothing", () => {
    for (const message of [null, "", " \r\n "]) {
      const mail = invitation({ ...PLAIN, message })
      expect(mail.html).not.toContain("<blockquote")
      expect(mail.text).not.toContain(">")
    }
  })

  it("writes German as Switzerland does", () => {
    const mail = invitation({ ...PLAIN, language: "de", theirTurnIsLater: true })
    expect(mail.subject).toBe("Acme AG bittet Sie um Ihre Unterschrift: Rental agreement")
    expect(mail.html).toContain('lang="de-CH"')
    expect(mail.text + mail.html).not.toContain("ß")
  })

  it("keeps a subject of bearable length whatever the title", () => {
    const mail = invitation({ ...PLAIN, sender: "S".repeat(1024), title: "😀".repeat(512) })
    expect(Array.from(mail.subject).length).toBeLessThan(230)
    expect(mail.subject.isWellFormed()).toBe(true)
    expect(mail.subject.endsWith("…")).toBe(true)
    expect(mail.text.length).toBeLessThan(2_500)
  })

  it("loads nothing: no image, no script, no style sheet, no address but the link", () => {
    for (const language of LANGUAGES) {
      const { html } = invitation({ ...PLAIN, language, demo: true })
      expect(html).not.toMatch(/<(img|script|link|iframe|object|form|svg|video|audio)\b|url\(|@import|src=/iu)
      expect(hrefs(html)).toEqual([LINK, LINK])
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
]

describe("the sender's words", () => {
  for (const payload of PAYLOADS)
    it(`stay words in every language: ${JSON.stringify(payload)}`, () => {
      for (const language of LANGUAGES)
        holds({ ...PLAIN, language, sender: payload, title: payload, message: payload })
    })

  it("stay words for any Unicode", () => {
    const words = fc.oneof(
      fc.string({ unit: "binary", maxLength: 300 }),
      fc.string({ unit: "grapheme", maxLength: 300 }),
      fc
        .array(
          fc.constantFrom(
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
          ),
        )
        .map((parts) => parts.join("")),
    )
    fc.assert(
      fc.property(fc.constantFrom(...LANGUAGES), words, words, words, (language, sender, title, message) =>
        holds({ ...PLAIN, language, sender, title, message }),
      ),
      { numRuns: 500 },
    )
  })
})

/** What must be true of every mail, whoever wrote the words in it. */
function holds(invited: Invitation): void {
  const mail = invitation(invited)
  const quiet = invitation({ ...invited, sender: "a", title: "a", message: "a" })

  expect(mail.subject).not.toMatch(/[\p{Cc}\u2028\u2029\u202A-\u202E\u2066-\u2069]/u)
  const bare = invited.message === null || invited.message.trim() === ""
  if (!bare) expect(tags(mail.html)).toEqual(tags(quiet.html))
  expect(hrefs(mail.html)).toEqual([LINK, LINK])

  for (const part of [mail.text, withoutTags(mail.html)]) {
    const strangers = part.replaceAll(LINK, "").replaceAll(LINK.replaceAll("&", "&amp;"), "")
    expect(strangers).not.toMatch(/:[/\\]{2}|\bwww\.\w|\w\.(example|com|ch)\b|\w@\w/iu)
  }
  // Neither the sender's name nor the title makes a line, and every line of the message is marked as quoted.
  const message = invitation({ ...invited, sender: "a", title: "a" })
  expect(mail.text.split("\n").length).toBe(message.text.split("\n").length)
  expect(unquoted(message.text)).toBe(unquoted(quiet.text) - (bare ? 2 : 0))
}

function unquoted(text: string): number {
  return text.split("\n").filter((line) => !line.startsWith(">")).length
}

function tags(html: string): readonly string[] {
  return (html.match(/<[^>]*>/gu) ?? []).filter((tag) => tag !== "<br>")
}

function hrefs(html: string): readonly string[] {
  return Array.from(html.matchAll(/href="([^"]*)"/gu), (match) => (match[1] ?? "").replaceAll("&amp;", "&"))
}

function withoutTags(html: string): string {
  return html.slice(html.indexOf("<body")).replace(/<[^>]*>/gu, " ")
}
