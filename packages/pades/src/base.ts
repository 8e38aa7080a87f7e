// What a revision is put behind: the bytes so far and their running hash. Byte ranges nest, so one pass over a document
// serves every signature and time-stamp that follows (a whole B-LTA is one pass); after that only tails are hashed.

import { createHash, type Hash } from "node:crypto"
import type { DigestName } from "@paraph/pki/digest"
import { asSource, grown, type Source } from "./source.ts"

export type Base = {
  readonly source: Source
  /** The hash over all bytes so far, to go on with. */
  readonly hash: (algorithm: DigestName) => Hash
}

const BLOCK_BYTES = 1_048_576

export function baseOf(document: Base | Source | Uint8Array): Base {
  if ("hash" in document) return document
  const source = asSource(document)
  return hashedOnce(source, (algorithm) => {
    const hash = createHash(algorithm)
    for (let at = 0; at < source.length; at += BLOCK_BYTES) hash.update(source.read(at, at + BLOCK_BYTES))
    return hash
  })
}

/** The document with one more revision; of its hash only the new bytes are computed. */
export function grow(base: Base, tail: Uint8Array): Base {
  return hashedOnce(grown(base.source, tail), (algorithm) => base.hash(algorithm).update(tail))
}

export function hashedOnce(source: Source, compute: (algorithm: DigestName) => Hash): Base {
  const known = new Map<DigestName, Hash>()
  const hash = (algorithm: DigestName): Hash => {
    const found = known.get(algorithm) ?? compute(algorithm)
    known.set(algorithm, found)
    return found.copy()
  }
  return { source, hash }
}
