// How many pixels the images of a PDF declare. A renderer decodes all of them, however few bytes they take in the file.

import { readEntry } from "../conditional/read-value.ts"
import type { Pdf } from "../structure/document.ts"
import { isName, type PdfDict } from "../syntax/value.ts"

export type ImagePixels = {
  /** Of all images together, each counted once. Inline images of content streams are not counted. */
  readonly total: number
  readonly largest: number
  /** The number of the object that has the most; 0 where there is no image. */
  readonly largestObject: number
}

export type ImageCount = {
  /** To be called for every stream that the catalog leads to. */
  readonly stream: (number: number, dict: PdfDict) => void
  readonly end: () => ImagePixels
}

export function countImagePixels(pdf: Pdf): ImageCount {
  let found: ImagePixels = { total: 0, largest: 0, largestObject: 0 }
  // As lenient readers take it: a real number without its fraction.
  const side = (dict: PdfDict, key: string) => {
    const value = readEntry(pdf, dict, key)
    return typeof value === "number" && value > 0 ? Math.trunc(value) : 0
  }
  return {
    stream: (number, dict) => {
      if (!isName(readEntry(pdf, dict, "Subtype"), "Image")) return
      const pixels = side(dict, "Width") * side(dict, "Height")
      const total = found.total + pixels
      found = pixels > found.largest ? { total, largest: pixels, largestObject: number } : { ...found, total }
    },
    end: () => found,
  }
}
