// Renders every page for screen and for print, and compares the pixels: a signer must see what the paper shows. PDFium draws the
// same for both where a page has no annotation and the document no optional content (view-check.test.ts); such a page is rendered
// once and small, to know that it can be shown. Two bitmaps are allocated once and used for all pages.

import type { PDFiumDocument } from "@hyzyla/pdfium"
import type { ShownField } from "@paraph/pades/conditional-fields"
import { PdfRefused } from "@paraph/pades/refused"
import type { Source } from "@paraph/pades/source"
import { boxesWithWords, fieldsShowingOtherText } from "./field-check.ts"
import { explainedByFields } from "./media-difference.ts"
import type { Module, Pdfium } from "./pdfium.ts"
import { openViewPage, type PointRect, type ScreenOnlyField, type ViewPage } from "./view-page.ts"

export type ViewReason = "screen-print-difference" | "page-not-renderable" | "render-budget" | "field-value"

export type ViewFinding = { readonly reason: ViewReason; readonly detail: string }

export type ViewCheckOptions = {
  /** As our own parser counts them: readers that count otherwise show another document. */
  readonly pageCount: number
  readonly shownFields: readonly ShownField[]
  /** The document has optional content, so any page may look different in print. */
  readonly hasLayers: boolean
  /** All pages of one medium together. */
  readonly maxPixels: number
  /** CPU time of this process for this document. */
  readonly budgetMs: number
}

/** 72 dots per inch: one pixel per point. */
const MAX_PAGE_PIXELS = 1_000_000
/** A4 at 23 dots per inch; below that a line of text could vanish. */
export const MIN_PAGE_PIXELS = 50_000
const MAX_FINDINGS = 10
const BYTES_PER_PIXEL = 4

export function checkView(pdfium: Pdfium, source: Source, options: ViewCheckOptions): readonly ViewFinding[] {
  const isOver = cpuBudget(options.budgetMs)
  const document = pdfium.open(source)
  const count = document.getPageCount()
  if (count !== options.pageCount)
    return [notRenderable(`The renderer finds ${count} pages, the parser ${options.pageCount}.`)]
  const pagePixels = pagePixelsOf(count, options.maxPixels)
  if (pagePixels < MIN_PAGE_PIXELS) return [overBudget(count)]
  const { findings, boxes } = checkPages(pdfium.module, document, { pagePixels, ...options }, isOver)
  if (findings.length > 0) return findings
  // Reading the text of an appearance changes the page, so this takes a document of its own.
  const others =
    options.shownFields.length === 0
      ? []
      : fieldsShowingOtherText(pdfium.module, () => pdfium.open(source), options.shownFields, isOver)
  const words = boxes.length === 0 ? [] : boxesWithWords(pdfium.module, pdfium.open(source), boxes, isOver)
  return others === undefined || words === undefined ? [overBudget(count)] : [...others, ...words]
}

/** Fewer for each page where there are many. */
export const pagePixelsOf = (pages: number, maxPixels: number): number =>
  Math.min(MAX_PAGE_PIXELS, Math.floor(maxPixels / Math.max(1, pages)))

type Pages = Pick<ViewCheckOptions, "hasLayers" | "shownFields"> & { readonly pagePixels: number }

/** Boxes without the Print flag, which must not hold words. Pages are counted from 0. */
export type ScreenOnlyBox = { readonly page: number; readonly rect: PointRect }

function checkPages(
  module: Module,
  document: PDFiumDocument,
  { pagePixels, hasLayers, shownFields }: Pages,
  isOver: () => boolean,
): { readonly findings: readonly ViewFinding[]; readonly boxes: readonly ScreenOnlyBox[] } {
  const findings: ViewFinding[] = []
  const boxes: ScreenOnlyBox[] = []
  const length = pagePixels * BYTES_PER_PIXEL
  const [screen, print] = [module.wasmExports.malloc(length), module.wasmExports.malloc(length)]
  if (screen === 0 || print === 0) throw new PdfRefused("too-complex", "The PDF took too much memory.")
  const count = document.getPageCount()
  for (let index = 0; index < count && findings.length < MAX_FINDINGS; index++) {
    if (isOver()) return { findings: [...findings, overBudget(count)], boxes }
    const page = openViewPage(module, document, index, {
      compared: pagePixels,
      plain: MIN_PAGE_PIXELS,
      always: hasLayers,
    })
    if (page === null) findings.push(notRenderable(`Page ${index + 1} cannot be opened by the renderer.`))
    else {
      const compared = page.screenOnlyFields.filter(
        ({ kind, rect }) =>
          kind === "box" || shownFields.some((field) => field.page === index && isSameRect(field.rect, rect)),
      )
      const explained = explainedDifferences(module, page, compared, screen, print)
      if (explained === undefined)
        findings.push({
          reason: "screen-print-difference",
          detail: `Page ${index + 1} looks different on screen and in print.`,
        })
      for (const { kind, rect } of explained ?? []) if (kind === "box") boxes.push({ page: index, rect })
    }
    page?.close()
  }
  for (const pixels of [screen, print]) module.wasmExports.free(pixels)
  return { findings, boxes }
}

/** PDFium keeps floats of 32 bits. */
const ROUNDING = 0.01

function isSameRect(written: PointRect, read: PointRect): boolean {
  const [x1, y1, x2, y2] = written
  const sides = [Math.min(x1, x2), Math.min(y1, y2), Math.max(x1, x2), Math.max(y1, y2)]
  return sides.every((side, i) => Math.abs(side - (read[i] ?? 0)) < ROUNDING)
}

/** The fields that print leaves out; undefined where the page looks different. */
function explainedDifferences(
  module: Module,
  page: ViewPage,
  fields: readonly ScreenOnlyField[],
  screen: number,
  print: number,
): ReadonlySet<ScreenOnlyField> | undefined {
  page.draw(screen, "screen")
  if (!page.isCompared) return new Set()
  page.draw(print, "print")
  const length = page.width * page.height * BYTES_PER_PIXEL
  const pixels = (at: number) => Buffer.from(module.HEAPU8.buffer, at, length)
  if (pixels(screen).equals(pixels(print))) return new Set()
  return explainedByFields(pixels(screen), pixels(print), page, fields)
}

const notRenderable = (detail: string): ViewFinding => ({ reason: "page-not-renderable", detail })

const overBudget = (pages: number): ViewFinding => ({
  reason: "render-budget",
  detail: `Rendering the ${pages} pages takes more than the limit for one document.`,
})

/** CPU time, because the load of the machine is no property of the document. */
export function cpuBudget(ms: number): () => boolean {
  const start = process.cpuUsage()
  return () => {
    const { user, system } = process.cpuUsage(start)
    return (user + system) / 1000 > ms
  }
}
