// Ink and ground. Whoever signs or fills in puts ink where there was none; what was written there before must stay readable.
// Ink is what stands out from the colour that is the most frequent around it, so a tinted form has a ground as a white page
// has. There are two ways to lose it: what stood out from its ground no longer does, as under a sheet of paper (bleached);
// or it is drawn over by something as dark (buried), which a stroke of a pen does too where it crosses a line.

import { buried, contrastAt, FLAT } from "./buried.ts"
import { type Box, boxAround, distance, type Raster, within } from "./picture.ts"

/** Pixels; the ground is looked for in squares of this side. A line of 8 pt text at 100 dpi is 11 high. */
const WINDOW = 32
/** How far from the ground ink is, of 255. Light grey print is ink, the shade at the edge of a letter is not. */
const INK = 60
/** Pale print is ink where it is a stroke, as a letter or a line has: a tint of a whole area is ground to what stands on it. */
const PALE = 20
/** Pixels: no stroke of pale print is broader. */
const STROKE_WIDTH = 8
/** So few pixels of pale ink may be lost; fewer are no letter. */
const PALE_PIXELS = 12
/** What had stood out by so much and stands out by less than this part of it is gone. */
const KEPT = 0.4
/** So few pixels of ink may be lost: where two strokes cross at a shallow angle, one or two lose their contrast. */
const LOST_PIXELS = 4

/** Around what was ink before and is none any more, in this part of the picture. */
export function lostInk(before: Raster, after: Raster, changed: Uint8Array, part: Box): Box | undefined {
  const lost = inkOf(before, after, changed, within(part, before))
  const bleached = lost.bleached.length > LOST_PIXELS ? lost.bleached : []
  const pale = lost.pale.length > PALE_PIXELS ? lost.pale : []
  return boxAround([...bleached, ...pale, ...buried(lost.drawnOver, before, after)], before.width)
}

/** Which pixels of this part are ink, 1 each; outside of it none is. */
export function inkMask(picture: Raster, part: Box): Uint8Array {
  const { rgba, width, height } = picture
  const mask = new Uint8Array(width * height)
  for (const window of windowsOf(within(part, picture))) {
    const ground = groundOf(picture, window)
    for (let y = window.top; y < window.bottom; y++)
      for (let x = window.left; x < window.right; x++)
        if (distance(rgba, 4 * (y * width + x), ground, 0) >= INK) mask[y * width + x] = 1
  }
  return mask
}

type Lost = { readonly bleached: number[]; readonly pale: number[]; readonly drawnOver: number[] }

function inkOf(before: Raster, after: Raster, changed: Uint8Array, area: Box): Lost {
  const lost: Lost = { bleached: [], pale: [], drawnOver: [] }
  for (const window of windowsOf(area))
    if (hasChange(changed, before.width, window)) addLost(lost, before, after, changed, window)
  return lost
}

function* windowsOf(area: Box): Generator<Box> {
  for (let top = area.top; top < area.bottom; top += WINDOW)
    for (let left = area.left; left < area.right; left += WINDOW) {
      const right = Math.min(left + WINDOW, area.right)
      const bottom = Math.min(top + WINDOW, area.bottom)
      yield { left, top, right, bottom }
    }
}

function addLost(lost: Lost, before: Raster, after: Raster, changed: Uint8Array, window: Box): void {
  const { width } = before
  const [groundBefore, groundAfter] = [groundOf(before, window), groundOf(after, window)]
  for (let y = window.top; y < window.bottom; y++)
    for (let x = window.left; x < window.right; x++) {
      const at = y * width + x
      const stood = distance(before.rgba, 4 * at, groundBefore, 0)
      if (stood < PALE) continue
      const stands = distance(after.rgba, 4 * at, groundAfter, 0)
      const isGone = stands < KEPT * stood && isTouched(changed, at, width)
      if (stood < INK) {
        if (isGone && isStroke(before, groundBefore, x, y)) lost.pale.push(at)
      } else if (isGone) lost.bleached.push(at)
      else if (contrastAt(before, at) >= INK && contrastAt(after, at) < FLAT) lost.drawnOver.push(at)
    }
}

/** Whether the ground is near to both sides of it, in a row or in a column. */
function isStroke({ rgba, width, height }: Raster, ground: Uint8Array, x: number, y: number): boolean {
  const isGround = (column: number, row: number) =>
    column >= 0 &&
    row >= 0 &&
    column < width &&
    row < height &&
    distance(rgba, 4 * (row * width + column), ground, 0) < PALE / 2
  const isNear = (dx: number, dy: number) => {
    for (let by = 1; by <= STROKE_WIDTH; by++) if (isGround(x + by * dx, y + by * dy)) return true
    return false
  }
  return (isNear(-1, 0) && isNear(1, 0)) || (isNear(0, -1) && isNear(0, 1))
}

function hasChange(changed: Uint8Array, width: number, { left, top, right, bottom }: Box): boolean {
  for (let y = top; y < bottom; y++)
    for (let at = y * width + left; at < y * width + right; at++) if ((changed[at] ?? 0) > 0) return true
  return false
}

/** It, or what is beside it, changed: a black box over black text changes what is around the letters. */
function isTouched(changed: Uint8Array, at: number, width: number): boolean {
  return [0, -1, 1, -width, width].some((by) => (changed[at + by] ?? 0) > 0)
}

/** The most frequent colour, of 16 levels each; the mean of the pixels that have it. */
export function groundOf({ rgba, width }: Raster, { left, top, right, bottom }: Box): Uint8Array {
  const counts = new Uint32Array(4096)
  let best = 0
  const levelOf = (at: number) =>
    (((rgba[at] ?? 0) >> 4) << 8) | (((rgba[at + 1] ?? 0) >> 4) << 4) | ((rgba[at + 2] ?? 0) >> 4)
  for (let y = top; y < bottom; y++)
    for (let x = left; x < right; x++) {
      const level = levelOf(4 * (y * width + x))
      const count = (counts[level] ?? 0) + 1
      counts[level] = count
      if (count > (counts[best] ?? 0)) best = level
    }
  const sums = [0, 0, 0]
  for (let y = top; y < bottom; y++)
    for (let x = left; x < right; x++) {
      const at = 4 * (y * width + x)
      if (levelOf(at) === best)
        for (const channel of [0, 1, 2]) sums[channel] = (sums[channel] ?? 0) + (rgba[at + channel] ?? 0)
    }
  return Uint8Array.from(sums, (sum) => Math.round(sum / Math.max(1, counts[best] ?? 1)))
}
