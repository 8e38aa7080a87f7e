// Whether a page that is not equal on screen and in print shows something else. One difference is accepted: a form field without
// the Print flag over a blank area, so that print leaves a gap (ADR 0086). A gap must not change what the words near it mean, so
// the field is a box of the size of a tick, an empty frame, or stands apart from everything that print shows.

import type { PixelBox, ScreenOnlyField } from "./view-page.ts"

const BYTES_PER_PIXEL = 4

/** Rows of BGRx. The fields that explain all differences; undefined where anything else differs, so the page shows something else. */
export function explainedByFields(
  screen: Uint8Array,
  print: Uint8Array,
  { width }: { readonly width: number },
  fields: readonly ScreenOnlyField[],
): ReadonlySet<ScreenOnlyField> | undefined {
  const row = width * BYTES_PER_PIXEL
  const harmless = fields.filter(
    ({ kind, box, surroundings }) =>
      isPlain(print, row, box) &&
      (kind === "box" || isPlain(print, row, surroundings) || isPlain(screen, row, inside(box))),
  )
  const explaining = new Set<ScreenOnlyField>()
  if (harmless.length === 0) return undefined
  for (let at = 0; at < screen.length; at += BYTES_PER_PIXEL) {
    if (isSamePixel(screen, at, print, at)) continue
    const [x, y] = [(at % row) / BYTES_PER_PIXEL, Math.floor(at / row)]
    const field = harmless.find(({ box }) => isIn(box, x, y))
    if (field === undefined) return undefined
    explaining.add(field)
  }
  return explaining
}

/** The border of a field takes this much, rounding included. */
const FRAME_PIXELS = 4

const inside = ({ left, top, right, bottom }: PixelBox): PixelBox => ({
  left: left + FRAME_PIXELS,
  top: top + FRAME_PIXELS,
  right: right - FRAME_PIXELS,
  bottom: bottom - FRAME_PIXELS,
})

const isIn = ({ left, top, right, bottom }: PixelBox, x: number, y: number): boolean =>
  x >= left && x < right && y >= top && y < bottom

/** All pixels of the box have one colour. */
function isPlain(pixels: Uint8Array, row: number, { left, top, right, bottom }: PixelBox): boolean {
  if (right <= left || bottom <= top) return false
  const first = top * row + left * BYTES_PER_PIXEL
  for (let y = top; y < bottom; y++)
    for (let x = left; x < right; x++)
      if (!isSamePixel(pixels, first, pixels, y * row + x * BYTES_PER_PIXEL)) return false
  return true
}

/** The fourth byte is not used. */
const isSamePixel = (a: Uint8Array, atA: number, b: Uint8Array, atB: number): boolean =>
  a[atA] === b[atB] && a[atA + 1] === b[atB + 1] && a[atA + 2] === b[atB + 2]
