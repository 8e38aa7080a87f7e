// Page by page: the page as it is now is drawn once, and held against each revision that somebody signed.

import type { PDFiumDocument } from "@hyzyla/pdfium"
import type { Source } from "@paraph/pades/source"
import type { Comparison } from "./compare-child.ts"
import { type AllowedArea, isSameShape, lookAtPage, type PageCompared } from "./compare-page.ts"
import { type DifferencePictures, picturesOf, sizeOf } from "./compare-pictures.ts"
import { type Otherwise, otherwiseIn, withOtherwise } from "./compare-words.ts"
import { type DrawnPage, openPage } from "./drawn-page.ts"
import { openRevisions, type Revisions } from "./open-revisions.ts"
import type { Module, Pdfium } from "./pdfium.ts"
import { remembered } from "./remembered-page.ts"

export type Compared = {
  complete: boolean
  unreadable: boolean
  readonly pages: PageCompared[]
  readonly pictures: (DifferencePictures & { readonly page: number })[]
}

export type Order = {
  readonly comparisons: readonly Comparison[]
  readonly maxPictures: number
  /** The time for all of it, or this share of it. */
  readonly isOver: (share?: number) => boolean
}

const MAX_PICTURES = 50
/** Of the time. What is different is told without pictures, too; what was not looked at is not told at all. */
const SHOWING_SHARE = 0.6
/** A frame takes more, and JSON beside it. */
const MAX_PICTURE_BYTES = 48_000_000

export async function comparePages(
  pdfium: Pdfium,
  source: Source,
  { comparisons, maxPictures, isOver }: Order,
): Promise<readonly Compared[]> {
  const { module } = pdfium
  const revisions = openRevisions(pdfium, source)
  const otherwise = otherwiseIn(module, () => pdfium.open(source), isOver)
  const all = comparisons.map(
    (): Compared => ({ complete: true, unreadable: false, pages: [], pictures: [] }),
  )
  const shown = { pictures: 0, bytes: 0 }
  for (const [page, wanted] of wantedPages(comparisons, revisions)) {
    const open = wanted.filter(({ which }) => all[which]?.complete)
    if (open.length === 0) continue
    const now = openPage(module, revisions.last, page)
    const after = now && remembered(now)
    for (const { which, before, allowed } of open) {
      const wantsPictures =
        shown.pictures < Math.min(maxPictures, MAX_PICTURES) &&
        shown.bytes < MAX_PICTURE_BYTES &&
        !isOver(SHOWING_SHARE)
      const rules = { allowed, wantsPictures, isOver, otherwise }
      const looked = isOver() ? "over" : await heldAgainst(module, revisions.at(before), after, page, rules)
      const compared = all[which]
      if (compared === undefined) continue
      if (looked === "over" || looked === "unreadable") {
        compared.complete = false
        compared.unreadable = looked === "unreadable"
        continue
      }
      compared.pages.push(looked.compared)
      if (looked.pictures === undefined) continue
      compared.pictures.push({ page, ...looked.pictures })
      shown.pictures += 1
      shown.bytes += sizeOf(looked.pictures)
    }
    now?.close()
  }
  return all
}

async function heldAgainst(
  module: Module,
  document: PDFiumDocument | null,
  after: DrawnPage | null,
  page: number,
  rules: Rules,
): Promise<Outcome | "over" | "unreadable"> {
  if (document === null) return "unreadable"
  const before = openPage(module, document, page)
  try {
    return await comparePage({ before: before && remembered(before), after }, page, rules)
  } finally {
    before?.close()
  }
}

type Wanted = { readonly which: number; readonly before: number; readonly allowed: readonly AllowedArea[] }

/** Who wants which page. */
function wantedPages(
  comparisons: readonly Comparison[],
  revisions: Revisions,
): ReadonlyMap<number, readonly Wanted[]> {
  const wanted = new Map<number, Wanted[]>()
  const want = (page: number, one: Wanted) => {
    const known = wanted.get(page)
    if (known === undefined) wanted.set(page, [one])
    else known.push(one)
  }
  for (const [which, { before, pages }] of comparisons.entries()) {
    if (pages !== "all") for (const { page, allowed } of pages) want(page, { which, before, allowed })
    else for (const page of allPages(revisions, before)) want(page, { which, before, allowed: [] })
  }
  return wanted
}

function* allPages({ last, at }: Revisions, before: number): Generator<number> {
  const count = Math.max(at(before)?.getPageCount() ?? 0, last.getPageCount())
  for (let page = 0; page < count; page++) yield page
}

type Pair = { readonly before: DrawnPage | null; readonly after: DrawnPage | null }
type Rules = {
  readonly allowed: readonly AllowedArea[]
  readonly wantsPictures: boolean
  readonly isOver: () => boolean
  readonly otherwise: Otherwise
}
type Outcome = { readonly compared: PageCompared; readonly pictures?: DifferencePictures }

async function comparePage(
  { before, after }: Pair,
  page: number,
  { allowed, wantsPictures, isOver, otherwise }: Rules,
): Promise<Outcome | "over"> {
  if (before === null || after === null || !isSameShape({ before, after })) {
    // A page that neither has cannot look different; whoever asked for it hears that it was looked for.
    const different = before !== null || after !== null
    const kinds = before !== null && after !== null ? ["size" as const] : ["page" as const]
    const compared = { page, different, kinds: different ? kinds : [], share: different ? 1 : 0 }
    return {
      compared,
      ...(different && wantsPictures && { pictures: await picturesOf({ before, after }) }),
    }
  }
  const seen = lookAtPage({ before, after }, allowed, isOver)
  const places = otherwise(page, allowed)
  if (seen === undefined || (places === undefined && !seen.said.different)) return "over"
  const looked = withOtherwise(seen, places ?? [], after)
  const show = looked.said.different && wantsPictures
  return {
    compared: { page, ...looked.said },
    ...(show && { pictures: await picturesOf({ before, after }, looked) }),
  }
}
