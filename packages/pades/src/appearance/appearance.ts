// What a visible signature shows: a picture, lines of text, or both, laid out in a box of a given size. Made once, where
// pictures may be decoded; appearance-objects.ts puts it into a file.

import { deflateSync } from "node:zlib"
import { MAX_PAGE_POINTS } from "../syntax/limits.ts"
import { type AppearanceParts, type ImageParts, numbers } from "./appearance-objects.ts"
import { type EmbeddedFont, embedFont } from "./embed-font.ts"
import { type Pixels, readImage } from "./image.ts"
import { type Layout, layOut } from "./layout.ts"
import { shape } from "./text.ts"

export type AppearanceOptions = {
  /** In points. */
  readonly width: number
  readonly height: number
  /** PNG or JPEG; throws `ImageRefused`. */
  readonly image?: Uint8Array
  /** Broken where they are too long. Text that runs from right to left is not supported. */
  readonly lines?: readonly string[]
}

/** More than that is not a caption any more. */
const MAX_LINES = 20
const MAX_LINE_LENGTH = 500

export async function makeAppearance({
  width,
  height,
  image,
  lines = [],
}: AppearanceOptions): Promise<AppearanceParts> {
  if (!(width > 0 && height > 0 && width <= MAX_PAGE_POINTS && height <= MAX_PAGE_POINTS))
    throw new RangeError("The box of an appearance has no size, or not that of a page.")
  if (lines.length > MAX_LINES || lines.some((line) => line.length > MAX_LINE_LENGTH))
    throw new RangeError("The text of an appearance is too long.")
  const pixels = image === undefined ? undefined : await readImage(image, { width, height })
  const shaped = lines.map(shape).filter((line) => line.length > 0)
  const layout = layOut({ width, height }, pixels, shaped)
  const shown = layout.text?.lines.flatMap(({ letters }) => letters) ?? []
  const font = shown.length === 0 ? undefined : embedFont(shown)
  return {
    width,
    height,
    content: writeContent(layout, font?.encode),
    ...(font === undefined ? {} : { font: font.parts }),
    ...(pixels === undefined ? {} : { image: imageParts(pixels) }),
  }
}

function imageParts({ width, height, rgb, mask }: Pixels): ImageParts {
  const deflated = (bytes: Uint8Array) => deflateSync(bytes, { level: 9 }).toString("base64")
  return { width, height, rgb: deflated(rgb), ...(mask === undefined ? {} : { mask: deflated(mask) }) }
}

function writeContent({ image, text }: Layout, encode: EmbeddedFont["encode"] | undefined): string {
  const operators: string[] = []
  if (image !== undefined)
    operators.push(`q ${numbers(image.width, 0, 0, image.height, image.x, image.y)} cm /Picture Do Q`)
  if (text !== undefined && encode !== undefined) {
    operators.push(`BT /Colour cs 0.1 0.1 0.1 sc /Text ${numbers(text.size)} Tf`)
    for (const { x, y, letters } of text.lines)
      operators.push(`1 0 0 1 ${numbers(x, y)} Tm ${encode(letters)} Tj`)
    operators.push("ET")
  }
  return operators.join("\n")
}
