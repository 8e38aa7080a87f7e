// The page tree (ISO 32000-2, 7.7.3): how many pages there are, one of them with what it inherits, and what a person
// sees of it.

import { PdfRefused } from "../refused.ts"
import { type Pdf, resolve, resolveDict } from "../structure/document.ts"
import { MAX_NESTING, MAX_PAGE_POINTS } from "../syntax/limits.ts"
import { corrupt } from "../syntax/scan.ts"
import {
  entry,
  isArray,
  isDict,
  isName,
  isRef,
  type PdfDict,
  type PdfRef,
  type PdfValue,
} from "../syntax/value.ts"
import {
  type Box,
  fromUserSpace,
  type PageFrame,
  type Shown,
  type ShownRect,
  type Size,
  shownSize,
  toUserSpace,
  upright,
} from "./page-frame.ts"

export type Page = {
  readonly ref: PdfRef | undefined
  /** The page first, then its ancestors: an inheritable attribute is the first one found. */
  readonly lineage: readonly PdfDict[]
  /** How the page tree refers to each of the lineage; undefined for a direct object. */
  readonly refs: readonly (PdfRef | undefined)[]
}

export function firstPage(pdf: Pdf): Page {
  for (const page of pages(pdf)) return page
  throw corrupt("The PDF has no page.")
}

/** The page of an index, 0 for the first one. */
export function pageAt(pdf: Pdf, index: number): Page {
  return pagesAt(pdf, [index]).get(index) ?? firstPage(pdf)
}

/** The pages of these indices, found in one walk; throws a RangeError where there is no such page. */
export function pagesAt(pdf: Pdf, indices: readonly number[]): ReadonlyMap<number, Page> {
  const wanted = new Set(indices)
  const found = new Map<number, Page>()
  let at = 0
  for (const page of pages(pdf)) {
    if (wanted.delete(at)) found.set(at, page)
    if (wanted.size === 0) return found
    at += 1
  }
  if (at === 0) throw corrupt("The PDF has no page.")
  throw new RangeError(`The PDF has no page of index ${[...wanted].join(", ")}.`)
}

export function countPages(pdf: Pdf): number {
  let count = 0
  for (const _ of pages(pdf)) count += 1
  return count
}

type Lineage = {
  readonly dict: PdfDict
  readonly ref: PdfRef | undefined
  readonly parent: Lineage | undefined
  readonly depth: number
}

