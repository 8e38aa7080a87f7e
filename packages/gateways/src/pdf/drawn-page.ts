// A page that is open in PDFium (fpdfview.h, fpdf_formfill.h): its size, its places, and any part of it as pixels. The whole
// of a page may be larger than what fits into memory; a part never is.

import type { PDFiumDocument } from "@hyzyla/pdfium"
import { PdfRefused } from "@paraph/pades/refused"
import type { Box, Raster } from "@paraph/validation/visual-picture"
import { type Hidden, hideEmptySignatures } from "./empty-signatures.ts"
import type { Module } from "./pdfium.ts"

/** Two corners in the coordinates of the page, as /Rect has them (ISO 32000-2, 7.9.5). */
export type Rect = readonly [number, number, number, number]

/** How the page is looked at: some annotations are only for one of the two. */
export type Way = "on screen" | "in print"

export type DrawnPage = {
  /** Points, as the page is shown. */
  readonly width: number
  readonly height: number
  /** Quarter turns. */
  readonly rotation: number
  readonly annotations: number
  /** The part of a picture of the page that would be so many pixels wide and high. */
  readonly draw: (part: Box, whole: Size, way: Way) => Raster
  readonly boxOf: (rect: Rect, whole: Size) => Box
  readonly rectOf: (box: Box, whole: Size) => Rect
  /** Those without a value that stand exactly in one of these places. */
  readonly hideEmptySignatures: (places: readonly Rect[]) => Hidden
  readonly close: () => void
}

export type Size = { readonly width: number; readonly height: number }

/** What the module has, and its types do not name. */
type WithPages = Module & {
  readonly _FPDFPage_GetRotation: (page: number) => number
  readonly _FPDFPage_GetAnnotCount: (page: number) => number
  readonly _FPDF_PageToDevice: (...values: readonly number[]) => number
  readonly _FPDF_DeviceToPage: (...values: readonly number[]) => number
}

const BGRX = 3
const BYTES_PER_PIXEL = 4
const WHITE = 0xffffffff
const ANNOTATIONS = 0x01
const RED_FIRST = 0x10
const PRINTING = 0x800

/** Null: the document has no such page, or one that cannot be read. */
export function openPage(plain: Module, document: PDFiumDocument, index: number): DrawnPage | null {
  const module = plain as WithPages
  if (!(index >= 0 && index < document.getPageCount())) return null
  const form = document.initializeFormFields()
  const { pageIdx: page } = document.getPage(index) as unknown as { readonly pageIdx: number }
  if (page === 0) return null
  module._FORM_OnAfterLoadPage(page, form)
  const scratch = module.wasmExports.malloc(16)
  return {
    width: module._FPDF_GetPageWidth(page),
    height: module._FPDF_GetPageHeight(page),
    rotation: module._FPDFPage_GetRotation(page),
    annotations: module._FPDFPage_GetAnnotCount(page),
    draw: (part, whole, way) => draw(module, page, form, part, whole, way),
    boxOf: (rect, whole) => boxOf(module, page, scratch, rect, whole),
    rectOf: (box, whole) => rectOf(module, page, scratch, box, whole),
    hideEmptySignatures: (places) => hideEmptySignatures(module, page, form, scratch, places),
    close: () => {
      module._FORM_OnBeforeClosePage(page, form)
      module._FPDF_ClosePage(page)
      module.wasmExports.free(scratch)
    },
  }
}

function draw(module: WithPages, page: number, form: number, part: Box, whole: Size, way: Way): Raster {
  const [width, height] = [part.right - part.left, part.bottom - part.top]
  const length = width * height * BYTES_PER_PIXEL
  const pixels = module.wasmExports.malloc(length)
  if (pixels === 0) throw new PdfRefused("too-complex", "The PDF took too much memory.")
  const bitmap = module._FPDFBitmap_CreateEx(width, height, BGRX, pixels, width * BYTES_PER_PIXEL)
  try {
    module._FPDFBitmap_FillRect(bitmap, 0, 0, width, height, WHITE)
    const place = [-part.left, -part.top, whole.width, whole.height, 0] as const
    const flags = RED_FIRST | (way === "in print" ? PRINTING : 0)
    module._FPDF_RenderPageBitmap(bitmap, page, ...place, flags | ANNOTATIONS)
    module._FPDF_FFLDraw(form, bitmap, page, ...place, flags)
    return { width, height, rgba: module.HEAPU8.slice(pixels, pixels + length) }
  } finally {
    module._FPDFBitmap_Destroy(bitmap)
    module.wasmExports.free(pixels)
  }
}

/** Whole numbers are all that PDFium answers with, so it is asked for a page this many times as large. */
const FINENESS = 8

function boxOf(module: WithPages, page: number, scratch: number, rect: Rect, whole: Size): Box {
  const [width, height] = [whole.width * FINENESS, whole.height * FINENESS]
  const corner = (x: number, y: number): readonly [number, number] => {
    module._FPDF_PageToDevice(page, 0, 0, width, height, 0, x, y, scratch, scratch + 4)
    const view = new DataView(module.HEAPU8.buffer, scratch, 8)
    return [view.getInt32(0, true) / FINENESS, view.getInt32(4, true) / FINENESS]
  }
  const [ax, ay] = corner(rect[0], rect[1])
  const [bx, by] = corner(rect[2], rect[3])
  return { left: Math.min(ax, bx), top: Math.min(ay, by), right: Math.max(ax, bx), bottom: Math.max(ay, by) }
}

function rectOf(module: WithPages, page: number, scratch: number, box: Box, whole: Size): Rect {
  const corner = (x: number, y: number): readonly [number, number] => {
    module._FPDF_DeviceToPage(page, 0, 0, whole.width, whole.height, 0, x, y, scratch, scratch + 8)
    const view = new DataView(module.HEAPU8.buffer, scratch, 16)
    return [view.getFloat64(0, true), view.getFloat64(8, true)]
  }
  const [ax, ay] = corner(box.left, box.top)
  const [bx, by] = corner(box.right, box.bottom)
  return [Math.min(ax, bx), Math.min(ay, by), Math.max(ax, bx), Math.max(ay, by)].map(
    rounded,
  ) as unknown as Rect
}

const rounded = (points: number) => Math.round(points * 100) / 100
