// An area of a colour that is another colour now: a green bar that is red. It stands out from the page as before, so no ink
// is lost, and a bar has no strokes that could be buried.

import { contrastAt, FLAT } from "./buried.ts"
import { groundOf } from "./ink.ts"
import { type Box, boxAround, distance, type Raster, within } from "./picture.ts"

/** Pixels: the side of a square that no stroke of a pen and no letter of a signature fills. */
const SOLID = 10
/** Of 255: two colours that have different names. */
const OTHER_COLOUR = 60

/** Around the areas that stand out from the page, and were painted in another colour. */
export function recoloured(before: Raster, after: Raster, changed: Uint8Array, part: Box): Box | undefined {
  const { left, top, right, bottom } = within(part, before)
  const { width } = before
  const paper = groundOf(before, { left: 0, top: 0, right: width, bottom: before.height })
  const isPainted = (at: number) =>
    (changed[at] ?? 0) >= OTHER_COLOUR &&
    distance(before.rgba, 4 * at, paper, 0) >= OTHER_COLOUR &&
    contrastAt(before, at) < FLAT &&
    contrastAt(after, at) < FLAT
  const corners: number[] = []
  // The side of the largest square that ends at a pixel, by its neighbours.
  let above = new Uint16Array(right - left + 1)
  for (let y = top; y < bottom; y++) {
    const row = new Uint16Array(right - left + 1)
    for (let x = left; x < right; x++) {
      const i = x - left + 1
      if (!isPainted(y * width + x)) continue
      row[i] = 1 + Math.min(row[i - 1] ?? 0, above[i] ?? 0, above[i - 1] ?? 0)
      if ((row[i] ?? 0) >= SOLID) corners.push(y * width + x)
    }
    above = row
  }
  const box = boxAround(corners, width)
  return box && { ...box, left: box.left - SOLID + 1, top: box.top - SOLID + 1 }
}