/** Walked, not asked: /Count is a claim. A stack of our own, so that a deep tree cannot exhaust the machine's. */
export function* pages(pdf: Pdf): Generator<Page> {
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
    const ref = isRef(value) ? value : undefined
    const node: Lineage = { dict, ref, parent, depth: (parent?.depth ?? 0) + 1 }
    if (node.depth > MAX_NESTING) throw new PdfRefused("too-complex", "The page tree is nested too deeply.")
    const kids = resolve(pdf, entry(dict, "Kids"))
    if (isPage(dict)) yield { ref, ...lineageOf(node) }
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

function lineageOf(node: Lineage): Pick<Page, "lineage" | "refs"> {
  const lineage: PdfDict[] = []
  const refs: (PdfRef | undefined)[] = []
  for (let at: Lineage | undefined = node; at !== undefined; at = at.parent) {
    lineage.push(at.dict)
    refs.push(at.ref)
  }
  return { lineage, refs }
}

export function pageFrame(pdf: Pdf, page: Page): PageFrame {
  const media = box(pdf, inherited(pdf, page, "MediaBox"))
  if (media === undefined) throw corrupt("A page has no size.")
  const crop = box(pdf, inherited(pdf, page, "CropBox"))
  const unit = resolve(pdf, entry(page.lineage[0] ?? pdf.catalog, "UserUnit")) ?? 1
  if (typeof unit !== "number" || unit <= 0) throw corrupt("A page has no unit.")
  const rotate = resolve(pdf, inherited(pdf, page, "Rotate")) ?? 0
  if (typeof rotate !== "number" || rotate % 90 !== 0) throw corrupt("A page is turned by an odd angle.")
  // 14.11.2.1: a crop box counts only as far as it lies in the media box.
  const shown = crop === undefined ? media : intersection(media, crop)
  const frame = { box: shown, rotation: quarterTurns(rotate), unit }
  const { width, height } = shownSize(frame)
  // Table 31: a unit makes a page larger than its box, so the limit is on what a person sees.
  if (!(width <= MAX_PAGE_POINTS && height <= MAX_PAGE_POINTS))
    throw new PdfRefused("too-complex", "A page is too large.")
  if (width < 0.5 || height < 0.5) throw corrupt("A page has no size.")
  return frame
}

function quarterTurns(rotate: number): PageFrame["rotation"] {
  const turns = (((rotate / 90) % 4) + 4) % 4
  return turns === 1 ? 90 : turns === 2 ? 180 : turns === 3 ? 270 : 0
}

/** The size of a page as a person sees it, in whole points: the crop box, turned. */
export function pageSize(pdf: Pdf, page: Page): Size {
  const { width, height } = shownSize(pageFrame(pdf, page))
  return { width: Math.round(width), height: Math.round(height) }
}

/** A place on a page as a person sees it; 0 is the first page. */
export type PagePlace = { readonly page: number } & ShownRect

/** Throws a RangeError where the place is not in the page. */
export function placeOnPage(pdf: Pdf, page: Page, place: ShownRect): Shown {
  const frame = pageFrame(pdf, page)
  return upright(frame, toUserSpace(frame, place))
}

/** How an existing widget is seen; nothing where it has no size, as the widget of an invisible field. */
export function widgetShown(pdf: Pdf, widget: PdfDict): Shown | undefined {
  const rect = box(pdf, resolve(pdf, entry(widget, "Rect")))
  if (rect === undefined || rect[0] === rect[2] || rect[1] === rect[3]) return undefined
  const page = pageOfWidget(pdf, widget)
  return page === undefined ? undefined : upright(pageFrame(pdf, page), rect)
}

/** The place of an existing widget on its page, as a person sees it. */
export function shownRect(pdf: Pdf, page: Page, rect: Box): ShownRect {
  return fromUserSpace(pageFrame(pdf, page), rect)
}

// Table 166: /P is optional, and where it is missing the page that lists the widget is its page.
function pageOfWidget(pdf: Pdf, widget: PdfDict): Page | undefined {
  const named = entry(widget, "P")
  const spelled = spelling(widget)
  let listing: Page | undefined
  for (const page of pages(pdf)) {
    if (isRef(named) && page.ref?.number === named.number) return page
    if (listing === undefined && lists(pdf, page, spelled)) listing = page
  }
  return listing
}

function lists(pdf: Pdf, page: Page, spelled: string): boolean {
  const annotations = resolve(pdf, entry(page.lineage[0] ?? pdf.catalog, "Annots"))
  if (!isArray(annotations)) return false
  return annotations.items.some((item) => {
    const annotation = resolve(pdf, item)
    return isDict(annotation) && spelling(annotation) === spelled
  })
}

function spelling({ bytes, start, end }: PdfDict): string {
  return Buffer.from(bytes.subarray(start, end)).toString("latin1")
}

/** An attribute that a page may take from its ancestors: 7.7.3.4. */
export function inherited(pdf: Pdf, page: Page, key: string): PdfValue {
  for (const dict of page.lineage) {
    const found = resolve(pdf, entry(dict, key))
    if (found !== null) return found
  }
  return null
}

// 7.9.5: any two opposite corners, in any order.
export function box(pdf: Pdf, value: PdfValue): Box | undefined {
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
    throw corrupt("A box of a page is not a rectangle.")
  return [Math.min(x1, x2), Math.min(y1, y2), Math.max(x1, x2), Math.max(y1, y2)]
}

function isCoordinate(value: PdfValue | undefined): value is number {
  return typeof value === "number" && Number.isFinite(value)
}

function intersection(a: Box, b: Box): Box {
  const cut: Box = [Math.max(a[0], b[0]), Math.max(a[1], b[1]), Math.min(a[2], b[2]), Math.min(a[3], b[3])]
  return cut[0] < cut[2] && cut[1] < cut[3] ? cut : a
}
