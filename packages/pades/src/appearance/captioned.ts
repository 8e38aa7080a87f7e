// A mark with its caption: who and when in small letters below it or beside it, whichever leaves more of both. Where the box
// is too small for all of it, the caption loses lines before the mark becomes a speck.

import { numbers } from "./appearance-objects.ts"
import type { Area, Ink, Size } from "./ink.ts"
import { type Layout, padded, textIn, within } from "./layout.ts"
import { blockHeight, fitText, type Letter, wrapWords } from "./text.ts"

export type Captioned = { readonly operators: readonly string[]; readonly text?: Layout["text"] }

export type Line = {
  readonly letters: readonly Letter[]
  /** The mark says it already: it is the first to go. */
  readonly said: boolean
}

const LARGEST = 7.5
const SMALLEST = 4
/** Letters that are larger than that gain nothing by growing. */
const EASY = 6.5
/** What a caption is worth next to the mark, and what each line of it that is left out takes away. */
const CAPTION_WORTH = 0.7
const LINE_WORTH = 0.22
/** And each line that is broken: a date in two pieces is hard to read. A name in two rows is a little less like a signature. */
const BREAK_WORTH = 0.14
const ROWS_WORTH = 0.1
/** A mark of less than this share of what it could be is a speck. */
const SPECK = 0.3

const RULE = "0.72 0.72 0.76"

export function captioned(
  box: Size,
  ways: readonly Ink[],
  lines: readonly Line[],
  dot: readonly Letter[],
): Captioned {
  const inner = padded(box)
  if (lines.length === 0 || ways.length === 0) return alone(inner, ways, lines)
  const whole = Math.max(...ways.map((ink) => scaleOf(inner, ink) * Math.sqrt(ink.width * ink.height)))
  let worth = Number.NEGATIVE_INFINITY
  let chosen: Choice | undefined
  for (const { lines: shown, left } of captions(lines, dot))
    for (let size = LARGEST; size >= SMALLEST; size -= 0.5)
      for (const split of [...below(inner, shown, size), ...beside(inner, shown, size)])
        for (const [way, ink] of ways.entries()) {
          const share = (scaleOf(split.mark, ink) * Math.sqrt(ink.width * ink.height)) / whole
          const breaks = split.rows.length - shown.length
          const lost = LINE_WORTH * left + BREAK_WORTH * breaks + ROWS_WORTH * way
          const score = share + CAPTION_WORTH * Math.min(1, size / EASY) - lost
          if (share < SPECK || score <= worth) continue
          worth = score
          chosen = { split, ink, size }
        }
  return chosen === undefined ? alone(inner, ways, lines) : written(chosen)
}

type Choice = { readonly split: Split; readonly ink: Ink; readonly size: number }

function written({ split: { mark, text, rows, side }, ink, size }: Choice): Captioned {
  const scale = scaleOf(mark, ink)
  const shown = { width: scale * ink.width, height: scale * ink.height }
  // It begins at the left, as writing does, and stands on the rule; or the rule and the caption follow it.
  const unused = { width: mark.width - shown.width, height: mark.height - shown.height }
  const isBeside = side === "right"
  const area = { x: mark.x, y: mark.y + (isBeside ? unused.height / 2 : 0), ...shown }
  const beside = isBeside ? { ...text, x: text.x - unused.width } : text
  const x = (beside.x + area.x + area.width) / 2
  const y = (mark.y + text.y + text.height) / 2
  const rule = isBeside
    ? ruleOf(x, text.y, x, text.y + text.height)
    : ruleOf(text.x, y, text.x + text.width, y)
  return { operators: [rule, ink.draw(area)], ...textAt(beside, rows, size) }
}

// So small that only one of the two can be there: what must be said comes before what one likes to show.
function alone(inner: Area, ways: readonly Ink[], lines: readonly Line[]): Captioned {
  const said = lines.map(({ letters }) => letters)
  const { text } = textIn(inner, said.length === 0 ? undefined : fitText(said, inner.width, inner.height))
  if (text !== undefined) return { operators: [], text }
  const [largest] = ways.toSorted((a, b) => areaIn(inner, b) - areaIn(inner, a))
  return { operators: largest === undefined ? [] : [largest.draw(within(inner, largest))] }
}

const scaleOf = (area: Size, { width, height, largest = Number.POSITIVE_INFINITY }: Ink) =>
  Math.min(Math.max(0, area.width) / width, Math.max(0, area.height) / height, largest)
const areaIn = (area: Size, ink: Ink) => scaleOf(area, ink) ** 2 * ink.width * ink.height

type Caption = { readonly lines: readonly (readonly Letter[])[]; readonly left: number }

/** All lines, each alone or some in one row; then fewer of them. The first line stays in any case. */
function captions(lines: readonly Line[], dot: readonly Letter[]): readonly Caption[] {
  const found: Caption[] = []
  for (let kept = lines, left = 0; ; left++) {
    const rows = kept.map(({ letters }) => letters)
    found.push({ lines: rows, left })
    if (rows.length > 2) found.push({ lines: [rows[0] ?? [], joined(rows.slice(1), dot)], left })
    if (rows.length > 1) found.push({ lines: [joined(rows, dot)], left })
    if (rows.length <= 1) return found
    const said = kept.findLastIndex((line, i) => i > 0 && line.said)
    kept = kept.toSpliced(said > 0 ? said : kept.length - 1, 1)
  }
}

const joined = (rows: readonly (readonly Letter[])[], dot: readonly Letter[]) =>
  rows.flatMap((row, i) => (i === 0 ? row : [...dot, ...row]))

type Split = {
  readonly mark: Area
  readonly text: Area
  readonly rows: readonly (readonly Letter[])[]
  /** Where the caption stands. */
  readonly side: "below" | "right"
}

function below(inner: Area, lines: readonly (readonly Letter[])[], size: number): readonly Split[] {
  const rows = wrapped(lines, inner.width, size)
  if (rows === undefined) return []
  const height = blockHeight(rows.length, size)
  const gap = Math.min(3, inner.height * 0.05)
  const mark = { ...inner, y: inner.y + height + 2 * gap, height: inner.height - height - 2 * gap }
  if (mark.height <= 0) return []
  return [{ mark, text: { ...inner, height }, rows, side: "below" }]
}

function beside(inner: Area, lines: readonly (readonly Letter[])[], size: number): readonly Split[] {
  const gap = Math.min(5, inner.width * 0.04)
  return [0.3, 0.4, 0.5].flatMap((share) => {
    const width = inner.width * share
    const rows = wrapped(lines, width, size)
    if (rows === undefined || blockHeight(rows.length, size) > inner.height) return []
    const mark = { ...inner, width: inner.width - width - 2 * gap }
    return [{ mark, text: { ...inner, x: mark.x + mark.width + 2 * gap, width }, rows, side: "right" }]
  })
}

function wrapped(lines: readonly (readonly Letter[])[], width: number, size: number) {
  const broken = lines.map((line) => wrapWords(line, width / size))
  return broken.includes(undefined) ? undefined : broken.flatMap((rows) => rows ?? [])
}

const ruleOf = (fromX: number, fromY: number, toX: number, toY: number) =>
  `q /Colour CS ${RULE} SC 0.4 w 0 J ${numbers(fromX, fromY)} m ${numbers(toX, toY)} l S Q`

function textAt(area: Area, lines: readonly (readonly Letter[])[], size: number): Layout {
  return textIn(area, { size, lines, height: blockHeight(lines.length, size), cut: false })
}

/** The middle dot between what stands in one row. */
export const SEPARATOR = " · "
