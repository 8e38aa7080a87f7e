import { describe, expect, it } from "vitest"
import { textFont } from "./font.ts"
import { subset } from "./subset.ts"

const font = textFont()
const glyphsOf = (text: string) => Array.from(text, (character) => font.glyph(character.codePointAt(0) ?? 0))

function tables(program: Uint8Array): Map<string, Buffer> {
  const file = Buffer.from(program)
  const found = new Map<string, Buffer>()
  for (let i = 0; i < file.readUInt16BE(4); i++) {
    const at = 12 + 16 * i
    const start = file.readUInt32BE(at + 8)
    found.set(file.toString("latin1", at, at + 4), file.subarray(start, start + file.readUInt32BE(at + 12)))
  }
  return found
}

describe("the font", () => {
  it.each([
    ["Latin", 0xa1, 0x24f],
    ["Latin Extended Additional", 0x1e00, 0x1eff],
    ["Greek", 0x370, 0x3ff],
    ["Greek Extended", 0x1f00, 0x1fff],
    ["Cyrillic", 0x400, 0x52f],
  ])("has every character of %s", (_, from, to) => {
    const lacking = []
    for (let codePoint = from; codePoint <= to; codePoint++) {
      const character = String.fromCodePoint(codePoint)
      if (/\p{Assigned}/u.test(character) && font.glyph(codePoint) === 0) lacking.push(character)
    }
    expect(lacking).toEqual([])
  })

  it("has none for what it does not know", () => {
    expect(glyphsOf("日👩\u{10ffff}\ue000")).toEqual([0, 0, 0, 0])
  })
})

describe("a subset of the font", () => {
  it("has the glyphs that are used and the parts they are made of, without a gap", () => {
    const [composed = 0] = glyphsOf("Ế")
    const { glyphs, program } = subset(font, [composed])
    expect(glyphs.slice(0, 2)).toEqual([0, composed])
    expect(glyphs.length).toBeGreaterThan(3)
    const found = tables(program)
    expect(found.get("maxp")?.readUInt16BE(4)).toBe(glyphs.length)
    expect(found.get("loca")).toHaveLength(4 * (glyphs.length + 1))
    expect(found.get("loca")?.readUInt32BE(4 * glyphs.length)).toBe(found.get("glyf")?.length)
  })

  it("keeps widths and outlines, and points at the new numbers of parts", () => {
    const used = glyphsOf("Äg ")
    const { glyphs, program } = subset(font, used)
    const found = tables(program)
    const [glyf, loca, hmtx] = [found.get("glyf"), found.get("loca"), found.get("hmtx")]
    for (const [number, glyph] of glyphs.entries()) {
      expect(hmtx?.readUInt16BE(4 * number)).toBe(font.advance(glyph))
      const start = loca?.readUInt32BE(4 * number) ?? 0
      const outline = glyf?.subarray(start, loca?.readUInt32BE(4 * number + 4)) ?? Buffer.alloc(0)
      // The count of contours and the bounding box.
      expect(outline.subarray(0, 10)).toEqual(font.outline(glyph).subarray(0, 10))
      if (outline.length > 0 && outline.readInt16BE(0) < 0) {
        const part = glyphs[outline.readUInt16BE(12)]
        expect(part).toBe(font.outline(glyph).readUInt16BE(12))
      }
    }
  })

  it("has checksums that are right", () => {
    const { program } = subset(font, glyphsOf("Checksum"))
    const file = Buffer.from(program)
    let sum = 0
    for (let at = 0; at < file.length; at += 4) sum = (sum + file.readUInt32BE(at)) >>> 0
    expect(sum).toBe(0xb1b0afba)
  })

  it("is small", () => {
    expect(subset(font, glyphsOf("Željko Đurić-Αλέξανδρος Щербаков")).program.length).toBeLessThan(8_000)
  })
})
