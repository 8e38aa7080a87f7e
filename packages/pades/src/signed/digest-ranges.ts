// The digests of many byte ranges in one pass. The ranges of the signatures of one document nest: each begins at the
// start of the file and leaves out its own contents only, so all share one running hash until their gap.

import { createHash, type Hash } from "node:crypto"
import type { Source } from "../source.ts"
import type { ByteRange } from "./byte-range.ts"

const BLOCK_BYTES = 1_048_576

/** In the order of the ranges. `algorithm` is a name of `node:crypto`. */
export function digestRanges(
  source: Source,
  ranges: readonly ByteRange[],
  algorithm: string,
): readonly Uint8Array[] {
  for (const range of ranges) check(range, source)
  const running = createHash(algorithm)
  const lastGap = ranges.filter(isFromStart).reduce((last, [, length]) => Math.max(last, length), 0)
  const own: Hash[] = ranges.map(() => createHash(algorithm))
  let at = 0
  for (const edge of edges(ranges)) {
    const wanted = ranges.flatMap((range, i) => (covers(range, at) ? own[i] : undefined) ?? [])
    if (at < lastGap) wanted.push(running)
    const bytes = at < edge && wanted.length > 0 ? source.read(at, edge) : new Uint8Array()
    for (const hash of wanted) hash.update(bytes)
    for (const [i, range] of ranges.entries())
      if (isFromStart(range) && range[1] === edge) own[i] = running.copy()
    at = edge
  }
  return own.map((hash) => new Uint8Array(hash.digest()))
}

function check([start, length, start2, length2]: ByteRange, source: Source): void {
  const inOrder = start >= 0 && length >= 0 && start + length <= start2 && length2 >= 0
  if (!inOrder || start2 + length2 > source.length)
    throw new RangeError("A byte range overlaps itself or leaves the file.")
}

function isFromStart([start]: ByteRange): boolean {
  return start === 0
}

// Where something begins or ends for anyone, and no two further apart than a block: between two edges all is alike.
function edges(ranges: readonly ByteRange[]): readonly number[] {
  const found = new Set<number>()
  for (const [start, length, start2, length2] of ranges)
    for (const edge of [start, start + length, start2, start2 + length2]) found.add(edge)
  const last = ranges.reduce((end, [, , start2, length2]) => Math.max(end, start2 + length2), 0)
  for (let at = 0; at < last; at += BLOCK_BYTES) found.add(at)
  return [...found].sort((a, b) => a - b)
}

// What lies before the gap of a range from the start comes with the running hash.
function covers([start, length, start2, length2]: ByteRange, at: number): boolean {
  return (at >= start2 && at < start2 + length2) || (start > 0 && at >= start && at < start + length)
}
