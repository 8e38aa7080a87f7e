// From a file to a file without loading either: the document is hashed while it is copied, then the tails are appended.

import { createHash } from "node:crypto"
import { closeSync, openSync, readSync, writeSync } from "node:fs"
import type { DigestName } from "@paraph/pki/digest"
import { type Base, baseOf, grow, hashedOnce } from "../base.ts"
import { openFile } from "../source.ts"

export type FileCopy = {
  /** The document as it stands in the new file. */
  readonly base: () => Base
  /** Writes one more revision behind it. */
  readonly append: (tail: Uint8Array) => void
  readonly close: () => void
}

const BLOCK_BYTES = 1_048_576

/** The new file must not exist yet. Hashes of other kinds than `algorithms` cost another pass when they are wanted. */
export function copyFile(from: string, to: string, algorithms: readonly DigestName[] = ["sha256"]): FileCopy {
  const output = openSync(to, "wx+")
  const hashes = new Map(algorithms.map((algorithm) => [algorithm, createHash(algorithm)]))
  copy(from, output, (block) => {
    for (const hash of hashes.values()) hash.update(block)
  })
  const file = openFile(to)
  const unknown = baseOf(file)
  let base = hashedOnce(file, (algorithm) => hashes.get(algorithm) ?? unknown.hash(algorithm))
  return {
    base: () => base,
    append: (tail) => {
      writeAll(output, tail, base.source.length)
      base = grow(base, tail)
    },
    close: () => {
      file.close()
      closeSync(output)
    },
  }
}

function copy(from: string, output: number, each: (block: Uint8Array) => void): void {
  const input = openSync(from, "r")
  try {
    // One block for the whole file: a hundred of them would wait for the collector.
    const block = Buffer.allocUnsafe(BLOCK_BYTES)
    for (let at = 0; ; ) {
      const count = readSync(input, block, 0, BLOCK_BYTES, at)
      if (count === 0) return
      each(block.subarray(0, count))
      writeAll(output, block.subarray(0, count), at)
      at += count
    }
  } finally {
    closeSync(input)
  }
}

function writeAll(output: number, bytes: Uint8Array, at: number): void {
  for (let done = 0; done < bytes.length; )
    done += writeSync(output, bytes, done, bytes.length - done, at + done)
}
