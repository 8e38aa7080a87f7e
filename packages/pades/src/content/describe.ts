// What a person and the interface want to know of a PDF before it is signed.

import { asSource, type Source } from "../source.ts"
import { type OpenOptions, openPdf } from "../structure/document.ts"
import { readForm } from "./form.ts"
import { isClosed } from "./lock.ts"
import { countPages, firstPage, pageSize } from "./page.ts"

export type PdfDescription = {
  readonly pageCount: number
  /** Whole points of the first page as it is shown: cropped and turned. */
  readonly pageWidth: number
  readonly pageHeight: number
  readonly signatureFields: readonly { readonly name: string; readonly signed: boolean }[]
  /** An earlier signature forbids any further one; `prepare` would refuse. */
  readonly locked: boolean
}

/** Throws `PdfRefused` for a file that we could not sign soundly; with a password also an encrypted one is described. */
export function describePdf(file: Uint8Array | Source, options: OpenOptions = {}): PdfDescription {
  const pdf = openPdf(asSource(file), { ...options, toGrow: true })
  const form = readForm(pdf)
  const { width, height } = pageSize(pdf, firstPage(pdf))
  return {
    pageCount: countPages(pdf),
    pageWidth: width,
    pageHeight: height,
    signatureFields: form.signatureFields.map(({ name, signature }) => ({
      name,
      signed: signature !== undefined,
    })),
    locked: isClosed(pdf, form),
  }
}
