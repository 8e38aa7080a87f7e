// An appearance as the objects of a form XObject (ISO 32000-2, 12.5.5 and 8.10). Plain data in, plain bytes out: neither
// the font nor a decoder of pictures is needed where a signature is prepared. There is nothing in it that any part of
// PDF/A forbids: the font is embedded, the colours depend on no device, nothing is transparent.

import { deflateSync } from "node:zlib"
import type { Box, Matrix } from "../content/page-frame.ts"
import type { NewObject } from "../write/revision.ts"
import { latin1, writeNumber, writeNumbers } from "../write/syntax.ts"
import { type FontParts, fontObjects, writeStream } from "./font-objects.ts"

/** Plain data, so that it can be stored and drawn in another process; binary as base64. */
export type AppearanceParts = {
  /** In points. */
  readonly width: number
  readonly height: number
  readonly content: string
  readonly font?: FontParts
  /** The handwriting, for a name that is typed. */
  readonly hand?: FontParts
  readonly image?: ImageParts
}

/** Pixels and mask are deflated. */
export type ImageParts = {
  readonly width: number
  readonly height: number
  readonly rgb: string
  readonly mask?: string
}

/**
 * ISO 32000-2, 8.6.5.3: the primaries and the white of sRGB (IEC 61966-2-1), whose curve is close to a gamma of 2.2. PDF/A
 * allows colours of a device only under an output intent that fits them (ISO 19005-1, 6.2.3.3), so we draw with no others.
 */
export const SRGB =
  "[/CalRGB << /WhitePoint [0.9505 1 1.089] /Gamma [2.2 2.2 2.2] /Matrix [0.4124 0.2126 0.0193 0.3576 0.7152 0.1192 0.1805 0.0722 0.9505] >>]"

/** The form XObject first. The same arguments give the same bytes. */
export function appearanceObjects(
  parts: AppearanceParts,
  place: { readonly firstNumber: number; readonly bbox: Box; readonly matrix: Matrix },
): readonly NewObject[] {
  const { firstNumber, bbox, matrix } = place
  const colourNumber = firstNumber + 1
  const fonts = parts.font === undefined ? [] : fontObjects(parts.font, colourNumber + 1)
  const handNumber = colourNumber + 1 + fonts.length
  const hands = parts.hand === undefined ? [] : fontObjects(parts.hand, handNumber)
  const pictureNumber = handNumber + hands.length
  const pictures =
    parts.image === undefined ? [] : imageObjects(parts.image, pictureNumber, `${colourNumber} 0 R`)
  const resources = [
    `/ColorSpace << /Colour ${colourNumber} 0 R >>`,
    ...(fonts.length + hands.length === 0
      ? []
      : [`/Font <<${fontNames(parts, colourNumber + 1, handNumber)} >>`]),
    ...(pictures.length === 0 ? [] : [`/XObject << /Picture ${pictureNumber} 0 R >>`]),
  ]
  const keys = `/Type /XObject /Subtype /Form /BBox ${writeNumbers(bbox)} /Matrix ${writeNumbers(matrix)} /Resources << ${resources.join(" ")} >>`
  return [
    { number: firstNumber, generation: 0, body: contentStream(keys, latin1(fitted(parts, bbox))) },
    { number: colourNumber, generation: 0, body: latin1(SRGB) },
    ...fonts,
    ...hands,
    ...pictures,
  ]
}

const fontNames = ({ font, hand }: AppearanceParts, text: number, written: number): string =>
  `${font === undefined ? "" : ` /Text ${text} 0 R`}${hand === undefined ? "" : ` /Hand ${written} 0 R`}`

/** A drawing has thousands of numbers; a few lines of text are left to be read by whoever looks. */
const LONG = 2000

const contentStream = (keys: string, content: Uint8Array): Uint8Array =>
  content.length <= LONG
    ? writeStream(keys, content)
    : writeStream(`${keys} /Filter /FlateDecode`, deflateSync(content, { level: 9 }))

// Made for one size and shown in another, as in an existing field: scaled evenly and put in the middle.
function fitted({ width, height, content }: AppearanceParts, [left, bottom, right, top]: Box): string {
  const scale = Math.min((right - left) / width, (top - bottom) / height)
  const x = left + (right - left - width * scale) / 2
  const y = bottom + (top - bottom - height * scale) / 2
  if (Math.abs(scale - 1) < 1e-4 && Math.abs(x) < 1e-4 && Math.abs(y) < 1e-4) return content
  return `q ${numbers(scale, 0, 0, scale, x, y)} cm\n${content}\nQ`
}

function imageObjects(image: ImageParts, number: number, colourSpace: string): readonly NewObject[] {
  const size = `/Type /XObject /Subtype /Image /Width ${image.width} /Height ${image.height}`
  const mask = image.mask === undefined ? "" : ` /Mask ${number + 1} 0 R`
  const keys = `${size} /ColorSpace ${colourSpace} /BitsPerComponent 8${mask} /Filter /FlateDecode`
  const picture = writeStream(keys, Buffer.from(image.rgb, "base64"))
  if (image.mask === undefined) return [{ number, generation: 0, body: picture }]
  const maskKeys = `${size} /ImageMask true /BitsPerComponent 1 /Filter /FlateDecode`
  return [
    { number, generation: 0, body: picture },
    { number: number + 1, generation: 0, body: writeStream(maskKeys, Buffer.from(image.mask, "base64")) },
  ]
}

/** Operands, one behind the other. */
export function numbers(...values: readonly number[]): string {
  return values.map(writeNumber).join(" ")
}
