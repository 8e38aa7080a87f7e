// A log in memory, and the tree as RFC 6962, 2.1 defines it, word by word.

import { grow } from "../grow.ts"
import { emptyRoot, leafHash, nodeHash } from "../hash.ts"
import { TILE_WIDTH, type Tile } from "../tile.ts"
import { type ReadTile, splitOf } from "../tree.ts"

export const entryOf = (i: number): Uint8Array => Buffer.from(`entry ${i}`)
export const leavesOf = (from: number, to: number): readonly Uint8Array[] =>
  Array.from({ length: to - from }, (_, i) => leafHash(entryOf(from + i)))

/** MTH. */
export function rootOf(leaves: readonly Uint8Array[]): Uint8Array {
  const [only] = leaves
  if (only === undefined) return emptyRoot()
  if (leaves.length === 1) return only
  const k = splitOf(leaves.length)
  return nodeHash(rootOf(leaves.slice(0, k)), rootOf(leaves.slice(k)))
}

export class MemoryLog {
  size = 0
  root: Uint8Array = emptyRoot()
  /** The widest of each place. */
  readonly tiles = new Map<string, Uint8Array>()
  asked = 0

  readonly readTile: ReadTile = async ({ level, n }: Tile) => {
    this.asked += 1
    const bytes = this.tiles.get(`${level} ${n}`)
    if (bytes === undefined) throw new Error(`There is no tile ${level} ${n}.`)
    return bytes
  }

  async add(count: number): Promise<void> {
    const grown = await grow(this.size, leavesOf(this.size, this.size + count), this.readTile)
    for (const { level, n, bytes } of grown.tiles) this.tiles.set(`${level} ${n}`, bytes)
    this.size = grown.size
    this.root = grown.root
  }
}

/** Far more leaves than can be hashed in a test: all of them the same, so a full tile is one of its level. */
export function uniformTiles(leaf: Uint8Array): ReadTile {
  const perLevel: Uint8Array[] = [leaf]
  const hashAt = (level: number): Uint8Array => {
    const known = perLevel[level]
    if (known !== undefined) return known
    let hash = hashAt(level - 1)
    for (let i = 1; i < TILE_WIDTH; i *= 2) hash = nodeHash(hash, hash)
    perLevel[level] = hash
    return hash
  }
  return async ({ level, width }) => Buffer.concat(Array.from({ length: width }, () => hashAt(level)))
}
