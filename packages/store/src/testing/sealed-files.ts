import { randomBytes, randomUUID } from "node:crypto"
import { createWriteStream, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pipeline } from "node:stream/promises"
import { crc32 } from "node:zlib"
import type { SealedBytes } from "../blobs/bucket.ts"

/** For tests: a folder of files as the spool would make them; what is in them is as good as sealed, being random. */
export type SealedFiles = {
  readonly folder: string
  readonly of: (bytes: Uint8Array) => SealedBytes
  /** One of a size that nobody should hold in memory. */
  readonly large: (sizeBytes: number) => Promise<SealedBytes>
  readonly close: () => void
}

export function createSealedFiles(): SealedFiles {
  const folder = mkdtempSync(join(tmpdir(), "paraph-sealed-"))
  const newPath = () => join(folder, randomUUID())
  return {
    folder,
    of: (bytes) => {
      const path = newPath()
      writeFileSync(path, bytes)
      return { path, sizeBytes: bytes.length, crc32: crc32(bytes) }
    },
    large: async (sizeBytes) => {
      const path = newPath()
      let sum = 0
      const pieces = function* () {
        for (let left = sizeBytes; left > 0; left -= 1 << 20) {
          const piece = randomBytes(Math.min(left, 1 << 20))
          sum = crc32(piece, sum)
          yield piece
        }
      }
      await pipeline(pieces, createWriteStream(path))
      return { path, sizeBytes, crc32: sum }
    },
    close: () => rmSync(folder, { recursive: true }),
  }
}

export const newName = () => `documents/${randomUUID()}`

export async function collect(pieces: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const all: Uint8Array[] = []
  for await (const piece of pieces) all.push(piece)
  return Buffer.concat(all)
}
