import type { Look } from "../api.ts"

/** Strokes of x, y, x, y …, on a sheet of this width; time and pressure are behaviour, and are not kept. */
export type Ink = { readonly width: number; readonly strokes: readonly (readonly number[])[] }

/** The longer side: fine enough for paper, small enough for the wire. */
const LONGER_SIDE = 1_000
const MARGIN = 0.06
/** The server takes no more (its limits for a drawing). */
const MAX_NUMBERS = 8_000
const MAX_STROKES = 300

/** The same ink on a wider or narrower sheet: a turned phone loses nothing. */
export function scaled({ width, strokes }: Ink, to: number): Ink {
  const factor = width === 0 ? 1 : to / width
  return { width: to, strokes: strokes.map((stroke) => stroke.map((value) => value * factor)) }
}

/** What is sent: cut to the ink, in whole numbers. */
export function lookOf({ strokes }: Ink): Look | null {
  const thinned = thin(strokes.slice(0, MAX_STROKES))
  const xs = thinned.flatMap((stroke) => stroke.filter((_, place) => place % 2 === 0))
  const ys = thinned.flatMap((stroke) => stroke.filter((_, place) => place % 2 === 1))
  if (xs.length === 0) return null
  const [left, right, top, bottom] = [min(xs), max(xs), min(ys), max(ys)]
  const margin = Math.max(right - left, bottom - top, 1) * MARGIN
  const [width, height] = [right - left + 2 * margin, bottom - top + 2 * margin]
  const factor = LONGER_SIDE / Math.max(width, height)
  const whole = (value: number, from: number) => Math.round((value - from + margin) * factor)
  return {
    type: "drawn",
    width: Math.max(1, Math.ceil(width * factor)),
    height: Math.max(1, Math.ceil(height * factor)),
    strokes: thinned.map((stroke) =>
      stroke.map((value, place) => whole(value, place % 2 === 0 ? left : top)),
    ),
  }
}

/** Leaves out every other point until the rest is few enough; the ends of strokes stay. */
function thin(strokes: Ink["strokes"]): Ink["strokes"] {
  const count = strokes.reduce((sum, stroke) => sum + stroke.length, 0)
  if (count <= MAX_NUMBERS || strokes.every((stroke) => stroke.length <= 4)) return strokes
  const isKept = (point: number, last: number) => point % 2 === 0 || point === last
  return thin(
    strokes.map((stroke) =>
      stroke.filter((_, place) => isKept(Math.floor(place / 2), stroke.length / 2 - 1)),
    ),
  )
}

const min = (values: readonly number[]) => values.reduce((least, value) => Math.min(least, value))
const max = (values: readonly number[]) => values.reduce((most, value) => Math.max(most, value))
