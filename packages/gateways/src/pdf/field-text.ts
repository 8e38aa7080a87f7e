// What a form field says to whoever looks at it (fpdf_flatten.h, fpdf_text.h). PDFium knows the text of a page, not that of an
// appearance; so the appearances are drawn into the page first, in memory.

import type { PDFiumDocument } from "@hyzyla/pdfium"
import type { Rect } from "./drawn-page.ts"
import type { Module } from "./pdfium.ts"

/** Pages are counted from 0; the place is the field's own /Rect. */
export type FieldPlace = { readonly page: number; readonly rect: Rect }

/** What the module has, and its types do not name. */
type WithText = Module & {
  readonly _FPDFPage_Flatten: (page: number, usage: number) => number
  readonly _FPDFText_GetUnicode: (text: number, index: number) => number
  readonly _FPDFText_GetCharOrigin: (text: number, index: number, x: number, y: number) => number
  readonly _FPDFText_GetCharBox: (text: number, index: number, ...sides: readonly number[]) => number
  readonly _FPDFText_GetTextObject: (text: number, index: number) => number
  readonly _FPDFTextObj_GetTextRenderMode: (object: number) => number
}

const ON_SCREEN = 0
const MAX_FIELDS = 1000
const MAX_CHARACTERS = 50_000
// ISO 32000-2, 9.3.6: neither filled nor stroked, and the same as a clipping path.
const UNSEEN_MODES = [3, 7]

/** In the order asked for; undefined when time was up. */
export function textsOfFields(
  module: Module,
  document: PDFiumDocument,
  fields: readonly FieldPlace[],
  isOver: () => boolean,
): (string | null)[] | undefined {
  const texts: (string | null)[] = fields.map(() => null)
  const wanted = fields.slice(0, MAX_FIELDS)
  for (const page of new Set(wanted.map((field) => field.page))) {
    if (isOver()) return undefined
    const seen = charactersOf(module, document, page, "with annotations")
    for (const [i, field] of wanted.entries())
      if (field.page === page && seen !== null) texts[i] = textIn(seen, field.rect)
  }
  return texts
}

export type Character = {
  readonly text: string
  readonly x: number
  readonly y: number
  /** Its ink: [left, bottom, right, top]. */
  readonly box: Rect
}

/** Null where the page cannot be read. Annotations stay drawn into the page afterwards. */
export function charactersOf(
  plain: Module,
  document: PDFiumDocument,
  index: number,
  what: "content" | "with annotations",
): Character[] | null {
  const module = plain as WithText
  if (!(index >= 0 && index < document.getPageCount())) return null
  const load = () => (document.getPage(index) as unknown as { readonly pageIdx: number }).pageIdx
  if (what === "with annotations") {
    const before = load()
    if (before === 0) return null
    module._FPDFPage_Flatten(before, ON_SCREEN)
    module._FPDF_ClosePage(before)
  }
  const page = load()
  const text = page === 0 ? 0 : module._FPDFText_LoadPage(page)
  if (text === 0) return null
  const scratch = module.wasmExports.malloc(32)
  const count = Math.min(module._FPDFText_CountChars(text), MAX_CHARACTERS)
  const characters = Array.from({ length: Math.max(0, count) }, (_, i) =>
    characterAt(module, text, i, scratch),
  )
  module.wasmExports.free(scratch)
  module._FPDFText_ClosePage(text)
  module._FPDF_ClosePage(page)
  return characters.filter((one) => one !== null)
}

function characterAt(module: WithText, text: number, index: number, scratch: number): Character | null {
  const code = module._FPDFText_GetUnicode(text, index) >>> 0
  if (code === 0 || code > 0x10ffff) return null
  const object = module._FPDFText_GetTextObject(text, index)
  if (object !== 0 && UNSEEN_MODES.includes(module._FPDFTextObj_GetTextRenderMode(object))) return null
  if (module._FPDFText_GetCharOrigin(text, index, scratch, scratch + 8) === 0) return null
  const numbers = () => new Float64Array(module.HEAPU8.slice(scratch, scratch + 32).buffer)
  const [x = 0, y = 0] = numbers()
  // Left, right, bottom and top.
  module._FPDFText_GetCharBox(text, index, scratch, scratch + 8, scratch + 16, scratch + 24)
  const [left = 0, right = 0, bottom = 0, top = 0] = numbers()
  return { text: String.fromCodePoint(code), x, y, box: [left, bottom, right, top] }
}

export function textIn(characters: readonly Character[], [ax, ay, bx, by]: Rect): string {
  const [left, right] = [Math.min(ax, bx), Math.max(ax, bx)]
  const [bottom, top] = [Math.min(ay, by), Math.max(ay, by)]
  const within = characters.filter(({ x, y }) => x >= left && x <= right && y >= bottom && y <= top)
  return within
    .map(({ text }) => text)
    .join("")
    .replace(/\s+/g, " ")
    .trim()
}
