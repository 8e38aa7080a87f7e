import type { Box } from "./draft.ts"

/** Points. */
export type PageSize = { readonly width: number; readonly height: number }

/** Room for a name, a date and a stroke of the pen. */
const USUAL = { width: 180, height: 54 }
export const SMALLEST = { width: 60, height: 24 }

/** One millimetre in points. */
export const MM = 72 / 25.4

/** A box of the usual size around a point. */
export const at = (page: number, x: number, y: number): Box => ({
  page,
  x: x - USUAL.width / 2,
  y: y - USUAL.height / 2,
  ...USUAL,
})

/** The same box, as large as the page allows and wholly on it. */
export function onPage(box: Box, page: PageSize): Box {
  const width = Math.min(Math.max(box.width, SMALLEST.width), page.width)
  const height = Math.min(Math.max(box.height, SMALLEST.height), page.height)
  return {
    page: box.page,
    width,
    height,
    x: Math.min(Math.max(box.x, 0), page.width - width),
    y: Math.min(Math.max(box.y, 0), page.height - height),
  }
}

/** Pixels of a drag on the screen, where y points down, as points on the page, where it points up. */
export const moved = (box: Box, dx: number, dy: number): Box => ({ ...box, x: box.x + dx, y: box.y - dy })

/** By its lower right corner: the upper left one stays. */
export const resized = (box: Box, dx: number, dy: number): Box => {
  const height = Math.max(box.height + dy, SMALLEST.height)
  return { ...box, width: Math.max(box.width + dx, SMALLEST.width), height, y: box.y + box.height - height }
}
