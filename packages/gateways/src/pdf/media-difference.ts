// Whether a page that is not equal on screen and in print shows something else. One difference is accepted: a form field without
// the Print flag, over a blank area. Its value is in the form and was compared with what it shows, and print leaves a gap
// instead of other words (ADR 0086).

import type { PixelBox } from "./view-page.ts"

const BYTES_PER_PIXEL = 4

/** Rows of BGRx. True where anything differs outside the fields, or where a field covers what print shows. */
export function compareMedia(
  screen: Uint8Array,
  print: Uint8Array,
  { width }: { readonly width: number },
  screenOnlyFields: readonly PixelBox[],
): boolean {
  if (screenOnlyFields.length === 0) return true
  const row = width * BYTES_PER_PIXEL
  for (let at = 0; at < screen.length; at += BYTES_PER_PIXEL) {
    if (isSamePixel(screen, at, print, at)) continue
    const [x, y] = [(at % row) / BYTES_PER_PIXEL, Math.floor(at / row)]
    if (!screenOnlyFields.some((box) => isIn(box, x, y) && isBlank(print, row, box))) return true
  }
  return false
}

const isIn = ({ left, top, right, bottom }: PixelBox, x: number, y: number): boolean =>
  x >= left && x < right && y >= top && y < bottom

/** All pixels of the box have one colour. */
function isBlank(pixels: Uint8Array, row: number, { left, top, right, bottom }: PixelBox): boolean {
  const first = top * row + left * BYTES_PER_PIXEL
  for (let y = top; y < bottom; y++)
    for (let x = left; x < right; x++)
      if (!isSamePixel(pixels, first, pixels, y * row + x * BYTES_PER_PIXEL)) return false
  return true
}

/** The fourth byte is not used. */
const isSamePixel = (a: Uint8Array, atA: number, b: Uint8Array, atB: number): boolean =>
  a[atA] === b[atB] && a[atA + 1] === b[atB + 1] && a[atA + 2] === b[atB + 2]
