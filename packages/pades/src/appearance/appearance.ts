// What a visible signature shows: a picture or a person's mark, lines of text, or both, laid out in a box of a given size. Made
// once, where pictures may be decoded; appearance-objects.ts puts it into a file.

import { MAX_PAGE_POINTS } from "../syntax/limits.ts"
import { type AppearanceParts, numbers } from "./appearance-objects.ts"
import { captioned, SEPARATOR } from "./captioned.ts"
import { type EmbeddedFont, embedFont } from "./embed-font.ts"
import { readImage } from "./image.ts"
import { type Layout, layOut } from "./layout.ts"
import { imageParts, inked, type Mark } from "./mark.ts"
import { type Letter, shape } from "./text.ts"

export type { Mark } from "./mark.ts"

export type AppearanceOptions = {
  /** In points. */
  readonly width: number
  readonly height: number
  /** PNG or JPEG; throws `ImageRefused`. */
  readonly image?: Uint8Array
  /** What a person chose to sign with, instead of an image; a drawing beyond the limits throws a RangeError. */
  readonly mark?: Mark
  /** Broken where they are too long. Text that runs from right to left is not supported. */
  readonly lines?: readonly string[]
}

/** More than that is not a caption any more. */
const MAX_LINES = 20
const MAX_LINE_LENGTH = 500

export async function makeAppearance(options: AppearanceOptions): Promise<AppearanceParts> {
  const { width, height, image, mark, lines = [] } = options
  if (!(width > 0 && height > 0 && width <= MAX_PAGE_POINTS && height <= MAX_PAGE_POINTS))
    throw new RangeError("The box of an appearance has no size, or not that of a page.")
  if (lines.length > MAX_LINES || lines.some((line) => line.length > MAX_LINE_LENGTH))
    throw new RangeError("The text of an appearance is too long.")
  if (mark !== undefined) return markedAppearance({ width, height }, mark, lines)
  const pixels = image === undefined ? undefined : await readImage(image, { width, height })
  const shaped = lines.map((line) => shape(line)).filter((line) => line.length > 0)
  const layout = layOut({ width, height }, pixels, shaped)
  const font = embedded(layout.text)
  return {
    width,
    height,
    content: [...picture(layout), ...writeText(layout.text, font?.encode)].join("\n"),
    ...(font === undefined ? {} : { font: font.parts }),
    ...(pixels === undefined ? {} : { image: imageParts(pixels) }),
  }
}

function markedAppearance(
  box: { readonly width: number; readonly height: number },
  mark: Mark,
  lines: readonly string[],
): AppearanceParts {
  const { ways, hand, image } = inked(mark)
  const captions = lines
    .map((line) => ({ letters: shape(line), said: mark.type === "typed" && line === mark.name }))
    .filter(({ letters }) => letters.length > 0)
  const { operators, text } = captioned(box, ways, captions, shapeSeparator())
  const font = embedded(text)
  return {
    ...box,
    content: [...operators, ...writeText(text, font?.encode)].join("\n"),
    ...(font === undefined ? {} : { font: font.parts }),
    // What was left out for want of room is not embedded either.
    ...(hand !== undefined && operators.length > 0 ? { hand } : {}),
    ...(image !== undefined && operators.length > 0 ? { image } : {}),
  }
}

/** Shaped as part of a row: at its ends, spaces would go. */
const shapeSeparator = (): readonly Letter[] => shape(`.${SEPARATOR}.`).slice(1, -1)

function embedded(text: Layout["text"]): EmbeddedFont | undefined {
  const shown = text?.lines.flatMap(({ letters }) => letters) ?? []
  return shown.length === 0 ? undefined : embedFont(shown)
}

function picture({ image }: Layout): readonly string[] {
  if (image === undefined) return []
  return [`q ${numbers(image.width, 0, 0, image.height, image.x, image.y)} cm /Picture Do Q`]
}

function writeText(text: Layout["text"], encode: EmbeddedFont["encode"] | undefined): readonly string[] {
  if (text === undefined || encode === undefined) return []
  return [
    `BT /Colour cs 0.1 0.1 0.1 sc /Text ${numbers(text.size)} Tf`,
    ...text.lines.map(({ x, y, letters }) => `1 0 0 1 ${numbers(x, y)} Tm ${encode(letters)} Tj`),
    "ET",
  ]
}
