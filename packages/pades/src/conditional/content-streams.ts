// Which objects are content streams besides those of the pages (ISO 32000-2, 7.8.2): form XObjects and appearances, tiling
// patterns, and the glyphs of Type 3 fonts.

import type { Pdf } from "../structure/document.ts"
import { entry, isDict, isRef, type PdfDict, type PdfValue } from "../syntax/value.ts"
import { ifReadable, readDict, readEntry, readName, readValue } from "./read-value.ts"

export type ContentStream = {
  readonly kind: "form" | "pattern" | "glyph"
  readonly resources: PdfValue
}

export type ContentStreams = {
  readonly byNumber: Map<number, ContentStream>
  /** XObjects that the resources of another content stream than a page name. */
  readonly nested: Set<number>
}

export const noContentStreams = (): ContentStreams => ({ byNumber: new Map(), nested: new Set() })

/** To be called for the dictionary of every stream. A form XObject without its subtype is drawn by some readers. */
export function noteContentStream(pdf: Pdf, streams: ContentStreams, number: number, dict: PdfDict): void {
  if (!dict.entries.has("BBox") && readName(pdf, dict, "Subtype") !== "Form") return
  const resources = entry(dict, "Resources")
  const kind = readEntry(pdf, dict, "PatternType") === 1 ? "pattern" : "form"
  streams.byNumber.set(number, { kind, resources })
  noteNested(pdf, streams, resources)
}

/** To be called for every dictionary: a font need not be an object of its own. */
export function noteGlyphs(pdf: Pdf, streams: ContentStreams, dict: PdfDict): void {
  if (!dict.entries.has("CharProcs")) return
  const resources = entry(dict, "Resources")
  noteNested(pdf, streams, resources)
  for (const { value } of readDict(pdf, dict, "CharProcs")?.entries.values() ?? [])
    if (isRef(value)) streams.byNumber.set(value.number, { kind: "glyph", resources })
}

function noteNested(pdf: Pdf, streams: ContentStreams, resources: PdfValue): void {
  for (const { value } of xobjectsIn(pdf, resources)) if (isRef(value)) streams.nested.add(value.number)
}

function xobjectsIn(pdf: Pdf, resources: PdfValue) {
  const dict = readValue(pdf, resources)
  const xobjects = isDict(dict) ? readDict(pdf, dict, "XObject") : undefined
  return [...(xobjects?.entries.values() ?? [])]
}

const MAX_XOBJECTS = 1_000

/** Whether an XObject of the resources belongs to a layer, or one of the resources of these. */
export function hasLayers(pdf: Pdf, resources: PdfDict | undefined): boolean {
  if (resources === undefined) return false
  const seen = new Set<number>()
  const stack: PdfValue[] = [resources]
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const of = next
    for (const { value } of ifReadable(pdf, () => xobjectsIn(pdf, of)) ?? []) {
      if (!isRef(value) || seen.has(value.number)) continue
      seen.add(value.number)
      const xobject = ifReadable(pdf, () => readValue(pdf, value))
      if (xobject === undefined || !isDict(xobject)) continue
      if (xobject.entries.has("OC") || seen.size > MAX_XOBJECTS) return true
      stack.push(entry(xobject, "Resources"))
    }
  }
  return false
}
