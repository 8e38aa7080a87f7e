// Inline images (ISO 32000-2, 8.9.7). Where their data end is not written down: without a filter it follows from the size, else it
// is the next `EI` between white space with text behind it.

import { type Cursor, isRegular, isWhite, looksAt, peek, skipWhite } from "../syntax/scan.ts"
import { UnclearContent } from "./operators.ts"

/** Table 91: what the short keys stand for. */
const KEYS: ReadonlyMap<string, string> = new Map([
  ["BPC", "BitsPerComponent"],
  ["CS", "ColorSpace"],
  ["D", "Decode"],
  ["DP", "DecodeParms"],
  ["F", "Filter"],
  ["H", "Height"],
  ["IM", "ImageMask"],
  ["I", "Interpolate"],
  ["W", "Width"],
])
const COMPONENTS: ReadonlyMap<string, number> = new Map([
  ["/G", 1],
  ["/DeviceGray", 1],
  ["/CalGray", 1],
  ["/RGB", 3],
  ["/DeviceRGB", 3],
  ["/CalRGB", 3],
  ["/CMYK", 4],
  ["/DeviceCMYK", 4],
])

/** From behind `BI` to behind `EI`. */
export function skipInlineImage(cursor: Cursor, skipOperand: () => string | undefined): void {
  const entries = readEntries(cursor, skipOperand)
  const isMask = entries.get("ImageMask") === "true"
  if (!isMask && !entries.has("ColorSpace"))
    throw new UnclearContent("an inline image without a colour space")
  // One octet of white space follows `ID`.
  const start = cursor.at + 1
  const length = entries.has("Filter") ? undefined : sizeOf(entries, isMask)
  if (length === undefined) cursor.at = findEnd(cursor, start)
  else {
    cursor.at = start + length
    while (isWhite(peek(cursor))) cursor.at += 1
    if (!looksAt(cursor, "EI") || isRegular(cursor.bytes[cursor.at + 2]))
      throw new UnclearContent("an inline image whose data have another length than its size")
    cursor.at += 2
  }
}

function readEntries(cursor: Cursor, skipOperand: () => string | undefined): ReadonlyMap<string, string> {
  const { bytes } = cursor
  const entries = new Map<string, string>()
  const next = () => {
    skipWhite(cursor)
    const start = cursor.at
    if (cursor.at >= cursor.end || skipOperand() === undefined)
      throw new UnclearContent("a malformed inline image")
    return Buffer.from(bytes.subarray(start, cursor.at)).toString("latin1")
  }
  for (skipWhite(cursor); !(looksAt(cursor, "ID") && !isRegular(bytes[cursor.at + 2])); skipWhite(cursor)) {
    const written = next()
    const key = KEYS.get(written.slice(1)) ?? written.slice(1)
    if (!written.startsWith("/") || entries.has(key)) throw new UnclearContent("a malformed inline image")
    entries.set(key, next())
  }
  cursor.at += 2
  return entries
}

/** Undefined where the colour space is a resource, so that the number of components is not known here. */
function sizeOf(entries: ReadonlyMap<string, string>, isMask: boolean): number | undefined {
  const space = entries.get("ColorSpace") ?? ""
  const components = isMask || /^\[\s*\/(?:I|Indexed)\b/.test(space) ? 1 : COMPONENTS.get(space)
  const bits = isMask ? 1 : Number(entries.get("BitsPerComponent"))
  const [width, height] = [Number(entries.get("Width")), Number(entries.get("Height"))]
  if (components === undefined) return undefined
  if (![bits, width, height].every((number) => Number.isInteger(number) && number > 0))
    throw new UnclearContent("an inline image without a size")
  return height * Math.ceil((width * bits * components) / 8)
}

const LOOKED_AHEAD = 10

function findEnd({ bytes, end }: Cursor, start: number): number {
  for (let at = start; at + 1 < end; at++) {
    if (bytes[at] !== 0x45 || bytes[at + 1] !== 0x49) continue
    const before = bytes[at - 1]
    // 8.9.7: data in hexadecimal or base 85 end with ">" and need no white space.
    if (!isWhite(before) && before !== 0x3e) continue
    if (at + 2 < end && isRegular(bytes[at + 2])) continue
    if (bytes.subarray(at + 2, Math.min(end, at + 2 + LOOKED_AHEAD)).every(isText)) return at + 2
  }
  throw new UnclearContent("an inline image without an end")
}

const isText = (octet: number): boolean => isWhite(octet) || (octet >= 0x20 && octet < 0x7f)
