// The subset of our font as objects of a PDF (ISO 32000-2, 9.7): a composite font whose codes are the glyphs of the
// subset. Everything that PDF/A asks of a font is in it whatever the file is: embedded, with widths, with a CIDSet that
// is complete, and with the Unicode of each glyph that is shown.

import type { NewObject } from "../write/revision.ts"
import { latin1 } from "../write/syntax.ts"

/** Plain data; binary as base64. */
export type FontParts = {
  readonly name: string
  /** The font program, deflated. */
  readonly program: string
  readonly programLength: number
  /** Per CID: its width and the characters it stands for; none for .notdef and for parts of other glyphs. */
  readonly cids: readonly (readonly [width: number, text: string])[]
  /** In thousandths of the em, as all of it. */
  readonly box: readonly number[]
  readonly ascent: number
  readonly descent: number
  readonly capHeight: number
}

/** Six objects; the first is the font. */
export function fontObjects(parts: FontParts, firstNumber: number): readonly NewObject[] {
  const ref = (offset: number) => `${firstNumber + offset} 0 R`
  const { name, cids, box, ascent, descent, capHeight } = parts
  const program = Buffer.from(parts.program, "base64")
  const bodies = [
    `<< /Type /Font /Subtype /Type0 /BaseFont /${name} /Encoding /Identity-H /DescendantFonts [${ref(1)}] /ToUnicode ${ref(5)} >>`,
    `<< /Type /Font /Subtype /CIDFontType2 /BaseFont /${name} /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> /FontDescriptor ${ref(2)} /CIDToGIDMap /Identity /W [0 [${cids.map(([width]) => width).join(" ")}]] >>`,
    `<< /Type /FontDescriptor /FontName /${name} /Flags 4 /FontBBox [${box.join(" ")}] /ItalicAngle 0 /Ascent ${ascent} /Descent ${descent} /CapHeight ${capHeight} /StemV 80 /FontFile2 ${ref(3)} /CIDSet ${ref(4)} >>`,
    writeStream(`/Length1 ${parts.programLength} /Filter /FlateDecode`, program),
    writeStream("", cidSet(cids.length)),
    writeStream("", latin1(toUnicode(cids.map(([, text]) => text)))),
  ]
  return bodies.map((body, offset) => ({
    number: firstNumber + offset,
    generation: 0,
    body: typeof body === "string" ? latin1(body) : body,
  }))
}

/** A stream object; `keys` without its length. */
export function writeStream(keys: string, data: Uint8Array): Uint8Array {
  const head = `<< ${keys === "" ? "" : `${keys} `}/Length ${data.length} >>\nstream\n`
  return Buffer.concat([latin1(head), data, latin1("\nendstream")])
}

// Table 122: one bit per CID, the highest first.
function cidSet(count: number): Uint8Array {
  const bits = new Uint8Array(Math.ceil(count / 8)).fill(0xff)
  if (count % 8 !== 0) bits[bits.length - 1] = (0xff00 >> (count % 8)) & 0xff
  return bits
}

const CMAP_HEAD = [
  "/CIDInit /ProcSet findresource begin",
  "12 dict begin",
  "begincmap",
  "/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def",
  "/CMapName /Adobe-Identity-UCS def",
  "/CMapType 2 def",
  "1 begincodespacerange",
  "<0000> <ffff>",
  "endcodespacerange",
]
const CMAP_FOOT = ["endcmap", "CMapName currentdict /CMap defineresource pop", "end", "end"]

// 9.10.3; a block holds at most a hundred entries.
function toUnicode(texts: readonly string[]): string {
  const entries = texts.flatMap((text, cid) =>
    text === "" ? [] : [`<${hex4(cid)}> <${Buffer.from(text, "utf16le").swap16().toString("hex")}>`],
  )
  const blocks: string[] = []
  for (let at = 0; at < entries.length; at += 100) {
    const block = entries.slice(at, at + 100)
    blocks.push(`${block.length} beginbfchar`, ...block, "endbfchar")
  }
  return [...CMAP_HEAD, ...blocks, ...CMAP_FOOT].join("\n")
}

/** A code of two octets, as `Identity-H` reads it. */
export function hex4(value: number): string {
  return value.toString(16).padStart(4, "0")
}
