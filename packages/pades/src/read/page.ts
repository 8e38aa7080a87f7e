// The page tree (ISO 32000-2, 7.7.3): how many pages there are, and the first of them with what it inherits.

import { PdfRefused } from "../refused.ts"
import { type Pdf, resolve, resolveDict } from "./document.ts"
import { MAX_NESTING, MAX_PAGE_POINTS } from "./limits.ts"
import { corrupt } from "./scan.ts"
import { entry, isArray, isName, isRef, type PdfDict, type PdfRef, type PdfValue } from "./value.ts"

export type Page = {
  readonly ref: PdfRef | undefined
  /** The page first, then its ancestors: an inheritable attribute is the first one found. */
  readonly lineage: readonly PdfDict[]
}

export function firstPage(pdf: Pdf): Page {
  for (const page of pages(pdf)) return page
  throw corrupt("The PDF has no page.")
}

export function countPages(pdf: Pdf): number {
  let count = 0
  for (const _ of pages(pdf)) count += 1
  return count
}

type Lineage = { readonly dict: PdfDict; readonly parent: Lineage | undefined; readonly depth: number }

// Walked, not asked: /Count is a claim. A stack of our own, so that a deep tree cannot exhaust the machine's.
function* pages(pdf: Pdf): Generator<Page> {
  const seen = new Set<number>()
  const stack: { value: PdfValue; parent: Lineage | undefined }[] = [
    { value: entry(pdf.catalog, "Pages"), parent: undefined },
  ]
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const { value, parent } = next
    if (isRef(value)) {
      // A node that is met twice is a loop or a page with two parents; neither is a tree.
      if (seen.has(value.number)) throw corrupt("The page tree is not a tree.")
      seen.add(value.number)
    }
    const dict = resolveDict(pdf, value, "A node of the page tree")
    const node: Lineage = { dict, parent, depth: (parent?.depth ?? 0) + 1 }
    if (node.depth > MAX_NESTING) throw new PdfRefused("too-complex", "The page tree is nested too deeply.")
    const kids = resolve(pdf, entry(dict, "Kids"))
    if (isPage(dict)) yield { ref: isRef(value) ? value : undefined, lineage: lineageOf(node) }
    else if (isArray(kids))
      for (const kid of kids.items.toReversed()) stack.push({ value: kid, parent: node })
    else throw corrupt("A node of the page tree has no kids.")
  }
}

function isPage(dict: PdfDict): boolean {
  const type = entry(dict, "Type")
  if (isName(type, "Page")) return true
  if (isName(type, "Pages")) return false
  throw corrupt("A node of the page tree is neither a page nor a node.")
}

function lineageOf(node: Lineage): readonly PdfDict[] {
  const dicts: PdfDict[] = []
  for (let at: Lineage | undefined = node; at !== undefined; at = at.parent) dicts.push(at.dict)
  return dicts
}

/** The size of a page as a person sees it, in whole points: the crop box, turned. */
export function pageSize(pdf: Pdf, page: Page): { width: number; height: number } {
  const media = box(pdf, inherited(pdf, page, "MediaBox"))
  if (media === undefined) throw corrupt("The first page has no size.")
  const crop = box(pdf, inherited(pdf, page, "CropBox"))
  // 14.11.2.1: a crop box counts only as far as it lies in the media box.
  const [left, bottom, right, top] = crop === undefined ? media : intersection(media, crop)
  const unit = resolve(pdf, entry(page.lineage[0] ?? pdf.catalog, "UserUnit")) ?? 1
  if (typeof unit !== "number" || unit <= 0) throw corrupt("The first page has no unit.")
  const width = Math.round((right - left) * unit)
  const height = Math.round((top - bottom) * unit)
  // Table 31: a unit makes a page larger than its box, so the limit is on what a person sees.
  if (!(width <= MAX_PAGE_POINTS && height <= MAX_PAGE_POINTS))
    throw new PdfRefused("too-complex", "The first page is too large.")
  if (width < 1 || height < 1) throw corrupt("The first page has no size.")
  const rotate = resolve(pdf, inherited(pdf, page, "Rotate")) ?? 0
  if (typeof rotate !== "number" || rotate % 90 !== 0)
    throw corrupt("The first page is turned by an odd angle.")
  return rotate % 180 === 0 ? { width, height } : { width: height, height: width }
}

function inherited(pdf: Pdf, page: Page, key: string): PdfValue {
  for (const dict of page.lineage) {
    const found = resolve(pdf, entry(dict, key))
    if (found !== null) return found
  }
  return null
}

type Box = readonly [left: number, bottom: number, right: number, top: number]

// 7.9.5: any two opposite corners, in any order.
function box(pdf: Pdf, value: PdfValue): Box | undefined {
  if (value === null) return undefined
  const numbers = isArray(value) ? value.items.map((item) => resolve(pdf, item)) : []
  const [x1, y1, x2, y2] = numbers
  if (
    numbers.length !== 4 ||
    !isCoordinate(x1) ||
    !isCoordinate(y1) ||
    !isCoordinate(x2) ||
    !isCoordinate(y2)
  )
    throw corrupt("A box of the first page is not a rectangle.")
  return [Math.min(x1, x2), Math.min(y1, y2), Math.max(x1, x2), Math.max(y1, y2)]
}

function isCoordinate(value: PdfValue | undefined): value is number {
  return typeof value === "number" && Number.isFinite(value)
}

function intersection(a: Box, b: Box): Box {
  const cut: Box = [Math.max(a[0], b[0]), Math.max(a[1], b[1]), Math.min(a[2], b[2]), Math.min(a[3], b[3])]
  return cut[0] < cut[2] && cut[1] < cut[3] ? cut : a
}
