// A PNG put into a PDF as it is: its rows are compressed and filtered in a way that PDF has too (ISO 32000-2, 7.4.4.4), so that
// nobody has to decode a picture. Only what a page was drawn into is taken: 8 bits, grey or red, green and blue, not interlaced.

import { inflateSync } from "node:zlib"

export type PngImage = {
  readonly width: number
  readonly height: number
  readonly colours: 1 | 3
  /** Deflated rows, each behind the number of its filter. */
  readonly data: Uint8Array
}

const HEAD = Buffer.from("89504e470d0a1a0a", "hex")
const MAX_PIXELS = 8_000_000
const COLOURS: Readonly<Record<number, 1 | 3>> = { 0: 1, 2: 3 }

/** Undefined for every other picture, and for what is none. */
export function readPngImage(file: Uint8Array): PngImage | undefined {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength)
  if (bytes.length < 33 || !bytes.subarray(0, 8).equals(HEAD)) return undefined
  const [width, height] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)]
  const [depth, type = -1, , , interlaced] = bytes.subarray(24, 29)
  const colours = COLOURS[type]
  if (colours === undefined || depth !== 8 || interlaced !== 0) return undefined
  if (!(width > 0 && height > 0 && width * height <= MAX_PIXELS)) return undefined
  const data = dataOf(bytes)
  return areRows(data, colours * width + 1, height) ? { width, height, colours, data } : undefined
}

function dataOf(bytes: Buffer): Buffer {
  const parts: Buffer[] = []
  for (let at = 8; at + 12 <= bytes.length; ) {
    const length = bytes.readUInt32BE(at)
    const type = bytes.toString("latin1", at + 4, at + 8)
    if (type === "IDAT") parts.push(bytes.subarray(at + 8, at + 8 + length))
    at += 12 + length
  }
  return Buffer.concat(parts)
}

/** As many rows as there must be, with filters that exist: a reader of the PDF will rely on it. */
function areRows(data: Buffer, stride: number, height: number): boolean {
  try {
    const rows = inflateSync(data, { maxOutputLength: stride * height })
    if (rows.length !== stride * height) return false
    for (let at = 0; at < rows.length; at += stride) if ((rows[at] ?? 5) > 4) return false
    return true
  } catch {
    return false
  }
}
