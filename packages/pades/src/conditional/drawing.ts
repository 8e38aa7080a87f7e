// Graphics states, images and patterns (ISO 32000-2, 8.4.5, 8.7.3, 8.9.5, 11.6.5) that readers draw differently because an entry is
// missing or is one that few of them know, and patterns that no renderer can draw in time.

import type { Pdf } from "../structure/document.ts"
import { isArray, type PdfDict } from "../syntax/value.ts"
import type { Findings } from "./finding.ts"
import { nameIn, readDict, readEntry, readItems, readName, readValue } from "./read-value.ts"

export function checkDrawing(pdf: Pdf, findings: Findings, object: number, dict: PdfDict): void {
  const { entries } = dict
  // Table 57: the font of a graphics state. The /Font of resources is a dictionary.
  if (entries.has("Font") && isArray(readEntry(pdf, dict, "Font")))
    findings.report(
      "reader-dependent",
      object,
      "A graphics state sets a font, which only some readers do (/Font)",
    )
  if (entries.has("SMask")) checkSoftMask(pdf, findings, object, dict)
  if (entries.has("Width") && entries.has("Height") && readName(pdf, dict, "Subtype") === "Image")
    checkImageSpace(pdf, findings, object, dict)
  if (entries.has("PatternType") && readEntry(pdf, dict, "PatternType") === 1)
    checkTiling(pdf, findings, object, dict)
}

/** Table 142. The soft mask of an image is a stream, and has other entries. */
function checkSoftMask(pdf: Pdf, findings: Findings, object: number, dict: PdfDict): void {
  const mask = readDict(pdf, dict, "SMask")
  if (mask === undefined || readName(pdf, mask, "Subtype") === "Image" || mask.entries.has("Width")) return
  const type = readName(pdf, mask, "S")
  const group = readDict(pdf, mask, "G")
  if (
    (type === "Alpha" || type === "Luminosity") &&
    group !== undefined &&
    readDict(pdf, group, "Group") !== undefined
  )
    return
  findings.report("reader-dependent", object, "A soft mask has no type or no transparency group (/S, /G)")
}

/** Table 87: only an image mask has no colour space, and JPEG 2000 has one of its own. */
function checkImageSpace(pdf: Pdf, findings: Findings, object: number, dict: PdfDict): void {
  if (readEntry(pdf, dict, "ImageMask") === true || readEntry(pdf, dict, "ColorSpace") !== null) return
  const filters = readItems(pdf, dict, "Filter").map((filter) => nameIn(readValue(pdf, filter)))
  if (filters.includes("JPXDecode")) return
  findings.report("reader-dependent", object, "An image has no colour space, so readers guess its colours")
}

/** As often as a pattern may be repeated over a page of A4. A screen of 1,200 dots per inch with cells of eight dots repeats 2 million times. */
const MAX_TILES = 5_000_000
const [A4_WIDTH, A4_HEIGHT] = [595, 842]

/** Table 74. The time that a renderer takes is that of the number of tiles, so a small file could keep it busy for hours. */
function checkTiling(pdf: Pdf, findings: Findings, object: number, dict: PdfDict): void {
  const [a, b, c, d] = matrixOf(pdf, dict)
  const [x, y] = ["XStep", "YStep"].map((key) => readEntry(pdf, dict, key))
  const across = typeof x === "number" ? A4_WIDTH / (Math.abs(x) * Math.hypot(a, b)) : Number.NaN
  const down = typeof y === "number" ? A4_HEIGHT / (Math.abs(y) * Math.hypot(c, d)) : Number.NaN
  const tiles = Math.max(1, across) * Math.max(1, down)
  if (tiles <= MAX_TILES) return
  findings.report("page-not-renderable", object, "A pattern is repeated too often (/XStep, /YStep)")
}

function matrixOf(pdf: Pdf, dict: PdfDict): readonly [number, number, number, number] {
  const matrix = readEntry(pdf, dict, "Matrix")
  const numbers = isArray(matrix) ? matrix.items.map((item) => readValue(pdf, item)) : []
  const [a, b, c, d] = numbers
  if (typeof a !== "number" || typeof b !== "number" || typeof c !== "number" || typeof d !== "number")
    return [1, 0, 0, 1]
  return [a, b, c, d]
}
