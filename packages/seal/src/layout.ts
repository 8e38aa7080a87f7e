// Where things lie in sealed bytes, version 2 (ADR 0017):
//
//   version (1) ‖ key commitment (32) ‖ { ciphertext ‖ tag (16) } …
//
// Each segment holds the same number of plain bytes but for the last, which holds the rest: from 1 to all of them, or
// none where there is nothing to seal.

export const VERSION = 2
export const COMMITMENT_BYTES = 32
export const HEADER_BYTES = 1 + COMMITMENT_BYTES
export const TAG_BYTES = 16

declare const onlyFromHere: unique symbol

/** No door of the package gives one away: outside of its tests there is only the one of version 2. */
export type Layout = { readonly segmentBytes: number; readonly [onlyFromHere]: true }

export const layoutOf = (segmentBytes: number): Layout => ({ segmentBytes }) as Layout

export const VERSION_2 = layoutOf(1 << 18)

/** The last segment is never missing, not even where there are no bytes: its tag says that this was all. */
export const segmentCount = (layout: Layout, plainBytes: number): number =>
  Math.max(1, Math.ceil(plainBytes / layout.segmentBytes))

export const sealedBytes = (layout: Layout, plainBytes: number): number =>
  HEADER_BYTES + plainBytes + TAG_BYTES * segmentCount(layout, plainBytes)

export type Segment = {
  readonly index: number
  readonly last: boolean
  /** Its place in the sealed bytes. */
  readonly from: number
  readonly to: number
  /** Its place in the plain bytes. */
  readonly start: number
  readonly end: number
}

export function segmentAt(layout: Layout, plainBytes: number, index: number): Segment {
  const start = index * layout.segmentBytes
  const end = Math.min(start + layout.segmentBytes, plainBytes)
  const from = HEADER_BYTES + index * (layout.segmentBytes + TAG_BYTES)
  const last = index === segmentCount(layout, plainBytes) - 1
  return { index, last, from, to: from + (end - start) + TAG_BYTES, start, end }
}

/** The segments that hold the plain bytes from `start` up to `end`: at least one, so that something is proved. */
export function* segmentsBetween(
  layout: Layout,
  plainBytes: number,
  start: number,
  end: number,
): Generator<Segment> {
  const [first, last] = outerSegments(layout, plainBytes, start, end)
  for (let index = first; index <= last; index += 1) yield segmentAt(layout, plainBytes, index)
}

export function outerSegments(
  layout: Layout,
  plainBytes: number,
  start: number,
  end: number,
): readonly [first: number, last: number] {
  if (!(0 <= start && start <= end && end <= plainBytes)) throw new RangeError("There are no such bytes.")
  const first = Math.min(Math.floor(start / layout.segmentBytes), segmentCount(layout, plainBytes) - 1)
  return [first, Math.max(first, Math.ceil(end / layout.segmentBytes) - 1)]
}
