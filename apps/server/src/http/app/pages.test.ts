import { readFile } from "node:fs/promises"
import { LANGUAGES } from "@paraph/core/language"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { DOOR_CSS, DOOR_CSS_PATH } from "./door-css.ts"
import { DOOR_WORDS, type Message } from "./door-words.ts"
import { html } from "./html.ts"
import { type Door, doorPage, type Frame, messagePage } from "./pages.ts"
import { WORDMARK } from "./wordmark.ts"

const FRAME: Frame = { language: "en", demo: false, addressIn: (language) => `/sign/x?lang=${language}` }
const DOOR: Door = {
  ...FRAME,
  sender: "Acme AG",
  title: "Rental agreement",
  message: "Dear Anna,\nplease sign.",
  documentCount: 2,
  lastDay: "2026-12-01",
  soon: ["/app/assets/index-x.js"],
  signerEmail: "anna@example.ch",
  postTo: "/app/s/AbC123",
}

describe("the door", () => {
  it("says who asks for what and has one button, which posts", () => {
    const page = doorPage(DOOR)
    expect(page).toContain("<bdi>Acme AG</bdi> asks you to sign")
    expect(page).toContain("Rental agreement")
    expect(page).toContain('<form method="post" action="/app/s/AbC123">')
    expect(page.match(/<button/gu)).toHaveLength(1)
    expect(page).toContain("anna@example.ch")
    expect(page).not.toContain("TEST")
  })

  it("is marked as a test where it is one", () => {
    expect(doorPage({ ...DOOR, demo: true })).toContain("TEST – no legal effect")
    expect(messagePage({ ...FRAME, demo: true }, { heading: "h", text: "t" })).toContain(
      "TEST – no legal effect",
    )
  })

  it("needs no script and no inline style, is not indexed and stays small", () => {
    for (const page of [doorPage(DOOR), messagePage(FRAME, DOOR_WORDS.en.unknownLink)]) {
      expect(page).not.toMatch(/<script|<style|\sstyle=|\son\w+=/iu)
      expect(page).toContain('<meta name="robots" content="noindex, nofollow">')
      expect(page).toContain('<html lang="en">')
      expect(page).toContain(`href="${DOOR_CSS_PATH}"`)
      expect(Buffer.byteLength(page) + Buffer.byteLength(DOOR_CSS)).toBeLessThan(9_500)
    }
  })

  it.each(LANGUAGES)("speaks %s in every state, and leads to the others by plain links", (language) => {
    const words = DOOR_WORDS[language]
    const { unknownLink, noSession, alreadySigned, declined, withdrawn, ended, expired, notYourTurn } = words
    const states: readonly Message[] = [
      ...[unknownLink, noSession, alreadySigned, declined, withdrawn, ended, expired(null), expired("X")],
      ...[0, 1, 3].map(notYourTurn),
    ]
    for (const message of states) {
      const page = messagePage({ ...FRAME, language }, message)
      expect(page).toContain(`<h1>${html`${message.heading}`.html}</h1>`)
      expect(page).not.toContain("<button")
      expect(page).toContain(`<html lang="${words.tag}">`)
      for (const each of LANGUAGES) expect(page).toContain(`href="/sign/x?lang=${each}"`)
      expect(page.match(/aria-current="true"/gu)).toHaveLength(1)
    }
    expect(new Set(states.map(({ text }) => text)).size).toBe(states.length)
    const page = doorPage({ ...DOOR, language })
    expect(page).toContain(html`${words.asks}`.html)
    expect(page).toContain(words.documents(2))
    expect(page).toMatch(/1(\.|er|º)? (December|Dezember|décembre|dicembre) 2026/u)
    expect(page).not.toMatch(/undefined|null|ß/u)
  })

  it("says how many come first", () => {
    expect(DOOR_WORDS.en.notYourTurn(1).text).toContain("One person signs before you")
    expect(DOOR_WORDS.en.notYourTurn(3).text).toContain("3 people sign before you")
    expect(DOOR_WORDS.de.notYourTurn(3).text).toContain("3 Personen unterschreiben vor Ihnen")
  })

  it("draws the wordmark with the same strokes as the signing app", async () => {
    const app = await readFile(new URL("../../../../signing/src/parts/wordmark.tsx", import.meta.url), "utf8")
    const strokes = Array.from(WORDMARK.html.matchAll(/ d="([^"]+)"/gu), (match) => match[1] ?? "")
    expect(strokes).toHaveLength(2)
    for (const stroke of strokes) expect(app).toContain(stroke)
  })
})

describe("a value from outside", () => {
  it("is text, whatever it contains", () => {
    const payload = `</title><script>alert(1)</script>"' onfocus=alert(1) x="<!--`
    const page = doorPage({
      ...DOOR,
      sender: payload,
      title: payload,
      message: payload,
      signerEmail: payload,
    })
    expect(page).not.toContain("<script")
    expect(tags(page)).toEqual(tags(doorPage(DOOR)))
    expect(tags(messagePage(FRAME, { heading: payload, text: payload }))).toEqual(
      tags(messagePage(FRAME, DOOR_WORDS.en.ended)),
    )
  })

  it("cannot leave the attribute it stands in", () => {
    expect(html`<form action="${'"><b>&'}">`.html).toBe('<form action="&quot;&gt;&lt;b&gt;&amp;">')
  })

  it("adds no tag for any Unicode", () => {
    const anything = fc.string({ unit: "binary", minLength: 1, maxLength: 200 }).map((text) => `.${text}`)
    const expected = tags(doorPage(DOOR))
    fc.assert(
      fc.property(anything, anything, anything, anything, (sender, title, message, signerEmail) => {
        const page = doorPage({ ...DOOR, sender, title, message, signerEmail })
        expect(tags(page)).toEqual(expected)
        expect(page.isWellFormed()).toBe(true)
      }),
    )
  }, 60_000)
})

function tags(page: string): readonly string[] {
  return page.match(/<[^>]*>/gu) ?? []
}
