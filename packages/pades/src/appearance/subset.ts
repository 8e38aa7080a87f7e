// A TrueType font program with only the glyphs that are shown (ISO 32000-2, 9.9.2: for a CIDFontType2 the tables glyf,
// head, hhea, hmtx, loca and maxp are enough). Glyphs are numbered anew without a gap, parts of composite ones included,
// so that the CIDs present are exactly 0 to n-1 and one CIDSet satisfies PDF/A-1, which wants one, and PDF/A-2 to 4,
// which want it complete.

import type { Font } from "./font.ts"

export type Subset = {
  readonly program: Uint8Array
  /** The glyphs of the font in the order of their new numbers; the first one is .notdef. */
  readonly glyphs: readonly number[]
}

export function subset(font: Font, used: Iterable<number>): Subset {
  const glyphs = withParts(font, used)
  const numbers = new Map(glyphs.map((glyph, number) => [glyph, number]))
  const outlines = glyphs.map((glyph) => outlineOf(font, glyph, numbers))
  const loca = Buffer.alloc(4 * (glyphs.length + 1))
  const hmtx = Buffer.alloc(4 * glyphs.length)
  let length = 0
  for (const [number, glyph] of glyphs.entries()) {
    hmtx.writeUInt16BE(font.advance(glyph), 4 * number)
    hmtx.writeInt16BE(font.leftSideBearing(glyph), 4 * number + 2)
    length += outlines[number]?.length ?? 0
    loca.writeUInt32BE(length, 4 * (number + 1))
  }
  const program = writeTables([
    ["glyf", Buffer.concat(outlines)],
    ["head", changed(font.table("head"), 50, 1)],
    ["hhea", changed(font.table("hhea"), 34, glyphs.length)],
    ["hmtx", hmtx],
    ["loca", loca],
    ["maxp", changed(font.table("maxp"), 4, glyphs.length)],
  ])
  return { program, glyphs }
}

function withParts(font: Font, used: Iterable<number>): readonly number[] {
  // .notdef is glyph 0 by definition; nothing shows it.
  const glyphs = [0, ...new Set([...used].filter((glyph) => glyph !== 0).toSorted((a, b) => a - b))]
  const known = new Set(glyphs)
  for (const glyph of glyphs) {
    for (const { part } of partsOf(font.outline(glyph))) {
      if (known.has(part)) continue
      known.add(part)
      glyphs.push(part)
    }
  }
  return glyphs
}

const ARGUMENTS_ARE_WORDS = 0x0001
const HAS_SCALE = 0x0008
const MORE_PARTS = 0x0020
const HAS_TWO_SCALES = 0x0040
const HAS_MATRIX = 0x0080
const HAS_INSTRUCTIONS = 0x0100

/** OpenType, `glyf`: a negative count of contours says that the glyph is put together from others. */
function partsOf(outline: Buffer): { readonly at: number; readonly part: number; readonly end: number }[] {
  if (outline.length === 0 || outline.readInt16BE(0) >= 0) return []
  const parts: { at: number; part: number; end: number }[] = []
  for (let at = 10, flags = MORE_PARTS; (flags & MORE_PARTS) !== 0; ) {
    flags = outline.readUInt16BE(at)
    let end = at + 4 + ((flags & ARGUMENTS_ARE_WORDS) !== 0 ? 4 : 2)
    if ((flags & HAS_SCALE) !== 0) end += 2
    else if ((flags & HAS_TWO_SCALES) !== 0) end += 4
    else if ((flags & HAS_MATRIX) !== 0) end += 8
    parts.push({ at, part: outline.readUInt16BE(at + 2), end })
    at = end
  }
  return parts
}

// The instructions would need tables that are not embedded, so they are left out.
function outlineOf(font: Font, glyph: number, numbers: ReadonlyMap<number, number>): Buffer {
  const outline = Buffer.from(font.outline(glyph))
  if (outline.length === 0) return outline
  const parts = partsOf(outline)
  for (const { at, part } of parts) {
    outline.writeUInt16BE(outline.readUInt16BE(at) & ~HAS_INSTRUCTIONS, at)
    outline.writeUInt16BE(numbers.get(part) ?? 0, at + 2)
  }
  const last = parts.at(-1)
  return padded(last === undefined ? withoutInstructions(outline) : outline.subarray(0, last.end))
}

function withoutInstructions(outline: Buffer): Buffer {
  const at = 10 + 2 * outline.readInt16BE(0)
  const length = outline.readUInt16BE(at)
  return Buffer.concat([outline.subarray(0, at), Buffer.alloc(2), outline.subarray(at + 2 + length)])
}

function changed(table: Buffer, at: number, value: number): Buffer {
  const copy = Buffer.from(table)
  copy.writeUInt16BE(value, at)
  return copy
}

function padded(bytes: Buffer): Buffer {
  return bytes.length % 4 === 0 ? bytes : Buffer.concat([bytes, Buffer.alloc(4 - (bytes.length % 4))])
}

/** OpenType, 4.5.1: a directory in the order of the tags, and checksums over everything. */
function writeTables(tables: readonly (readonly [tag: string, data: Buffer])[]): Uint8Array {
  const directory = Buffer.alloc(12 + 16 * tables.length)
  const power = 2 ** Math.floor(Math.log2(tables.length))
  directory.writeUInt32BE(0x00010000, 0)
  directory.writeUInt16BE(tables.length, 4)
  directory.writeUInt16BE(16 * power, 6)
  directory.writeUInt16BE(Math.log2(power), 8)
  directory.writeUInt16BE(16 * (tables.length - power), 10)
  const parts: Buffer[] = [directory]
  let offset = directory.length
  let head = 0
  for (const [i, [tag, data]] of tables.entries()) {
    if (tag === "head") {
      head = offset
      data.writeUInt32BE(0, CHECKSUM_ADJUSTMENT)
    }
    const record = 12 + 16 * i
    directory.write(tag, record, "latin1")
    directory.writeUInt32BE(checksum(padded(data)), record + 4)
    directory.writeUInt32BE(offset, record + 8)
    directory.writeUInt32BE(data.length, record + 12)
    parts.push(padded(data))
    offset += padded(data).length
  }
  const program = Buffer.concat(parts)
  program.writeUInt32BE((0xb1b0afba - checksum(program)) >>> 0, head + CHECKSUM_ADJUSTMENT)
  return program
}

const CHECKSUM_ADJUSTMENT = 8

function checksum(data: Buffer): number {
  let sum = 0
  for (let at = 0; at < data.length; at += 4) sum = (sum + data.readUInt32BE(at)) >>> 0
  return sum
}
