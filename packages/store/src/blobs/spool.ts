import { createHash, randomUUID } from "node:crypto"
import { type FileHandle, mkdir, open, readdir, realpath, rm, stat } from "node:fs/promises"
import { join } from "node:path"
import { crc32 } from "node:zlib"
import type { Bytes } from "@paraph/core/document/ports"
import { seal } from "@paraph/seal/stream"
import type { SealedBytes } from "./bucket.ts"

/**
 * A folder of sealed files on this machine: what is on its way into the bucket, and what was brought from there to be
 * looked into. No plain byte is ever written; the keys are in memory alone, so what a crash leaves behind is noise.
 */
export type Spool = {
  readonly folder: string
  /** Hashes and seals while the bytes arrive. */
  readonly take: (key: Uint8Array, context: string, bytes: Bytes) => Promise<Spooled>
  /** Writes bytes that are sealed already. */
  readonly bring: (sealed: Bytes) => Promise<string>
  readonly remove: (path: string) => Promise<void>
  readonly close: () => Promise<void>
}

export type Spooled = {
  readonly sizeBytes: number
  readonly sha256: string
  readonly sealed: SealedBytes
}

/** The folders that are open in this process. */
const ours = new Set<string>()

/**
 * Each spool has a folder of its own in `place`, named by its process; those of processes that are gone are removed. So
 * `place` is of one machine, or one container, alone: elsewhere the number of a process means another one.
 */
export async function openSpool(place: string): Promise<Spool> {
  await mkdir(place, { recursive: true, mode: 0o700 })
  const parent = await realpath(place)
  await mustBeOurs(parent)
  await removeOrphans(parent)
  const folder = join(parent, `${process.pid}-${randomUUID()}`)
  ours.add(folder)
  await mkdir(folder, { mode: 0o700 })
  return {
    folder,
    take: (key, context, bytes) => takeInto(folder, key, context, bytes),
    bring: async (sealed) => {
      const file = await newFile(folder, sealed)
      await file.write(sealed)
      return file.path
    },
    remove: (path) => rm(path, { force: true }),
    close: async () => {
      // Whoever was told to end may still be putting a file there.
      await rm(folder, { recursive: true, force: true, maxRetries: 3 })
      ours.delete(folder)
    },
  }
}

/** Also for a thread beside the one that has opened the spool. */
export async function takeInto(
  folder: string,
  key: Uint8Array,
  context: string,
  bytes: Bytes,
): Promise<Spooled> {
  const file = await newFile(folder, bytes)
  const plain = measured(bytes)
  let checksum = 0
  const sizeBytes = await file.write(seal(key, context, plain.bytes), (piece) => {
    checksum = crc32(piece, checksum)
  })
  return { ...plain.result(), sealed: { path: file.path, sizeBytes, crc32: checksum } }
}

/** A file that is there when all was written, and gone when anything failed. */
async function newFile(folder: string, source: Bytes) {
  const path = join(folder, randomUUID())
  const file = await open(path, "wx", 0o600).catch((error: unknown) => leave(source, error))
  const write = async (bytes: Bytes, each?: (piece: Uint8Array) => void): Promise<number> => {
    try {
      const sizeBytes = await writeAll(file, bytes, each)
      await file.close()
      return sizeBytes
    } catch (error) {
      await file.close().catch(() => undefined)
      await rm(path, { force: true })
      throw error
    }
  }
  return { path, write }
}

/** A source that nobody reads would hold its connection until somebody loses patience: one piece, then it is told. */
async function leave(source: Bytes, error: unknown): Promise<never> {
  try {
    for await (const _ of source) break
  } catch {
    // What went wrong first is what is told.
  }
  throw error
}

/** Somebody else's folder would let somebody else take files away, or put others in their place. */
async function mustBeOurs(folder: string): Promise<void> {
  const { uid, mode } = await stat(folder)
  if (uid !== process.getuid?.() || (mode & 0o022) !== 0)
    throw new Error(`${folder} must belong to the user that runs this process, and be writable by no other.`)
}

/** The folders are named by process; a process that is no more left only what nobody can open. */
async function removeOrphans(parent: string): Promise<void> {
  for (const name of await readdir(parent)) {
    const folder = join(parent, name)
    const pid = Number(/^(\d+)-[0-9a-f-]{36}$/.exec(name)?.[1] ?? Number.NaN)
    // One with our own number that we have not opened is of a process that had it before us.
    if (Number.isNaN(pid) || (pid === process.pid ? ours.has(folder) : isAlive(pid))) continue
    await rm(folder, { recursive: true, force: true })
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM"
  }
}

function measured(bytes: Bytes) {
  const hash = createHash("sha256")
  let sizeBytes = 0
  return {
    bytes: (async function* () {
      for await (const piece of bytes) {
        sizeBytes += piece.length
        hash.update(piece)
        yield piece
      }
    })(),
    result: () => ({ sizeBytes, sha256: hash.digest("hex") }),
  }
}

const WRITE_BYTES = 1 << 20

/** Answers how many bytes there were. They are written a megabyte at a time: each write is a turn of another thread. */
async function writeAll(file: FileHandle, bytes: Bytes, each?: (piece: Uint8Array) => void): Promise<number> {
  let written = 0
  let waiting: Uint8Array[] = []
  let waitingBytes = 0
  const write = async () => {
    const { bytesWritten } = await file.writev(waiting)
    // A disk that is full takes a part, and says why it takes no more when it is asked again.
    if (bytesWritten < waitingBytes) await file.writeFile(Buffer.concat(waiting).subarray(bytesWritten))
    written += waitingBytes
    waiting = []
    waitingBytes = 0
  }
  for await (const piece of bytes) {
    each?.(piece)
    waiting.push(piece)
    waitingBytes += piece.length
    if (waitingBytes >= WRITE_BYTES) await write()
  }
  if (waitingBytes > 0) await write()
  return written
}
