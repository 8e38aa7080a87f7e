import { SealBroken } from "./broken.ts"
import { HEADER_BYTES, type Layout, sealedBytes, TAG_BYTES, VERSION_2 } from "./layout.ts"
import { lockOf, mustBeHeader, openSegment, sealSegment } from "./lock.ts"

export const SEGMENT_BYTES = VERSION_2.segmentBytes

export const sealedSize = (plainBytes: number): number => sealedBytes(VERSION_2, plainBytes)

/**
 * Encrypts while the bytes pass through. `context` names what the bytes are; it must be the same to open them.
 * A key seals one object, once: whoever begins again takes a new key.
 */
export async function* seal(
  key: Uint8Array,
  context: string,
  plain: AsyncIterable<Uint8Array>,
  layout: Layout = VERSION_2,
): AsyncGenerator<Uint8Array> {
  mustBeFresh(key)
  const lock = lockOf(key, context)
  yield lock.header
  let index = 0
  for await (const { bytes, last } of cut(plain, layout.segmentBytes)) {
    const [ciphertext, tag] = sealSegment(lock, index++, last, bytes)
    if (ciphertext.length > 0) yield ciphertext
    yield tag
  }
}

/** Decrypts while the bytes pass through; throws at the first segment that is not what was sealed. */
export async function* open(
  key: Uint8Array,
  context: string,
  sealed: AsyncIterable<Uint8Array>,
  layout: Layout = VERSION_2,
): AsyncGenerator<Uint8Array> {
  const lock = lockOf(key, context)
  let index = -1
  for await (const { bytes, last } of cut(sealed, layout.segmentBytes + TAG_BYTES, HEADER_BYTES)) {
    if (index === -1) mustBeHeader(lock, bytes)
    else yield openSegment(lock, index, last, bytes)
    index += 1
  }
  if (index <= 0) throw new SealBroken("The sealed bytes are cut.")
}

const used = new WeakSet<Uint8Array>()

/** The nonces come from the key: two objects under one key would show their difference, and how to forge a third. */
function mustBeFresh(key: Uint8Array): void {
  if (used.has(key)) throw new Error("This key has sealed an object already.")
  used.add(key)
}

/**
 * Cuts a stream into pieces of one size (the first may have its own); the last one is marked, and is never missing.
 * All pieces share one memory: each is used up before the next is asked for.
 */
async function* cut(source: AsyncIterable<Uint8Array>, size: number, firstSize = size) {
  const held = Buffer.allocUnsafeSlow(size)
  let wanted = firstSize
  let filled = 0
  for await (const piece of source) {
    for (let at = 0; at < piece.length; ) {
      // One byte more than a segment proves that it is not the last.
      if (filled === wanted) {
        yield { bytes: held.subarray(0, filled), last: false }
        wanted = size
        filled = 0
      }
      const part = piece.subarray(at, at + wanted - filled)
      held.set(part, filled)
      filled += part.length
      at += part.length
    }
  }
  yield { bytes: held.subarray(0, filled), last: true }
}
