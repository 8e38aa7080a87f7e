// The process that draws one page of one PDF. PDFium runs as WebAssembly.

import { answerOnce } from "./answer.ts"
import { startPdfium } from "./pdfium.ts"
import { type PictureFormat, pack, pictureSize, type WantedSize } from "./picture.ts"

export type RenderAsked = { readonly page: number; readonly format: PictureFormat } & WantedSize

/** Null: the document has no such page. */
export type Rendered = { readonly widthPx: number; readonly heightPx: number } | null

quieten()
const pdfium = await startPdfium()

answerOnce<RenderAsked>(async (asked, source) => {
  const { page, format } = asked
  const document = pdfium.open(source)
  if (!(page >= 0 && page < document.getPageCount())) return { value: null }
  // PDFium closes a page when it has drawn it, so a page is got anew for each picture.
  const { originalWidth, originalHeight } = document.getPage(page).getOriginalSize()
  const size = pictureSize(originalWidth, originalHeight, asked)
  const { data } = await document.getPage(page).render({ ...size, renderFormFields: true })
  const value: Rendered = { widthPx: size.width, heightPx: size.height }
  return { value, body: await pack(data, size, format) }
})

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
