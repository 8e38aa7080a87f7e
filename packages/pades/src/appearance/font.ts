// The font of everything that we draw: Arimo, which has every Latin, Greek and Cyrillic letter of Unicode's European blocks;
// and three handwritings for those who type their signature. They are files that we chose (OFL-1.1), not ones that somebody
// sent, so they are read without suspicion.

import { readFileSync } from "node:fs"
import { createRequire } from "node:module"

export type Font = {
  /** The name of the font program, without the tag of a subset. */
  readonly name: string
  readonly unitsPerEm: number
  readonly ascent: number
  readonly descent: number
  readonly capHeight: number
  readonly box: readonly [number, number, number, number]
  /** The glyph of a code point; 0 where the font has none. */
  readonly glyph: (codePoint: number) => number
  /** In units of the em. */
  readonly advance: (glyph: number) => number
  readonly leftSideBearing: (glyph: number) => number
  /** The description of a glyph in the table `glyf`; empty for a space. */
  readonly outline: (glyph: number) => Buffer
  readonly table: (tag: string) => Buffer
}

const FILES = {
  "Arimo-Regular": "@expo-google-fonts/arimo/400Regular/Arimo_400Regular.ttf",
  "Arimo-Bold": "@expo-google-fonts/arimo/700Bold/Arimo_700Bold.ttf",
  "Caveat-Regular": "@expo-google-fonts/caveat/400Regular/Caveat_400Regular.ttf",
  "DancingScript-Regular": "@expo-google-fonts/dancing-script/400Regular/DancingScript_400Regular.ttf",
  "Allura-Regular": "@expo-google-fonts/allura/400Regular/Allura_400Regular.ttf",
}

export const HANDS = ["caveat", "dancing-script", "allura"] as const
/** A handwriting that a signature can be typed in. */
export type Hand = (typeof HANDS)[number]

const HAND_NAMES: Readonly<Record<Hand, keyof typeof FILES>> = {
  caveat: "Caveat-Regular",
  "dancing-script": "DancingScript-Regular",
  allura: "Allura-Regular",
}

const opened = new Map<string, Font>()

export const textFont = (): Font => fontOf("Arimo-Regular")

/** The same in bold, for headings. */
export const boldFont = (): Font => fontOf("Arimo-Bold")

export const handFont = (hand: Hand): Font => fontOf(HAND_NAMES[hand])

function fontOf(name: keyof typeof FILES): Font {
  const known = opened.get(name)
  if (known !== undefined) return known
  const font = openFont(readFileSync(createRequire(import.meta.url).resolve(FILES[name])), name)
  opened.set(name, font)
  return font
}

// ISO/IEC 14496-22 (OpenType), 5.1 and 5.2: the tables that every TrueType font has.
function openFont(file: Buffer, name: string): Font {
  const table = tablesOf(file)
  const head = table("head")
  const hhea = table("hhea")
  const hmtx = table("hmtx")
  const loca = table("loca")
  const glyf = table("glyf")
  const longOffsets = head.readInt16BE(50) === 1
  const offset = (glyph: number) =>
    longOffsets ? loca.readUInt32BE(4 * glyph) : 2 * loca.readUInt16BE(2 * glyph)
  // The last width counts for all glyphs that follow.
  const widths = hhea.readUInt16BE(34)
  const bearingAt = (glyph: number) => (glyph < widths ? 4 * glyph + 2 : 4 * widths + 2 * (glyph - widths))
  return {
    name,
    unitsPerEm: head.readUInt16BE(18),
    ascent: hhea.readInt16BE(4),
    descent: hhea.readInt16BE(6),
    capHeight: table("OS/2").readInt16BE(88),
    box: [head.readInt16BE(36), head.readInt16BE(38), head.readInt16BE(40), head.readInt16BE(42)],
    glyph: characterMap(table("cmap")),
    advance: (glyph) => hmtx.readUInt16BE(4 * Math.min(glyph, widths - 1)),
    leftSideBearing: (glyph) => hmtx.readInt16BE(bearingAt(glyph)),
    outline: (glyph) => glyf.subarray(offset(glyph), offset(glyph + 1)),
    table,
  }
}

function tablesOf(file: Buffer): (tag: string) => Buffer {
  const tables = new Map<string, Buffer>()
  for (let i = 0; i < file.readUInt16BE(4); i++) {
    const record = 12 + 16 * i
    const start = file.readUInt32BE(record + 8)
    tables.set(
      file.toString("latin1", record, record + 4),
      file.subarray(start, start + file.readUInt32BE(record + 12)),
    )
  }
  return (tag) => {
    const table = tables.get(tag)
    if (table === undefined) throw new Error(`The font has no table ${tag}.`)
    return table
  }
}

const WINDOWS = 3
const UNICODE_BMP = 1

function characterMap(cmap: Buffer): (codePoint: number) => number {
  for (let i = 0; i < cmap.readUInt16BE(2); i++) {
    const record = 4 + 8 * i
    if (cmap.readUInt16BE(record) !== WINDOWS || cmap.readUInt16BE(record + 2) !== UNICODE_BMP) continue
    return segments(cmap.subarray(cmap.readUInt32BE(record + 4)))
  }
  throw new Error("The font has no map of Unicode characters.")
}

// Format 4: parallel arrays of the ends, starts, deltas and offsets of runs of code points.
function segments(map: Buffer): (codePoint: number) => number {
  const twice = map.readUInt16BE(6)
  const ends = 14
  const starts = ends + twice + 2
  const deltas = starts + twice
  const offsets = deltas + twice
  return (codePoint) => {
    if (codePoint > 0xffff) return 0
    let at = 0
    while (at < twice && map.readUInt16BE(ends + at) < codePoint) at += 2
    if (at >= twice || map.readUInt16BE(starts + at) > codePoint) return 0
    const delta = map.readUInt16BE(deltas + at)
    const offset = map.readUInt16BE(offsets + at)
    if (offset === 0) return (codePoint + delta) & 0xffff
    const glyph = map.readUInt16BE(offsets + at + offset + 2 * (codePoint - map.readUInt16BE(starts + at)))
    return glyph === 0 ? 0 : (glyph + delta) & 0xffff
  }
}
