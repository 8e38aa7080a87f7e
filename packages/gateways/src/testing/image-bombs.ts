import { deflateSync } from "node:zlib"
import { writeSample } from "@paraph/pades/sample"

type Image = { readonly dictionary: string; readonly bytes: Uint8Array }

/**
 * For tests: PDFs of a few kilobytes, each with one page that draws a picture of hundreds of megabytes, or whose content unpacks to as
 * much. One for each compression of ISO 32000-2, 7.4 that can do it.
 */
export function imageBombs(): Readonly<Record<string, Uint8Array>> {
  return {
    "a JBIG2 picture of 65,000 by 65,000": drawing(jbig2(65_000, 65_000)),
    "a JPEG 2000 picture of 60,000 by 60,000": drawing(jpeg2000(60_000, 60_000)),
    "a JPEG 2000 picture of a million tiles": drawing(jpeg2000(60_000, 60_000, 60)),
    "a CCITT picture of 60,000 by 60,000": drawing(ccitt(60_000, 60_000)),
    "a Flate picture of 30,000 by 30,000 in colour": drawing(flate(30_000, 30_000)),
    "a JPEG picture whose head says 65,500 by 65,500": drawing(jpeg(65_500, 65_500)),
    "four thousand draws of one CCITT picture": drawing(ccitt(20_000, 20_000), 4_000),
    "an LZW content of half a gigabyte": withContent(
      "/Filter [/FlateDecode /LZWDecode]",
      deflateSync(lzwSpaces(70), { level: 9 }),
    ),
    "a run-length content of half a gigabyte": withContent(
      "/Filter [/FlateDecode /RunLengthDecode]",
      deflateSync(Buffer.alloc(8_000_000, Buffer.from([129, 0x20])), { level: 9 }),
    ),
  }
}

const at = (width: number, height: number, filter: string, more = "") =>
  `/Type /XObject /Subtype /Image /Width ${width} /Height ${height} ${more} /Filter ${filter}`
const BILEVEL = "/BitsPerComponent 1 /ColorSpace /DeviceGray"
const COLOUR = "/BitsPerComponent 8 /ColorSpace /DeviceRGB"

function drawing({ dictionary, bytes }: Image, times = 1): Uint8Array {
  const draw = "q 500 0 0 500 40 200 cm /X Do Q ".repeat(times)
  return document(stream("", Buffer.from(draw)), [stream(dictionary, bytes)])
}

const withContent = (filter: string, bytes: Uint8Array): Uint8Array => document(stream(filter, bytes), [])

