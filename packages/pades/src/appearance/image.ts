// A picture that somebody sent, as pixels that a PDF can show anywhere: 8 bits of sRGB each, upright, on white. Decoding
// is the work of libvips; only PNG and JPEG ever reach it.

import sharp, { type Sharp } from "sharp"
import { ImageRefused } from "./image-refused.ts"

export type Pixels = {
  readonly width: number
  readonly height: number
  /** Three octets per pixel, from the top left. */
  readonly rgb: Uint8Array
  /** One bit per pixel, rows padded to octets, 1 where nothing is painted; missing where everything is. */
  readonly mask?: Uint8Array
}

export const MAX_IMAGE_BYTES = 10_000_000
/** A photograph of a telephone has 12 million. */
export const MAX_IMAGE_PIXELS = 25_000_000
/** A file of 157 bytes may say that it is 16 million pixels wide; libvips takes seconds and gigabytes for such a row. */
export const MAX_IMAGE_SIDE = 10_000
const DECODE_SECONDS = 5
/** What is left after scaling; four million pixels are A5 at 300 dots per inch. */
const MAX_SHOWN_PIXELS = 4_000_000
const DOTS_PER_POINT = 300 / 72

/** `box` is the place it will be shown in, in points; more pixels than that can show are not kept. */
export async function readImage(
  bytes: Uint8Array,
  box: { readonly width: number; readonly height: number },
): Promise<Pixels> {
  if (bytes.length > MAX_IMAGE_BYTES) throw new ImageRefused("too-large", "The image has too many bytes.")
  // Sharp would also read SVG, PDF, TIFF and more, whose decoders nobody here wants to trust.
  if (!isPng(bytes) && !isJpeg(bytes)) throw new ImageRefused("format", "The image is neither PNG nor JPEG.")
  const image = await open(bytes)
  try {
    const { data, info } = await scaled(image, box)
      .raw({ depth: "uchar" })
      .toBuffer({ resolveWithObject: true })
    return flatten(data, info)
  } catch (error) {
    throw new ImageRefused("unreadable", "The image cannot be decoded.", { cause: error })
  }
}

function isPng(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.subarray(0, 8)).equals(Buffer.from("89504e470d0a1a0a", "hex"))
}

function isJpeg(bytes: Uint8Array): boolean {
  return bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff
}

async function open(bytes: Uint8Array): Promise<Sharp> {
  try {
    // The limit on pixels is checked by us, so that it has a name; "truncated" refuses a file that is cut short.
    const image = sharp(bytes, { limitInputPixels: false, failOn: "truncated", sequentialRead: true })
    const { width, height } = await image.metadata()
    if (width * height > MAX_IMAGE_PIXELS || width > MAX_IMAGE_SIDE || height > MAX_IMAGE_SIDE)
      throw new ImageRefused("too-large", "The image has too many pixels.")
    return image.timeout({ seconds: DECODE_SECONDS })
  } catch (error) {
    if (error instanceof ImageRefused) throw error
    throw new ImageRefused("unreadable", "The image cannot be decoded.", { cause: error })
  }
}

// The colours of an embedded profile, of CMYK and of grey become sRGB; the orientation of EXIF is applied.
function scaled(image: Sharp, box: { readonly width: number; readonly height: number }): Sharp {
  const wanted = { width: box.width * DOTS_PER_POINT, height: box.height * DOTS_PER_POINT }
  const excess = Math.sqrt(Math.max(1, (wanted.width * wanted.height) / MAX_SHOWN_PIXELS))
  const width = Math.max(1, Math.floor(wanted.width / excess))
  const height = Math.max(1, Math.floor(wanted.height / excess))
  return image
    .autoOrient()
    .resize({ width, height, fit: "inside", withoutEnlargement: true })
    .toColourspace("srgb")
    .ensureAlpha()
}

/** Below this opacity (of 255) a pixel is not painted at all. */
const FAINT = 8

// PDF/A-1 forbids soft masks but not a mask of single bits (ISO 32000-2, 8.9.6.3), so a signature drawn on nothing does
// not cover what is behind it.
function flatten(rgba: Uint8Array, { width, height }: { width: number; height: number }): Pixels {
  const rgb = new Uint8Array(3 * width * height)
  const stride = Math.ceil(width / 8)
  const mask = new Uint8Array(stride * height)
  let masked = false
  for (let pixel = 0; pixel < width * height; pixel++) {
    const alpha = rgba[4 * pixel + 3] ?? 255
    for (let i = 0; i < 3; i++)
      rgb[3 * pixel + i] = Math.round(255 + (((rgba[4 * pixel + i] ?? 255) - 255) * alpha) / 255)
    if (alpha >= FAINT) continue
    const column = pixel % width
    const at = stride * Math.floor(pixel / width) + (column >> 3)
    mask[at] = (mask[at] ?? 0) | (0x80 >> (column & 7))
    masked = true
  }
  return masked ? { width, height, rgb, mask } : { width, height, rgb }
}
