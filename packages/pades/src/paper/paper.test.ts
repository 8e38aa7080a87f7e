import fc from "fast-check"
import sharp from "sharp"
import { describe, expect, it } from "vitest"
import { writePng } from "../appearance/png.ts"
import { shape, trimmed, widthOf } from "../appearance/text.ts"
import { describePdf } from "../content/describe.ts"
import { readSignatures } from "../signed/signatures.ts"
import { bytesSource } from "../source.ts"
import { openPdf } from "../structure/document.ts"
import type { Block, Paper } from "./block.ts"
import { startDesk } from "./desk.ts"
import { breakLines } from "./lines.ts"
import { writePaper } from "./paper.ts"
import { readPngImage } from "./png-image.ts"
import { setBlock } from "./set-block.ts"

const picture = writePng({ width: 3, height: 2, rgb: new Uint8Array(18).fill(200) })

function paper(...blocks: readonly Block[]): Paper {
  return {
    title: "Prüfbericht (1)",
    language: "de",
    madeAt: new Date("2026-11-01T12:00:00Z"),
    producer: "Paraph",
    blocks,
    footer: (page, pages) => ["unten", `${page}/${pages}`],
  }
}

function pagesOf(bytes: Uint8Array): number {
  return describePdf(bytes).pageCount
}

const EVERY_BLOCK: readonly Block[] = [
  { type: "heading", level: 1, text: "Title" },
  { type: "heading", level: 2, text: "Part", sign: "bad" },
  { type: "heading", level: 3, text: "Piece" },
  { type: "paragraph", text: "Words", look: "grey" },
  { type: "verdict", sign: "unclear", heading: "Cannot be decided", text: "For want of proof." },
  { type: "rows", rows: [{ label: "Label", text: "Text" }] },
  { type: "list", items: ["One", "Two"] },
  { type: "pictures", pictures: [{ caption: "A", png: picture, absent: "-" }] },
  { type: "page" },
  { type: "pictures", pictures: [{ caption: "B", png: null, absent: "not there" }] },
]

describe("a paper", () => {
  it("is a PDF that we read ourselves, with all its pages", () => {
    const bytes = writePaper(paper(...EVERY_BLOCK))
    expect(pagesOf(bytes)).toBe(2)
    expect(readSignatures(openPdf(bytesSource(bytes)))).toEqual([])
  })

  it("with a file inside it is PDF/A-3a and names the file; without one PDF/A-2a", () => {
    const attachment = {
      name: "story.json",
      mediaType: "application/json",
      description: "Der Verlauf (mit Nachweisen)",
      bytes: Buffer.from("{}"),
    }
    const bytes = writePaper({ ...paper(...EVERY_BLOCK), attachment })
    expect(describePdf(bytes).pdfa).toBe("PDF/A-3A")
    expect(Buffer.from(bytes).toString("latin1")).toMatch(
      /\/AF \[(\d+) 0 R\] \/Names << \/EmbeddedFiles << \/Names \[\(story\.json\) \1 0 R\]/,
    )
    expect(describePdf(writePaper(paper(...EVERY_BLOCK))).pdfa).toBe("PDF/A-2A")
    for (const wrong of [{ name: "a/b" }, { name: "a)b" }, { mediaType: "json" }])
      expect(() => writePaper({ ...paper(), attachment: { ...attachment, ...wrong } })).toThrow(
        "another name",
      )
  })

  it("is the same, octet by octet, each time", () => {
    expect(writePaper(paper(...EVERY_BLOCK))).toEqual(writePaper(paper(...EVERY_BLOCK)))
  })

  it("goes on on further pages, for each kind of block", () => {
    const long = "Wort ".repeat(3000)
    for (const block of [
      { type: "paragraph", text: long },
      { type: "rows", rows: [{ label: "A", text: long }] },
      { type: "list", items: Array.from({ length: 120 }, () => "Zeile") },
    ] satisfies Block[])
      expect(pagesOf(writePaper(paper(block)))).toBeGreaterThan(1)
  })

  it("does not leave a heading behind that pictures follow, words between them or not", () => {
    const heading: Block = { type: "heading", level: 2, text: "Bilder" }
    const words: Block = { type: "paragraph", text: "Links und rechts" }
    const pictures: Block = { type: "pictures", pictures: [{ caption: "A", png: picture, absent: "-" }] }
    const pagesWith = (...rest: readonly Block[]) => {
      const desk = startDesk()
      setBlock(desk, { type: "list", items: Array.from({ length: 30 }, () => "Zeile") }, [])
      setBlock(desk, heading, rest)
      return desk.pages.length
    }
    expect(pagesWith(words)).toBe(1)
    expect(pagesWith(pictures)).toBe(2)
    expect(pagesWith(words, pictures)).toBe(2)
  })

  it("whatever is written in it, it is a PDF", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 400 }), (text) => {
        const blocks: readonly Block[] = [
          { type: "heading", level: 2, text },
          { type: "verdict", sign: "good", heading: text, text },
          { type: "rows", rows: [{ label: text, text }] },
          { type: "list", items: [text] },
        ]
        expect(pagesOf(writePaper({ ...paper(...blocks), title: text }))).toBeGreaterThan(0)
      }),
      { numRuns: 60 },
    )
  })
})

describe("lines", () => {
  it("are never wider than they may be but for the space at their end, and lose nothing", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 200 }), fc.integer({ min: 2, max: 40 }), (text, ems) => {
        const letters = shape(text)
        const lines = breakLines(letters, ems)
        for (const line of lines) expect(widthOf(trimmed(line))).toBeLessThanOrEqual(ems + 1e-9)
        expect(lines.flat()).toEqual(letters)
      }),
    )
  })
})

describe("pictures", () => {
  const raw = { raw: { width: 5, height: 4, channels: 3 as const } }

  it("are taken as they are, grey and in colours", async () => {
    const colours = await sharp(Buffer.alloc(60, 9), raw).png().toBuffer()
    const grey = await sharp(Buffer.alloc(60, 9), raw).greyscale().toColourspace("b-w").png().toBuffer()
    expect(readPngImage(colours)).toMatchObject({ width: 5, height: 4, colours: 3 })
    expect(readPngImage(grey)).toMatchObject({ width: 5, height: 4, colours: 1 })
  })

  it("of any other kind, cut short or with too few rows are not taken", async () => {
    const colours = await sharp(Buffer.alloc(60, 9), raw).png().toBuffer()
    const others = [
      await sharp(Buffer.alloc(60, 9), raw).ensureAlpha().png().toBuffer(),
      await sharp(Buffer.alloc(60, 9), raw).png({ palette: true }).toBuffer(),
      await sharp(Buffer.alloc(60, 9), raw).png({ progressive: true }).toBuffer(),
      await sharp(Buffer.alloc(60, 9), raw).jpeg().toBuffer(),
      colours.subarray(0, 50),
      Buffer.alloc(0),
    ]
    const taller = Buffer.from(colours)
    taller.writeUInt32BE(5, 20)
    const shorter = Buffer.from(colours)
    shorter.writeUInt32BE(3, 20)
    for (const other of [...others, taller, shorter]) expect(readPngImage(other)).toBeUndefined()
  })
})
