import { writePng } from "@paraph/pades/png"

export type Colour = readonly [red: number, green: number, blue: number]

/** A block of one colour on white, with so much room around it. */
export function block(
  width: number,
  height: number,
  colour: Colour,
  { left = 0, top = left }: { readonly left?: number; readonly top?: number } = {},
): Buffer {
  const rgb = new Uint8Array(3 * width * height).fill(255)
  for (let y = top; y < height - top; y++)
    for (let x = left; x < width - left; x++) rgb.set(colour, 3 * (y * width + x))
  return Buffer.from(writePng({ width, height, rgb }))
}
