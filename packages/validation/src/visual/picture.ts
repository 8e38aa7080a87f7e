// A page as it was drawn: pixels, and places among them. Nothing here knows of PDF.

export type Raster = {
  readonly width: number
  readonly height: number
  /** Red, green, blue and one octet that nobody reads, row by row from the upper left. */
  readonly rgba: Uint8Array
}

/** In pixels from the upper left; `right` and `bottom` lie just outside. */
export type Box = {
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
}

export const areaOf = ({ left, top, right, bottom }: Box): number =>
  Math.max(0, right - left) * Math.max(0, bottom - top)

export const around = (a: Box | undefined, b: Box): Box =>
  a === undefined
    ? b
    : {
        left: Math.min(a.left, b.left),
        top: Math.min(a.top, b.top),
        right: Math.max(a.right, b.right),
        bottom: Math.max(a.bottom, b.bottom),
      }

export function boxAround(pixels: readonly number[], width: number): Box | undefined {
  return pixels.reduce<Box | undefined>((all, at) => {
    const [left, top] = [at % width, Math.floor(at / width)]
    return around(all, { left, top, right: left + 1, bottom: top + 1 })
  }, undefined)
}

/** What of the box lies in a picture of this size. */
export const within = (box: Box, { width, height }: Pick<Raster, "width" | "height">): Box => ({
  left: Math.min(Math.max(0, Math.floor(box.left)), width),
  top: Math.min(Math.max(0, Math.floor(box.top)), height),
  right: Math.min(Math.max(0, Math.ceil(box.right)), width),
  bottom: Math.min(Math.max(0, Math.ceil(box.bottom)), height),
})

export const moved = ({ left, top, right, bottom }: Box, x: number, y: number): Box => ({
  left: left + x,
  top: top + y,
  right: right + x,
  bottom: bottom + y,
})

/** By how much two pixels differ: in the colour that differs most, 0 to 255. */
export function distance(a: Uint8Array, atA: number, b: Uint8Array, atB: number): number {
  const red = Math.abs((a[atA] ?? 0) - (b[atB] ?? 0))
  const green = Math.abs((a[atA + 1] ?? 0) - (b[atB + 1] ?? 0))
  const blue = Math.abs((a[atA + 2] ?? 0) - (b[atB + 2] ?? 0))
  return Math.max(red, green, blue)
}
