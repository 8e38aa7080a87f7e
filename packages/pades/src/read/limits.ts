// A 1 KB PDF can hang or fill a parser, so there is a limit on everything that such a file could ask for.

import { PdfRefused } from "../refused.ts"

export const MAX_OBJECTS = 1_000_000
/** Arrays in dictionaries in arrays, page tree nodes below each other, fields below each other. */
export const MAX_NESTING = 100
/** Revisions: a person saves a document dozens of times, not thousands. */
export const MAX_XREF_SECTIONS = 1_000
/** ISO 32000-2, Annex C: 200 inches. */
export const MAX_PAGE_POINTS = 14_400
const MAX_VALUES = 5_000_000
const MAX_DECODED_BYTES = 1_000_000_000

/** What one reading of one file may still spend. */
export type Budget = { decodedBytes: number; values: number }

export function newBudget(fileBytes: number): Budget {
  return { decodedBytes: Math.min(20 * fileBytes + 1_000_000, MAX_DECODED_BYTES), values: MAX_VALUES }
}

export function spendValue(budget: Budget): void {
  budget.values -= 1
  if (budget.values < 0) throw new PdfRefused("too-complex", "The PDF has too many values.")
}
