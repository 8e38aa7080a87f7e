// Which pixels are another colour than before. Both pictures are drawn by the same program from the same numbers, so what did
// not change is equal to the last bit; what is left out here is only what no eye sees.

import { type Box, distance, type Raster } from "./picture.ts"

/** Of 255. Two colours this near are one to a reader: on paper-white, less than the grain of paper. */
export const SAME_COLOUR = 10
/** A single pixel with unchanged neighbours is noise up to here. A point of 8 pt text is one pixel, but a black one. */
export const LONE_PIXEL = 64

export type Changes = {
  /** By pixel: by how much it differs, 0 where it counts as equal. */
  readonly strength: Uint8Array
  readonly count: number
}

/** Null where nothing changed, which is found at the speed of memory. */
export function changedPixels(before: Raster, after: Raster): Changes | null {
  if (before.width !== after.width || before.height !== after.height)
    throw new RangeError("Two pictures of different sizes have no pixels in common.")
  if (Buffer.compare(before.rgba, after.rgba) === 0) return null
  const { width, height } = before
  const strength = new Uint8Array(width * height)
  const [was, is] = [pixelsOf(before), pixelsOf(after)]
  for (let at = 0; at < strength.length; at++) {
    // Nearly all are equal, which is seen in one look.
    if (was[at] === is[at]) continue
    const by = distance(before.rgba, 4 * at, after.rgba, 4 * at)
    if (by > SAME_COLOUR) strength[at] = by
  }
  return withoutNoise(strength, width, height)
}

/** Each as one number. */
function pixelsOf({ rgba }: Raster): Uint32Array {
  const { buffer, byteOffset, length } = byteAligned(rgba)
  return new Uint32Array(buffer, byteOffset, length / 4)
}

const byteAligned = (rgba: Uint8Array): Uint8Array => (rgba.byteOffset % 4 === 0 ? rgba : rgba.slice())

function withoutNoise(strength: Uint8Array, width: number, height: number): Changes | null {
  let count = 0
  for (let at = 0; at < strength.length; at++) {
    const by = strength[at] ?? 0
    if (by === 0) continue
    if (by < LONE_PIXEL && isLone(strength, at, width, height)) strength[at] = 0
    else count += 1
  }
  return count === 0 ? null : { strength, count }
}

function isLone(strength: Uint8Array, at: number, width: number, height: number): boolean {
  const [x, y] = [at % width, Math.floor(at / width)]
  for (let row = Math.max(0, y - 1); row <= Math.min(height - 1, y + 1); row++)
    for (let column = Math.max(0, x - 1); column <= Math.min(width - 1, x + 1); column++)
      if (row * width + column !== at && (strength[row * width + column] ?? 0) > 0) return false
  return true
}

/** The smallest box around what changed in a part of the picture. */
export function boxOfChanges({ strength }: Changes, width: number, part: Box): Box | undefined {
  let [left, top, right, bottom] = [part.right, part.bottom, part.left, part.top]
  for (let y = part.top; y < part.bottom; y++)
    for (let x = part.left; x < part.right; x++) {
      if ((strength[y * width + x] ?? 0) === 0) continue
      left = Math.min(left, x)
      right = Math.max(right, x + 1)
      top = Math.min(top, y)
      bottom = Math.max(bottom, y + 1)
    }
  return right > left ? { left, top, right, bottom } : undefined
}
