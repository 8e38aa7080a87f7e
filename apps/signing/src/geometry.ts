import type { Position, SigningDocument } from "./api.ts"

export type Size = { readonly width: number; readonly height: number }

export const POINTS_PER_MM = 72 / 25.4
const MIN_WIDTH = 15 * POINTS_PER_MM
const MIN_HEIGHT = 6 * POINTS_PER_MM

/** As tall and wide as people sign by hand. */
export const USUAL_SIZE: Size = { width: 62 * POINTS_PER_MM, height: 21 * POINTS_PER_MM }

export function pageSize({ pageSizes, pageWidth, pageHeight }: SigningDocument, index: number): Size {
  let before = 0
  for (const run of pageSizes ?? []) {
    before += run.count
    if (index < before) return run
  }
  return { width: pageWidth, height: pageHeight }
}

/** Where a position lies on the picture of its page, in per cent from the upper left corner. */
export function onPicture({ x, y, width, height }: Omit<Position, "page">, page: Size) {
  return {
    left: `${(x / page.width) * 100}%`,
    top: `${((page.height - y - height) / page.height) * 100}%`,
    width: `${(width / page.width) * 100}%`,
    height: `${(height / page.height) * 100}%`,
  }
}

/** Nothing of a signature lies outside of its page, and none is too small to be seen. */
export function within(position: Position, page: Size): Position {
  const width = clamp(position.width, Math.min(MIN_WIDTH, page.width), page.width)
  const height = clamp(position.height, Math.min(MIN_HEIGHT, page.height), page.height)
  return {
    page: position.page,
    x: round(clamp(position.x, 0, page.width - width)),
    y: round(clamp(position.y, 0, page.height - height)),
    width: round(width),
    height: round(height),
  }
}

export const millimetres = (points: number): number => Math.round(points / POINTS_PER_MM)

const clamp = (value: number, min: number, max: number): number => Math.min(Math.max(value, min), max)
const round = (value: number): number => Math.floor(value * 100) / 100
