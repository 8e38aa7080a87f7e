import { SealBroken } from "./broken.ts"
import { HEADER_BYTES, type Layout, outerSegments, segmentAt, segmentsBetween, VERSION_2 } from "./layout.ts"
import { lockOf, mustBeHeader, openSegment } from "./lock.ts"

/**
 * The bytes of the sealed object, from `from` up to `to`, that are needed for the plain bytes from `start` up to `end`:
 * whole segments, and before the first one of the object its header.
 */
export function sealedRange(
  plainBytes: number,
  start: number,
  end: number,
  layout: Layout = VERSION_2,
): { readonly from: number; readonly to: number } {
  const [first, last] = outerSegments(layout, plainBytes, start, end)
  return {
    from: first === 0 ? 0 : segmentAt(layout, plainBytes, first).from,
    to: segmentAt(layout, plainBytes, last).to,
  }
}

/** The plain bytes from `start` up to `end`, of an object of `plainBytes`; `sealed` are those that `sealedRange` names. */
export async function* openRange(
  key: Uint8Array,
  context: string,
  plainBytes: number,
  start: number,
  end: number,
  sealed: AsyncIterable<Uint8Array>,
  layout: Layout = VERSION_2,
): AsyncGenerator<Uint8Array> {
  const [first, last] = outerSegments(layout, plainBytes, start, end)
  const lock = lockOf(key, context)
  const source = exactly(sealed)
  try {
    if (first === 0) mustBeHeader(lock, await source.take(HEADER_BYTES))
    for (const segment of segmentsBetween(layout, plainBytes, start, end)) {
      const sealedSegment = await source.take(segment.to - segment.from)
      const plain = openSegment(lock, segment.index, segment.last, sealedSegment)
      if (segment.index === last) await source.mustEnd()
      const part = plain.subarray(Math.max(0, start - segment.start), end - segment.start)
      if (part.length > 0) yield part
    }
  } finally {
    await source.stop()
  }
}

/** Takes so many bytes at a time out of a stream, no fewer. What was taken last is overwritten by the next. */
function exactly(source: AsyncIterable<Uint8Array>) {
  const pieces = source[Symbol.asyncIterator]()
  let piece: Uint8Array = new Uint8Array()
  let held = Buffer.alloc(0)

  const more = async (): Promise<boolean> => {
    while (piece.length === 0) {
      const next = await pieces.next()
      if (next.done === true) return false
      piece = next.value
    }
    return true
  }
  const take = async (size: number): Promise<Buffer> => {
    if (held.length < size) held = Buffer.allocUnsafeSlow(size)
    for (let filled = 0; filled < size; ) {
      if (!(await more())) throw new SealBroken("The sealed bytes are cut.")
      const part = piece.subarray(0, size - filled)
      held.set(part, filled)
      filled += part.length
      piece = piece.subarray(part.length)
    }
    return held.subarray(0, size)
  }
  const mustEnd = async (): Promise<void> => {
    if (await more()) throw new SealBroken("There are more sealed bytes than were asked for.")
  }
  return { take, mustEnd, stop: async () => void (await pieces.return?.()) }
}
