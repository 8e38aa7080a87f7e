// Ink of a signature that reads together with what was signed (ADR 0085): ",000" next to "100", a stroke that makes an 8 of a
// 3. Nothing is hidden, so nothing is lost; but a reader sees one figure where the signer saw another. Shapes are compared and
// not characters: a text that is drawn as outlines, or as an image, reads the same.

import { inkMask } from "./ink.ts"
import { around, type Box, type Raster, within } from "./picture.ts"
import { struckOut } from "./struck-out.ts"

/** Pixels around the place of the signature in which a line of text may end or begin. */
const REACH = 60
/** Pixels: a letter that can be read is no smaller, and a line of text hardly ever larger. */
const SMALLEST = 4
const LARGEST = 80
/** Parts of the height of the letter beside it: a digit is 0.6 to 0.8 of its type size high, a space is 0.3 of it wide. */
const GAP = 0.6
const ON_THE_LINE = 0.35
const TALLER = 1.4
const SHORTER = 0.5
/** Pixels of new ink that are less than a part of a letter. */
const SPECK = 4
/** Pixels: a line, however long, is no thicker. */
const LINE = 2

type Shape = { readonly box: Box; readonly fresh: number; readonly freshBox: Box | undefined }

/** Around the new shapes that continue or alter a line of text in this part of the picture. */
export function continuedText(
  before: Raster,
  after: Raster,
  changed: Uint8Array,
  part: Box,
): Box | undefined {
  const region = within(
    {
      left: part.left - REACH,
      top: part.top - REACH,
      right: part.right + REACH,
      bottom: part.bottom + REACH,
    },
    before,
  )
  const isOld = inkMask(before, region)
  const isNow = inkMask(after, region)
  const isFresh = isNow.map((ink, at) => (ink === 1 && isOld[at] === 0 && changed[at] !== 0 ? 1 : 0))
  const letters = shapesOf(isOld, isFresh, before.width, region).map(({ box }) => box)
  const fresh = shapesOf(isNow, isFresh, before.width, region).filter((one) => one.fresh >= SPECK)
  const lines = letters.filter(isLetter)
  return continuing(fresh, lines) ?? struckOut(lines, { isNow, isFresh, width: before.width, region })
}

function continuing(fresh: readonly Shape[], letters: readonly Box[]): Box | undefined {
  const lines = [...letters]
  const left = new Set(fresh)
  let found: Box | undefined
  // A comma leads from the old figure to the next one; an array grows while it is walked.
  for (const letter of lines)
    for (const shape of left) {
      if (!isBeside(letter, shape.box) || isRule(letter, shape)) continue
      if (isAsLetter(letter, shape.box)) found = around(found, shape.freshBox ?? shape.box)
      else if (isMark(letter, shape.box))
        lines.push({ ...letter, left: shape.box.left, right: shape.box.right })
      else continue
      left.delete(shape)
    }
  return found
}

const heightOf = ({ top, bottom }: Box): number => bottom - top

const isLetter = (box: Box): boolean => heightOf(box) >= SMALLEST && heightOf(box) <= LARGEST

function isBeside(letter: Box, shape: Box): boolean {
  const gap = Math.max(shape.left - letter.right, letter.left - shape.right)
  return gap <= GAP * heightOf(letter) && shape.top < letter.bottom + heightOf(letter) / 2
}

/** As high as the letter, and on the same line. */
function isAsLetter(letter: Box, shape: Box): boolean {
  const height = heightOf(letter)
  return (
    Math.abs(shape.bottom - letter.bottom) <= ON_THE_LINE * height &&
    heightOf(shape) >= SHORTER * height &&
    heightOf(shape) <= TALLER * height
  )
}

/** A comma, a point or a dash: within the line, and smaller than a letter. */
function isMark(letter: Box, shape: Box): boolean {
  const height = heightOf(letter)
  return (
    heightOf(shape) < SHORTER * height &&
    shape.right - shape.left <= height &&
    shape.top >= letter.top &&
    shape.bottom <= letter.bottom + ON_THE_LINE * height
  )
}

/** A stroke across the text, or a line to sign upon: whether it hides something is another question. */
function isRule(letter: Box, { freshBox }: Shape): boolean {
  return (
    freshBox !== undefined && heightOf(freshBox) <= LINE && freshBox.right - freshBox.left > heightOf(letter)
  )
}

/** Ink that touches, also by a corner. */
function shapesOf(isInk: Uint8Array, isFresh: Uint8Array, width: number, region: Box): Shape[] {
  const seen = new Uint8Array(isInk.length)
  const shapes: Shape[] = []
  for (let y = region.top; y < region.bottom; y++)
    for (let x = region.left; x < region.right; x++) {
      const start = y * width + x
      if (isInk[start] === 0 || seen[start] === 1) continue
      seen[start] = 1
      shapes.push(shapeFrom(start, isInk, isFresh, seen, width))
    }
  return shapes
}

function shapeFrom(
  start: number,
  isInk: Uint8Array,
  isFresh: Uint8Array,
  seen: Uint8Array,
  width: number,
): Shape {
  const pixels = [start]
  let [box, freshBox, fresh]: [Box | undefined, Box | undefined, number] = [undefined, undefined, 0]
  for (const at of pixels) {
    const [left, top] = [at % width, Math.floor(at / width)]
    const pixel = { left, top, right: left + 1, bottom: top + 1 }
    box = around(box, pixel)
    if (isFresh[at] === 1) {
      fresh += 1
      freshBox = around(freshBox, pixel)
    }
    for (const by of [-width - 1, -width, -width + 1, -1, 1, width - 1, width, width + 1]) {
      const next = at + by
      // Outside the region the mask is empty.
      if (isInk[next] !== 1 || seen[next] === 1) continue
      seen[next] = 1
      pixels.push(next)
    }
  }
  return { box: box ?? { left: 0, top: 0, right: 0, bottom: 0 }, fresh, freshBox }
}
