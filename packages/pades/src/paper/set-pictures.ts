// Pictures beside each other, each in a frame with its caption below.

import { writeNumber } from "../write/syntax.ts"
import type { Picture } from "./block.ts"
import { type Desk, FAINT, GREY, heightOf, LEFT, leave, linesOf, need, put, putLine, WIDTH } from "./desk.ts"
import { readPngImage } from "./png-image.ts"
import { stroke } from "./signs.ts"
import { tagUnder } from "./tags.ts"

const GAP = 12
const MAX_HEIGHT = 300
const CAPTION = { size: 9, colour: GREY }
/** Of an empty frame: a page of A4. */
const USUAL_RATIO = Math.SQRT2

export function setPictures(desk: Desk, pictures: readonly Picture[]): void {
  const width = (WIDTH - GAP * (pictures.length - 1)) / Math.max(1, pictures.length)
  const read = pictures.map((picture) => ({
    ...picture,
    image: picture.png === null ? undefined : readPngImage(picture.png),
  }))
  const ratios = read.flatMap(({ image }) => (image === undefined ? [] : [image.height / image.width]))
  const height = Math.min(MAX_HEIGHT, width * Math.max(...(ratios.length > 0 ? ratios : [USUAL_RATIO])))
  leave(desk, 4)
  need(desk, height + heightOf(2, CAPTION) + 6)
  for (const [i, { caption, absent, image }] of read.entries()) {
    const frame = { x: LEFT + i * (width + GAP), y: desk.y - height, width, height }
    if (image === undefined) {
      putFrame(desk, frame)
      putMiddle(desk, absent, frame)
    } else {
      const scale = Math.min(width / image.width, height / image.height)
      const place = { width: image.width * scale, height: image.height * scale, x: frame.x }
      const shown = { ...place, y: desk.y - place.height }
      put(desk, { kind: "image", tag: tagUnder(desk.root, "Figure", caption), image, ...shown })
      putFrame(desk, shown)
    }
    putCaption(desk, caption, frame)
  }
  desk.y -= height + heightOf(2, CAPTION) + 10
}

type Frame = { readonly x: number; readonly y: number; readonly width: number; readonly height: number }

function putFrame(desk: Desk, { x, y, width, height }: Frame): void {
  const box = [x, y, width, height].map(writeNumber).join(" ")
  put(desk, { kind: "drawing", content: `${stroke(FAINT)} 0.75 w ${box} re S` })
}

function putMiddle(desk: Desk, text: string, { x, y, width, height }: Frame): void {
  const tag = tagUnder(desk.root, "P")
  for (const [i, letters] of linesOf(text, CAPTION, width - 16).entries())
    putLine(desk, tag, letters, CAPTION, { x: x + 8, y: y + height / 2 - heightOf(i, CAPTION) })
}

function putCaption(desk: Desk, text: string, { x, y, width }: Frame): void {
  const tag = tagUnder(desk.root, "P")
  for (const [i, letters] of linesOf(text, CAPTION, width).slice(0, 2).entries())
    putLine(desk, tag, letters, CAPTION, { x, y: y - 4 - heightOf(i, CAPTION) })
}
