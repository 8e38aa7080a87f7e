// Object streams (ISO 32000-2, 7.5.7), decoded: a directory of the objects that they hold, and the objects.

import { PdfRefused } from "../refused.ts"
import { type Budget, MAX_OBJECTS, readingObject, spendScanned } from "../syntax/limits.ts"
import { parseValue } from "../syntax/parse.ts"
import { type Cursor, corrupt, readCount, skipWhite } from "../syntax/scan.ts"
import { asCount, entry, type PdfDict, type PdfValue } from "../syntax/value.ts"

export type ObjectStream = {
  readonly bytes: Uint8Array
  readonly numbers: Float64Array
  readonly starts: Float64Array
}

export function openDirectory(dict: PdfDict, bytes: Uint8Array): ObjectStream {
  const count = asCount(entry(dict, "N"), "The count of an object stream")
  const first = asCount(entry(dict, "First"), "The first offset of an object stream")
  // Two digits and two spaces are the least that an entry takes.
  if (first > bytes.length || count * 4 > first + 1)
    throw corrupt("The directory of an object stream is cut short.")
  if (count > MAX_OBJECTS) throw new PdfRefused("too-complex", "An object stream has too many objects.")
  const cursor: Cursor = { bytes, at: 0, end: first }
  const numbers = new Float64Array(count)
  const starts = new Float64Array(count)
  for (let i = 0; i < count; i++) {
    skipWhite(cursor)
    numbers[i] = readCount(cursor, "An object number")
    skipWhite(cursor)
    const start = first + readCount(cursor, "An offset in an object stream")
    // "The offsets shall be in increasing order": no two objects share their text.
    if (start <= (starts[i - 1] ?? -1)) throw corrupt("The objects of an object stream are out of order.")
    starts[i] = start
  }
  return { bytes, numbers, starts }
}

/** The object at a place of the directory, which ends where the next one begins. */
export function packedValue({ bytes, starts }: ObjectStream, index: number, budget: Budget): PdfValue {
  const at = starts[index] ?? bytes.length
  const end = Math.min(starts[index + 1] ?? bytes.length, bytes.length)
  // Charged whole and in advance: whoever asks for it again and again pays again and again.
  spendScanned(budget, Math.max(0, end - at))
  return readingObject(budget, () => parseValue({ bytes, at, end }, budget))
}
