// Renders every page for screen and for print, and compares the pixels: a signer must see what the paper shows. PDFium draws the
// same for both where a page has no annotation and the document no optional content (view-check.test.ts); such a page is rendered
// once and small, to know that it can be shown. Two bitmaps are allocated once and used for all pages.

import type { PDFiumDocument } from "@hyzyla/pdfium"
import type { PlacedField } from "@paraph/pades/conditional-fields"
import { PdfRefused } from "@paraph/pades/refused"
import type { Source } from "@paraph/pades/source"
import { fieldsShowingOtherText } from "./field-check.ts"
import { compareMedia } from "./media-difference.ts"
import type { Module, Pdfium } from "./pdfium.ts"
import { openViewPage, type ViewPage } from "./view-page.ts"

export type ViewReason = "screen-print-difference" | "page-not-renderable" | "render-budget" | "field-value"

export type ViewFinding = { readonly reason: ViewReason; readonly detail: string }

export type ViewCheckOptions = {
  /** As our own parser counts them: readers that count otherwise show another document. */
  readonly pageCount: number
  readonly shownFields: readonly PlacedField[]
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
  const findings = checkPages(pdfium.module, document, { pagePixels, always: options.hasLayers }, isOver)
  if (findings.length > 0 || options.shownFields.length === 0) return findings
  // Reading the text of an appearance changes the page, so this takes a document of its own.
  const others = fieldsShowingOtherText(pdfium.module, pdfium.open(source), options.shownFields, isOver)
  return others ?? [overBudget(count)]
}

/** Fewer for each page where there are many. */
export const pagePixelsOf = (pages: number, maxPixels: number): number =>
  Math.min(MAX_PAGE_PIXELS, Math.floor(maxPixels / Math.max(1, pages)))

function checkPages(
  module: Module,
  document: PDFiumDocument,
  { pagePixels, always }: { readonly pagePixels: number; readonly always: boolean },
  isOver: () => boolean,
): readonly ViewFinding[] {
  const findings: ViewFinding[] = []
  const length = pagePixels * BYTES_PER_PIXEL
  const [screen, print] = [module.wasmExports.malloc(length), module.wasmExports.malloc(length)]
  if (screen === 0 || print === 0) throw new PdfRefused("too-complex", "The PDF took too much memory.")
  const count = document.getPageCount()
  for (let index = 0; index < count && findings.length < MAX_FINDINGS; index++) {
    if (isOver()) return [...findings, overBudget(count)]
    const page = openViewPage(module, document, index, {
      compared: pagePixels,
      plain: MIN_PAGE_PIXELS,
      always,
    })
    if (page === null) findings.push(notRenderable(`Page ${index + 1} cannot be opened by the renderer.`))
    else if (differs(module, page, screen, print))
      findings.push({
        reason: "screen-print-difference",
        detail: `Page ${index + 1} looks different on screen and in print.`,
      })
    page?.close()
  }
  for (const pixels of [screen, print]) module.wasmExports.free(pixels)
  return findings
}

function differs(module: Module, page: ViewPage, screen: number, print: number): boolean {
  page.draw(screen, "screen")
  if (!page.isCompared) return false
  page.draw(print, "print")
  const length = page.width * page.height * BYTES_PER_PIXEL
  const pixels = (at: number) => Buffer.from(module.HEAPU8.buffer, at, length)
  if (pixels(screen).equals(pixels(print))) return false
  return compareMedia(pixels(screen), pixels(print), page, page.screenOnlyFields)
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
