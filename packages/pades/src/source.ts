// Where the bytes of a PDF come from. The reader asks for the few places it needs, so a file of 100 MB is opened without
// being loaded. Reading is synchronous: a foreign PDF is only ever parsed in a process of its own.

import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs"

export type Source = {
  readonly length: number
  /** The bytes from `start` up to `end`, cut off where the source ends. Nobody writes into them. */
  readonly read: (start: number, end: number) => Uint8Array
}

/** A view, no copy. */
export function bytesSource(bytes: Uint8Array): Source {
  return { length: bytes.length, read: (start, end) => bytes.subarray(start, end) }
}

export function asSource(file: Uint8Array | Source): Source {
  return file instanceof Uint8Array ? bytesSource(file) : file
}

const BLOCK_BYTES = 65_536
const KEPT_BLOCKS = 32
/** A block goes on into the next one by as much as the reader mostly asks for, so that it need not be put together. */
const OVERLAP_BYTES = 16_384

/** The length is that of the moment of opening; whatever is appended later is not seen. */
export function openFile(path: string): Source & { readonly close: () => void } {
  const descriptor = openRegular(path)
  return { ...descriptorSource(descriptor), close: () => closeSync(descriptor) }
}

/** The descriptor of a file, for reading. Opened without waiting: a pipe would wait for somebody who writes into it. */
export function openRegular(path: string): number {
  const descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  if (fstatSync(descriptor).isFile()) return descriptor
  closeSync(descriptor)
  throw new TypeError("The path does not lead to a file.")
}

/** The file behind a descriptor, as long as it is now. It is not closed here. */
export function descriptorSource(descriptor: number): Source {
  const length = fstatSync(descriptor).size
  const kept = new Map<number, Uint8Array>()

  const block = (index: number): Uint8Array => {
    const known = kept.get(index)
    kept.delete(index)
    const bytes = known ?? readExactly(descriptor, index * BLOCK_BYTES, blockEnd(index, length))
    // The map is in order of use: the first key is the block that nobody has asked for the longest.
    const [oldest] = kept.keys()
    if (kept.size >= KEPT_BLOCKS && oldest !== undefined) kept.delete(oldest)
    kept.set(index, bytes)
    return bytes
  }
  const read = (start: number, end: number): Uint8Array => {
    const to = Math.min(end, length)
    if (start >= to) return new Uint8Array()
    const index = Math.floor(start / BLOCK_BYTES)
    const first = index * BLOCK_BYTES
    if (to <= first + BLOCK_BYTES + OVERLAP_BYTES) return block(index).subarray(start - first, to - first)
    return readExactly(descriptor, start, to)
  }
  return { length, read }
}

function blockEnd(index: number, length: number): number {
  return Math.min((index + 1) * BLOCK_BYTES + OVERLAP_BYTES, length)
}

function readExactly(descriptor: number, start: number, end: number): Uint8Array {
  const bytes = new Uint8Array(end - start)
  for (let done = 0; done < bytes.length; ) {
    const count = readSync(descriptor, bytes, done, bytes.length - done, start + done)
    if (count === 0) throw new RangeError("The file became shorter while it was read.")
    done += count
  }
  return bytes
}

/** The source with bytes behind it, as a file is after a revision was appended. */
export function grown(source: Source, tail: Uint8Array): Source {
  const length = source.length + tail.length
  const read = (start: number, end: number): Uint8Array => {
    const to = Math.min(end, length)
    if (to <= source.length) return source.read(start, to)
    if (start >= source.length)
      return tail.subarray(start - source.length, Math.max(start, to) - source.length)
    return Buffer.concat([source.read(start, source.length), tail.subarray(0, to - source.length)])
  }
  return { length, read }
}

/** The source up to `end`, as a file was before later revisions were appended. */
export function prefix(source: Source, end: number): Source {
  const length = Math.min(end, source.length)
  return { length, read: (start, to) => source.read(start, Math.min(to, length)) }
}
