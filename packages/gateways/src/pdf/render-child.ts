// The process that draws one page of one PDF, or reads the text of some. PDFium runs as WebAssembly.

import type { Source } from "@paraph/pades/source"
import { answerOnce, type Done } from "./answer.ts"
import { type PageText, textOfPage } from "./page-text.ts"
import { type Pdfium, startPdfium } from "./pdfium.ts"
import { type PictureFormat, pack, pictureSize, type WantedSize } from "./picture.ts"
import { quieten } from "./quieten.ts"

export type RenderAsked = { readonly page: number; readonly format: PictureFormat } & WantedSize

/** Pages are counted from 0. */
export type TextAsked = { readonly textOf: readonly number[] }

export type TextsRead = {
  /** BCP 47, as the document says it. */
  readonly language: string | null
  /** In the order asked for; null where the document has no such page. */
  readonly pages: readonly (PageText | null)[]
}

/** Null: the document has no such page. */
export type Rendered = { readonly widthPx: number; readonly heightPx: number } | null

quieten()
const pdfium = await startPdfium()

answerOnce<RenderAsked | TextAsked>((asked, source) =>
  "textOf" in asked ? read(pdfium, asked, source) : draw(pdfium, asked, source),
)

async function draw({ open }: Pdfium, asked: RenderAsked, source: Source): Promise<Done> {
  const { page, format } = asked
  const document = open(source)
  if (!(page >= 0 && page < document.getPageCount())) return { value: null }
  // PDFium closes a page when it has drawn it, so a page is got anew for each picture.
  const { originalWidth, originalHeight } = document.getPage(page).getOriginalSize()
  const size = pictureSize(originalWidth, originalHeight, asked)
  const { data } = await document.getPage(page).render({ ...size, renderFormFields: true })
  const value: Rendered = { widthPx: size.width, heightPx: size.height }
  return { value, body: await pack(data, size, format) }
}

async function read({ open, module }: Pdfium, { textOf }: TextAsked, source: Source): Promise<Done> {
  // It reads the document with our own parser, whose sources are most of what this process would read at its start.
  const { documentLanguage } = await import("@paraph/pades/language")
  const document = open(source)
  const count = document.getPageCount()
  const pages = textOf.map((page) =>
    page >= 0 && page < count ? textOfPage(module, document.getPage(page)) : null,
  )
  const value: TextsRead = { language: documentLanguage(source), pages }
  return { value }
}
