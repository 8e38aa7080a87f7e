import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs"
import { type FileHandle, open as openHandle } from "node:fs/promises"
import { SealBroken } from "./broken.ts"
import { HEADER_BYTES, type Layout, type Segment, sealedBytes, segmentsBetween, VERSION_2 } from "./layout.ts"
import { type Lock, lockOf, mustBeHeader, openSegment } from "./lock.ts"

export type SealedFile = {
  readonly path: string
  readonly key: Uint8Array
  readonly context: string
  /** Of the plain bytes. */
  readonly sizeBytes: number
}

const KEPT_SEGMENTS = 8
// Opened without waiting: a pipe would wait for somebody who writes into it. And through no link: where a process may
// only read one folder, a link would lead out of it.
const READING = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW

/** The plain bytes of a sealed file, at any place, synchronously: for a process of its own, which may wait. */
export function openSealedFile(
  file: SealedFile,
  layout: Layout = VERSION_2,
): {
  readonly length: number
  /** The bytes from `start` up to `end`, cut off where the file ends. */
  readonly read: (start: number, end: number) => Uint8Array
  readonly close: () => void
} {
  const { sizeBytes } = file
  const lock = lockOf(file.key, file.context)
  const descriptor = openSync(file.path, READING)
  let segments: ((segment: Segment) => Buffer) | null = keptSegments(descriptor, lock)

  const read = (start: number, end: number): Uint8Array => {
    const plainOf = segments
    if (plainOf === null) throw new Error("The file is closed.")
    const to = Math.min(end, sizeBytes)
    if (start >= to) return new Uint8Array()
    // A copy: a view would keep a whole segment in memory for as long as somebody holds a word of it.
    const bytes = new Uint8Array(to - start)
    for (const segment of segmentsBetween(layout, sizeBytes, start, to)) {
      const part = plainOf(segment).subarray(Math.max(0, start - segment.start), to - segment.start)
      bytes.set(part, Math.max(0, segment.start - start))
    }
    return bytes
  }
  const close = () => {
    if (segments === null) return
    segments = null
    closeSync(descriptor)
  }
  try {
    mustBeWhole(fstatSync(descriptor), sealedBytes(layout, sizeBytes))
    mustBeHeader(lock, readIntoSync(descriptor, Buffer.alloc(HEADER_BYTES), 0))
    // The last segment proves the name and that the file ends here. A PDF is read from its end, so it is needed anyway.
    for (const last of segmentsBetween(layout, sizeBytes, sizeBytes, sizeBytes)) segments(last)
  } catch (error) {
    close()
    throw error
  }
  return { length: sizeBytes, read, close }
}

/** The plain bytes from `start` up to `end` (all of them, unless told), streaming; at most one segment is read ahead. */
export async function* readSealedFile(
  file: SealedFile,
  start = 0,
  end = file.sizeBytes,
  layout: Layout = VERSION_2,
): AsyncGenerator<Uint8Array> {
  const lock = lockOf(file.key, file.context)
  const handle = await openHandle(file.path, READING)
  try {
    mustBeWhole(await handle.stat(), sealedBytes(layout, file.sizeBytes))
    mustBeHeader(lock, await readInto(handle, Buffer.alloc(HEADER_BYTES), 0))
    const segments = segmentsBetween(layout, file.sizeBytes, start, end)
    for await (const { segment, sealed } of oneAhead(handle, segments)) {
      const plain = openSegment(lock, segment.index, segment.last, sealed)
      const part = plain.subarray(Math.max(0, start - segment.start), end - segment.start)
      if (part.length > 0) yield part
    }
  } finally {
    await handle.close()
  }
}

function mustBeWhole(stats: { readonly isFile: () => boolean; readonly size: number }, size: number): void {
  if (!stats.isFile()) throw new TypeError("The path does not lead to a file.")
  if (stats.size !== size) throw new SealBroken("The sealed file has another size than it was written with.")
}

/** Reads and opens segments, and keeps those that were asked for last. Only what opened is kept. */
function keptSegments(descriptor: number, lock: Lock): (segment: Segment) => Buffer {
  const kept = new Map<number, Buffer>()
  let sealed = Buffer.alloc(0)

  return ({ index, last, from, to }) => {
    const known = kept.get(index)
    kept.delete(index)
    if (known === undefined && sealed.length < to - from) sealed = Buffer.allocUnsafeSlow(to - from)
    const plain =
      known ?? openSegment(lock, index, last, readIntoSync(descriptor, sealed.subarray(0, to - from), from))
    // The map is in order of use: the first key is the segment that nobody has asked for the longest.
    const [oldest] = kept.keys()
    if (kept.size >= KEPT_SEGMENTS && oldest !== undefined) kept.delete(oldest)
    kept.set(index, plain)
    return plain
  }
}

/** Reads segment after segment, the next one already while this one is used; two memories take turns. */
async function* oneAhead(handle: FileHandle, segments: Iterable<Segment>) {
  const memories: [Buffer, Buffer] = [Buffer.alloc(0), Buffer.alloc(0)]
  const begin = (segment: Segment) => {
    const size = segment.to - segment.from
    const [memory, other] = memories
    const fitting = memory.length < size ? Buffer.allocUnsafeSlow(size) : memory
    memories.splice(0, 2, other, fitting)
    const reading = readInto(handle, fitting.subarray(0, size), segment.from)
    // It fails where it is awaited; whoever stops before that has no use for the failure.
    reading.catch(() => undefined)
    return { segment, reading }
  }
  let ahead: ReturnType<typeof begin> | null = null
  for (const segment of segments) {
    const ready = ahead
    if (ready !== null) await ready.reading
    ahead = begin(segment)
    if (ready !== null) yield { segment: ready.segment, sealed: await ready.reading }
  }
  if (ahead !== null) yield { segment: ahead.segment, sealed: await ahead.reading }
}

async function readInto(handle: FileHandle, bytes: Buffer, from: number): Promise<Buffer> {
  for (let done = 0; done < bytes.length; ) {
    const { bytesRead } = await handle.read(bytes, done, bytes.length - done, from + done)
    if (bytesRead === 0) throw new SealBroken("The sealed file became shorter while it was read.")
    done += bytesRead
  }
  return bytes
}

function readIntoSync(descriptor: number, bytes: Buffer, from: number): Buffer {
  for (let done = 0; done < bytes.length; ) {
    const count = readSync(descriptor, bytes, done, bytes.length - done, from + done)
    if (count === 0) throw new SealBroken("The sealed file became shorter while it was read.")
    done += count
  }
  return bytes
}
