// Borders of links (ISO 32000-2, 12.5.4). PDFium draws none, other readers do. A frame around words is ordinary, as LaTeX writes
// it; one that crosses words out, covers them or draws characters of its own is refused.

import type { Page } from "../content/page.ts"
import type { Pdf } from "../structure/document.ts"
import { isArray, isDict, isRef, type PdfDict } from "../syntax/value.ts"
import { type Findings, NO_OBJECT } from "./finding.ts"
import { ifReadable, readDict, readEntry, readInteger, readItems, readName, readValue } from "./read-value.ts"

/** A lower frame is a line through or under words, a narrower one a vertical stroke. */
const MIN_SIDE_POINTS = 5
/** LaTeX writes 1; a wider one covers what is next to it. */
const MAX_WIDTH_POINTS = 2
/** Readers that draw the same frame twice show what one shows. */
const SAME_POINTS = 0.5
/** Of the smaller frame: links in adjacent lines touch each other. */
const MAX_OVERLAP = 0.5
const MAX_FRAMES = 2_000
/** Narrow frames next to each other look like digits. */
const CHARACTER = { points: 8, gap: 3, count: 3 } as const
const HIDDEN = 2
const NO_VIEW = 32

type Frame = {
  readonly object: number
  readonly left: number
  readonly bottom: number
  readonly right: number
  readonly top: number
}

export function checkLinkBorders(pdf: Pdf, findings: Findings, page: Page, index: number): void {
  const [dict = pdf.catalog] = page.lineage
  const report = (object: number, what: string) =>
    findings.report("annotation-appearance", object, `Page ${index} has a link with a border that ${what}`)
  const frames: Frame[] = []
  for (const item of ifReadable(pdf, () => readItems(pdf, dict, "Annots")) ?? []) {
    const annotation = ifReadable(pdf, () => readValue(pdf, item))
    if (annotation === undefined || !isDict(annotation)) continue
    const object = isRef(item) ? item.number : (page.ref?.number ?? NO_OBJECT)
    const frame = ifReadable(pdf, () => visibleFrame(pdf, object, annotation))
    if (frame === undefined) continue
    if (frame.width > MAX_WIDTH_POINTS)
      report(object, `is wider than ${MAX_WIDTH_POINTS} points and covers words in some readers`)
    if (Math.min(frame.right - frame.left, frame.top - frame.bottom) < MIN_SIDE_POINTS)
      report(object, "is a line, which some readers draw through words")
    frames.push(frame)
  }
  const row = characterRow(frames)
  if (row !== undefined) report(row.object, "looks like a character, next to others")
  const stacked = frames.length > MAX_FRAMES ? frames[0] : stackedFrame(frames)
  if (stacked !== undefined)
    report(stacked.object, "crosses that of another link, which some readers draw over words")
}

function visibleFrame(
  pdf: Pdf,
  object: number,
  link: PdfDict,
): (Frame & { readonly width: number }) | undefined {
  if (readName(pdf, link, "Subtype") !== "Link" || (readInteger(pdf, link, "F") & (HIDDEN | NO_VIEW)) !== 0)
    return undefined
  const color = readEntry(pdf, link, "C")
  // Table 166: an empty array is transparent.
  if (isArray(color) && color.items.length === 0) return undefined
  const width = borderWidth(pdf, link)
  const sides = readItems(pdf, link, "Rect").map((side) => readValue(pdf, side))
  const [x1, y1, x2, y2] = sides
  if (typeof x1 !== "number" || typeof y1 !== "number" || typeof x2 !== "number" || typeof y2 !== "number")
    return undefined
  const [left, right] = [Math.min(x1, x2), Math.max(x1, x2)]
  const [bottom, top] = [Math.min(y1, y2), Math.max(y1, y2)]
  return width > 0 ? { object, left, bottom, right, top, width } : undefined
}

/** Table 168: the style comes before the array, and the width is 1 where neither gives one. */
function borderWidth(pdf: Pdf, link: PdfDict): number {
  const style = readDict(pdf, link, "BS")
  const given = style === undefined ? null : readEntry(pdf, style, "W")
  const border = readValue(pdf, readItems(pdf, link, "Border")[2] ?? null)
  const widths = [given, border].filter((width) => typeof width === "number")
  return widths.length === 0 ? 1 : Math.max(...widths)
}

/** One that lies over another without being the same. */
function stackedFrame(frames: readonly Frame[]): Frame | undefined {
  const sorted = [...frames].sort((a, b) => a.left - b.left)
  for (const [i, one] of sorted.entries())
    for (const other of sorted.slice(i + 1)) {
      if (other.left >= one.right) break
      if (isOverlapping(one, other)) return one
    }
  return undefined
}

/** The last of three narrow frames in a row; three citations without a space between them are refused, too. */
function characterRow(frames: readonly Frame[]): Frame | undefined {
  const narrow = frames
    .filter(({ left, right }) => right - left <= CHARACTER.points)
    .sort((a, b) => a.bottom - b.bottom || a.left - b.left)
  let count = 1
  for (const [i, frame] of narrow.entries()) {
    const before = narrow[i - 1]
    const isNext =
      before !== undefined &&
      Math.abs(before.bottom - frame.bottom) < CHARACTER.gap &&
      frame.left > before.left &&
      frame.left - before.right < CHARACTER.gap
    count = isNext ? count + 1 : 1
    if (count >= CHARACTER.count) return frame
  }
  return undefined
}

function isOverlapping(a: Frame, b: Frame): boolean {
  const width = Math.min(a.right, b.right) - Math.max(a.left, b.left)
  const height = Math.min(a.top, b.top) - Math.max(a.bottom, b.bottom)
  if (width <= 0 || height <= 0 || isSame(a, b)) return false
  const areas = [a, b].map(({ left, right, bottom, top }) => (right - left) * (top - bottom))
  return width * height > MAX_OVERLAP * Math.min(...areas)
}

const isSame = (a: Frame, b: Frame): boolean =>
  [a.left - b.left, a.bottom - b.bottom, a.right - b.right, a.top - b.top].every(
    (difference) => Math.abs(difference) <= SAME_POINTS,
  )
