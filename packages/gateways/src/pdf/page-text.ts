// The text of a page as lines with their places, for those who do not read pictures: PDFium (fpdf_text.h) gives characters in
// the order in which the page draws them, with ends of lines of its own. What the picture of the page does not show is not read
// either, where PDFium can tell: whoever listens must not be told another contract than whoever looks.

import { PdfRefused } from "@paraph/pades/refused"
import type { Module } from "./pdfium.ts"

/** Points of the page as a person sees it, from the upper left corner. */
export type TextLine = {
  readonly text: string
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

export type PageText = {
  readonly width: number
  readonly height: number
  readonly lines: readonly TextLine[]
}

const MAX_CHARACTERS = 20_000
const MAX_LINES = 2000
/** What stands apart by more than this many of its own heights is another column. */
const COLUMN_GAP = 2.5
/** Whole numbers are all that PDFium answers with, so it is asked for a page this many times as large. */
const FINENESS = 20

/** What the module has, and its types do not name. */
type WithText = Module & {
  readonly _FPDFText_GetUnicode: (text: number, index: number) => number
  readonly _FPDFText_GetLooseCharBox: (text: number, index: number, rectangle: number) => number
  readonly _FPDFText_GetTextObject: (text: number, index: number) => number
  readonly _FPDFTextObj_GetTextRenderMode: (object: number) => number
  readonly _FPDF_PageToDevice: (...values: readonly number[]) => number
  readonly _FPDF_DeviceToPage: (...values: readonly number[]) => number
}

type Box = { left: number; top: number; right: number; bottom: number }
type Run = Box & { text: string }
type Size = { readonly width: number; readonly height: number }

export function textOfPage(plain: Module, page: object): PageText {
  const module = plain as WithText
  const { pageIdx } = page as { readonly pageIdx: number }
  const size = { width: module._FPDF_GetPageWidth(pageIdx), height: module._FPDF_GetPageHeight(pageIdx) }
  const text = module._FPDFText_LoadPage(pageIdx)
  if (text === 0) throw new PdfRefused("corrupt", "The text of the page cannot be read.")
  const scratch = module.wasmExports.malloc(16)
  const isSeen = seeing(module, text, seenPart(module, pageIdx, size, scratch))
  const lines: TextLine[] = []
  for (const run of runsOf(module, text, scratch, isSeen)) {
    const spoken = run.text.replaceAll("\u0002", "-").replace(UNSPOKEN, "").replace(/\s+/g, " ").trim()
    if (spoken === "") continue
    if (lines.length === MAX_LINES) break
    lines.push({ text: spoken, ...shownBox(module, pageIdx, size, run, scratch) })
  }
  return { ...size, lines }
}

/** Control characters, and what stands for a glyph that nobody gave a meaning. */
const UNSPOKEN = /[\p{Cc}\p{Co}\ufffe\uffff\ufffd]/gu

function* runsOf(module: WithText, text: number, scratch: number, isSeen: IsSeen): Generator<Run> {
  const count = Math.min(module._FPDFText_CountChars(text), MAX_CHARACTERS)
  let run: Run | undefined
  for (let i = 0; i < count; i++) {
    const code = module._FPDFText_GetUnicode(text, i) >>> 0
    const isEnd = code === 0x0a || code === 0x0d
    if (isEnd) {
      if (run !== undefined) yield run
      run = undefined
      continue
    }
    const character = code === 0 || code > 0x10ffff ? "" : String.fromCodePoint(code)
    const box = looseBox(module, text, i, scratch)
    if (!isSeen(i, box)) continue
    if (box === undefined || character.trim() === "") {
      if (run !== undefined) run.text += character
      continue
    }
    if (run !== undefined && isApart(run, box)) {
      yield run
      run = undefined
    }
    run = run === undefined ? { text: character, ...box } : joined(run, character, box)
  }
  if (run !== undefined) yield run
}

type IsSeen = (index: number, box: Box | undefined) => boolean

// ISO 32000-2, 9.3.6: neither filled nor stroked, and the same as a clipping path.
const UNSEEN_MODES = [3, 7]

function seeing(module: WithText, text: number, part: Box): IsSeen {
  let of = { object: 0, isPainted: true }
  return (index, box) => {
    const object = module._FPDFText_GetTextObject(text, index)
    // Spaces that PDFium puts between words belong to no object.
    if (object !== 0 && object !== of.object)
      of = { object, isPainted: !UNSEEN_MODES.includes(module._FPDFTextObj_GetTextRenderMode(object)) }
    if (object !== 0 && !of.isPainted) return false
    return box === undefined || isWithin(part, (box.left + box.right) / 2, (box.top + box.bottom) / 2)
  }
}

const isWithin = ({ left, right, top, bottom }: Box, x: number, y: number): boolean =>
  x >= left && x <= right && y >= bottom && y <= top

/** What of the page is shown, in the coordinates of its text; turned by right angles alone, so two corners say it. */
function seenPart(module: WithText, page: number, size: Size, scratch: number): Box {
  const corner = (x: number, y: number): readonly [number, number] => {
    const [width, height] = [Math.ceil(size.width), Math.ceil(size.height)]
    module._FPDF_DeviceToPage(page, 0, 0, width, height, 0, x * width, y * height, scratch, scratch + 8)
    const view = new DataView(module.HEAPU8.buffer, scratch, 16)
    return [view.getFloat64(0, true), view.getFloat64(8, true)]
  }
  const [ax, ay] = corner(0, 0)
  const [bx, by] = corner(1, 1)
  return { left: Math.min(ax, bx), right: Math.max(ax, bx), bottom: Math.min(ay, by), top: Math.max(ay, by) }
}

// FS_RECTF: four floats.
function looseBox(module: WithText, text: number, index: number, scratch: number): Box | undefined {
  if (module._FPDFText_GetLooseCharBox(text, index, scratch) === 0) return undefined
  const view = new DataView(module.HEAPU8.buffer, scratch, 16)
  const [left = 0, top = 0, right = 0, bottom = 0] = [0, 4, 8, 12].map((at) => view.getFloat32(at, true))
  const isSound = [left, top, right, bottom].every((side) => Math.abs(side) < 1e6)
  return isSound ? { left, top, right, bottom } : undefined
}

const isApart = (run: Run, box: Box): boolean => {
  const far = COLUMN_GAP * Math.max(run.top - run.bottom, box.top - box.bottom)
  return far > 0 && (box.left - run.right > far || run.left - box.right > far)
}

const joined = (run: Run, character: string, box: Box): Run => ({
  text: run.text + character,
  left: Math.min(run.left, box.left),
  right: Math.max(run.right, box.right),
  top: Math.max(run.top, box.top),
  bottom: Math.min(run.bottom, box.bottom),
})

/** Cropped and turned as the page is shown; what hangs over is brought to the edge. */
function shownBox(
  module: WithText,
  page: number,
  { width, height }: Size,
  { left, top, right, bottom }: Box,
  scratch: number,
): Omit<TextLine, "text"> {
  const corner = (x: number, y: number): readonly [number, number] => {
    const size = [Math.round(width * FINENESS), Math.round(height * FINENESS)] as const
    module._FPDF_PageToDevice(page, 0, 0, ...size, 0, x, y, scratch, scratch + 4)
    const view = new DataView(module.HEAPU8.buffer, scratch, 8)
    const within = (value: number, most: number) => Math.min(Math.max(value / FINENESS, 0), most)
    return [within(view.getInt32(0, true), width), within(view.getInt32(4, true), height)]
  }
  const [ax, ay] = corner(left, top)
  const [bx, by] = corner(right, bottom)
  const at = { x: Math.min(ax, bx), y: Math.min(ay, by) }
  return { ...at, width: rounded(Math.abs(ax - bx)), height: rounded(Math.abs(ay - by)) }
}

const rounded = (points: number) => Math.round(points * 100) / 100
