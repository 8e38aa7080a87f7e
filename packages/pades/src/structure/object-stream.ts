// The directory in front of an object stream (ISO 32000-2, 7.5.7): which objects it holds, and where.

import { type Cursor, corrupt, readCount, skipWhite } from "../syntax/scan.ts"
import { asCount, entry, type PdfDict } from "../syntax/value.ts"

export function readDirectory(dict: PdfDict, bytes: Uint8Array): { numbers: number[]; starts: number[] } {
  const count = asCount(entry(dict, "N"), "The count of an object stream")
  const first = asCount(entry(dict, "First"), "The first offset of an object stream")
  // Two digits and two spaces are the least that an entry takes.
  if (first > bytes.length || count * 4 > first + 1)
    throw corrupt("The directory of an object stream is cut short.")
  const cursor: Cursor = { bytes, at: 0, end: first }
  const numbers: number[] = []
  const starts: number[] = []
  for (let i = 0; i < count; i++) {
    skipWhite(cursor)
    numbers.push(readCount(cursor, "An object number"))
    skipWhite(cursor)
    starts.push(first + readCount(cursor, "An offset in an object stream"))
  }
  return { numbers, starts }
}
