// Ink under other ink. A black bar over a number hides it as well as a white one; a pen that crosses the line to sign upon
// does not hide the line. What was drawn over counts when a whole stroke of it is: nothing of it looks out at its two ends.

import { boxAround, distance, type Raster } from "./picture.ts"

/** Of 255: the pixels around are all of one colour, so nothing can be read there. */
export const FLAT = 24
/** Pixels: no stroke of a legible letter is shorter. */
const STROKE = 5
/** Pixels: a line, however long, is no thicker. */
const LINE = 2

/** By how much a pixel differs from those around it. */
export function contrastAt({ rgba, width, height }: Raster, at: number): number {
  const [x, y] = [at % width, Math.floor(at / width)]
  let most = 0
  for (let row = Math.max(0, y - 1); row <= Math.min(height - 1, y + 1); row++)
    for (let column = Math.max(0, x - 1); column <= Math.min(width - 1, x + 1); column++)
      most = Math.max(most, distance(rgba, 4 * at, rgba, 4 * (row * width + column)))
  return most
}

/** Of the pixels of ink that were drawn over, those of which a reader has lost a stroke. */
export function buried(drawnOver: readonly number[], before: Raster, after: Raster): number[] {
  return connected(drawnOver, before.width)
    .filter((stroke) => isHidden(stroke, before, after))
    .flat()
}

function isHidden(stroke: readonly number[], before: Raster, after: Raster): boolean {
  const box = boxAround(stroke, before.width)
  if (box === undefined) return false
  const [across, down] = [box.right - box.left, box.bottom - box.top]
  if (stroke.length < STROKE || Math.max(across, down) < STROKE) return false
  if (Math.min(across, down) > LINE) return true
  const goesOn = (x: number, y: number) => isEdgeOfBoth(before, after, x, y)
  // A line that goes on to both sides of what crosses it is still read as a line.
  return across > down
    ? !(goesOn(box.left - MARGIN, box.top) && goesOn(box.right - 1 + MARGIN, box.top))
    : !(goesOn(box.left, box.top - MARGIN) && goesOn(box.left, box.bottom - 1 + MARGIN))
}

/** Pixels. The edge of what was drawn over it is no longer flat, and not yet the line. */
const MARGIN = 4

function isEdgeOfBoth(before: Raster, after: Raster, x: number, y: number): boolean {
  if (x < 0 || y < 0 || x >= before.width || y >= before.height) return false
  const at = y * before.width + x
  return contrastAt(before, at) >= FLAT && contrastAt(after, at) >= FLAT
}

/** Pixels that touch, also by a corner, are one stroke. */
function connected(pixels: readonly number[], width: number): number[][] {
  const left = new Set(pixels)
  const strokes: number[][] = []
  for (const start of pixels) {
    if (!left.delete(start)) continue
    const stroke = [start]
    for (const at of stroke)
      for (const by of [-width - 1, -width, -width + 1, -1, 1, width - 1, width, width + 1])
        if (left.delete(at + by)) stroke.push(at + by)
    strokes.push(stroke)
  }
  return strokes
}
