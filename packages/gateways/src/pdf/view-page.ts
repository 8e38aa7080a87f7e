// A page that PDFium draws for screen or for print (fpdfview.h, fpdf_formfill.h). PDFium draws form fields the same for both, so
// the flags of ISO 32000-2, 12.5.3 are applied to them here.

import type { PDFiumDocument } from "@hyzyla/pdfium"
import type { Module } from "./pdfium.ts"

export type Medium = "screen" | "print"

/** In pixels; right and bottom are outside. */
export type PixelBox = {
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
}

/** [left, bottom, right, top] in points. */
export type PointRect = readonly [number, number, number, number]

/** A field that print leaves out, because its Print flag is not set. */
export type ScreenOnlyField = {
  readonly kind: "box" | "text"
  readonly rect: PointRect
  readonly box: PixelBox
  /** With what is near it. */
  readonly surroundings: PixelBox
}

export type ViewPage = {
  /** Print may differ, so both are drawn. */
  readonly isCompared: boolean
  readonly width: number
  readonly height: number
  readonly screenOnlyFields: readonly ScreenOnlyField[]
  /** Into the pixels at this address, BGRx. Print comes last: it changes flags in memory. */
  readonly draw: (pixels: number, medium: Medium) => void
  /** Draws what print shows of the annotations into the page, in memory; it is drawn from then on as content is. */
  readonly flatten: () => void
  readonly close: () => void
}

/** What the module has, and its types do not name (fpdfview.h, fpdf_annot.h). */
type WithAnnotations = Module & {
  readonly _FPDFPage_GetAnnotCount: (page: number) => number
  readonly _FPDFPage_GetAnnot: (page: number, index: number) => number
  readonly _FPDFPage_CloseAnnot: (annotation: number) => void
  readonly _FPDFAnnot_GetSubtype: (annotation: number) => number
  readonly _FPDFAnnot_GetFormFieldType: (form: number, annotation: number) => number
  readonly _FPDFAnnot_GetRect: (annotation: number, rectangle: number) => number
  readonly _FPDFAnnot_GetFlags: (annotation: number) => number
  readonly _FPDFAnnot_SetFlags: (annotation: number, flags: number) => number
  readonly _FPDFPage_Flatten: (page: number, usage: number) => number
  readonly _FPDF_RemoveFormFieldHighlight: (form: number) => void
  readonly _FPDF_PageToDevice: (...values: readonly number[]) => number
}

const BGRX = 3
const BYTES_PER_PIXEL = 4
const WHITE = 0xffffffff
const RENDER = { annotations: 0x01, printing: 0x800 } as const
const FLATTEN_FOR_PRINT = 1
const WIDGET = 20
/** FPDF_FORMFIELD: check box, radio button, combo box, text field. Others may not differ at all. */
const FIELD_KINDS = new Map<number, ScreenOnlyField["kind"]>([
  [2, "box"],
  [3, "box"],
  [4, "text"],
  [6, "text"],
])
/** Room for a tick of any form, and for no word of the usual sizes. */
const MAX_BOX_POINTS = 24
/** A word in this distance is not read together with the field. */
const SURROUNDING_POINTS = 50
const FLAG = { hidden: 2, print: 4, noView: 32 } as const

/** How many pixels a page has: one that is compared, and one that is only drawn. */
export type ViewPixels = { readonly compared: number; readonly plain: number; readonly always: boolean }

/** Null where PDFium cannot read the page. */
export function openViewPage(
  plain: Module,
  document: PDFiumDocument,
  index: number,
  { compared, plain: uncompared, always }: ViewPixels,
): ViewPage | null {
  const module = plain as WithAnnotations
  const form = document.initializeFormFields()
  const load = () => (document.getPage(index) as unknown as { readonly pageIdx: number }).pageIdx
  let page = load()
  if (page === 0) return null
  // A reader marks fields with a colour while they are filled in; it is no part of the document.
  module._FPDF_RemoveFormFieldHighlight(form)
  module._FORM_OnAfterLoadPage(page, form)
  const isCompared = always || module._FPDFPage_GetAnnotCount(page) > 0
  const size = pixelSize(
    module._FPDF_GetPageWidth(page),
    module._FPDF_GetPageHeight(page),
    isCompared ? compared : uncompared,
  )
  return {
    ...size,
    isCompared,
    screenOnlyFields: screenOnlyFields(module, page, form, size),
    draw: (pixels, medium) => {
      if (medium === "print") applyPrintFlags(module, page)
      draw(module, page, form, size, { pixels, medium })
    },
    flatten: () => {
      module._FPDFPage_Flatten(page, FLATTEN_FOR_PRINT)
      module._FORM_OnBeforeClosePage(page, form)
      module._FPDF_ClosePage(page)
      page = load()
    },
    close: () => {
      module._FORM_OnBeforeClosePage(page, form)
      module._FPDF_ClosePage(page)
    },
  }
}

