// The hashes of a Merkle tree (RFC 6962, 2.1), with SHA-256. A leaf and an inner node begin with another octet each, so that
// nobody can pass the one for the other.

import { createHash } from "node:crypto"

export const HASH_BYTES = 32

const LEAF = Uint8Array.of(0)
const NODE = Uint8Array.of(1)

export function leafHash(entry: Uint8Array): Uint8Array {
  return createHash("sha256").update(LEAF).update(entry).digest()
}

export function nodeHash(left: Uint8Array, right: Uint8Array): Uint8Array {
  return createHash("sha256").update(NODE).update(left).update(right).digest()
}

/** The root of a tree without leaves. */
export function emptyRoot(): Uint8Array {
  return createHash("sha256").digest()
}

export function isSameHash(a: Uint8Array, b: Uint8Array): boolean {
  return Buffer.compare(a, b) === 0
}
