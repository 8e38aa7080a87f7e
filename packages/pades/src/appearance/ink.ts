// What is shown as large as it goes, its shape kept: the common form of a name in a handwriting, a drawing and a picture.

import type { ImageParts } from "./appearance-objects.ts"
import type { FontParts } from "./font-objects.ts"

export type Size = { readonly width: number; readonly height: number }
/** Points, from the lower left corner of the box. */
export type Area = { readonly x: number; readonly y: number } & Size

/** One way to show a mark: its shape, and the operators that fill an area of that shape with it. */
export type Ink = Size & {
  /** How many points a unit is at most. */
  readonly largest?: number
  readonly draw: (area: Area) => string
}

export type InkedMark = {
  /** A long name can also be set in two rows. */
  readonly ways: readonly Ink[]
  readonly hand?: FontParts
  readonly image?: ImageParts
}

/** The blue-black of a pen: dark enough for any copier, and seen not to be print. */
export const INK = "0.05 0.1 0.34"
