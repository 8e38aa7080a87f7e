// What a person and the interface want to know of a PDF before it is signed.

import type { ConditionalContent } from "../conditional/finding.ts"
import type { ShownField } from "../conditional/form-values.ts"
import { PdfRefused } from "../refused.ts"
import { asSource, type Source } from "../source.ts"
import { type OpenOptions, openPdf, type Pdf, resolve } from "../structure/document.ts"
import { entry } from "../syntax/value.ts"
import { type ActiveContent, findActiveContent } from "./active.ts"
import { isDocumentTimestamp, readForm } from "./form.ts"
import type { ImagePixels } from "./image-pixels.ts"
import { isClosed } from "./lock.ts"
import { firstPage, type PagePlace, pageSize } from "./page.ts"
import { pdfaClaim } from "./pdfa.ts"
import { type PageRun, placeWidgets } from "./position.ts"

export type PdfDescription = {
  readonly pageCount: number
  /** Whole points of the first page as it is shown: cropped and turned. */
  readonly pageWidth: number
  readonly pageHeight: number
  /** All pages, in order. */
  readonly pageSizes: readonly PageRun[]
  /** Where people sign or have signed: the field of a time-stamp over the document is none of them. */
  readonly signatureFields: readonly DescribedField[]
  /** What its metadata claim, such as "PDF/A-2B"; whether it is true only a validator can tell. */
  readonly pdfa: string | null
  /** An earlier signature forbids any further one; `prepare` would refuse. */
  readonly locked: boolean
  /** What it would do by itself, each kind once; empty for an ordinary document. */
  readonly active: readonly ActiveContent[]
  /** What it shows under a condition only, such as in print or after a click; empty for an ordinary document. */
  readonly conditional: readonly ConditionalContent[]
  /** It uses optional content (ISO 32000-2, 8.11), with or without /OCProperties. */
  readonly hasLayers: boolean
  /** Text fields whose appearance a renderer has to compare with their value. */
  readonly shownFields: readonly ShownField[]
  readonly imagePixels: ImagePixels
}

export type DescribedField = {
  readonly name: string
  readonly signed: boolean
  /** As `prepare` takes a place: several where the field is shown several times, none where it is not seen. */
  readonly positions: readonly PagePlace[]
}

export type DescribeOptions = OpenOptions & {
  /** A file with more pages is refused before its objects are read. */
  readonly maxPages?: number
}

/** Throws `PdfRefused` for a file that we could not sign soundly; with a password also an encrypted one is described. */
export function describePdf(file: Uint8Array | Source, options: DescribeOptions = {}): PdfDescription {
  const { maxPages = Number.POSITIVE_INFINITY } = options
  const pdf = openPdf(asSource(file), { ...options, toGrow: true })
  const form = readForm(pdf)
  const { width, height } = pageSize(pdf, firstPage(pdf))
  const { pageCount, pageSizes, positions } = placeWidgets(pdf, form)
  if (pageCount > maxPages)
    throw new PdfRefused("too-complex", `The PDF has ${pageCount} pages; at most ${maxPages} are accepted.`)
  const people = form.signatureFields.filter(
    ({ signature }) => signature === undefined || !isDocumentTimestamp(pdf, signature),
  )
  const { active, conditional, imagePixels } = findActiveContent(pdf)
  return {
    pageCount,
    pageWidth: width,
    pageHeight: height,
    pageSizes,
    signatureFields: people.map((field) => ({
      name: field.name,
      signed: field.signature !== undefined,
      positions: positions.get(field) ?? [],
    })),
    pdfa: spelled(pdf),
    locked: isClosed(pdf, form),
    active,
    conditional: conditional.found,
    hasLayers: conditional.hasLayers || resolve(pdf, entry(pdf.catalog, "OCProperties")) !== null,
    shownFields: conditional.shownFields,
    imagePixels,
  }
}

function spelled(pdf: Pdf): string | null {
  const claim = pdfaClaim(pdf)
  return claim === undefined ? null : `PDF/A-${claim.part}${claim.conformance ?? ""}`
}
