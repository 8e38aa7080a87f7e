// Whether two values mean the same, however they are written: an object that was only written anew has not changed.

import { streamData } from "../structure/xref-section.ts"
import { MAX_NESTING, spendScanned } from "../syntax/limits.ts"
import {
  asCount,
  entry,
  isArray,
  isDict,
  isRef,
  type PdfDict,
  type PdfValue,
  stringBytes,
} from "../syntax/value.ts"
import { referred, type Stored, type View, valueIn } from "./view.ts"

export type In<T> = { readonly view: View; readonly of: T }

/** Two references of one number are the same here: whether their object has changed is asked of the object. */
export function isSame(a: In<PdfValue>, b: In<PdfValue>, depth = 1): boolean {
  if (depth > MAX_NESTING) return false
  if (isRef(a.of) || isRef(b.of)) return isSameReferred(a, b, depth)
  if (isArray(a.of)) {
    const { items } = a.of
    const others = isArray(b.of) ? b.of.items : undefined
    if (others?.length !== items.length) return false
    return items.every((item, i) =>
      isSame({ view: a.view, of: item }, { view: b.view, of: others[i] ?? null }, depth + 1),
    )
  }
  if (isDict(a.of))
    return isDict(b.of) && changedKeys({ ...a, of: a.of }, { ...b, of: b.of }, depth).length === 0
  return isSamePlain(a.of, b.of)
}

const COMPARE_BYTES = 128

function isSameReferred(a: In<PdfValue>, b: In<PdfValue>, depth: number): boolean {
  if (isRef(a.of) && isRef(b.of) && a.of.number === b.of.number) return a.of.generation === b.of.generation
  // Objects may share their parts, so that what is compared is much more than what is written.
  spendScanned(a.view.pdf.budget, COMPARE_BYTES)
  const one = isRef(a.of) ? referred(a.view, a.of) : { value: a.of }
  const other = isRef(b.of) ? referred(b.view, b.of) : { value: b.of }
  return isSameStored({ ...a, of: one }, { ...b, of: other }, depth + 1)
}

export function isSameStored(a: In<Stored>, b: In<Stored>, depth = 1): boolean {
  if ((a.of.streamAt === undefined) !== (b.of.streamAt === undefined)) return false
  if (!isSame({ ...a, of: a.of.value }, { ...b, of: b.of.value }, depth)) return false
  const [data, other] = [rawData(a), rawData(b)]
  return data === undefined || other === undefined || Buffer.compare(data, other) === 0
}

/** The data of a stream as they stand in the file. */
export function rawData({ view, of: { value, streamAt } }: In<Stored>): Uint8Array | undefined {
  if (streamAt === undefined || !isDict(value)) return undefined
  const length = asCount(valueIn(view, entry(value, "Length")), "The length of a stream")
  return streamData(view.pdf.source, streamAt, length)
}

/** The keys whose values differ; a key whose value is null is as good as none (7.3.7). */
export function changedKeys(a: In<PdfDict>, b: In<PdfDict>, depth = 1): readonly string[] {
  const keys = new Set([...a.of.entries.keys(), ...b.of.entries.keys()])
  return [...keys].filter(
    (key) =>
      !isSame({ view: a.view, of: entry(a.of, key) }, { view: b.view, of: entry(b.of, key) }, depth + 1),
  )
}

function isSamePlain(a: PdfValue, b: PdfValue): boolean {
  if (typeof a !== "object" || a === null || typeof b !== "object" || b === null) return a === b
  if (a.type === "name") return b.type === "name" && a.name === b.name
  if (a.type !== "string" || b.type !== "string") return false
  return Buffer.compare(stringBytes(a), stringBytes(b)) === 0
}
