// Where things are put on pages, one below the other, in points from the lower left corner.

import { boldFont, textFont } from "../appearance/font.ts"
import { type Letter, shape } from "../appearance/text.ts"
import { breakLines } from "./lines.ts"
import type { PngImage } from "./png-image.ts"
import type { Tag } from "./tags.ts"

export const PAGE = { width: 595.28, height: 841.89 }
const MARGIN = { left: 56, right: 56, top: 60, bottom: 70 }
export const LEFT = MARGIN.left
export const WIDTH = PAGE.width - MARGIN.left - MARGIN.right
const TOP = PAGE.height - MARGIN.top
const BOTTOM = MARGIN.bottom

export type Colour = readonly [red: number, green: number, blue: number]
export const INK: Colour = [0.11, 0.13, 0.16]
export const GREY: Colour = [0.34, 0.38, 0.42]
export const FAINT: Colour = [0.82, 0.84, 0.87]

/** What stands on a page, in the order of reading; without a tag it is decoration, which nobody reads aloud. */
export type Item =
  | {
      readonly kind: "text"
      readonly tag: Tag | undefined
      readonly x: number
      readonly y: number
      readonly size: number
      readonly isBold: boolean
      readonly colour: Colour
      readonly letters: readonly Letter[]
    }
  | { readonly kind: "drawing"; readonly content: string }
  | {
      readonly kind: "image"
      readonly tag: Tag
      readonly x: number
      readonly y: number
      readonly width: number
      readonly height: number
      readonly image: PngImage
    }

export type Desk = {
  readonly pages: Item[][]
  readonly root: Tag
  /** The top of what is still free. */
  y: number
}

export function startDesk(): Desk {
  return { pages: [[]], root: { role: "Document", kids: [] }, y: TOP }
}

export function put(desk: Desk, item: Item): void {
  desk.pages.at(-1)?.push(item)
}

export function turnPage(desk: Desk): void {
  desk.pages.push([])
  desk.y = TOP
}

/** Begins a page where so much does not fit any more, and says whether it did. */
export function need(desk: Desk, height: number): boolean {
  if (desk.y - height >= BOTTOM || desk.y === TOP) return false
  turnPage(desk)
  return true
}

/** Some room, unless a page has just begun. */
export function leave(desk: Desk, height: number): void {
  if (desk.y !== TOP) desk.y -= height
}

export type TextLook = {
  readonly size: number
  readonly isBold?: boolean
  readonly colour?: Colour
}

export const LEADING = 1.35

export function linesOf(text: string, { size, isBold = false }: TextLook, width: number) {
  return breakLines(shape(text, isBold ? boldFont() : textFont()), width / size)
}

export function heightOf(lines: number, { size }: TextLook): number {
  return lines * size * LEADING
}

/** One line, its top at `y`. */
export function putLine(
  desk: Desk,
  tag: Tag | undefined,
  letters: readonly Letter[],
  { size, isBold = false, colour = INK }: TextLook,
  place: { readonly x: number; readonly y: number },
): void {
  const { ascent, unitsPerEm } = textFont()
  const y = place.y - size * (ascent / unitsPerEm)
  put(desk, { kind: "text", tag, x: place.x, y, size, isBold, colour, letters })
}

/** Lines that may go on on the next page. */
export function putText(desk: Desk, tag: Tag, text: string, look: TextLook, x = LEFT, width = WIDTH): void {
  for (const letters of linesOf(text, look, width - (x - LEFT))) {
    need(desk, heightOf(1, look))
    putLine(desk, tag, letters, look, { x, y: desk.y })
    desk.y -= heightOf(1, look)
  }
}
