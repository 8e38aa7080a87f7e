// A straight line through a line of text. It hides no letter, and a reader takes the text for deleted.

import { around, type Box } from "./picture.ts"

export type Masks = {
  /** By pixel: ink, and ink that is new. */
  readonly isNow: Uint8Array
  readonly isFresh: Uint8Array
  readonly width: number
  readonly region: Box
}

/** So many letters, or as much of letters that touch. */
const LETTERS = 3
/** Parts of the height of a letter: above it an edge, below it an underline. */
const EDGE = 0.25
/** Pixels: a line is no thicker. */
const THICK = 5
/** The part of a line that is new: the rest are the letters, and not a line that was there. */
const NEW = 0.25
/** The part of the new pixels at which it is as high and as thick as everywhere else. A pen slopes or bends. */
const STRAIGHT = 0.9

/** Around the new lines that strike out letters of the page. */
export function struckOut(letters: readonly Box[], masks: Masks): Box | undefined {
  const { left, top, right, bottom } = masks.region
  let found: Box | undefined
  for (let y = top; y < bottom; y++) {
    const struck = letters.filter((letter) => isMiddle(letter, y))
    if (struck.length === 0) continue
    for (let start = left; start < right; start++) {
      if (masks.isNow[y * masks.width + start] === 0) continue
      let end = start
      while (end < right && masks.isNow[y * masks.width + end] === 1) end++
      if (strikes(struck, start, end) && isLine(masks, y, start, end))
        found = around(found, { left: start, top: y, right: end, bottom: y + 1 })
      start = end
    }
  }
  return found
}

function isMiddle({ top, bottom }: Box, y: number): boolean {
  const edge = EDGE * (bottom - top)
  return y >= top + edge && y < bottom - edge
}

function strikes(letters: readonly Box[], start: number, end: number): boolean {
  const whole = letters.filter(({ left, right }) => left >= start - 1 && right <= end + 1)
  const as = whole.map(({ left, right, top, bottom }) => Math.max(1, (right - left) / (bottom - top)))
  return as.reduce((sum, one) => sum + one, 0) >= LETTERS
}

function isLine({ isNow, isFresh, width }: Masks, y: number, start: number, end: number): boolean {
  const counts = new Map<number, number>()
  let fresh = 0
  for (let at = y * width + start; at < y * width + end; at++) {
    if (isFresh[at] === 0) continue
    fresh += 1
    let [up, down] = [0, 0]
    while (up < THICK && isNow[at - (up + 1) * width] === 1) up++
    while (down < THICK && isNow[at + (down + 1) * width] === 1) down++
    if (up + down >= THICK) continue
    const profile = up * THICK + down
    counts.set(profile, (counts.get(profile) ?? 0) + 1)
  }
  return fresh >= NEW * (end - start) && Math.max(0, ...counts.values()) >= STRAIGHT * fresh
}
