// Parses at a place of a source. How far an object reaches is known only once it is parsed, so a window is opened at
// its offset, and a larger one when the text turns out to run over the edge.

import { PdfRefused } from "../refused.ts"
import type { Source } from "../source.ts"
import { type Budget, MAX_WINDOW_BYTES, readingObject, spendScanned } from "./limits.ts"
import { type Cursor, corrupt } from "./scan.ts"

const FIRST_WINDOW_BYTES = 16_384
/** The longest keyword is shorter; text that ends closer to the edge may go on behind it. */
const EDGE_BYTES = 16

/** The result of `parse`, and the offset behind the text that it took. */
export function parseAt<T>(
  source: Source,
  offset: number,
  budget: Budget,
  parse: (cursor: Cursor) => T,
): { readonly result: T; readonly end: number } {
  const { values } = budget
  spendScanned(budget, 0)
  for (let size = FIRST_WINDOW_BYTES; ; size *= 2) {
    const bytes = source.read(offset, offset + size)
    if (bytes.length === 0) throw corrupt(`There is nothing at ${offset}.`)
    const cursor: Cursor = { bytes, at: 0, end: bytes.length, origin: offset }
    const whole = offset + bytes.length >= source.length
    try {
      const result = readingObject(budget, () => parse(cursor))
      if (whole || cursor.at + EDGE_BYTES <= cursor.end) return { result, end: offset + cursor.at }
    } catch (error) {
      // Only what was refused in the midst of the window is refused for good.
      if (whole || cursor.at + EDGE_BYTES <= cursor.end) throw error
    } finally {
      // What is refused has been read all the same, and somebody may go on without it.
      spendScanned(budget, cursor.at)
    }
    if (size >= MAX_WINDOW_BYTES) throw new PdfRefused("too-complex", `The object at ${offset} is too long.`)
    // The next try meets the same values again.
    budget.values = values
  }
}
