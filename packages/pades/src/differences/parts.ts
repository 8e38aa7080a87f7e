// Which fields an object belongs to: their value, and what they show. A revision is judged by the fields that it touches, and
// not by all that there are.

import { entry, isDict, isRef, type PdfValue } from "../syntax/value.ts"
import type { Field } from "./fields.ts"
import { referred, type View } from "./view.ts"

/** Of each object, the fields that it is a part of. What was a part once may stay here. */
export type Parts = Map<number, Set<number>>

export function addParts(parts: Parts, view: View, { number, place: { value } }: Field): void {
  if (number === undefined) return
  note(parts, number, entry(value, "V"))
  const appearance = opened(parts, view, number, entry(value, "AP"))
  if (appearance === undefined) return
  for (const use of ["N", "R", "D"]) {
    const states = opened(parts, view, number, entry(appearance, use))
    for (const { value: state } of states?.entries.values() ?? []) note(parts, number, state)
  }
}

function note(parts: Parts, field: number, value: PdfValue): void {
  if (!isRef(value)) return
  const known = parts.get(value.number)
  if (known === undefined) parts.set(value.number, new Set([field]))
  else known.add(field)
}

/** The dictionary that a value is or leads to; a stream is shown, and not looked into. */
function opened(parts: Parts, view: View, field: number, value: PdfValue) {
  note(parts, field, value)
  if (!isRef(value)) return isDict(value) ? value : undefined
  const found = referred(view, value)
  return found.streamAt === undefined && isDict(found.value) ? found.value : undefined
}
