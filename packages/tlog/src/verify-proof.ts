// Whether a proof holds (RFC 9162, 2.1.3.2 and 2.1.4.2; the trees are those of RFC 6962). Written from the verifier's side of the
// standard and not from prove.ts, so that a fault of the one is not a fault of both.

import { isSameHash, nodeHash } from "./hash.ts"

export type Head = { readonly size: number; readonly root: Uint8Array }

export function verifyInclusion(
  leaf: { readonly hash: Uint8Array; readonly index: number },
  { size, root }: Head,
  proof: readonly Uint8Array[],
): boolean {
  if (!isCount(leaf.index) || !isCount(size) || leaf.index >= size) return false
  let [node, last] = [leaf.index, size - 1]
  let hash = leaf.hash
  for (const sibling of proof) {
    if (last === 0) return false
    if (isOdd(node) || node === last) {
      hash = nodeHash(sibling, hash)
      while (!isOdd(node) && node !== 0) [node, last] = [half(node), half(last)]
    } else hash = nodeHash(hash, sibling)
    ;[node, last] = [half(node), half(last)]
  }
  return last === 0 && isSameHash(hash, root)
}

/** An older head of size 0 says nothing, and every tree goes on from it. */
export function verifyConsistency(older: Head, newer: Head, proof: readonly Uint8Array[]): boolean {
  if (!isCount(older.size) || !isCount(newer.size) || older.size > newer.size) return false
  if (older.size === newer.size) return proof.length === 0 && isSameHash(older.root, newer.root)
  if (older.size === 0) return proof.length === 0
  const [first, ...rest] = isPowerOfTwo(older.size) ? [older.root, ...proof] : proof
  if (first === undefined) return false
  let [node, last] = [older.size - 1, newer.size - 1]
  while (isOdd(node)) [node, last] = [half(node), half(last)]
  let [before, after] = [first, first]
  for (const hash of rest) {
    if (last === 0) return false
    if (isOdd(node) || node === last) {
      before = nodeHash(hash, before)
      after = nodeHash(hash, after)
      while (!isOdd(node) && node !== 0) [node, last] = [half(node), half(last)]
    } else after = nodeHash(after, hash)
    ;[node, last] = [half(node), half(last)]
  }
  return last === 0 && isSameHash(before, older.root) && isSameHash(after, newer.root)
}

// Sizes go beyond 32 bits, where shifting ends.
const half = (n: number): number => Math.floor(n / 2)
const isOdd = (n: number): boolean => n % 2 === 1
const isCount = (n: number): boolean => Number.isSafeInteger(n) && n >= 0

function isPowerOfTwo(n: number): boolean {
  let rest = n
  while (rest > 1 && !isOdd(rest)) rest = half(rest)
  return rest === 1
}
