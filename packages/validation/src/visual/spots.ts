// The changes of a page as a few boxes, so that they can be outlined and read out, and not be told by colour alone.

import type { Changes } from "./changed.ts"
import { around, type Box, type Raster } from "./picture.ts"

/** "new": it is darker or otherwise more than it was; "gone": what was there is less. */
export type Spot = { readonly what: "new" | "gone"; readonly box: Box }

/** Pixels. What is nearer than two of these is one spot: the letters of a word, the lines of a paragraph. */
const CELL = 12
const MAX_SPOTS = 200

export function spotsOf(before: Raster, after: Raster, changes: Changes): Spot[] {
  const cells = cellsOf(before, after, changes)
  const spots = (["new", "gone"] as const).flatMap((what) =>
    joined(cells[what], Math.ceil(before.width / CELL)).map((box): Spot => ({ what, box })),
  )
  return spots.slice(0, MAX_SPOTS)
}

/** Less light is more ink. On dark ground it is the other way round, but both boxes are drawn then. */
export function isNew(before: Raster, after: Raster, at: number): boolean {
  return lightOf(after.rgba, 4 * at) <= lightOf(before.rgba, 4 * at)
}

// ITU-R BT.601, in 256ths.
export const lightOf = (rgba: Uint8Array, at: number): number =>
  (77 * (rgba[at] ?? 0) + 150 * (rgba[at + 1] ?? 0) + 29 * (rgba[at + 2] ?? 0)) >> 8

/** The box of what changed in each square of the page, by its number. */
type Cells = Map<number, Box>

function cellsOf(
  before: Raster,
  after: Raster,
  { strength }: Changes,
): Readonly<Record<Spot["what"], Cells>> {
  const { width } = before
  const across = Math.ceil(width / CELL)
  const cells = { new: new Map<number, Box>(), gone: new Map<number, Box>() }
  for (let at = 0; at < strength.length; at++) {
    if ((strength[at] ?? 0) === 0) continue
    const boxes = cells[isNew(before, after, at) ? "new" : "gone"]
    const [left, top] = [at % width, Math.floor(at / width)]
    const cell = Math.floor(top / CELL) * across + Math.floor(left / CELL)
    const box = boxes.get(cell)
    if (box === undefined || !contains(box, left, top))
      boxes.set(cell, around(box, { left, top, right: left + 1, bottom: top + 1 }))
  }
  return cells
}

const contains = ({ left, top, right, bottom }: Box, x: number, y: number): boolean =>
  x >= left && x < right && y >= top && y < bottom

/** Cells that touch, also by a corner, are one. */
function joined(boxes: Cells, across: number): Box[] {
  const left = new Map(boxes)
  const spots: Box[] = []
  for (const start of boxes.keys()) {
    const waiting = [start]
    let spot: Box | undefined
    for (let cell = waiting.pop(); cell !== undefined; cell = waiting.pop()) {
      const box = left.get(cell)
      if (box === undefined) continue
      left.delete(cell)
      spot = around(spot, box)
      waiting.push(...neighbours(cell, across))
    }
    if (spot !== undefined) spots.push(spot)
  }
  return spots
}

function neighbours(cell: number, across: number): number[] {
  const column = cell % across
  const columns = [column - 1, column, column + 1].filter((one) => one >= 0 && one < across)
  return [-1, 0, 1].flatMap((row) => columns.map((one) => cell - column + one + row * across))
}
