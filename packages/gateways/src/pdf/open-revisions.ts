// The revisions of one PDF, open to be drawn. What was signed is the beginning of the file, so all are read from the same bytes.

import type { PDFiumDocument } from "@hyzyla/pdfium"
import { PdfRefused } from "@paraph/pades/refused"
import { prefix, type Source } from "@paraph/pades/source"
import type { Pdfium } from "./pdfium.ts"

export type Revisions = {
  readonly last: PDFiumDocument
  /** As it was when the file was so long; null where that cannot be drawn. */
  readonly at: (length: number) => PDFiumDocument | null
}

/** Each has what it read in memory. */
const MAX_OPEN = 40

export function openRevisions(pdfium: Pdfium, source: Source): Revisions {
  const last = pdfium.open(source)
  const earlier = new Map<number, PDFiumDocument | null>()
  return {
    last,
    at: (length) => {
      const known = earlier.get(length)
      if (known !== undefined) return known
      for (const [oldest, document] of earlier) {
        if (earlier.size < MAX_OPEN) break
        document?.destroy()
        earlier.delete(oldest)
      }
      const opened = openEarlier(pdfium, prefix(source, Math.max(0, length)))
      earlier.set(length, opened)
      return opened
    },
  }
}

function openEarlier(pdfium: Pdfium, source: Source): PDFiumDocument | null {
  try {
    return pdfium.open(source)
  } catch (error) {
    if (error instanceof PdfRefused) return null
    throw error
  }
}
