// Which bytes of the file a signature or a document time-stamp hashes, as intervals. A range may begin behind the start of
// the file (ISO 32000-2, 12.8.1), so its end alone does not tell what lies under it.

import type { ByteRange } from "./byte-range.ts"

/** The bytes from `start` up to, and not including, `end`. */
export type ByteInterval = { readonly start: number; readonly end: number }

/** The two intervals of a /ByteRange; an empty one hashes nothing. */
export function hashedIntervals([start, length, start2, length2]: ByteRange): readonly ByteInterval[] {
  return [
    { start, end: start + length },
    { start: start2, end: start2 + length2 },
  ].filter((interval) => interval.start < interval.end)
}

/** True if the range hashes every byte of the interval. An empty interval holds no byte, so nothing proves it. */
export function covers(byteRange: ByteRange, interval: ByteInterval): boolean {
  if (interval.start >= interval.end) return false
  return hashedIntervals(byteRange).some(({ start, end }) => start <= interval.start && interval.end <= end)
}
