// A name in a handwriting, in one row or in two, measured by what is really inked: the swings of a handwriting reach far
// beyond the widths of its letters.

import { numbers } from "./appearance-objects.ts"
import { embedFont } from "./embed-font.ts"
import { type Font, type Hand, handFont, textFont } from "./font.ts"
import { INK, type Ink, type InkedMark } from "./ink.ts"
import { type Letter, shape, shapeWhole, trimmed, widthOf, words } from "./text.ts"

/** In points: a signature that is larger than a title looks like a poster. */
const MAX_HAND_SIZE = 56
/** Between the lowest ink of a row and the highest of the next, in ems; handwritings may touch. */
const ROW_GAP = 0.04

export function writtenInk(name: string, hand: Hand): InkedMark {
  const whole = shapeWhole(name, handFont(hand))
  const [font, letters] = whole === undefined ? [textFont(), shape(name)] : [handFont(hand), whole]
  if (letters.length === 0) return { ways: [] }
  const { parts, encode } = embedFont(letters, font)
  const rowings = [[letters], ...twoRows(letters)]
  return { ways: rowings.map((rows) => inkOf(font, rows, encode)), hand: parts }
}

/** Broken where the halves are most alike. */
function twoRows(letters: readonly Letter[]): readonly (readonly (readonly Letter[])[])[] {
  const found = words(letters)
  let best: readonly (readonly Letter[])[] | undefined
  let widest = Number.POSITIVE_INFINITY
  for (let at = 1; at < found.length; at++) {
    const rows = [trimmed(found.slice(0, at).flat()), trimmed(found.slice(at).flat())]
    const width = Math.max(...rows.map(widthOf))
    if (width >= widest) continue
    widest = width
    best = rows
  }
  return best === undefined ? [] : [best]
}

type Extent = { left: number; bottom: number; right: number; top: number }

function inkOf(
  font: Font,
  rows: readonly (readonly Letter[])[],
  encode: (letters: readonly Letter[]) => string,
): Ink {
  const extents = rows.map((row) => extentOf(font, row))
  const left = Math.min(...extents.map((extent) => extent.left))
  const width = Math.max(...extents.map((extent) => extent.right)) - left
  let down = 0
  const baselines = extents.map(({ top, bottom }) => {
    const baseline = down + top
    down = baseline - bottom + ROW_GAP
    return baseline
  })
  const height = down - ROW_GAP
  return {
    width,
    height,
    largest: MAX_HAND_SIZE,
    draw: (area) => {
      const size = Math.min(area.width / width, area.height / height, MAX_HAND_SIZE)
      const x = area.x + (area.width - size * width) / 2 - size * left
      const top = area.y + area.height - (area.height - size * height) / 2
      const shown = rows.map(
        (row, i) => `1 0 0 1 ${numbers(x, top - size * (baselines[i] ?? 0))} Tm ${encode(row)} Tj`,
      )
      return `BT /Colour cs ${INK} sc /Hand ${numbers(size)} Tf\n${shown.join("\n")}\nET`
    },
  }
}

// OpenType, `glyf`: the description of a glyph begins with its count of contours and its box.
function extentOf(font: Font, row: readonly Letter[]): Extent {
  const extent: Extent = { left: 0, bottom: 0, right: widthOf(row), top: 0.1 }
  let at = 0
  for (const { glyph, advance } of row) {
    const outline = font.outline(glyph)
    if (outline.length > 0) {
      const side = (offset: number) => outline.readInt16BE(offset) / font.unitsPerEm
      extent.left = Math.min(extent.left, at + side(2))
      extent.bottom = Math.min(extent.bottom, side(4))
      extent.right = Math.max(extent.right, at + side(6))
      extent.top = Math.max(extent.top, side(8))
    }
    at += advance
  }
  return extent
}
