// Where picture and text stand in the box of a signature: beside each other or above each other, whichever shows more of
// both. Points, from the lower left corner of the box.

import { textFont } from "./font.ts"
import type { Area, Size } from "./ink.ts"
import { type FittedText, fitText, LEADING, type Letter, MAX_TEXT_SIZE } from "./text.ts"

export type Layout = {
  readonly image?: Area
  readonly text?: {
    readonly size: number
    /** Each with the start of its baseline. */
    readonly lines: readonly { readonly x: number; readonly y: number; readonly letters: readonly Letter[] }[]
  }
}

export function layOut(box: Size, image: Size | undefined, lines: readonly (readonly Letter[])[]): Layout {
  const inner = padded(box)
  if (lines.length === 0) return image === undefined ? {} : { image: within(inner, image) }
  if (image === undefined) return textIn(inner, fitText(lines, inner.width, inner.height))
  return best(inner, image, lines)
}

export function padded({ width, height }: Size): Area {
  const edge = Math.min(3, Math.min(width, height) * 0.05)
  return { x: edge, y: edge, width: width - 2 * edge, height: height - 2 * edge }
}

/** As large as it goes, its shape kept, in the middle. */
export function within(area: Area, { width, height }: Size): Area {
  const scale = Math.min(area.width / width, area.height / height)
  const size = { width: width * scale, height: height * scale }
  return {
    x: area.x + (area.width - size.width) / 2,
    y: area.y + (area.height - size.height) / 2,
    ...size,
  }
}

export function textIn(area: Area, fitted: FittedText | undefined): Layout {
  if (fitted === undefined) return {}
  const { ascent, unitsPerEm } = textFont()
  const { size, lines, height } = fitted
  const top = area.y + area.height - Math.max(0, area.height - height) / 2
  const first = top - (size * ascent) / unitsPerEm
  return {
    text: {
      size,
      lines: lines.map((letters, i) => ({ x: area.x, y: first - i * size * LEADING, letters })),
    },
  }
}

type Split = { readonly image: Area; readonly text: Area }

function best(inner: Area, image: Size, lines: readonly (readonly Letter[])[]): Layout {
  let chosen: Layout = { image: within(inner, image) }
  let worth = 0
  for (const share of [0.3, 0.4, 0.5, 0.6, 0.7]) {
    for (const split of [beside(inner, image, share), above(inner, image, share)]) {
      const fitted = fitText(lines, split.text.width, split.text.height)
      if (fitted === undefined) continue
      const score = worthOf(inner, split, fitted)
      if (score <= worth) continue
      worth = score
      chosen = { image: split.image, ...textIn(split.text, fitted) }
    }
  }
  return chosen
}

// Large letters and a large picture count the same; text that is not all there counts little.
function worthOf(inner: Area, { image }: Split, { size, cut }: FittedText): number {
  const shown = (image.width * image.height) / (inner.width * inner.height)
  return Math.sqrt(shown) + (cut ? 0.1 : size / MAX_TEXT_SIZE)
}

function gap(inner: Area): number {
  return Math.min(6, Math.min(inner.width, inner.height) * 0.08)
}

// The text gets what the picture leaves, which may be more than its share.
function beside(inner: Area, image: Size, share: number): Split {
  const shown = within({ ...inner, width: inner.width * share }, image)
  const left = inner.x + shown.width + gap(inner)
  const text = { ...inner, x: left, width: Math.max(0, inner.x + inner.width - left) }
  return { image: { ...shown, x: inner.x }, text }
}

function above(inner: Area, image: Size, share: number): Split {
  const area = { ...inner, y: inner.y + inner.height * (1 - share), height: inner.height * share }
  const shown = within(area, image)
  const height = Math.max(0, inner.height - shown.height - gap(inner))
  return {
    image: { ...shown, x: inner.x, y: inner.y + inner.height - shown.height },
    text: { ...inner, height },
  }
}