const document = (content: Uint8Array, images: readonly Uint8Array[]): Uint8Array =>
  writeSample([
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Count 1 /Kids [3 0 R] >>",
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << ${images.length > 0 ? "/XObject << /X 5 0 R >>" : ""} >> >>`,
    content,
    ...images,
  ])

const stream = (dictionary: string, bytes: Uint8Array): Uint8Array =>
  Buffer.concat([
    Buffer.from(`<< /Length ${bytes.length} ${dictionary} >>\nstream\n`),
    bytes,
    Buffer.from("\nendstream"),
  ])

const u32 = (value: number): readonly number[] => [24, 16, 8, 0].map((by) => (value >>> by) & 255)
const u16 = (value: number): readonly number[] => [(value >>> 8) & 255, value & 255]

/** ITU-T T.88: a page, and a generic region of the whole page coded by MMR, in which each line repeats the one above. */
function jbig2(width: number, height: number): Image {
  const segment = (number: number, type: number, data: readonly number[]) => [
    ...[...u32(number), type, 0, 1],
    ...[...u32(data.length), ...data],
  ]
  const page = [...u32(width), ...u32(height), ...u32(0), ...u32(0), 0, 0, 0]
  const lines: readonly number[] = Array<number>(Math.ceil(height / 8)).fill(255)
  const region = [...u32(width), ...u32(height), ...u32(0), ...u32(0), 0, 1, ...lines]
  const bytes = Buffer.from([...segment(0, 48, page), ...segment(1, 38, region)])
  return { dictionary: at(width, height, "/JBIG2Decode", BILEVEL), bytes }
}

/** ITU-T T.800: the head of a code stream, and one tile without any data. */
function jpeg2000(width: number, height: number, tile = 0): Image {
  const [tileWidth, tileHeight] = tile === 0 ? [width, height] : [tile, tile]
  const size = [
    ...[...u16(0), ...u32(width), ...u32(height), ...u32(0), ...u32(0)],
    ...[...u32(tileWidth), ...u32(tileHeight), ...u32(0), ...u32(0), ...u16(3)],
    ...[7, 1, 1, 7, 1, 1, 7, 1, 1],
  ]
  const marker = (code: number, data: readonly number[]) => [0xff, code, ...u16(data.length + 2), ...data]
  const bytes = Buffer.from([
    ...[0xff, 0x4f, ...marker(0x51, size)],
    ...marker(0x52, [0, 0, ...u16(1), 1, 5, 4, 4, 0, 1]),
    ...marker(0x5c, [0x40, ...Array<number>(16).fill(0x40)]),
    ...marker(0x90, [...u16(0), ...u32(14), 0, 1]),
    ...[0xff, 0x93, 0xff, 0xd9],
  ])
  return { dictionary: at(width, height, "/JPXDecode"), bytes }
}

/** ITU-T T.6: one bit for each white line, as the line above. */
function ccitt(width: number, height: number): Image {
  const parameters = `/DecodeParms << /K -1 /Columns ${width} /Rows ${height} >>`
  const bytes = Buffer.alloc(Math.ceil(height / 8), 255)
  return { dictionary: at(width, height, "/CCITTFaxDecode", `${BILEVEL} ${parameters}`), bytes }
}

function flate(width: number, height: number): Image {
  const once = deflateSync(Buffer.alloc(width * 3 * 100), { level: 9, finishFlush: 2 })
  const ended = deflateSync(Buffer.alloc(0))
  // Blocks that were flushed can follow one another; the checksum at the end is not looked at by readers of PDFs.
  const block = once.subarray(2)
  const blocks = Array<Buffer>(height / 100).fill(block)
  return {
    dictionary: at(width, height, "[/FlateDecode /FlateDecode]", COLOUR),
    bytes: deflateSync(Buffer.concat([once.subarray(0, 2), ...blocks, ended.subarray(2)]), { level: 9 }),
  }
}

/** ITU-T T.81: a frame of that size, and a scan of nothing. */
function jpeg(width: number, height: number): Image {
  const marker = (code: number, data: readonly number[]) => [0xff, code, ...u16(data.length + 2), ...data]
  const bytes = Buffer.from([
    ...[0xff, 0xd8, ...marker(0xdb, [0, ...Array<number>(64).fill(1)])],
    ...marker(0xc0, [8, ...u16(height), ...u16(width), 1, 1, 0x11, 0]),
    ...marker(0xc4, [0, 1, ...Array<number>(15).fill(0), 0]),
    ...marker(0xc4, [0x10, 1, ...Array<number>(15).fill(0), 0]),
    ...marker(0xda, [1, 1, 0, 0, 63, 0]),
    ...[...Array<number>(2_000).fill(0), 0xff, 0xd9],
  ])
  return { dictionary: at(width, height, "/DCTDecode", "/BitsPerComponent 8 /ColorSpace /DeviceGray"), bytes }
}

/**
 * 7.4.4: blocks of 3,836 codes, each of which stands for one space more than the one before, so a block of 6 KB unpacks to 7 MB. The
 * codes have 9 to 12 bits, and a clear code ends each block.
 */
function lzwSpaces(blocks: number): Uint8Array {
  const out: number[] = []
  let [bits, held] = [0, 0]
  const write = (code: number, width: number) => {
    held = (held << width) | code
    for (bits += width; bits >= 8; ) {
      bits -= 8
      out.push((held >>> bits) & 255)
      held &= (1 << bits) - 1
    }
  }
  let width = 9
  for (let block = 0; block < blocks; block += 1) {
    write(256, width)
    width = 9
    write(0x20, width)
    for (let next = 259; next < 4_094; next += 1) {
      if (next === 1 << width) width += 1
      write(next - 1, width)
    }
  }
  write(257, width)
  if (bits > 0) out.push((held << (8 - bits)) & 255)
  return Buffer.from(out)
}
