import { readFile } from "node:fs/promises"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { DOOR_CSS, DOOR_CSS_PATH } from "./door-css.ts"
import { html } from "./html.ts"
import { type Door, doorPage, MESSAGES, messagePage, notYourTurn } from "./pages.ts"
import { WORDMARK } from "./wordmark.ts"

const DOOR: Door = {
  sender: "Acme AG",
  title: "Rental agreement",
  message: "Dear Anna,\nplease sign.",
  demo: false,
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
    expect(messagePage({ heading: "h", text: "t", demo: true })).toContain("TEST – no legal effect")
  })

  it("needs no script and no inline style, is not indexed and stays small", () => {
    for (const page of [doorPage(DOOR), messagePage(MESSAGES.unknownLink)]) {
      expect(page).not.toMatch(/<script|<style|\sstyle=|\son\w+=|<a\s/iu)
      expect(page).toContain('<meta name="robots" content="noindex, nofollow">')
      expect(page).toContain('<html lang="en">')
      expect(page).toContain(`href="${DOOR_CSS_PATH}"`)
      expect(Buffer.byteLength(page) + Buffer.byteLength(DOOR_CSS)).toBeLessThan(8_000)
    }
  })

  it("has a page for every state in which it stays closed", () => {
    for (const message of [...Object.values(MESSAGES), notYourTurn(0), notYourTurn(1), notYourTurn(3)]) {
      const page = messagePage(message)
      expect(page).toContain(`<h1>${message.heading}</h1>`)
      expect(page).not.toContain("<button")
    }
    expect(notYourTurn(1).text).toContain("One person signs before you")
    expect(notYourTurn(3).text).toContain("3 people sign before you")
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
    expect(tags(messagePage({ heading: payload, text: payload }))).toEqual(tags(messagePage(MESSAGES.ended)))
  })

  it("cannot leave the attribute it stands in", () => {
    expect(html`<form action="${'"><b>&'}">`.html).toBe('<form action="&quot;&gt;&lt;b&gt;&amp;">')
  })

  it("adds no tag for any Unicode", () => {
    const anything = fc.string({ unit: "binary", minLength: 1, maxLength: 1024 }).map((text) => `.${text}`)
    fc.assert(
      fc.property(anything, anything, anything, anything, (sender, title, message, signerEmail) => {
        const page = doorPage({ ...DOOR, sender, title, message, signerEmail })
        expect(tags(page)).toEqual(tags(doorPage(DOOR)))
        expect(page.isWellFormed()).toBe(true)
      }),
    )
  })
})

function tags(page: string): readonly string[] {
  return page.match(/<[^>]*>/gu) ?? []
}
