// A picture of a signature, often the photograph of a sheet of paper: upright, the paper white, its shadows gone, the empty
// margin cut away. On white and without transparency, which PDF/A-1 forbids.

import { type Pixels, readImage } from "@paraph/pades/image"
import { ImageRefused } from "@paraph/pades/image-refused"

/** Points at 300 to the inch: 1200 by 600 pixels are enough for the largest box that anybody signs in. */
const BOX = { width: 288, height: 144 }
/** A picture whose edge is darker than this is not writing on paper, and is left as it is. */
const PAPER = 110
/** The paper is looked at in so many fields each way. */
const FIELDS = 12
/** Of the lightest paper in the picture. */
const DARKEST_SHADOW = 0.45
/** Of the lightness of the paper: what is lighter is paper too. */
const WHITE_FROM = 0.88
/** A pixel is ink where it is this much darker than white. */
const INK = 24
const MARGIN = 0.03

type Rgb = Omit<Pixels, "mask">

/** Throws `ImageRefused`. */
export async function cleaned(file: Uint8Array): Promise<Rgb> {
  const { width, height, rgb } = await readImage(file, BOX)
  const picture = { width, height, rgb }
  return trimmed(isPaper(picture) ? whitened(picture) : picture)
}

/** Twice as many pixels as it is ever shown in, for screens that have two to a dot: 600 by 200. */
const LOGO = { width: 144, height: 48 }

/** A logo keeps its colours, whatever is at its edge; what is transparent is white. Throws `ImageRefused`. */
export async function cleanedLogo(file: Uint8Array): Promise<Rgb> {
  const { width, height, rgb } = await readImage(file, LOGO)
  return trimmed({ width, height, rgb })
}

const lightness = (rgb: Uint8Array, pixel: number): number =>
  (3 * (rgb[3 * pixel] ?? 0) + 6 * (rgb[3 * pixel + 1] ?? 0) + (rgb[3 * pixel + 2] ?? 0)) / 10

/** By most of its edge: ink seldom reaches there. */
function isPaper({ width, height, rgb }: Rgb): boolean {
  const edge: number[] = []
  for (let x = 0; x < width; x++) edge.push(lightness(rgb, x), lightness(rgb, (height - 1) * width + x))
  for (let y = 0; y < height; y++) edge.push(lightness(rgb, y * width), lightness(rgb, y * width + width - 1))
  return percentile(edge, 0.3) >= PAPER
}

/** Each pixel by the paper around it: so shadows and the colour of the light go, and the ink keeps its own. */
function whitened({ width, height, rgb }: Rgb): Rgb {
  const channels = [0, 1, 2].map((channel) => paperOf({ width, height, rgb }, channel))
  const white = new Uint8Array(rgb.length)
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const pixel = y * width + x
      for (const [channel, paper] of channels.entries()) {
        const share = (rgb[3 * pixel + channel] ?? 0) / between(paper, (x + 0.5) / width, (y + 0.5) / height)
        white[3 * pixel + channel] = Math.min(255, Math.round((255 * share) / WHITE_FROM))
      }
    }
  return { width, height, rgb: white }
}

/** How light the paper is, in each of the fields: lighter than most of what is there, since ink is thin. */
function paperOf({ width, height, rgb }: Rgb, channel: number): readonly number[] {
  const fields: number[] = []
  for (let row = 0; row < FIELDS; row++)
    for (let column = 0; column < FIELDS; column++) {
      const values: number[] = []
      const [fromX, toX] = spanOf(column, width)
      const [fromY, toY] = spanOf(row, height)
      for (let y = fromY; y < toY; y++)
        for (let x = fromX; x < toX; x++) values.push(rgb[3 * (y * width + x) + channel] ?? 0)
      fields.push(percentile(values, 0.85))
    }
  return withoutInk(fields)
}

/** A field that is full of ink has its paper from those around it, however far; no shadow is as dark as ink. */
function withoutInk(fields: readonly number[]): readonly number[] {
  const darkest = Math.max(PAPER / 2, DARKEST_SHADOW * fields.reduce((a, b) => Math.max(a, b), 0))
  let paper = fields.map((value) => (value < darkest ? 0 : value))
  if (paper.every((value) => value === 0)) return fields.map(() => darkest)
  while (paper.includes(0)) {
    const around = lightestAround(paper)
    paper = paper.map((value, i) => (value === 0 ? (around[i] ?? darkest) : value))
  }
  return lightestAround(paper)
}

function lightestAround(fields: readonly number[]): readonly number[] {
  return fields.map((_, i) => {
    const [row, column] = [Math.floor(i / FIELDS), i % FIELDS]
    let lightest = 0
    for (let y = Math.max(0, row - 1); y <= Math.min(FIELDS - 1, row + 1); y++)
      for (let x = Math.max(0, column - 1); x <= Math.min(FIELDS - 1, column + 1); x++)
        lightest = Math.max(lightest, fields[FIELDS * y + x] ?? 0)
    return lightest
  })
}

const spanOf = (field: number, side: number): readonly [number, number] => {
  const from = Math.min(Math.floor((field * side) / FIELDS), side - 1)
  return [from, Math.max(from + 1, Math.floor(((field + 1) * side) / FIELDS))]
}

function percentile(values: readonly number[], share: number): number {
  const sorted = Float64Array.from(values).sort()
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0
}

/** From the middles of the four fields around a place. */
function between(fields: readonly number[], x: number, y: number): number {
  const [column, right] = neighbours(x)
  const [row, down] = neighbours(y)
  const field = (r: number, c: number) => fields[FIELDS * r + c] ?? 255
  const upper = field(row, column) * (1 - right) + field(row, column + 1) * right
  const lower = field(row + 1, column) * (1 - right) + field(row + 1, column + 1) * right
  return upper * (1 - down) + lower * down
}

const neighbours = (share: number): readonly [index: number, beyond: number] => {
  const at = Math.min(Math.max(share * FIELDS - 0.5, 0), FIELDS - 1.001)
  return [Math.floor(at), at - Math.floor(at)]
}

/** Cut to what is inked, with a little room around it. */
function trimmed({ width, height, rgb }: Rgb): Rgb {
  let [left, top, right, bottom] = [width, height, -1, -1]
  for (let pixel = 0; pixel < width * height; pixel++) {
    if (lightness(rgb, pixel) > 255 - INK) continue
    const [x, y] = [pixel % width, Math.floor(pixel / width)]
    left = Math.min(left, x)
    right = Math.max(right, x)
    top = Math.min(top, y)
    bottom = Math.max(bottom, y)
  }
  if (right < 0) throw new ImageRefused("unreadable", "The picture shows nothing.")
  const room = Math.ceil(MARGIN * Math.max(right - left, bottom - top))
  ;[left, top] = [Math.max(0, left - room), Math.max(0, top - room)]
  ;[right, bottom] = [Math.min(width - 1, right + room), Math.min(height - 1, bottom + room)]
  const size = { width: right - left + 1, height: bottom - top + 1 }
  const cut = new Uint8Array(3 * size.width * size.height)
  for (let y = 0; y < size.height; y++) {
    const from = 3 * ((top + y) * width + left)
    cut.set(rgb.subarray(from, from + 3 * size.width), 3 * y * size.width)
  }
  return { ...size, rgb: cut }
}
