// Reads values as the most lenient reader would: generations are not compared, and a string counts where a name is expected.

import { PdfRefused } from "../refused.ts"
import { type Pdf, readNumber } from "../structure/document.ts"
import { isSpent } from "../syntax/limits.ts"
import { corrupt } from "../syntax/scan.ts"
import { entry, isArray, isDict, isRef, type PdfDict, type PdfValue, textOf } from "../syntax/value.ts"

export function readValue(pdf: Pdf, value: PdfValue): PdfValue {
  if (!isRef(value)) return value
  const object = readNumber(pdf, value.number)?.value ?? null
  if (isRef(object)) throw corrupt(`Object ${value.number} is a reference.`)
  return object
}

/** Undefined where an object cannot be read; the walk over all objects reports it as unclear. */
export function ifReadable<T>({ budget }: Pdf, read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if (error instanceof PdfRefused && !isSpent(budget)) return undefined
    throw error
  }
}

export const readEntry = (pdf: Pdf, dict: PdfDict, key: string): PdfValue => readValue(pdf, entry(dict, key))

export function readDict(pdf: Pdf, dict: PdfDict, key: string): PdfDict | undefined {
  const value = readEntry(pdf, dict, key)
  return isDict(value) ? value : undefined
}

/** The items of an array as they stand, references included; a single value counts as an array of one. */
export function readItems(pdf: Pdf, dict: PdfDict, key: string): readonly PdfValue[] {
  const value = readEntry(pdf, dict, key)
  if (value === null) return []
  return isArray(value) ? value.items : [entry(dict, key)]
}

export function readName(pdf: Pdf, dict: PdfDict, key: string): string | undefined {
  return nameIn(readEntry(pdf, dict, key))
}

const MAX_NAME_BYTES = 1_000

export function nameIn(value: PdfValue): string | undefined {
  if (typeof value !== "object" || value === null) return undefined
  if (value.type === "name") return value.name
  return value.type === "string" && value.end - value.start < MAX_NAME_BYTES ? textOf(value) : undefined
}

export function readText(pdf: Pdf, dict: PdfDict, key: string): string | undefined {
  const value = readEntry(pdf, dict, key)
  return typeof value === "object" && value?.type === "string" ? textOf(value) : undefined
}

export function readInteger(pdf: Pdf, dict: PdfDict, key: string): number {
  const value = readEntry(pdf, dict, key)
  return typeof value === "number" && Number.isSafeInteger(value) ? value : 0
}
