// The three verdicts as signs that differ in their shape and not in colour alone: a disc with a tick, a triangle with an
// exclamation mark, an octagon with a cross.

import { writeNumber } from "../write/syntax.ts"
import type { Sign } from "./block.ts"
import type { Colour } from "./desk.ts"

export const SIGN_COLOURS: Readonly<Record<Sign, { readonly strong: Colour; readonly pale: Colour }>> = {
  good: { strong: [0.1, 0.44, 0.22], pale: [0.92, 0.97, 0.93] },
  unclear: { strong: [0.58, 0.36, 0.02], pale: [1, 0.96, 0.87] },
  bad: { strong: [0.7, 0.12, 0.1], pale: [0.99, 0.93, 0.92] },
}
const WHITE: Colour = [1, 1, 1]

/** In a square whose lower left corner is at x, y. */
export function drawSign(sign: Sign, x: number, y: number, side: number): string {
  const place = `q ${[side / 24, 0, 0, side / 24, x, y].map(writeNumber).join(" ")} cm`
  return [place, SHAPES[sign](SIGN_COLOURS[sign].strong), "Q"].join("\n")
}

export function fill(colour: Colour): string {
  return `/Colour cs ${colour.map(writeNumber).join(" ")} sc`
}

export function stroke(colour: Colour): string {
  return `/Colour CS ${colour.map(writeNumber).join(" ")} SC`
}

// Upon 24 units.
const SHAPES: Readonly<Record<Sign, (colour: Colour) => string>> = {
  good: (colour) => `${fill(colour)} ${disc(12, 12, 11)} f ${mark("7 12.2 m 10.6 8.6 l 17 15.6 l")}`,
  unclear: (colour) =>
    `${fill(colour)} 12 23 m 23.5 2 l 0.5 2 l h f ${mark("12 16 m 12 9.5 l")} ${fill(WHITE)} ${disc(12, 5.6, 1.4)} f`,
  bad: (colour) =>
    `${fill(colour)} 7.4 1 m 16.6 1 l 23 7.4 l 23 16.6 l 16.6 23 l 7.4 23 l 1 16.6 l 1 7.4 l h f ${mark("8 8 m 16 16 l 8 16 m 16 8 l")}`,
}

const mark = (path: string): string => `${stroke(WHITE)} 2.4 w 1 J 1 j ${path} S`

// Four curves come close enough to a circle.
function disc(x: number, y: number, radius: number): string {
  const k = 0.5523 * radius
  const at = (...values: readonly number[]) => values.map(writeNumber).join(" ")
  return [
    `${at(x + radius, y)} m`,
    `${at(x + radius, y + k, x + k, y + radius, x, y + radius)} c`,
    `${at(x - k, y + radius, x - radius, y + k, x - radius, y)} c`,
    `${at(x - radius, y - k, x - k, y - radius, x, y - radius)} c`,
    `${at(x + k, y - radius, x + radius, y - k, x + radius, y)} c h`,
  ].join(" ")
}
