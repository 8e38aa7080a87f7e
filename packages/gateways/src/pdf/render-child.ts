// The process that draws one page of one PDF. PDFium runs as WebAssembly; sharp is native and sees pixels only.

import { type PDFiumDocument, PDFiumLibrary } from "@hyzyla/pdfium"
import { PdfRefused } from "@paraph/pades/refused"
import sharp from "sharp"
import { answerOnce } from "./answer.ts"

export type RenderAsked = { readonly page: number; readonly widthPx: number }

/** Null: the document has no such page. */
export type Rendered = { readonly widthPx: number; readonly heightPx: number } | null

const MIN_WIDTH_PX = 16
const MAX_WIDTH_PX = 2560
// R19 allows 100 Mpx, but a child has 512 MB, and a pixel takes up to 30 bytes while it is drawn and packed.
const MAX_PIXELS = 8_000_000
const MAX_SIDE_PX = 16_383 // of a WebP

quieten()
sharp.concurrency(1)
sharp.cache(false)
const pdfium = await PDFiumLibrary.init()

answerOnce<RenderAsked>(async ({ page, widthPx }, bytes) => {
  const document = await load(bytes)
  if (!(page >= 0 && page < document.getPageCount())) return { value: null }
  // PDFium closes a page when it has drawn it, so a page is got anew for each picture.
  const { originalWidth, originalHeight } = document.getPage(page).getOriginalSize()
  const size = pictureSize(originalWidth, originalHeight, widthPx)
  const { data } = await document.getPage(page).render({ ...size, renderFormFields: true })
  const picture = await smallestWebp(data, size)
  return { value: { widthPx: size.width, heightPx: size.height } satisfies Rendered, body: picture }
})

async function load(bytes: Uint8Array): Promise<PDFiumDocument> {
  try {
    return await pdfium.loadDocument(bytes)
  } catch (error) {
    if (error instanceof Error && error.name === "RuntimeError") throw error
    const encrypted = error instanceof Error && /[Pp]assword|security/.test(error.message)
    throw new PdfRefused(encrypted ? "encrypted" : "corrupt", "The PDF cannot be opened for drawing.")
  }
}

function pictureSize(pageWidth: number, pageHeight: number, widthPx: number) {
  if (!(pageWidth > 0 && pageHeight > 0)) throw new PdfRefused("corrupt", "The page has no size.")
  const wanted = Math.min(Math.max(Math.round(widthPx), MIN_WIDTH_PX), MAX_WIDTH_PX)
  const ratio = pageHeight / pageWidth
  const width = Math.min(wanted, MAX_SIDE_PX / ratio, Math.sqrt(MAX_PIXELS / ratio))
  return { width: Math.max(1, Math.floor(width)), height: Math.max(1, Math.floor(width * ratio)) }
}

/** A page of black text is smaller without loss; one with photographs is smaller with it. */
async function smallestWebp(rgba: Uint8Array, size: { width: number; height: number }): Promise<Uint8Array> {
  const raw = { raw: { ...size, channels: 4 as const } }
  const sharpened = isGrey(rgba)
    ? sharp(rgba, raw).removeAlpha().greyscale().webp({ nearLossless: true, quality: 60 })
    : null
  const lossy = await sharp(rgba, raw).removeAlpha().webp({ quality: 70 }).toBuffer()
  const exact = await sharpened?.toBuffer()
  return exact !== undefined && exact.length <= lossy.length ? exact : lossy
}

function isGrey(rgba: Uint8Array): boolean {
  for (let at = 0; at < rgba.length; at += 4)
    if (rgba[at] !== rgba[at + 1] || rgba[at] !== rgba[at + 2]) return false
  return true
}

/** Standard output belongs to the frames; the renderer's own remarks would break them. */
function quieten(): void {
  const nothing = () => undefined
  Object.assign(globalThis.console, {
    log: nothing,
    info: nothing,
    warn: nothing,
    error: nothing,
    debug: nothing,
  })
}
