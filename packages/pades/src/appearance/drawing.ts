// A drawing by hand as strokes of one pen: lines of a PDF (ISO 32000-2, 8.5), with round ends, sharp at any size, and without
// the transparency that PDF/A-1 forbids.

import { numbers } from "./appearance-objects.ts"
import { INK, type Ink } from "./ink.ts"

/** As a canvas has it: whole numbers, from the upper left corner; each stroke is x, y, x, y … */
export type Drawing = {
  readonly width: number
  readonly height: number
  readonly strokes: readonly (readonly number[])[]
}

export const MAX_STROKES = 300
export const MAX_POINTS = 6000
export const MAX_CANVAS = 10_000

/** Of the longer side of the canvas; and in points, so that it is seen in a small box and no brush in a large one. */
const PEN_SHARE = 0.0075
const THINNEST = 0.45
const THICKEST = 2.2
/** In points: what is nearer to the last point adds bytes, and nothing that anybody sees. */
const NEAR = 0.25

type Point = readonly [x: number, y: number]

/** Throws a RangeError for what is not a drawing within the limits. */
export function drawnInk(drawing: Drawing): Ink {
  refuseUnbounded(drawing)
  const strokes = drawing.strokes.map(pointsOf)
  const all = strokes.flat()
  const xs = all.map(([x]) => x)
  const ys = all.map(([, y]) => y)
  const [left, top] = [least(xs), least(ys)]
  const pen = PEN_SHARE * Math.max(drawing.width, drawing.height)
  const span = { width: most(xs) - left, height: most(ys) - top }
  return {
    width: span.width + pen,
    height: span.height + pen,
    draw: (area) => {
      const wide = Math.min(area.width / (span.width + pen), area.height / (span.height + pen))
      const thick = Math.min(Math.max(pen * wide, THINNEST), THICKEST, area.width / 2, area.height / 2)
      const scale = Math.min(
        (area.width - thick) / Math.max(span.width, 1),
        (area.height - thick) / Math.max(span.height, 1),
        MOST_ENLARGED * wide,
      )
      const x = area.x + (area.width - scale * span.width) / 2
      const y = area.y + area.height - (area.height - scale * span.height) / 2
      const place = ([px, py]: Point): Point => [x + scale * (px - left), y - scale * (py - top)]
      const paths = strokes.map((points) => pathOf(thinned(points.map(place)), thick))
      return `q /Colour CS ${INK} SC ${numbers(round(thick))} w 1 J 1 j\n${paths.join("\n")}\nQ`
    },
  }
}

/** A pen that rests makes more than a line of its width. */
const DOT = 1.5
/** A dot that fills the box would be no signature. */
const MOST_ENLARGED = 1.5

function refuseUnbounded({ width, height, strokes }: Drawing): void {
  const isSide = (side: number) => side >= 1 && side <= MAX_CANVAS
  const count = strokes.reduce((sum, stroke) => sum + stroke.length / 2, 0)
  const isStroke = (stroke: readonly number[]) =>
    stroke.length >= 2 &&
    stroke.length % 2 === 0 &&
    stroke.every((value, i) => value >= 0 && value <= (i % 2 === 0 ? width : height))
  if (!isSide(width) || !isSide(height)) throw new RangeError("The canvas of a drawing has no size.")
  if (strokes.length === 0 || strokes.length > MAX_STROKES || count > MAX_POINTS)
    throw new RangeError("A drawing has no strokes, or too many.")
  if (!strokes.every(isStroke)) throw new RangeError("A stroke leaves its canvas.")
}

function pointsOf(stroke: readonly number[]): readonly Point[] {
  return Array.from({ length: stroke.length / 2 }, (_, i) => [stroke[2 * i] ?? 0, stroke[2 * i + 1] ?? 0])
}

const least = (values: readonly number[]) => values.reduce((a, b) => Math.min(a, b))
const most = (values: readonly number[]) => values.reduce((a, b) => Math.max(a, b))
const round = (value: number) => Math.round(value * 100) / 100

function thinned(points: readonly Point[]): readonly Point[] {
  const kept: Point[] = []
  for (const [i, point] of points.entries()) {
    const last = kept.at(-1)
    const isFar = last === undefined || Math.hypot(point[0] - last[0], point[1] - last[1]) >= NEAR
    if (isFar || i === points.length - 1) kept.push(point)
  }
  return kept
}

// Curves from the middle of one pair of points to that of the next, pulled by the point between: smooth, and never outside
// of the points themselves.
function pathOf(points: readonly Point[], thick: number): string {
  const [first = [0, 0], second] = points
  const last = points.at(-1) ?? first
  // A line without a length is a dot only to some who draw.
  if (second === undefined || (points.length === 2 && distance(first, last) < 0.01))
    return `q ${numbers(round(DOT * thick))} w ${xy(first)} m ${xy([first[0] + 0.01, first[1]])} l S Q`
  const path = [`${xy(first)} m`]
  let from = first
  for (let i = 1; i + 1 < points.length; i++) {
    const pull = points[i] ?? last
    const to = middle(pull, points[i + 1] ?? last)
    path.push(`${xy(towards(from, pull))} ${xy(towards(to, pull))} ${xy(to)} c`)
    from = to
  }
  return `${path.join(" ")} ${xy(last)} l S`
}

const distance = (a: Point, b: Point) => Math.hypot(a[0] - b[0], a[1] - b[1])
const middle = (a: Point, b: Point): Point => [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2]
/** A curve with one control point as one with two: each lies two thirds of the way. */
const towards = (from: Point, pull: Point): Point => [
  from[0] + (2 / 3) * (pull[0] - from[0]),
  from[1] + (2 / 3) * (pull[1] - from[1]),
]
const xy = ([x, y]: Point) => numbers(round(x), round(y))
