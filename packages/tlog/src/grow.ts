// A tree that gets more leaves: which tiles that makes, and what it then is.

import { HASH_BYTES, nodeHash } from "./hash.ts"
import { hashesAt, hashesOf, TILE_WIDTH, type Tile, tileIn } from "./tile.ts"
import { openTree, type ReadTile } from "./tree.ts"

export type Grown = {
  readonly size: number
  readonly root: Uint8Array
  /** Those that are new or wider than before, as wide as the grown tree has them. */
  readonly tiles: readonly (Tile & { readonly bytes: Uint8Array })[]
}

/** `readTile` reads the tree as it was: of that, at most the last tile of each level is asked for, and those of the root. */
export async function grow(size: number, leaves: readonly Uint8Array[], readTile: ReadTile): Promise<Grown> {
  const grown = size + leaves.length
  const tiles = new Map<string, Tile & { readonly bytes: Uint8Array }>()
  let added = leaves
  for (let level = 0; added.length > 0; level++) {
    const before = hashesAt(level, size)
    const firstTile = Math.floor(before / TILE_WIDTH)
    const begun = tileIn(size, level, firstTile)
    const kept = begun === undefined ? [] : hashesOf(await readTile(begun), begun)
    const hashes = [...kept, ...added]
    const above: Uint8Array[] = []
    for (let i = 0; i * TILE_WIDTH < hashes.length; i++) {
      const inTile = hashes.slice(i * TILE_WIDTH, (i + 1) * TILE_WIDTH)
      const tile = { level, n: firstTile + i, width: inTile.length }
      tiles.set(keyOf(tile), { ...tile, bytes: Buffer.concat(inTile, inTile.length * HASH_BYTES) })
      if (inTile.length === TILE_WIDTH) above.push(rootOfFull(inTile))
    }
    added = above
  }
  const readGrown: ReadTile = async (tile) => tiles.get(keyOf(tile))?.bytes ?? readTile(tile)
  return { size: grown, root: await openTree(grown, readGrown).root(), tiles: [...tiles.values()] }
}

const keyOf = ({ level, n }: Pick<Tile, "level" | "n">): string => `${level} ${n}`

function rootOfFull(hashes: readonly Uint8Array[]): Uint8Array {
  const [first, second, ...rest] = hashes
  if (first === undefined) throw new RangeError("A tile without hashes.")
  if (second === undefined) return first
  if (rest.length === 0) return nodeHash(first, second)
  const middle = hashes.length / 2
  return nodeHash(rootOfFull(hashes.slice(0, middle)), rootOfFull(hashes.slice(middle)))
}
