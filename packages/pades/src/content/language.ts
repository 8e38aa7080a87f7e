// The natural language of a document (ISO 32000-2, 14.9.2): what a reader of the screen should speak.

import { PdfRefused } from "../refused.ts"
import type { Source } from "../source.ts"
import { openPdf, resolve } from "../structure/document.ts"
import { entry, textOf } from "../syntax/value.ts"

const TAG = /^[a-z]{2,3}(-[a-z0-9]{1,8}){0,5}$/i

/** As BCP 47 has it; null where the document says none, or nothing that is a language. */
export function documentLanguage(source: Source): string | null {
  try {
    const pdf = openPdf(source)
    const value = resolve(pdf, entry(pdf.catalog, "Lang"))
    if (typeof value !== "object" || value?.type !== "string") return null
    const tag = textOf(value)
    return TAG.test(tag) ? tag : null
  } catch (error) {
    // Who draws it reads more than we do: no reason to show no text.
    if (error instanceof PdfRefused) return null
    throw error
  }
}
