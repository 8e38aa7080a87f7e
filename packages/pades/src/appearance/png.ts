// The one kind of PNG that we write, and the only one that is read back without a decoder of pictures: 8 bits of red, green and
// blue, rows as they are (ISO/IEC 15948: colour type 2, filter 0, not interlaced). Whoever holds keys can so take up a picture
// that a limited process has cleaned, without running native code on it.

import { crc32, deflateSync, inflateSync } from "node:zlib"
import type { Pixels } from "./image.ts"
import { ImageRefused } from "./image-refused.ts"

const HEAD = Buffer.from("89504e470d0a1a0a", "hex")
const MAX_PIXELS = 4_000_000

export function writePng({ width, height, rgb }: Omit<Pixels, "mask">): Uint8Array {
  const stride = 3 * width
  const rows = Buffer.alloc((stride + 1) * height)
  for (let y = 0; y < height; y++) rows.set(rgb.subarray(y * stride, (y + 1) * stride), y * (stride + 1) + 1)
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, 2, 0, 0, 0])
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  const data = deflateSync(rows, { level: 9 })
  return Buffer.concat([HEAD, chunk("IHDR", header), chunk("IDAT", data), chunk("IEND", Buffer.alloc(0))])
}

function chunk(type: string, data: Buffer): Buffer {
  const typed = Buffer.concat([Buffer.from(type, "latin1"), data])
  const framed = Buffer.alloc(typed.length + 8)
  framed.writeUInt32BE(data.length, 0)
  framed.set(typed, 4)
  framed.writeUInt32BE(crc32(typed), typed.length + 4)
  return framed
}

/** Throws `ImageRefused` for every file that `writePng` has not written. */
export function readPng(file: Uint8Array): Pixels {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength)
  if (bytes.length < 57 || !bytes.subarray(0, 8).equals(HEAD)) throw notOurs()
  const width = bytes.readUInt32BE(16)
  const height = bytes.readUInt32BE(20)
  if (!(width > 0 && height > 0 && width * height <= MAX_PIXELS)) throw notOurs()
  const data = bytes.subarray(41, 41 + bytes.readUInt32BE(33))
  const stride = 3 * width
  const rows = inflated(data, (stride + 1) * height)
  const rgb = new Uint8Array(stride * height)
  for (let y = 0; y < height; y++) {
    const at = y * (stride + 1)
    if (rows[at] !== 0) throw notOurs()
    rgb.set(rows.subarray(at + 1, at + 1 + stride), y * stride)
  }
  // Written anew it must be the same: so there is one reading of it, and nothing behind it.
  if (!bytes.equals(writePng({ width, height, rgb }))) throw notOurs()
  return { width, height, rgb }
}

function inflated(data: Buffer, length: number): Buffer {
  try {
    const rows = inflateSync(data, { maxOutputLength: length })
    if (rows.length === length) return rows
  } catch {
    // Said below.
  }
  throw notOurs()
}

const notOurs = () => new ImageRefused("unreadable", "The picture is not one that was cleaned here.")
