// Tiles: 256 neighbouring hashes of a tree, at every eighth height (C2SP tlog-tiles, "Merkle Tree"). The last one of a level
// may be narrower; it is a beginning of the one that will be full, so whoever keeps the wider one can serve the narrower.

import { HASH_BYTES } from "./hash.ts"
import { TlogRefused } from "./refused.ts"

export const TILE_WIDTH = 256

export type Tile = {
  readonly level: number
  /** Which one of its level. */
  readonly n: number
  /** How many hashes, from 1 to 256. */
  readonly width: number
}

/** How many hashes the tiles of a level hold together in a tree of that size. */
export function hashesAt(level: number, size: number): number {
  return Math.floor(size / TILE_WIDTH ** level)
}

/** The tile as a tree of that size has it; undefined where it has none. */
export function tileIn(size: number, level: number, n: number): Tile | undefined {
  const width = Math.min(TILE_WIDTH, hashesAt(level, size) - n * TILE_WIDTH)
  return width < 1 ? undefined : { level, n, width }
}

/** Every tile of a tree, from the leaves upwards. */
export function* tilesOf(size: number): Generator<Tile> {
  for (let level = 0; hashesAt(level, size) > 0; level++)
    for (let n = 0; n * TILE_WIDTH < hashesAt(level, size); n++) {
      const tile = tileIn(size, level, n)
      if (tile !== undefined) yield tile
    }
}

/** Below the prefix of the log. */
export function tilePath({ level, n, width }: Tile): string {
  return `tile/${level}/${placeOf(n, width)}`
}

/** The entries whose hashes are in a tile of level 0. */
export function entriesPath({ n, width }: Pick<Tile, "n" | "width">): string {
  return `tile/entries/${placeOf(n, width)}`
}

function placeOf(n: number, width: number): string {
  const digits = String(n)
  const groups = digits.padStart(Math.ceil(digits.length / 3) * 3, "0").match(/\d{3}/g) ?? []
  const elements = groups.map((group, i) => (i < groups.length - 1 ? `x${group}` : group))
  return elements.join("/") + (width === TILE_WIDTH ? "" : `.p/${width}`)
}

const PATH =
  /^tile\/(?<kind>entries|0|[1-9]\d?)\/(?<place>(?:x\d{3}\/)*\d{3})(?:\.p\/(?<width>[1-9]\d{0,2}))?$/

/** What a path asks for; undefined where it is none. There is one way to write each. */
export function readTilePath(path: string): (Tile & { readonly entries: boolean }) | undefined {
  const { kind, place, width: narrow } = PATH.exec(path)?.groups ?? {}
  if (kind === undefined || place === undefined) return undefined
  const entries = kind === "entries"
  const tile = {
    level: entries ? 0 : Number(kind),
    n: Number(place.replaceAll(/[x/]/g, "")),
    width: narrow === undefined ? TILE_WIDTH : Number(narrow),
  }
  const isOnce = path === (entries ? entriesPath(tile) : tilePath(tile))
  const canBe = tile.level <= MAX_LEVEL && tile.width <= TILE_WIDTH && Number.isSafeInteger(tile.n)
  return isOnce && canBe ? { ...tile, entries } : undefined
}

const MAX_LEVEL = 63

/** The hashes of a tile, which may have come as a wider one. */
export function hashesOf(bytes: Uint8Array, { width }: Tile): readonly Uint8Array[] {
  if (bytes.length < width * HASH_BYTES || bytes.length % HASH_BYTES !== 0)
    throw new TlogRefused("A tile that is not as wide as it should be.")
  return Array.from({ length: width }, (_, i) => bytes.subarray(i * HASH_BYTES, (i + 1) * HASH_BYTES))
}
