// Decodes the streams that we must read: cross-reference and object streams, metadata, validation data, and the contents
// of a page that is to be watermarked. FlateDecode with PNG predictors (ISO 32000-2, 7.4.4); images and fonts never.

import { inflateSync } from "node:zlib"
import { PdfRefused } from "../refused.ts"
import type { Budget } from "../syntax/limits.ts"
import { corrupt } from "../syntax/scan.ts"
import { asCount, entry, isArray, isDict, isName, type PdfDict, type PdfValue } from "../syntax/value.ts"

export function decodeStream(
  dict: PdfDict,
  data: Uint8Array,
  budget: Budget,
  maxBytes = Number.POSITIVE_INFINITY,
): Uint8Array {
  const filters = listed(entry(dict, "Filter"))
  const parameters = listed(entry(dict, "DecodeParms"))
  // 7.4.10: a crypt filter comes first, and the data given here are decrypted.
  if (isName(filters[0] ?? null, "Crypt")) {
    filters.shift()
    parameters.shift()
  }
  const [filter = null, ...more] = filters
  if (more.length > 0) throw unknown("A stream of the structure has several filters.")
  if (filter !== null && !isName(filter, "FlateDecode"))
    throw unknown("A stream of the structure has an unusual filter.")
  if (data.length > maxBytes) throw unknown("A stream of the structure has too many bytes.")
  // The larger of what goes in and what comes out: a stream of empty blocks takes its time and inflates to nothing.
  spend(data.length, budget)
  if (filter === null) return data
  const [own = null] = parameters
  const inflated = inflate(data, budget, Math.min(maxBytes, budget.decodedBytes + data.length))
  return unpredict(inflated, isDict(own) ? own : undefined)
}

function listed(value: PdfValue): PdfValue[] {
  if (value === null) return []
  return isArray(value) ? [...value.items] : [value]
}

function inflate(data: Uint8Array, budget: Budget, maxOutputLength: number): Uint8Array {
  let length = maxOutputLength
  try {
    const inflated = inflateSync(data, { maxOutputLength: Math.max(1, maxOutputLength) })
    length = inflated.length
    return inflated
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ERR_BUFFER_TOO_LARGE")
      throw unknown("The PDF decodes to too many bytes.")
    length = 0
    throw new PdfRefused("corrupt", "A compressed stream cannot be read.", { cause: error })
  } finally {
    spend(Math.max(0, length - data.length), budget)
  }
}

function spend(bytes: number, budget: Budget): void {
  budget.decodedBytes -= bytes
  if (budget.decodedBytes < 0) throw unknown("The PDF decodes to too many bytes.")
}

function unpredict(data: Uint8Array, parameters: PdfDict | undefined): Uint8Array {
  const predictor = parameter(parameters, "Predictor", 1)
  if (predictor === 1) return data
  if (predictor < 10 || predictor > 15) throw unknown("A stream of the structure has an unusual predictor.")
  const bitsPerPixel = parameter(parameters, "Colors", 1) * parameter(parameters, "BitsPerComponent", 8)
  const pixel = Math.max(1, bitsPerPixel >> 3)
  const width = Math.ceil((parameter(parameters, "Columns", 1) * bitsPerPixel) / 8)
  if (width < 1 || width > data.length || data.length % (width + 1) !== 0)
    throw corrupt("A predicted stream does not consist of whole rows.")

  const rows = data.length / (width + 1)
  const out = new Uint8Array(rows * width)
  for (let row = 0; row < rows; row++) unfilterRow(data, out, row, width, pixel)
  return out
}

// The PNG specification, 9: None, Sub, Up, Average and Paeth.
function unfilterRow(data: Uint8Array, out: Uint8Array, row: number, width: number, pixel: number): void {
  const from = row * (width + 1)
  const to = row * width
  const kind = data[from] ?? 0
  if (kind > 4) throw corrupt("A predicted stream has an unknown row filter.")
  for (let i = 0; i < width; i++) {
    const raw = data[from + 1 + i] ?? 0
    const left = i >= pixel ? (out[to + i - pixel] ?? 0) : 0
    const up = row > 0 ? (out[to + i - width] ?? 0) : 0
    const corner = row > 0 && i >= pixel ? (out[to + i - width - pixel] ?? 0) : 0
    out[to + i] = raw + predicted(kind, left, up, corner)
  }
}

function predicted(kind: number, left: number, up: number, corner: number): number {
  if (kind === 2) return up
  if (kind === 1) return left
  if (kind === 3) return (left + up) >> 1
  return kind === 4 ? paeth(left, up, corner) : 0
}

function paeth(left: number, up: number, corner: number): number {
  const estimate = left + up - corner
  const toLeft = Math.abs(estimate - left)
  const toUp = Math.abs(estimate - up)
  const toCorner = Math.abs(estimate - corner)
  if (toLeft <= toUp && toLeft <= toCorner) return left
  return toUp <= toCorner ? up : corner
}

function parameter(parameters: PdfDict | undefined, key: string, otherwise: number): number {
  const value = parameters === undefined ? null : entry(parameters, key)
  return value === null ? otherwise : asCount(value, key)
}

function unknown(detail: string): PdfRefused {
  return new PdfRefused("too-complex", detail)
}
