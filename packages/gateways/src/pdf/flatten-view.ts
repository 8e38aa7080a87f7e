// Flattens a PDF, then renders it: each page must look on screen as the original does in print. A difference that a person could
// see is refused, because the sender would sign something else than was uploaded.

import { flatten } from "@paraph/pades/flatten"
import { PdfRefused } from "@paraph/pades/refused"
import { asSource, type Source } from "@paraph/pades/source"
import type { Done } from "./answer.ts"
import type { Module, Pdfium } from "./pdfium.ts"
import { cpuBudget, MIN_PAGE_PIXELS, pagePixelsOf, type ViewCheckOptions } from "./view-check.ts"
import { openViewPage, type ViewPage } from "./view-page.ts"

export type FlattenOptions = Pick<ViewCheckOptions, "maxPixels" | "budgetMs">
export type FlattenQuery = { readonly type: "flatten" } & FlattenOptions

const BYTES_PER_PIXEL = 4
export function flattenView(pdfium: Pdfium, source: Source, { maxPixels, budgetMs }: FlattenQuery): Done {
  const isOver = cpuBudget(budgetMs)
  const { bytes, changes } = flatten(source)
  const [before, after] = [pdfium.open(source), pdfium.open(asSource(bytes))]
  const count = before.getPageCount()
  const pagePixels = pagePixelsOf(count, maxPixels)
  if (after.getPageCount() !== count) throw new PdfRefused("corrupt", "Flattening loses pages.")
  const length = pagePixels * BYTES_PER_PIXEL
  const [printed, shown] = [
    pdfium.module.wasmExports.malloc(length),
    pdfium.module.wasmExports.malloc(length),
  ]
  if (pagePixels < MIN_PAGE_PIXELS || printed === 0 || shown === 0) throw tooComplex()
  const size = { compared: pagePixels, plain: pagePixels, always: true }
  for (let index = 0; index < count; index++) {
    if (isOver()) throw tooComplex()
    const pages = [
      openViewPage(pdfium.module, before, index, size),
      openViewPage(pdfium.module, after, index, size),
    ]
    const [original, flat] = pages
    if (original == null || flat == null || !looksPrinted(pdfium.module, original, flat, printed, shown))
      throw new PdfRefused("corrupt", `Page ${index + 1} would not look as it is printed.`)
    for (const page of pages) page?.close()
  }
  for (const pixels of [printed, shown]) pdfium.module.wasmExports.free(pixels)
  return { value: { changes }, body: bytes }
}

/**
 * PDFium smooths the text of form fields in another way than that of a page. So where a page with fields is not equal, its
 * annotations are drawn into it by PDFium, which knows nothing of our flattening.
 */
function looksPrinted(
  module: Module,
  original: ViewPage,
  flat: ViewPage,
  printed: number,
  shown: number,
): boolean {
  if (original.width !== flat.width || original.height !== flat.height) return false
  const length = original.width * original.height * BYTES_PER_PIXEL
  const pixels = (at: number) => Buffer.from(module.HEAPU8.buffer, at, length)
  flat.draw(shown, "screen")
  original.draw(printed, "print")
  if (pixels(printed).equals(pixels(shown))) return true
  original.flatten()
  original.draw(printed, "print")
  return pixels(printed).equals(pixels(shown))
}

const tooComplex = () =>
  new PdfRefused("too-complex", "Flattening takes more than the limit for one document.")
