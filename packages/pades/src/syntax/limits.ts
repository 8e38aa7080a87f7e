// A 1 KB PDF can hang or fill a parser, so there is a limit on everything that such a file could ask for.

import { PdfRefused } from "../refused.ts"

export const MAX_OBJECTS = 1_000_000
/** Arrays in dictionaries in arrays, page tree nodes below each other, fields below each other. */
export const MAX_NESTING = 100
/** Revisions: a person saves a document dozens of times, not thousands. */
export const MAX_XREF_SECTIONS = 1_000
/** Signatures that a document holds; each costs a look at its contents. */
export const MAX_SIGNATURES = 1_000
/** ISO 32000-2, Annex C: 200 inches. */
export const MAX_PAGE_POINTS = 14_400
/** One object, the data of its stream not counted. */
export const MAX_WINDOW_BYTES = 16_777_216
const MAX_VALUES = 5_000_000
/** Arrays and dictionaries are held whole: a page tree without levels is the longest honest one. */
const MAX_OBJECT_VALUES = 100_000
/** Resources are the longest honest dictionaries: a name for every image of a document. */
export const MAX_DICT_ENTRIES = 10_000
/** Subsections of one table; a revision that changed every other object has half as many as there are objects. */
export const MAX_RUNS = 100_000
const MAX_DECODED_BYTES = 1_000_000_000
const MAX_SCANNED_BYTES = 1_000_000_000

/** What one reading of one file may still spend. */
export type Budget = { decodedBytes: number; scannedBytes: number; values: number }

export function newBudget(fileBytes: number): Budget {
  const allowance = 20 * fileBytes + 1_000_000
  return {
    decodedBytes: Math.min(allowance, MAX_DECODED_BYTES),
    scannedBytes: Math.min(allowance, MAX_SCANNED_BYTES),
    values: MAX_VALUES,
  }
}

/** Nothing more can be read of this file, whatever it is. */
export function isSpent({ decodedBytes, scannedBytes, values }: Budget): boolean {
  return decodedBytes < 1 || scannedBytes < 0 || values < 0
}

export function spendValue(budget: Budget): void {
  budget.values -= 1
  if (budget.values < 0) throw new PdfRefused("too-complex", "The PDF has too many values.")
}

/** Reads one object, which may not take more than its share. */
export function readingObject<T>(budget: Budget, read: () => T): T {
  const { values } = budget
  const share = Math.min(values, MAX_OBJECT_VALUES)
  budget.values = share
  try {
    return read()
  } finally {
    budget.values += values - share
  }
}

/**
 * Objects may lie inside each other's strings, so that reading each of them once costs the square of the file. What is
 * not reading but takes its time, as looking up an object, is charged as the bytes that could be read meanwhile.
 */
export function spendScanned(budget: Budget, bytes: number): void {
  budget.scannedBytes -= bytes
  if (budget.scannedBytes < 0) throw new PdfRefused("too-complex", "The PDF takes too long to read.")
}
