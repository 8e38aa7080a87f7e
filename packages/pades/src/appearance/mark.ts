// What a person signs with in a visible signature: the name in a handwriting, a drawing, or a picture. Each is something that
// is shown as large as it goes, its shape kept.

import { deflateSync } from "node:zlib"
import { type ImageParts, numbers } from "./appearance-objects.ts"
import { type Drawing, drawnInk } from "./drawing.ts"
import type { Hand } from "./font.ts"
import type { Pixels } from "./image.ts"
import type { Area, InkedMark } from "./ink.ts"
import { writtenInk } from "./written.ts"

export type Mark =
  | { readonly type: "typed"; readonly hand: Hand; readonly name: string }
  | ({ readonly type: "drawn" } & Drawing)
  | { readonly type: "picture"; readonly pixels: Pixels }

/** Throws a RangeError for a drawing beyond the limits. */
export function inked(mark: Mark): InkedMark {
  if (mark.type === "typed") return writtenInk(mark.name, mark.hand)
  if (mark.type === "drawn") return { ways: [drawnInk(mark)] }
  const { width, height } = mark.pixels
  const draw = (area: Area) => `q ${numbers(area.width, 0, 0, area.height, area.x, area.y)} cm /Picture Do Q`
  return { ways: [{ width, height, draw }], image: imageParts(mark.pixels) }
}

export function imageParts({ width, height, rgb, mask }: Pixels): ImageParts {
  const deflated = (bytes: Uint8Array) => deflateSync(bytes, { level: 9 }).toString("base64")
  return { width, height, rgb: deflated(rgb), ...(mask === undefined ? {} : { mask: deflated(mask) }) }
}
