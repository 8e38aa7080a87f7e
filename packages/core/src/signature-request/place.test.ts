import { describe, expect, it } from "vitest"
import { newWorld } from "../testing/world.ts"
import type { Consent } from "./model.ts"
import { hintsWith, type PageText, placeOf, type TextLine, takenIn } from "./place.ts"

const A4 = { width: 595, height: 842 }
const line = (text: string, x: number, y: number): TextLine => ({
  text,
  x,
  y,
  width: 6 * text.length,
  height: 14,
})
const page = (number: number, ...lines: TextLine[]): PageText => ({ page: number, ...A4, lines })
const words = (text: PageText, language: string | null = null) =>
  hintsWith([], [text], language).filter(({ why }) => why === "words")

describe("[VIS-06] the places that are offered", () => {
  it("are the fields that nobody signed and nobody is asked to sign, and the end of the document", () => {
    const world = newWorld([], ["s1"])
    const position = { page: 0, x: 10, y: 20, width: 100, height: 40 }
    const field = (name: string, signed = false) => ({ name, signed, positions: [position] })
    const unseen = { name: "c", signed: false, positions: [{ ...position, width: 0 }] }
    const document = { ...world.newest(), signatureFields: [field("a"), field("b", true), unseen] }
    const mark = world.request().signatures[0]?.marks[0]
    expect(placeOf(world.request(), document, mark)).toEqual({
      type: "free",
      hints: [
        { ...position, why: "field" },
        // Not at the left, where the field is that somebody has signed.
        { page: 0, x: 359, y: 56, width: 180, height: 54, why: "last-page" },
      ],
    })
  })

  it("are never where somebody else has signed, or will have to", () => {
    const world = newWorld([], ["s1"])
    const request = world.request()
    const [own] = request.signatures
    const [mark] = own?.marks ?? []
    if (own === undefined || mark === undefined) throw new Error("There is nobody who signs.")
    const at = (x: number, y: number) => ({ page: 0, x, y, width: 180, height: 54 })
    const { documentId } = mark
    const consent = { places: [{ documentId, position: at(56, 56) }] } as unknown as Consent
    const ofAnn = { ...own, id: "s2", marks: [{ ...mark }], consent }
    const visual = { type: "positions", positions: [at(359, 56)] } as const
    const ofBen = { ...own, id: "s3", marks: [{ ...mark, visual }], consent: null }
    const among = { ...request, signatures: [own, ofAnn, ofBen] }
    const document = { ...world.newest(), signatureFields: [] }
    const taken = takenIn(among, document, mark)
    expect(taken).toEqual([at(56, 56), at(359, 56)])
    const next = { x: 56, y: 116, why: "last-page" }
    expect(placeOf(among, document, mark)).toMatchObject({ hints: [next] })
    expect(hintsWith([], [page(0)], null, taken)).toMatchObject([next])
    const label = page(0, line("Signature:", 0, 770))
    expect(hintsWith([], [label], null, taken).map(({ why }) => why)).not.toContain("words")
    // What stands on another page takes nothing away here.
    expect(hintsWith([], [page(1)], null, taken)).toMatchObject([{ x: 56, y: 56 }])
  })

  it.each(["Signature", "Unterschrift", "Signature :", "Firma", "Signed by:", "Sottoscrizione"])(
    "are found by the word %s",
    (word) => {
      expect(words(page(2, line(word, 72, 600)))).toHaveLength(1)
    },
  )

  it.each([
    "Signatories",
    "Konfirmation",
    "This contract needs the signature of both of its parties to be valid.",
  ])("are not found by %s", (text) => {
    expect(words(page(0, line(text, 72, 600)))).toEqual([])
  })

  it("are not the company, in German", () => {
    expect(words(page(0, line("Firma", 72, 600)), "de-CH")).toEqual([])
    expect(words(page(0, line("Firma", 72, 600)), "it")).toHaveLength(1)
  })

  it("lie beside a label, upon a rule, or above a word; never upon other text, and in the page", () => {
    const [beside] = words(page(0, line("Signature:", 72, 600)))
    expect(beside).toMatchObject({ x: 140, y: 224 })
    const [rule] = words(page(0, line("Signature: ______________", 72, 600)))
    expect(rule?.x).toBeCloseTo(72 + 66, 0)
    const [above] = words(page(0, line("Signature", 72, 600)))
    expect(above).toMatchObject({ x: 72, y: 246 })
    const [moved] = words(page(0, line("Else", 72, 580), line("Signature", 72, 600)))
    expect(moved?.x).toBeGreaterThan(120)
    const atTheEdge = words(page(0, line("Signature:", 500, 600)))
    for (const { x, width } of atTheEdge) expect(x + width).toBeLessThanOrEqual(A4.width)
  })

  it("are at the end where there is room, and on the last page first", () => {
    const full = page(4, ...Array.from({ length: 40 }, (_, i) => line("x".repeat(80), 60, 200 + 16 * i)))
    const last = hintsWith([], [full], null).at(-1)
    expect(last?.y).toBeGreaterThan(842 - 200)
    const two = hintsWith(
      [],
      [page(3, line("Signature", 72, 600)), page(4, line("Signature", 72, 100))],
      null,
    )
    expect(two.map(({ page: number }) => number)).toEqual([4, 3, 4])
  })
})
