// The third picture: the page as it was signed in pale grey, and upon it in colour what is new and what is gone. The two are
// told apart by their outline too: what is new stands in a solid frame, what is gone in a dashed one.

import { changedPixels } from "./changed.ts"
import { type Raster, within } from "./picture.ts"
import { isNew, lightOf, type Spot } from "./spots.ts"

type Colour = readonly [number, number, number]

// Blue and vermilion: two colours that are told apart by nearly everybody, and that differ in light as well.
export const NEW: Colour = [0, 90, 200]
export const GONE: Colour = [213, 60, 0]

/** Pixels between what changed and its frame. One text in place of another has both frames, which must not hide each other. */
const FRAME_GAP = { new: 3, gone: 7 } as const
const FRAME_PIXELS = 2
const DASH_PIXELS = 6
/** What is pale leaves the colours to what changed; text can still be read. */
const PALE = 0.55

/** `spots` are boxes of these pictures. */
export function drawDifference(before: Raster, after: Raster, spots: readonly Spot[]): Raster {
  const rgba = new Uint8Array(before.rgba.length)
  for (let at = 0; at < rgba.length; at += 4) {
    const light = Math.round(255 - PALE * (255 - lightOf(before.rgba, at)))
    // One by one: this is done for a million pixels.
    rgba[at] = light
    rgba[at + 1] = light
    rgba[at + 2] = light
    rgba[at + 3] = 255
  }
  const strength = changedPixels(before, after)?.strength ?? new Uint8Array()
  for (let at = 0; at < strength.length; at++)
    if ((strength[at] ?? 0) > 0) rgba.set(isNew(before, after, at) ? NEW : GONE, 4 * at)
  const picture = { ...before, rgba }
  for (const spot of spots) frame(picture, spot)
  return picture
}

function frame(picture: Raster, { what, box }: Spot): void {
  const [colour, isDashed] = [what === "new" ? NEW : GONE, what === "gone"]
  const out = FRAME_GAP[what] + FRAME_PIXELS
  const outer = within(
    { left: box.left - out, top: box.top - out, right: box.right + out, bottom: box.bottom + out },
    picture,
  )
  const put = (x: number, y: number, along: number) => {
    if (isDashed && Math.floor(along / DASH_PIXELS) % 2 === 1) return
    picture.rgba.set(colour, 4 * (y * picture.width + x))
  }
  for (let thick = 0; thick < FRAME_PIXELS; thick++) {
    for (let x = outer.left; x < outer.right; x++)
      for (const y of [outer.top + thick, outer.bottom - 1 - thick])
        if (y >= 0 && y < picture.height) put(x, y, x - outer.left)
    for (let y = outer.top; y < outer.bottom; y++)
      for (const x of [outer.left + thick, outer.right - 1 - thick])
        if (x >= 0 && x < picture.width) put(x, y, y - outer.top)
  }
}
