// Proofs that a tree gives of itself (RFC 6962, 2.1.1 and 2.1.2).

import { TlogRefused } from "./refused.ts"
import { splitOf, type Tree } from "./tree.ts"

/** PATH(index, D[size]): from the leaf's neighbour up to the root's. */
export async function proveInclusion(
  { size, rangeHash }: Tree,
  index: number,
): Promise<readonly Uint8Array[]> {
  if (!Number.isSafeInteger(index) || index < 0 || index >= size)
    throw new TlogRefused("There is no such leaf.")
  const ranges: Range[] = []
  let [from, to] = [0, size]
  while (to - from > 1) {
    const middle = from + splitOf(to - from)
    ranges.unshift(index < middle ? [middle, to] : [from, middle])
    if (index < middle) to = middle
    else from = middle
  }
  return Promise.all(ranges.map((range) => rangeHash(...range)))
}

/** PROOF(older, D[size]): that the tree of the older size is the beginning of this one. */
export async function proveConsistency(
  { size, rangeHash }: Tree,
  older: number,
): Promise<readonly Uint8Array[]> {
  if (!Number.isSafeInteger(older) || older < 0 || older > size)
    throw new TlogRefused("There was no tree of that size.")
  if (older === 0 || older === size) return []
  const ranges: Range[] = []
  let [from, to] = [0, size]
  // SUBPROOF: what is left of `older` is never taken apart, what is right of it is given.
  while (to !== older) {
    const middle = from + splitOf(to - from)
    if (older <= middle) {
      ranges.unshift([middle, to])
      to = middle
    } else {
      ranges.unshift([from, middle])
      from = middle
    }
  }
  // The whole older tree is known to whoever asks.
  const all = from === 0 ? ranges : [[from, to] as const, ...ranges]
  return Promise.all(all.map((range) => rangeHash(...range)))
}

type Range = readonly [from: number, to: number]
