// Which characters of a form field can be seen. The annotations of a page are drawn into it twice, with the fields and without them;
// a character counts only where this changes the pixels of its ink, and where these have a contrast.

import type { PDFiumDocument } from "@hyzyla/pdfium"
import type { Character } from "./field-text.ts"
import type { Module } from "./pdfium.ts"
import type { PointRect } from "./view-page.ts"

/** What the module has, and its types do not name (fpdfview.h, fpdf_annot.h, fpdf_flatten.h). */
type WithPages = Module & {
  readonly _FPDFPage_GetAnnotCount: (page: number) => number
  readonly _FPDFPage_GetAnnot: (page: number, index: number) => number
  readonly _FPDFPage_CloseAnnot: (annotation: number) => void
  readonly _FPDFAnnot_GetSubtype: (annotation: number) => number
  readonly _FPDFAnnot_SetFlags: (annotation: number, flags: number) => number
  readonly _FPDFPage_Flatten: (page: number, usage: number) => number
  readonly _FPDF_PageToDevice: (...values: readonly number[]) => number
}

/** A bitmap of a part of the page, at several pixels per point. */
type View = {
  readonly pixels: Uint8Array
  readonly width: number
  readonly height: number
  readonly toPixel: (x: number, y: number) => readonly [number, number]
}

const WIDGET = 20
const HIDDEN = 2
const ON_SCREEN = 0
const BGRX = 3
const BYTES_PER_PIXEL = 4
const WHITE = 0xffffffff
const PIXELS_PER_POINT = 3
/** Fewer for each point where the fields of a page take more. */
const MAX_PIXELS = 3_000_000
/** Of 255, in one colour channel. */
const MIN_CONTRAST = 40

export type FieldPixels = {
  readonly isVisible: (character: Character) => boolean
}

/**
 * Both copies of the document have their annotations drawn into the page already, `hidden` without its fields. The rectangle
 * holds all fields of the page.
 */
export function fieldPixels(
  plain: Module,
  shown: PDFiumDocument,
  hidden: PDFiumDocument,
  index: number,
  rect: PointRect,
): FieldPixels {
  const module = plain as WithPages
  const [with_, without] = [viewOf(module, shown, index, rect), viewOf(module, hidden, index, rect)]
  if (with_ === undefined || without === undefined) return { isVisible: () => false }
  return { isVisible: ({ box }) => isChanged(with_, without, box) }
}

/** Draws all annotations but the fields into the page, in memory. */
export function hideFields(plain: Module, document: PDFiumDocument, index: number): void {
  const module = plain as WithPages
  const page = load(document, index)
  if (page === 0) return
  for (let i = 0; i < module._FPDFPage_GetAnnotCount(page); i++) {
    const annotation = module._FPDFPage_GetAnnot(page, i)
    if (annotation === 0) continue
    if (module._FPDFAnnot_GetSubtype(annotation) === WIDGET) module._FPDFAnnot_SetFlags(annotation, HIDDEN)
    module._FPDFPage_CloseAnnot(annotation)
  }
  module._FPDFPage_Flatten(page, ON_SCREEN)
  module._FPDF_ClosePage(page)
}

const load = (document: PDFiumDocument, index: number): number =>
  (document.getPage(index) as unknown as { readonly pageIdx: number }).pageIdx

function viewOf(
  module: WithPages,
  document: PDFiumDocument,
  index: number,
  [left, bottom, right, top]: PointRect,
): View | undefined {
  const page = load(document, index)
  if (page === 0) return undefined
  const area = Math.max(1, (right - left) * (top - bottom))
  const scale = Math.min(PIXELS_PER_POINT, Math.sqrt(MAX_PIXELS / area))
  const size = [module._FPDF_GetPageWidth(page), module._FPDF_GetPageHeight(page)] as const
  const [pageWidth, pageHeight] = size.map((side) => Math.max(1, Math.round(side * scale))) as [
    number,
    number,
  ]
  const scratch = module.wasmExports.malloc(8)
  const onPage = (x: number, y: number): readonly [number, number] => {
    module._FPDF_PageToDevice(page, 0, 0, pageWidth, pageHeight, 0, x, y, scratch, scratch + 4)
    const [atX = 0, atY = 0] = new Int32Array(module.HEAPU8.slice(scratch, scratch + 8).buffer)
    return [atX, atY]
  }
  const corners = [onPage(left, bottom), onPage(right, top)] as const
  const [startX, startY] = [Math.min(corners[0][0], corners[1][0]), Math.min(corners[0][1], corners[1][1])]
  const width = Math.abs(corners[0][0] - corners[1][0]) + 1
  const height = Math.abs(corners[0][1] - corners[1][1]) + 1
  const at = width * height > 2 * MAX_PIXELS ? 0 : module.wasmExports.malloc(width * height * BYTES_PER_PIXEL)
  if (at === 0) return undefined
  const bitmap = module._FPDFBitmap_CreateEx(width, height, BGRX, at, width * BYTES_PER_PIXEL)
  module._FPDFBitmap_FillRect(bitmap, 0, 0, width, height, WHITE)
  module._FPDF_RenderPageBitmap(bitmap, page, -startX, -startY, pageWidth, pageHeight, 0, 0)
  module._FPDFBitmap_Destroy(bitmap)
  const pixels = module.HEAPU8.slice(at, at + width * height * BYTES_PER_PIXEL)
  // The characters have places on the page as it is now, so these are kept and not computed later.
  const [originX, originY] = onPage(0, 0)
  const [unitX, unitY] = [onPage(1_000, 0), onPage(0, 1_000)]
  for (const address of [at, scratch]) module.wasmExports.free(address)
  module._FPDF_ClosePage(page)
  const toPixel = (x: number, y: number): readonly [number, number] => [
    originX + ((unitX[0] - originX) * x + (unitY[0] - originX) * y) / 1_000 - startX,
    originY + ((unitX[1] - originY) * x + (unitY[1] - originY) * y) / 1_000 - startY,
  ]
  return { pixels, width, height, toPixel }
}

function isChanged(shown: View, hidden: View, [left, bottom, right, top]: PointRect): boolean {
  if (shown.width !== hidden.width || shown.height !== hidden.height) return false
  const [a, b] = [shown.toPixel(left, bottom), shown.toPixel(right, top)]
  const from = [Math.floor(Math.min(a[0], b[0])), Math.floor(Math.min(a[1], b[1]))] as const
  const to = [Math.ceil(Math.max(a[0], b[0])), Math.ceil(Math.max(a[1], b[1]))] as const
  const [least, most] = [
    [255, 255, 255],
    [0, 0, 0],
  ]
  let isOther = false
  for (let y = Math.max(0, from[1]); y <= Math.min(shown.height - 1, to[1]); y++)
    for (let x = Math.max(0, from[0]); x <= Math.min(shown.width - 1, to[0]); x++)
      for (let channel = 0; channel < 3; channel++) {
        const at = (y * shown.width + x) * BYTES_PER_PIXEL + channel
        const value = shown.pixels[at] ?? 0
        if (Math.abs(value - (hidden.pixels[at] ?? 0)) >= MIN_CONTRAST) isOther = true
        least[channel] = Math.min(least[channel] ?? 255, value)
        most[channel] = Math.max(most[channel] ?? 0, value)
      }
  return isOther && least.some((value, channel) => (most[channel] ?? 0) - value >= MIN_CONTRAST)
}
