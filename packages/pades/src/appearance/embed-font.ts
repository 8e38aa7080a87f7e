// The letters that are shown as a subset of their font, and the codes by which they are shown.

import { createHash } from "node:crypto"
import { deflateSync } from "node:zlib"
import { type Font, textFont } from "./font.ts"
import { type FontParts, hex4 } from "./font-objects.ts"
import { subset } from "./subset.ts"
import type { Letter } from "./text.ts"

export type EmbeddedFont = {
  readonly parts: FontParts
  /** The operand of Tj for a row of letters. */
  readonly encode: (letters: readonly Letter[]) => string
}

export function embedFont(letters: readonly Letter[], font: Font = textFont()): EmbeddedFont {
  const texts = new Map(letters.map(({ glyph, text }) => [glyph, text]))
  const { program, glyphs } = subset(font, texts.keys())
  const cids = new Map(glyphs.map((glyph, cid) => [glyph, cid]))
  const thousandths = (units: number) => Math.round((units * 1e6) / font.unitsPerEm) / 1e3
  const parts: FontParts = {
    name: `${subsetTag(glyphs)}+${font.name}`,
    program: deflateSync(program, { level: 9 }).toString("base64"),
    programLength: program.length,
    cids: glyphs.map((glyph) => [thousandths(font.advance(glyph)), texts.get(glyph) ?? ""]),
    box: font.box.map((units) => Math.round(thousandths(units))),
    ascent: Math.round(thousandths(font.ascent)),
    descent: Math.round(thousandths(font.descent)),
    capHeight: Math.round(thousandths(font.capHeight)),
  }
  return { parts, encode: (row) => `<${row.map(({ glyph }) => hex4(cids.get(glyph) ?? 0)).join("")}>` }
}

// 9.9.2: six letters that differ where the subset does.
function subsetTag(glyphs: readonly number[]): string {
  const digest = createHash("sha256").update(glyphs.join()).digest()
  return String.fromCharCode(...Array.from(digest.subarray(0, 6), (octet) => 65 + (octet % 26)))
}
