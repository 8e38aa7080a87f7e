// A page as a person sees it and as its content is drawn (ISO 32000-2, 8.3.2.3): cropped, turned, and measured in units
// that may be larger than a point. Numbers only; page.ts reads them from a file.

export type Box = readonly [left: number, bottom: number, right: number, top: number]

/** a b c d e f of 8.3.3: x' = ax + cy + e, y' = bx + dy + f. */
export type Matrix = readonly [number, number, number, number, number, number]

export type Size = { readonly width: number; readonly height: number }

/** In points, from the lower left corner of the page as it is shown. */
export type ShownRect = { readonly x: number; readonly y: number } & Size

export type PageFrame = {
  /** In default user space: the part of the page that is shown. */
  readonly box: Box
  /** Clockwise. */
  readonly rotation: 0 | 90 | 180 | 270
  /** Points per unit of user space. */
  readonly unit: number
}

/** What an annotation needs so that its appearance fills a rectangle and stands upright. */
export type Shown = {
  /** In default user space, for /Rect. */
  readonly rect: Box
  /** In points, for the /BBox of the appearance stream. */
  readonly bbox: Box
  /** For its /Matrix. */
  readonly matrix: Matrix
}

/** In points, turned as it is shown. */
export function shownSize({ box: [left, bottom, right, top], rotation, unit }: PageFrame): Size {
  const width = (right - left) * unit
  const height = (top - bottom) * unit
  return rotation % 180 === 0 ? { width, height } : { width: height, height: width }
}

/** Pages are told to callers in whole points, so half a point beyond the edge is meant to be the edge. */
const ROUNDED_OFF = 0.5

/** Throws a RangeError where the rectangle does not lie in the page. */
export function toUserSpace(frame: PageFrame, { x, y, width, height }: ShownRect): Box {
  const shown = shownSize(frame)
  const right = x + width
  const top = y + height
  // In this form, because a comparison with what is not a number is false.
  if (!(width > 0 && height > 0)) throw new RangeError("The rectangle has no size.")
  if (
    !(x >= 0 && y >= 0 && x < shown.width && y < shown.height) ||
    !(right <= shown.width + ROUNDED_OFF && top <= shown.height + ROUNDED_OFF)
  )
    throw new RangeError("The rectangle does not lie in the page.")
  return transformBox(shownToUser(frame), [x, y, Math.min(right, shown.width), Math.min(top, shown.height)])
}

export function fromUserSpace(frame: PageFrame, rect: Box): ShownRect {
  const [left, bottom, right, top] = transformBox(inverse(shownToUser(frame)), rect)
  return { x: left, y: bottom, width: right - left, height: top - bottom }
}

/** 12.5.5: the matrix turns the content against the page; a reader moves and scales the result to /Rect. */
export function upright(frame: PageFrame, rect: Box): Shown {
  const { width, height } = fromUserSpace(frame, rect)
  const [a, b, c, d] = shownToUser(frame)
  const bbox: Box = [0, 0, width, height]
  // Moved so that the turned box begins at zero, for readers that expect it there.
  const [left, bottom] = transformBox([a, b, c, d, 0, 0], bbox)
  return { rect, bbox, matrix: [a, b, c, d, 0 - left, 0 - bottom] }
}

/** From points of the shown page to default user space. /Rotate turns clockwise, so content is turned the other way. */
export function shownToUser({ box: [left, bottom, right, top], rotation, unit }: PageFrame): Matrix {
  const scale = 1 / unit
  const turned: Record<PageFrame["rotation"], Matrix> = {
    0: [scale, 0, 0, scale, left, bottom],
    90: [0, scale, -scale, 0, right, bottom],
    180: [-scale, 0, 0, -scale, right, top],
    270: [0, -scale, scale, 0, left, top],
  }
  return turned[rotation]
}

/** First `inner`, then `outer`. */
export function concatenate(inner: Matrix, outer: Matrix): Matrix {
  const [a, b, c, d, e, f] = inner
  const [A, B, C, D, E, F] = outer
  return [a * A + b * C, a * B + b * D, c * A + d * C, c * B + d * D, e * A + f * C + E, e * B + f * D + F]
}

function inverse([a, b, c, d, e, f]: Matrix): Matrix {
  const determinant = a * d - b * c
  const moved = [(c * f - d * e) / determinant, (b * e - a * f) / determinant] as const
  return [d / determinant, -b / determinant, -c / determinant, a / determinant, ...moved]
}

function transformBox([a, b, c, d, e, f]: Matrix, [left, bottom, right, top]: Box): Box {
  const x = [a * left + c * bottom + e, a * right + c * top + e] as const
  const y = [b * left + d * bottom + f, b * right + d * top + f] as const
  return [Math.min(...x), Math.min(...y), Math.max(...x), Math.max(...y)]
}
