// Names that an appearance takes from the default resources of the form. A content stream should have resources of its
// own (ISO 32000-2, 7.8.3); where a name is missing there, some readers look it up in /AcroForm /DR, and PDFium does not.

import { PdfRefused } from "../refused.ts"
import { readStream } from "../structure/document.ts"
import { isSpent } from "../syntax/limits.ts"
import { entry, isArray, isDict, isRef, type PdfDict, type PdfValue } from "../syntax/value.ts"
import type { FormTree } from "./fields.ts"
import { entryOf, referred, type View, valueIn } from "./view.ts"

const MAX_STREAMS = 2_000
const MAX_STREAM_BYTES = 1_000_000

/** Whether the appearance of a field may draw one of these XObjects without having it in its own resources. */
export function mayDraw({ view, byNumber }: FormTree, names: readonly string[]): boolean {
  if (names.length === 0) return false
  const seen = new Set<number>()
  const stack: PdfValue[] = [...byNumber.values()].map(({ place }) => entry(place.value, "AP"))
  for (let value = stack.pop(); value !== undefined; value = stack.pop()) {
    if (isRef(value)) {
      if (seen.has(value.number)) continue
      seen.add(value.number)
      if (seen.size > MAX_STREAMS) return true
      const { value: found, streamAt } = referred(view, value)
      if (streamAt !== undefined && isDict(found) && drawsOne(view, value.number, found, names)) return true
      stack.push(found)
    } else if (isArray(value)) stack.push(...value.items)
    // Glyphs are not looked into.
    else if (isDict(value))
      for (const [key, inner] of value.entries) if (key !== "Font") stack.push(inner.value)
  }
  return false
}

function drawsOne(view: View, number: number, dict: PdfDict, names: readonly string[]): boolean {
  // 8.10.2, 8.7.3: form XObjects and tiling patterns have a box, images have none.
  if (entry(dict, "BBox") === null) return false
  const resources = valueIn(view, entry(dict, "Resources"))
  const own = isDict(resources) ? valueIn(view, entry(resources, "XObject")) : null
  const missing = names.filter((name) => !isDict(own) || entry(own, name) === null)
  if (missing.length === 0) return false
  const content = readContent(view, number)
  return content === undefined || missing.some((name) => content.has(name))
}

/** The names in a content stream; undefined where it cannot be read. */
function readContent(view: View, number: number): ReadonlySet<string> | undefined {
  const stored = entryOf(view, number)
  const generation = stored?.kind === "plain" ? stored.generation : 0
  try {
    const bytes = readStream(view.pdf, { type: "ref", number, generation }, MAX_STREAM_BYTES)?.bytes
    if (bytes === undefined) return undefined
    const names =
      Buffer.from(bytes)
        .toString("latin1")
        .match(/\/[^\s()<>[\]{}/%]*/g) ?? []
    return new Set(
      names.map((name) =>
        name.slice(1).replace(/#([0-9a-f]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16))),
      ),
    )
  } catch (error) {
    if (error instanceof PdfRefused && !isSpent(view.pdf.budget)) return undefined
    throw error
  }
}
