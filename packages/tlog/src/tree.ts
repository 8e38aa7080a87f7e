// A tree that lies in tiles: the hash of any range that RFC 6962 makes a subtree of.

import { emptyRoot, nodeHash } from "./hash.ts"
import { TlogRefused } from "./refused.ts"
import { hashesOf, TILE_WIDTH, type Tile, tileIn } from "./tile.ts"

/** The bytes of a tile; a wider one of the same place will do. */
export type ReadTile = (tile: Tile) => Promise<Uint8Array>

export type Tree = {
  readonly size: number
  readonly root: () => Promise<Uint8Array>
  /** MTH(D[from:to]); `from` is a multiple of the largest power of two below `to - from`, as in every proof. */
  readonly rangeHash: (from: number, to: number) => Promise<Uint8Array>
}

export function openTree(size: number, readTile: ReadTile): Tree {
  if (!Number.isSafeInteger(size) || size < 0) throw new TlogRefused("A tree of that size cannot be.")
  const known = new Map<string, Promise<readonly Uint8Array[]>>()
  const tileAt = (level: number, n: number): Promise<readonly Uint8Array[]> => {
    const key = `${level} ${n}`
    const found = known.get(key)
    if (found !== undefined) return found
    const tile = tileIn(size, level, n)
    if (tile === undefined) throw new TlogRefused("A tile outside of the tree.")
    const read = readTile(tile).then((bytes) => hashesOf(bytes, tile))
    known.set(key, read)
    return read
  }
  /** A subtree of 2^height leaves, the n-th of them: out of the tile that has its hash or the hashes below it. */
  const perfect = async (height: number, n: number): Promise<Uint8Array> => {
    const level = Math.floor(height / TILE_HEIGHT)
    const count = 2 ** (height % TILE_HEIGHT)
    const first = n * count
    const hashes = await tileAt(level, Math.floor(first / TILE_WIDTH))
    const start = first % TILE_WIDTH
    return merged(hashes.slice(start, start + count))
  }
  const rangeHash = async (from: number, to: number): Promise<Uint8Array> => {
    if (from === to) return emptyRoot()
    const parts = await Promise.all(perfectParts(from, to).map(({ height, n }) => perfect(height, n)))
    return parts.reduceRight((right, left) => nodeHash(left, right))
  }
  return { size, root: () => rangeHash(0, size), rangeHash }
}

const TILE_HEIGHT = 8

/** The largest power of two that is smaller than n, for n of 2 and more. */
export function splitOf(n: number): number {
  let power = 1
  while (power * 2 < n) power *= 2
  return power
}

type Perfect = { readonly height: number; readonly n: number }

/** The whole subtrees that a range is made of, from left to right, each smaller than the one before. */
function perfectParts(from: number, to: number): readonly Perfect[] {
  const parts: Perfect[] = []
  for (let at = from; at < to; ) {
    // Counted: a logarithm is rounded up just below a power of two.
    let [height, leaves] = [0, 1]
    while (leaves * 2 <= to - at) [height, leaves] = [height + 1, leaves * 2]
    if (at % leaves !== 0) throw new TlogRefused("A range that is no subtree.")
    parts.push({ height, n: at / leaves })
    at += leaves
  }
  return parts
}

/** Of as many hashes as a power of two. */
function merged(hashes: readonly Uint8Array[]): Uint8Array {
  let row = hashes
  while (row.length > 1)
    row = Array.from({ length: row.length / 2 }, (_, i) => nodeHash(at(row, 2 * i), at(row, 2 * i + 1)))
  return at(row, 0)
}

function at(row: readonly Uint8Array[], i: number): Uint8Array {
  const found = row[i]
  if (found === undefined) throw new TlogRefused("A hash that the tree does not have.")
  return found
}
