// Files that a PDF carries (ISO 32000-2, 7.7.4 and 7.11.4), by the names of the tree of embedded files. Only whoever asks for one
// by its name gets its bytes, and not more of them than it says.

import { type Pdf, readStream, resolve } from "../structure/document.ts"
import { corrupt } from "../syntax/scan.ts"
import { entry, isArray, isDict, isRef, type PdfDict, type PdfValue, textOf } from "../syntax/value.ts"

const MAX_NODES = 1000
const MAX_NAMES = 10_000

/** The bytes of the file of this name; nothing where there is none. Two of one name are refused: it would be open which is meant. */
export function readEmbeddedFile(pdf: Pdf, name: string, maxBytes: number): Uint8Array | undefined {
  const names = resolve(pdf, entry(pdf.catalog, "Names"))
  const root = isDict(names) ? entry(names, "EmbeddedFiles") : null
  const found = specificationsOf(pdf, root).filter((one) => nameOf(pdf, one) === name)
  const [specification, ...others] = found
  if (specification === undefined) return undefined
  if (others.length > 0) throw corrupt("Two embedded files have one name.")
  const streams = resolve(pdf, entry(specification, "EF"))
  if (!isDict(streams)) throw corrupt("An embedded file has no content.")
  const content = entry(streams, streams.entries.has("UF") ? "UF" : "F")
  const bytes = readStream(pdf, content, maxBytes)?.bytes
  if (bytes === undefined) throw corrupt("An embedded file has no content.")
  return bytes
}

/** 7.9.6: every file specification of the name tree. A node is gone through once, so a loop ends. */
function specificationsOf(pdf: Pdf, root: PdfValue): readonly PdfDict[] {
  const found: PdfDict[] = []
  const seen = new Set<number>()
  const waiting: PdfValue[] = [root]
  for (let nodes = 0; waiting.length > 0; nodes++) {
    const next = waiting.pop() ?? null
    if (nodes >= MAX_NODES) throw corrupt("The tree of embedded files is too large.")
    if (isRef(next)) {
      if (seen.has(next.number)) continue
      seen.add(next.number)
    }
    const node = resolve(pdf, next)
    if (!isDict(node)) continue
    const [kids, names] = [resolve(pdf, entry(node, "Kids")), resolve(pdf, entry(node, "Names"))]
    if (isArray(kids) && kids.items.length > MAX_NODES)
      throw corrupt("The tree of embedded files is too large.")
    if (isArray(kids)) waiting.push(...kids.items)
    if (!isArray(names)) continue
    for (const [i, item] of names.items.entries()) {
      const specification = i % 2 === 1 ? resolve(pdf, item) : null
      if (isDict(specification)) found.push(specification)
    }
    if (found.length > MAX_NAMES) throw corrupt("The tree of embedded files is too large.")
  }
  return found
}

/** 7.11.3: the name in Unicode, where it has one. */
function nameOf(pdf: Pdf, specification: PdfDict): string | undefined {
  for (const key of ["UF", "F"]) {
    const value = resolve(pdf, entry(specification, key))
    if (typeof value === "object" && value?.type === "string") return textOf(value)
  }
  return undefined
}
