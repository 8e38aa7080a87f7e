// What people are shown of a difference: the page as it was signed, as it is, and the one upon the other.

import { drawDifference } from "@paraph/validation/visual-difference"
import type { Box, Raster } from "@paraph/validation/visual-picture"
import type { Spot } from "@paraph/validation/visual-spots"
import { type Looked, type Pair, pixelsOf } from "./compare-page.ts"
import type { DrawnPage, Size, Way } from "./drawn-page.ts"
import { pack } from "./picture.ts"

/** PNG. What there is no page for, or no common size, is null. */
export type DifferencePictures = {
  readonly before: Uint8Array | null
  readonly after: Uint8Array | null
  readonly difference: Uint8Array | null
}

/** An A4 page at 100 dpi has one million; a larger page is shown smaller. */
const MAX_PIXELS = 2_000_000

export async function picturesOf(
  { before, after }: { readonly [side in keyof Pair]: DrawnPage | null },
  looked?: Looked,
): Promise<DifferencePictures> {
  const [was = null, is = null] = [before, after].map((page) => page && drawWhole(page, looked?.way))
  return {
    before: was && (await png(was)),
    after: is && (await png(is)),
    difference: was && is && looked ? await png(drawDifference(was, is, scaled(looked, was))) : null,
  }
}

function drawWhole(page: DrawnPage, way: Way = "on screen"): Raster {
  const size = bounded(pixelsOf(page))
  return page.draw({ left: 0, top: 0, right: size.width, bottom: size.height }, size, way)
}

function bounded({ width, height }: Size): Size {
  const by = Math.min(1, Math.sqrt(MAX_PIXELS / (width * height)))
  return { width: Math.max(1, Math.floor(width * by)), height: Math.max(1, Math.floor(height * by)) }
}

function scaled({ spots, whole }: Looked, { width, height }: Size): Spot[] {
  const [x, y] = [width / whole.width, height / whole.height]
  const smaller = ({ left, top, right, bottom }: Box): Box => ({
    left: Math.floor(left * x),
    top: Math.floor(top * y),
    right: Math.ceil(right * x),
    bottom: Math.ceil(bottom * y),
  })
  return spots.map(({ what, box }) => ({ what, box: smaller(box) }))
}

/** The page as it is now is shown beside each of those that were signed, and packed once. */
const packed = new WeakMap<Raster, Promise<Uint8Array>>()

function png(picture: Raster): Promise<Uint8Array> {
  const known = packed.get(picture)
  if (known !== undefined) return known
  const made = pack(picture.rgba, picture, "png")
  packed.set(picture, made)
  return made
}

export const sizeOf = ({ before, after, difference }: DifferencePictures): number =>
  [before, after, difference].reduce((sum, one) => sum + (one?.length ?? 0), 0)
