// What a signature allows or locks (ISO 32000-2, 12.8.2): the transforms in its references.

import { type Pdf, resolve } from "../structure/document.ts"
import { entry, isArray, isDict, isName, type PdfDict, type PdfValue, textOf } from "../syntax/value.ts"

/** 12.8.2.4: the fields whose values are locked; `fields` are those meant by "include" or spared by "exclude". */
export type FieldMdp = {
  readonly action: "all" | "include" | "exclude"
  readonly fields: readonly string[]
}

export type Transforms = {
  readonly docMdp: 1 | 2 | 3 | undefined
  readonly fieldMdp: FieldMdp | undefined
}

/** Of several the strictest counts. What cannot be understood is taken for a lock: nothing is allowed by accident. */
export function readTransforms(pdf: Pdf, signature: PdfDict): Transforms {
  const references = resolve(pdf, entry(signature, "Reference"))
  let found: Transforms = { docMdp: undefined, fieldMdp: undefined }
  for (const item of isArray(references) ? references.items : []) {
    const reference = resolve(pdf, item)
    if (!isDict(reference)) continue
    const method = resolve(pdf, entry(reference, "TransformMethod"))
    const parameters = resolve(pdf, entry(reference, "TransformParams"))
    if (isName(method, "DocMDP"))
      found = { ...found, docMdp: stricter(found.docMdp, permission(pdf, parameters)) }
    if (isName(method, "FieldMDP"))
      found = { ...found, fieldMdp: found.fieldMdp === undefined ? readFieldMdp(pdf, parameters) : ALL }
  }
  return found
}

const ALL: FieldMdp = { action: "all", fields: [] }

function stricter(a: 1 | 2 | 3 | undefined, b: 1 | 2 | 3): 1 | 2 | 3 {
  return a !== undefined && a < b ? a : b
}

// Table 257: 2 where nothing is said.
function permission(pdf: Pdf, parameters: PdfValue): 1 | 2 | 3 {
  const value = isDict(parameters) ? resolve(pdf, entry(parameters, "P")) : null
  if (value === null || value === 2) return 2
  return value === 3 ? 3 : 1
}

/** Table 235 or 256: which fields a lock, or a transform, means. */
export function readFieldMdp(pdf: Pdf, parameters: PdfValue): FieldMdp {
  if (!isDict(parameters)) return ALL
  const action = resolve(pdf, entry(parameters, "Action"))
  const list = resolve(pdf, entry(parameters, "Fields"))
  const names = (isArray(list) ? list.items : []).flatMap((item) => {
    const name = resolve(pdf, item)
    return typeof name === "object" && name?.type === "string" ? textOf(name) : []
  })
  if (isName(action, "Include")) return { action: "include", fields: names }
  return isName(action, "Exclude") ? { action: "exclude", fields: names } : ALL
}
