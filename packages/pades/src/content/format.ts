// What kind of file a PDF says that it is: the claim of PDF/A in its metadata, and the program that wrote it.

import { PdfRefused } from "../refused.ts"
import { type Pdf, resolve } from "../structure/document.ts"
import { isSpent } from "../syntax/limits.ts"
import { entry, isDict, textOf } from "../syntax/value.ts"
import { countPages } from "./page.ts"
import { pdfaClaim } from "./pdfa.ts"

export type PdfFormat = {
  readonly fileType: "PDF"
  /** Such as "PDF/A-2B"; whether it is true only a validator of PDF/A can tell. */
  readonly quality?: string
  /** ISO 32000-2, 14.3.3: /Producer, as it stands there, shortened. */
  readonly producer?: string
  readonly pages?: number
}

const MAX_PRODUCER = 200

/** What cannot be read is left out. */
export function describeFormat(pdf: Pdf): PdfFormat {
  const claim = orNothing(pdf, () => pdfaClaim(pdf))
  const producer = orNothing(pdf, () => producerOf(pdf))
  const pages = orNothing(pdf, () => countPages(pdf))
  return {
    fileType: "PDF",
    ...(claim && { quality: `PDF/A-${claim.part}${claim.conformance ?? ""}` }),
    ...(producer && { producer }),
    ...(pages !== undefined && { pages }),
  }
}

function producerOf(pdf: Pdf): string | undefined {
  const info = resolve(pdf, entry(pdf.trailer, "Info"))
  const value = isDict(info) ? resolve(pdf, entry(info, "Producer")) : null
  if (typeof value !== "object" || value?.type !== "string") return undefined
  // It is shown to people: no controls, and not at any length.
  const text = textOf(value).replace(/\p{C}/gu, "").trim()
  return text === "" ? undefined : text.slice(0, MAX_PRODUCER)
}

function orNothing<T>(pdf: Pdf, read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if (error instanceof PdfRefused && !isSpent(pdf.budget)) return undefined
    throw error
  }
}
