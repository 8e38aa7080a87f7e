// Signature fields that nobody has signed, in a page that is open in PDFium (fpdf_annot.h). They are hidden in memory; the
// document itself is never written.

import type { Rect } from "./drawn-page.ts"
import type { Module } from "./pdfium.ts"

/** What the module has, and its types do not name. */
type WithAnnotations = Module & {
  readonly _FPDFPage_GetAnnotCount: (page: number) => number
  readonly _FPDFPage_GetAnnot: (page: number, index: number) => number
  readonly _FPDFPage_CloseAnnot: (annotation: number) => void
  readonly _FPDFAnnot_GetFormFieldType: (form: number, annotation: number) => number
  readonly _FPDFAnnot_HasKey: (annotation: number, key: number) => number
  readonly _FPDFAnnot_GetRect: (annotation: number, rectangle: number) => number
  readonly _FPDFAnnot_GetFlags: (annotation: number) => number
  readonly _FPDFAnnot_SetFlags: (annotation: number, flags: number) => number
}

const SIGNATURE_FIELD = 7
const HIDDEN = 2
/** Points. PDFium keeps places as floats. */
const SAME_PLACE = 0.01
const MAX_ANNOTATIONS = 2000

export type Hidden = { readonly hidden: number; readonly showAgain: () => void }

export function hideEmptySignatures(
  plain: Module,
  page: number,
  form: number,
  scratch: number,
  places: readonly Rect[],
): Hidden {
  const module = plain as WithAnnotations
  const hidden: { readonly annotation: number; readonly flags: number }[] = []
  const count = Math.min(module._FPDFPage_GetAnnotCount(page), MAX_ANNOTATIONS)
  for (let index = 0; index < count && places.length > 0; index++) {
    const annotation = module._FPDFPage_GetAnnot(page, index)
    if (annotation === 0) continue
    const isOne =
      module._FPDFAnnot_GetFormFieldType(form, annotation) === SIGNATURE_FIELD &&
      isAt(module, annotation, scratch, places) &&
      // The value may be that of a parent: then it is not known whether it is empty, and it stays as it is.
      !["V", "Parent"].some((key) => hasKey(module, annotation, scratch, key))
    const flags = module._FPDFAnnot_GetFlags(annotation)
    if (isOne && module._FPDFAnnot_SetFlags(annotation, flags | HIDDEN) !== 0)
      hidden.push({ annotation, flags })
    else module._FPDFPage_CloseAnnot(annotation)
  }
  const showAgain = () => {
    for (const { annotation, flags } of hidden) {
      module._FPDFAnnot_SetFlags(annotation, flags)
      module._FPDFPage_CloseAnnot(annotation)
    }
  }
  return { hidden: hidden.length, showAgain }
}

// FS_RECTF: left, top, right and bottom as floats.
function isAt(
  module: WithAnnotations,
  annotation: number,
  scratch: number,
  places: readonly Rect[],
): boolean {
  if (module._FPDFAnnot_GetRect(annotation, scratch) === 0) return false
  const view = new DataView(module.HEAPU8.buffer, scratch, 16)
  const [left = 0, top = 0, right = 0, bottom = 0] = [0, 4, 8, 12].map((at) => view.getFloat32(at, true))
  const sides = [left, bottom, right, top]
  return places.some(([ax, ay, bx, by]) => {
    const wanted = [Math.min(ax, bx), Math.min(ay, by), Math.max(ax, bx), Math.max(ay, by)]
    return wanted.every((side, i) => Math.abs(side - (sides[i] ?? 0)) < SAME_PLACE)
  })
}

function hasKey(module: WithAnnotations, annotation: number, scratch: number, key: string): boolean {
  module.HEAPU8.set(Buffer.from(`${key}\0`, "latin1"), scratch)
  return module._FPDFAnnot_HasKey(annotation, scratch) !== 0
}
