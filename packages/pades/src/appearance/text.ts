// Text as a row of glyphs, and as lines that fit a box. From left to right only: letters of scripts that run the other
// way are shown as a replacement, because in the wrong order they would be another name.

import { type Font, textFont } from "./font.ts"

/** A glyph of the font and the characters that it stands for. */
export type Letter = { readonly glyph: number; readonly text: string; readonly advance: number }

const REPLACEMENT = "\ufffd"
const RIGHT_TO_LEFT = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u

// Marks of direction, soft hyphens, joiners and variants could only make the text lie about itself.
const UNSEEN = /\p{Cf}|\p{Variation_Selector}/gu

/** Composed by NFC; what the font lacks becomes one replacement per visible character. */
export function shape(text: string, font: Font = textFont()): readonly Letter[] {
  return segmentsOf(text).flatMap((segment) => lettersOf(font, segment) ?? lettersOf(font, REPLACEMENT) ?? [])
}

/** The same in another font, without replacements: nothing where that font lacks a character. */
export function shapeWhole(text: string, font: Font): readonly Letter[] | undefined {
  const segments = segmentsOf(text).map((segment) => lettersOf(font, segment))
  return segments.includes(undefined) ? undefined : segments.flatMap((letters) => letters ?? [])
}

let graphemes: Intl.Segmenter | undefined

/** Its rules take 14 ms to load, more than most documents take to read; and most processes shape no text. */
const graphemesOf = (text: string): Intl.Segments => {
  graphemes ??= new Intl.Segmenter("und", { granularity: "grapheme" })
  return graphemes.segment(text)
}

/** One visible character each. */
function segmentsOf(text: string): readonly string[] {
  const composed = text
    .normalize("NFC")
    .replace(/[\p{Cc}\p{Z}]+/gu, " ")
    .trim()
  return Array.from(graphemesOf(composed), ({ segment }) => segment.replace(UNSEEN, ""))
}

function lettersOf(font: Font, segment: string): readonly Letter[] | undefined {
  if (RIGHT_TO_LEFT.test(segment)) return undefined
  const letters = Array.from(segment, (text) => {
    const glyph = font.glyph(text.codePointAt(0) ?? 0)
    return { glyph, text, advance: font.advance(glyph) / font.unitsPerEm }
  })
  return letters.every(({ glyph }) => glyph !== 0) ? letters : undefined
}

/** In ems. */
export function widthOf(letters: readonly Letter[]): number {
  return letters.reduce((sum, { advance }) => sum + advance, 0)
}

export type FittedText = {
  readonly size: number
  readonly lines: readonly (readonly Letter[])[]
  /** In points. */
  readonly height: number
  /** Not all of it is shown. */
  readonly cut: boolean
}

export const MAX_TEXT_SIZE = 12
const MIN_TEXT_SIZE = 4
/** Lines are set this many ems apart. */
export const LEADING = 1.2
// A line is kept whole while it can be read with ease, or unless breaking it lets the letters grow.
const EASY_SIZE = 7
const WORTH_BREAKING = 1.15

/** The largest text between 4 and 12 points that fits, with words broken if they must be, and without its end at last. */
export function fitText(
  lines: readonly (readonly Letter[])[],
  width: number,
  height: number,
): FittedText | undefined {
  const whole = largest(lines, height, (line, ems) => (widthOf(line) <= ems ? [line] : undefined), width)
  const wrapped = largest(lines, height, wrapWords, width)
  if (whole === undefined)
    return wrapped ?? largest(lines, height, wrapLetters, width) ?? smallest(lines, width, height)
  const better = wrapped !== undefined && wrapped.size > whole.size * WORTH_BREAKING
  return whole.size < EASY_SIZE && better ? wrapped : whole
}

type Wrap = (line: readonly Letter[], ems: number) => readonly (readonly Letter[])[] | undefined

function largest(
  lines: readonly (readonly Letter[])[],
  height: number,
  wrap: Wrap,
  width: number,
): FittedText | undefined {
  for (let size = MAX_TEXT_SIZE; size >= MIN_TEXT_SIZE; size -= 0.5) {
    const broken = lines.map((line) => wrap(line, width / size))
    if (broken.includes(undefined)) continue
    const fitted = broken.flatMap((rows) => rows ?? [])
    if (blockHeight(fitted.length, size) <= height)
      return { size, lines: fitted, height: blockHeight(fitted.length, size), cut: false }
  }
  return undefined
}

/** Of so many lines, in points. */
export function blockHeight(count: number, size: number): number {
  const { ascent, descent, unitsPerEm } = textFont()
  return size * ((count - 1) * LEADING + (ascent - descent) / unitsPerEm)
}

export function wrapWords(line: readonly Letter[], ems: number): readonly (readonly Letter[])[] | undefined {
  const rows: Letter[][] = [[]]
  let used = 0
  for (const word of words(line)) {
    const needed = widthOf(trimmed(word))
    if (needed > ems) return undefined
    if (used > 0 && used + needed > ems) {
      rows.push([])
      used = 0
    }
    for (const letter of word) rows.at(-1)?.push(letter)
    used += widthOf(word)
  }
  return rows.map(trimmed)
}

/** A word ends behind a space, a hyphen or a slash. */
export function words(line: readonly Letter[]): readonly (readonly Letter[])[] {
  const found: Letter[][] = [[]]
  for (const letter of line) {
    found.at(-1)?.push(letter)
    if (/^[ \-\u2010\u2013/]$/.test(letter.text)) found.push([])
  }
  return found.filter((word) => word.length > 0)
}

export function trimmed(row: readonly Letter[]): readonly Letter[] {
  return row.at(-1)?.text === " " ? row.slice(0, -1) : row
}

// Where a line has words that are too long it is broken anywhere.
function wrapLetters(line: readonly Letter[], ems: number): readonly (readonly Letter[])[] | undefined {
  const words = wrapWords(line, ems)
  if (words !== undefined) return words
  const rows: Letter[][] = [[]]
  let used = 0
  for (const letter of line) {
    if (letter.advance > ems) return undefined
    if (used + letter.advance > ems) {
      rows.push([])
      used = 0
    }
    rows.at(-1)?.push(letter)
    used += letter.advance
  }
  return rows.map(trimmed)
}

function smallest(
  lines: readonly (readonly Letter[])[],
  width: number,
  height: number,
): FittedText | undefined {
  const size = MIN_TEXT_SIZE
  const ems = width / size
  const broken = lines.map((line) => wrapLetters(line, ems))
  const fitting = Math.floor((height / size - blockHeight(1, 1)) / LEADING + 1 + 1e-9)
  if (fitting < 1 || broken.includes(undefined) || widthOf(shape("…")) > ems) return undefined
  const rows = broken.flatMap((found) => found ?? []).slice(0, fitting)
  const last = rows.pop() ?? []
  return {
    size,
    lines: [...rows, ellipsised(last, ems)],
    height: blockHeight(rows.length + 1, size),
    cut: true,
  }
}

function ellipsised(row: readonly Letter[], ems: number): readonly Letter[] {
  const dots = shape("…")
  let kept = row
  while (kept.length > 0 && widthOf(kept) + widthOf(dots) > ems) kept = kept.slice(0, -1)
  return [...trimmed(kept), ...dots]
}