type Size = Pick<ViewPage, "width" | "height">

/** One pixel per point, or fewer. */
function pixelSize(width: number, height: number, maxPixels: number): Size {
  const scale = Math.min(1, Math.sqrt(maxPixels / Math.max(1, width * height)))
  const scaled = {
    width: Math.max(1, Math.floor(width * scale)),
    height: Math.max(1, Math.floor(height * scale)),
  }
  // A page of one pixel by many thousands.
  return {
    width: Math.min(scaled.width, maxPixels),
    height: Math.min(scaled.height, Math.floor(maxPixels / scaled.width)),
  }
}

function draw(
  module: WithAnnotations,
  page: number,
  form: number,
  { width, height }: Size,
  { pixels, medium }: { readonly pixels: number; readonly medium: Medium },
): void {
  const bitmap = module._FPDFBitmap_CreateEx(width, height, BGRX, pixels, width * BYTES_PER_PIXEL)
  module._FPDFBitmap_FillRect(bitmap, 0, 0, width, height, WHITE)
  const place = [0, 0, width, height, 0] as const
  const flags = medium === "print" ? RENDER.printing : 0
  module._FPDF_RenderPageBitmap(bitmap, page, ...place, flags | RENDER.annotations)
  module._FPDF_FFLDraw(form, bitmap, page, ...place, flags)
  module._FPDFBitmap_Destroy(bitmap)
}

/** 12.5.3: print shows what has the Print flag, whether or not the screen shows it. */
function applyPrintFlags(module: WithAnnotations, page: number): void {
  for (const { annotation, flags } of widgetsOf(module, page)) {
    const printed = (flags & FLAG.print) !== 0 ? flags & ~FLAG.noView : flags | FLAG.hidden
    if (printed !== flags) module._FPDFAnnot_SetFlags(annotation, printed)
  }
}

function screenOnlyFields(
  module: WithAnnotations,
  page: number,
  form: number,
  size: Size,
): readonly ScreenOnlyField[] {
  const fields: ScreenOnlyField[] = []
  const scratch = module.wasmExports.malloc(16)
  for (const { annotation, flags } of widgetsOf(module, page)) {
    const isScreenOnly = (flags & (FLAG.print | FLAG.hidden | FLAG.noView)) === 0
    const kind = FIELD_KINDS.get(module._FPDFAnnot_GetFormFieldType(form, annotation))
    if (!isScreenOnly || kind === undefined || module._FPDFAnnot_GetRect(annotation, scratch) === 0) continue
    const [left = 0, top = 0, right = 0, bottom = 0] = new Float32Array(
      module.HEAPU8.slice(scratch, scratch + 16).buffer,
    )
    if (kind === "box" && (right - left > MAX_BOX_POINTS || top - bottom > MAX_BOX_POINTS)) continue
    const rect = [left, bottom, right, top] as const
    fields.push({
      kind,
      rect,
      box: boxAt(module, page, scratch, size, rect),
      surroundings: boxAt(module, page, scratch, size, widened(rect, SURROUNDING_POINTS)),
    })
  }
  module.wasmExports.free(scratch)
  return fields
}

const widened = ([left, bottom, right, top]: PointRect, by: number): PointRect => [
  left - by,
  bottom - by,
  right + by,
  top + by,
]

function* widgetsOf(module: WithAnnotations, page: number) {
  const count = module._FPDFPage_GetAnnotCount(page)
  for (let index = 0; index < count; index++) {
    const annotation = module._FPDFPage_GetAnnot(page, index)
    if (annotation === 0) continue
    if (module._FPDFAnnot_GetSubtype(annotation) === WIDGET)
      yield { annotation, flags: module._FPDFAnnot_GetFlags(annotation) }
    module._FPDFPage_CloseAnnot(annotation)
  }
}

/** One pixel more on each side, for rounding. */
function boxAt(
  module: WithAnnotations,
  page: number,
  scratch: number,
  { width, height }: Size,
  [left, bottom, right, top]: PointRect,
): PixelBox {
  const corner = (x: number, y: number) => {
    module._FPDF_PageToDevice(page, 0, 0, width, height, 0, x, y, scratch, scratch + 4)
    const [atX = 0, atY = 0] = new Int32Array(module.HEAPU8.slice(scratch, scratch + 8).buffer)
    return { x: atX, y: atY }
  }
  const [a, b] = [corner(left, top), corner(right, bottom)]
  return {
    left: Math.max(0, Math.min(a.x, b.x) - 1),
    top: Math.max(0, Math.min(a.y, b.y) - 1),
    right: Math.min(width, Math.max(a.x, b.x) + 2),
    bottom: Math.min(height, Math.max(a.y, b.y) + 2),
  }
}
