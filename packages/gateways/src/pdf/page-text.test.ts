import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { writeSample } from "@paraph/pades/sample"
import { afterAll, describe, expect, it } from "vitest"
import { sealedFileOf } from "../testing/sealed-file.ts"
import { TENANT } from "../testing/tenant.ts"
import { createPdfRooms } from "./rooms.ts"

const folder = mkdtempSync(join(tmpdir(), "paraph-text-"))
const rooms = createPdfRooms({ folder, warm: 1, wallMs: 120_000 })
afterAll(async () => {
  await rooms.close()
  rmSync(folder, { recursive: true })
})

/** One page that is shown 600 points wide and 800 high, whatever it is. */
const page = (boxes: string, content: string, catalog = "") =>
  Buffer.from(
    writeSample([
      `<< /Type /Catalog /Pages 2 0 R ${catalog} >>`,
      "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
      `<< /Type /Page /Parent 2 0 R ${boxes} /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>`,
      `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
      "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
    ]),
  )
const at = (matrix: string, text: string) => `BT /F1 20 Tf ${matrix} Tm (${text}) Tj ET\n`
const read = async (pdf: Buffer, textOf: readonly number[] = [0]) =>
  rooms.readTexts(await sealedFileOf(pdf, folder), TENANT, { textOf })

describe("the text of a page", () => {
  it("is told in lines with their places, from the upper left corner, and in the document's language", async () => {
    const content =
      at("1 0 0 1 100 700", "A contract of M\\374ller") + at("1 0 0 1 100 100", "Signature: ____")
    const { language, pages } = await read(page("/MediaBox [0 0 600 800]", content, "/Lang (de-CH)"))
    expect(language).toBe("de-CH")
    expect(pages[0]?.lines.map(({ text }) => text)).toEqual(["A contract of Müller", "Signature: ____"])
    const [first, second] = pages[0]?.lines ?? []
    expect(first?.x).toBeCloseTo(100, 0)
    // 20 points high, upon a baseline that is 700 above the lower edge.
    expect(first?.y).toBeGreaterThan(70)
    expect(first?.y).toBeLessThan(100)
    expect((first?.y ?? 0) + (first?.height ?? 0)).toBeGreaterThan(99)
    expect(second?.y).toBeGreaterThan(670)
    expect(first?.width).toBeGreaterThan(150)
    expect(first?.width).toBeLessThan(250)
  })

  it.each([
    ["turned", "/MediaBox [0 0 800 600] /Rotate 90", "0 1 -1 0 100 100"],
    ["cropped", "/MediaBox [0 0 900 900] /CropBox [50 60 650 860]", "1 0 0 1 150 760"],
  ])("has its places on a page that is %s as a person sees them", async (_, boxes, matrix) => {
    const { pages } = await read(page(boxes, at(matrix, "Here")))
    expect(pages[0]).toMatchObject({ width: 600, height: 800, lines: [{ text: "Here" }] })
    const [line] = pages[0]?.lines ?? []
    expect(line?.x).toBeCloseTo(100, 0)
    expect(line?.y).toBeGreaterThan(70)
    expect(line?.y).toBeLessThan(100)
    expect(line?.width).toBeGreaterThan(line?.height ?? 0)
  })

  it.each([
    ["is painted with nothing", at("1 0 0 1 100 600", "Unseen"), "3 Tr"],
    ["only cuts out", at("1 0 0 1 100 600", "Unseen"), "7 Tr"],
    ["lies beside the page", at("1 0 0 1 700 600", "Unseen"), ""],
    ["lies below the page", at("1 0 0 1 100 -40", "Unseen"), ""],
  ])("leaves out what %s, since nobody who looks at the page sees it", async (_, unseen, mode) => {
    const content = `${at("1 0 0 1 100 700", "Seen")}q ${mode} ${unseen} Q\n${at("1 0 0 1 100 500", "Seen too")}`
    const { pages } = await read(page("/MediaBox [0 0 600 800]", content))
    expect(pages[0]?.lines.map(({ text }) => text)).toEqual(["Seen", "Seen too"])
  })

  it("leaves out what was cropped away, on a page that is turned as well", async () => {
    const content =
      at("0 1 -1 0 150 160", "Here") + at("0 1 -1 0 20 160", "Left out") + at("0 1 -1 0 150 700", "Too")
    const { pages } = await read(page("/MediaBox [0 0 900 900] /CropBox [50 60 850 660] /Rotate 90", content))
    expect(pages[0]?.lines.map(({ text }) => text)).toEqual(["Here"])
  })

  it("keeps columns apart, and is bounded", async () => {
    const columns = at("1 0 0 1 50 700", "Left") + at("1 0 0 1 400 700", "Right")
    const apart = await read(page("/MediaBox [0 0 600 800]", columns))
    expect(apart.pages[0]?.lines.map(({ text }) => text)).toEqual(["Left", "Right"])
    const many = Array.from({ length: 3000 }, (_, i) =>
      at(`1 0 0 1 50 ${800 - i / 4}`, "a line of text"),
    ).join("")
    const long = (await read(page("/MediaBox [0 0 600 800]", many))).pages[0]?.lines ?? []
    expect(long.length).toBeLessThanOrEqual(2000)
    expect(long.reduce((sum, { text }) => sum + text.length, 0)).toBeLessThanOrEqual(20_000)
  })

  it("is nothing for a page that is not there", async () => {
    const { language, pages } = await read(
      page("/MediaBox [0 0 600 800]", "", "/Lang (\\(no\\) language)"),
      [0, 1, -1],
    )
    expect(language).toBeNull()
    expect(pages).toEqual([{ width: 600, height: 800, lines: [] }, null, null])
  })
})
