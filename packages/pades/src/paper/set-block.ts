// Puts one block of a paper below the one before it.

import { writeNumber } from "../write/syntax.ts"
import type { Block, Row } from "./block.ts"
import {
  type Desk,
  FAINT,
  GREY,
  heightOf,
  INK,
  LEFT,
  leave,
  linesOf,
  need,
  put,
  putLine,
  putText,
  type TextLook,
  turnPage,
  WIDTH,
} from "./desk.ts"
import { setPictures } from "./set-pictures.ts"
import { drawSign, fill, SIGN_COLOURS, stroke } from "./signs.ts"
import { type Tag, tagUnder } from "./tags.ts"

const TEXT: TextLook = { size: 10 }
const LABEL: TextLook = { size: 10, colour: GREY }
const HEADINGS: Readonly<Record<1 | 2 | 3, TextLook>> = {
  1: { size: 18, isBold: true },
  2: { size: 14, isBold: true },
  3: { size: 10.5, isBold: true },
}
const SPACE_BEFORE = { 1: 0, 2: 22, 3: 10 } as const

/** `rest` is what follows: a heading does not stay behind alone. */
export function setBlock(desk: Desk, block: Block, rest: readonly Block[]): void {
  if (block.type === "heading") setHeading(desk, block, rest)
  else if (block.type === "paragraph") setParagraph(desk, block)
  else if (block.type === "verdict") setVerdict(desk, block)
  else if (block.type === "rows") setRows(desk, block.rows)
  else if (block.type === "list") setList(desk, block.items)
  else if (block.type === "pictures") setPictures(desk, block.pictures)
  else turnPage(desk)
}

function setParagraph(desk: Desk, { text, look }: Block & { readonly type: "paragraph" }): void {
  putText(desk, tagUnder(desk.root, "P"), text, look === "grey" ? LABEL : TEXT)
  desk.y -= 4
}

function setHeading(desk: Desk, block: Block & { readonly type: "heading" }, rest: readonly Block[]): void {
  const { level, sign } = block
  const look = HEADINGS[level]
  leave(desk, SPACE_BEFORE[level])
  const indent = sign === undefined ? 0 : look.size + 8
  const lines = linesOf(block.text, look, WIDTH - indent)
  need(desk, heightOf(lines.length, look) + roomFor(rest))
  if (level === 2) rule(desk)
  if (sign !== undefined)
    put(desk, { kind: "drawing", content: drawSign(sign, LEFT, desk.y - look.size * 1.12, look.size + 1) })
  const tag = tagUnder(desk.root, `H${level}`)
  putText(desk, tag, block.text, look, LEFT + indent)
  desk.y -= level === 3 ? 1 : 5
}

// What belongs to a heading so closely that both stand on one page.
function roomFor(rest: readonly Block[]): number {
  const first = rest.findIndex(({ type }) => type !== "heading" && type !== "paragraph")
  return rest[first]?.type === "pictures" ? 330 + 30 * first : 60
}

function rule(desk: Desk): void {
  const y = writeNumber(desk.y)
  const content = `${stroke(FAINT)} 0.75 w ${writeNumber(LEFT)} ${y} m ${writeNumber(LEFT + WIDTH)} ${y} l S`
  put(desk, { kind: "drawing", content })
  desk.y -= 10
}

const VERDICT_HEADING: TextLook = { size: 16, isBold: true }
const VERDICT_TEXT: TextLook = { size: 10.5 }
const SIGN_SIDE = 34
const PADDING = 14

function setVerdict(desk: Desk, { sign, heading, text }: Block & { readonly type: "verdict" }): void {
  const { strong, pale } = SIGN_COLOURS[sign]
  const x = LEFT + PADDING + SIGN_SIDE + 14
  const width = LEFT + WIDTH - PADDING - x
  const titles = linesOf(heading, VERDICT_HEADING, width)
  const lines = linesOf(text, VERDICT_TEXT, width)
  const inner = heightOf(titles.length, VERDICT_HEADING) + heightOf(lines.length, VERDICT_TEXT)
  const height = Math.max(SIGN_SIDE, inner) + 2 * PADDING
  leave(desk, 10)
  need(desk, height)
  const box = [LEFT, desk.y - height, WIDTH, height].map(writeNumber).join(" ")
  const bar = [LEFT, desk.y - height, 4, height].map(writeNumber).join(" ")
  put(desk, { kind: "drawing", content: `${fill(pale)} ${box} re f ${fill(strong)} ${bar} re f` })
  const signY = desk.y - height / 2 - SIGN_SIDE / 2
  put(desk, { kind: "drawing", content: drawSign(sign, LEFT + PADDING, signY, SIGN_SIDE) })
  let y = desk.y - (height - inner) / 2
  const title = tagUnder(desk.root, "P")
  for (const letters of titles) {
    putLine(desk, title, letters, { ...VERDICT_HEADING, colour: strong }, { x, y })
    y -= heightOf(1, VERDICT_HEADING)
  }
  const body = tagUnder(desk.root, "P")
  for (const letters of lines) {
    putLine(desk, body, letters, { ...VERDICT_TEXT, colour: INK }, { x, y })
    y -= heightOf(1, VERDICT_TEXT)
  }
  desk.y -= height + 10
}

const LABEL_WIDTH = 138

// Label and text begin on one line; either may be the longer one.
function setRows(desk: Desk, rows: readonly Row[]): void {
  const list = tagUnder(desk.root, "L")
  for (const { label, text } of rows) {
    const item = tagUnder(list, "LI")
    const tags = { label: tagUnder(item, "Lbl"), text: tagUnder(item, "LBody") }
    const labels = linesOf(label, LABEL, LABEL_WIDTH - 10)
    const lines = linesOf(text, TEXT, WIDTH - LABEL_WIDTH)
    need(desk, heightOf(Math.min(3, Math.max(labels.length, lines.length)), TEXT))
    setPair(desk, tags, labels, lines)
    desk.y -= 2.5
  }
  desk.y -= 3
}

type Lines = ReturnType<typeof linesOf>

// In the order of reading: the label to its end, and then the text, which may go on on the next page.
function setPair(
  desk: Desk,
  tags: { readonly label: Tag; readonly text: Tag },
  labels: Lines,
  lines: Lines,
): void {
  const top = desk.y
  let y = top
  for (const letters of labels) {
    putLine(desk, tags.label, letters, LABEL, { x: LEFT, y })
    y -= heightOf(1, LABEL)
  }
  let hasTurned = false
  for (const letters of lines) {
    hasTurned = need(desk, heightOf(1, TEXT)) || hasTurned
    putLine(desk, tags.text, letters, TEXT, { x: LEFT + LABEL_WIDTH, y: desk.y })
    desk.y -= heightOf(1, TEXT)
  }
  if (!hasTurned) desk.y = Math.min(desk.y, y)
}

const BULLET_WIDTH = 14

function setList(desk: Desk, items: readonly string[]): void {
  const list = tagUnder(desk.root, "L")
  for (const text of items) {
    const item = tagUnder(list, "LI")
    const label = tagUnder(item, "Lbl")
    const body = tagUnder(item, "LBody")
    need(desk, heightOf(2, TEXT))
    for (const letters of linesOf("•", LABEL, BULLET_WIDTH))
      putLine(desk, label, letters, LABEL, { x: LEFT + 2, y: desk.y })
    putText(desk, body, text, TEXT, LEFT + BULLET_WIDTH)
    desk.y -= 2
  }
  desk.y -= 3
}
