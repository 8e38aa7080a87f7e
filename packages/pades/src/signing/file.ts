// From a file to a file without loading either: the document is hashed while it is copied, then the tails are appended.

import { createHash } from "node:crypto"
import { closeSync, openSync, readSync, unlinkSync, writeSync } from "node:fs"
import type { DigestName } from "@paraph/pki/digest"
import { type Base, baseOf, grow, hashedOnce } from "../base.ts"
import { descriptorSource, openRegular } from "../source.ts"

export type FileCopy = {
  /** The document as it stands in the new file. */
  readonly base: () => Base
  /** Writes one more revision behind it. */
  readonly append: (tail: Uint8Array) => void
  readonly close: () => void
}

const BLOCK_BYTES = 1_048_576
/** A document that is to be signed is for its owner's eyes until somebody says otherwise. */
const OWNER_ONLY = 0o600

/** The new file must not exist yet. Hashes of other kinds than `algorithms` cost another pass when they are wanted. */
export function copyFile(from: string, to: string, algorithms: readonly DigestName[] = ["sha256"]): FileCopy {
  const hashes = new Map(algorithms.map((algorithm) => [algorithm, createHash(algorithm)]))
  const output = copied(from, to, (block) => {
    for (const hash of hashes.values()) hash.update(block)
  })
  // Read by its descriptor, never again by its path, where somebody may have put another file meanwhile.
  const unknown = baseOf(descriptorSource(output))
  let base = hashedOnce(unknown.source, (algorithm) => hashes.get(algorithm) ?? unknown.hash(algorithm))
  return {
    base: () => base,
    append: (tail) => {
      writeAll(output, tail, base.source.length)
      base = grow(base, tail)
    },
    close: () => closeSync(output),
  }
}

/** The descriptor of the new file; where it cannot be made whole there is none. */
function copied(from: string, to: string, each: (block: Uint8Array) => void): number {
  const input = openRegular(from)
  try {
    const output = openSync(to, "wx+", OWNER_ONLY)
    try {
      copy(input, output, each)
      return output
    } catch (error) {
      closeSync(output)
      unlinkSync(to)
      throw error
    }
  } finally {
    closeSync(input)
  }
}

function copy(input: number, output: number, each: (block: Uint8Array) => void): void {
  // One block for the whole file: a hundred of them would wait for the collector.
  const block = Buffer.allocUnsafe(BLOCK_BYTES)
  for (let at = 0; ; ) {
    const count = readSync(input, block, 0, BLOCK_BYTES, at)
    if (count === 0) return
    each(block.subarray(0, count))
    writeAll(output, block.subarray(0, count), at)
    at += count
  }
}

function writeAll(output: number, bytes: Uint8Array, at: number): void {
  for (let done = 0; done < bytes.length; )
    done += writeSync(output, bytes, done, bytes.length - done, at + done)
}
