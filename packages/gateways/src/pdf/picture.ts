// How large a page is drawn, and how its pixels are packed. sharp is native code, and sees pixels only.

import { PdfRefused } from "@paraph/pades/refused"
import sharp from "sharp"

export type PictureFormat = "webp" | "png"

/** Pixels across, or percent of the size on paper at 96 pixels to the inch, which is how a browser shows it. */
export type WantedSize = { readonly widthPx: number } | { readonly scale: number }

export type PictureSize = { readonly width: number; readonly height: number }

const MIN_WIDTH_PX = 16
const MAX_WIDTH_PX = 2560
// R19 allows 100 Mpx, but a child has 512 MB, and a pixel takes up to 30 bytes while it is drawn and packed.
const MAX_PIXELS = 8_000_000
const MAX_SIDE_PX = 16_383 // of a WebP
const PX_PER_POINT = 96 / 72

sharp.concurrency(1)
sharp.cache(false)

export function pictureSize(pageWidth: number, pageHeight: number, wanted: WantedSize): PictureSize {
  if (!(pageWidth > 0 && pageHeight > 0)) throw new PdfRefused("corrupt", "The page has no size.")
  const asked = "widthPx" in wanted ? wanted.widthPx : (pageWidth * PX_PER_POINT * wanted.scale) / 100
  const within = Math.min(Math.max(Math.round(asked), MIN_WIDTH_PX), MAX_WIDTH_PX)
  const ratio = pageHeight / pageWidth
  const width = Math.min(within, MAX_SIDE_PX / ratio, Math.sqrt(MAX_PIXELS / ratio))
  return { width: Math.max(1, Math.floor(width)), height: Math.max(1, Math.floor(width * ratio)) }
}

export function pack(rgba: Uint8Array, size: PictureSize, format: PictureFormat): Promise<Uint8Array> {
  const grey = isGrey(rgba)
  if (format === "webp") return smallestWebp(rgba, size, grey)
  return pixels(rgba, size, grey).png().toBuffer()
}

/** A page of black text is smaller without loss; one with photographs is smaller with it. */
async function smallestWebp(rgba: Uint8Array, size: PictureSize, grey: boolean): Promise<Uint8Array> {
  const lossy = await pixels(rgba, size).webp({ quality: 70 }).toBuffer()
  if (!grey) return lossy
  const exact = await pixels(rgba, size, true).webp({ nearLossless: true, quality: 60 }).toBuffer()
  return exact.length <= lossy.length ? exact : lossy
}

function pixels(rgba: Uint8Array, size: PictureSize, grey = false) {
  const picture = sharp(rgba, { raw: { ...size, channels: 4 } }).removeAlpha()
  return grey ? picture.greyscale() : picture
}

function isGrey(rgba: Uint8Array): boolean {
  for (let at = 0; at < rgba.length; at += 4)
    if (rgba[at] !== rgba[at + 1] || rgba[at] !== rgba[at + 2]) return false
  return true
}
