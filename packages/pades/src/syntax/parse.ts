// One PDF object from bytes (ISO 32000-2, 7.3). Strict: what two readers could understand in two ways is refused.

import { PdfRefused } from "../refused.ts"
import { type Budget, MAX_DICT_ENTRIES, MAX_NESTING, spendValue } from "./limits.ts"
import {
  type Cursor,
  corrupt,
  type Decrypt,
  expectKeyword,
  isDigit,
  isRegular,
  looksAt,
  peek,
  placeOf,
  readCount,
  readWord,
  skipWhite,
} from "./scan.ts"
import type { IndirectObject, PdfArray, PdfDict, PdfEntry, PdfRef, PdfString, PdfValue } from "./value.ts"

/** `number generation obj … endobj`; the number is checked, so an offset cannot lead to another object. */
export function parseIndirect(
  cursor: Cursor,
  budget: Budget,
  stringsOf?: (ref: PdfRef) => Decrypt,
): IndirectObject {
  skipWhite(cursor)
  const number = readCount(cursor, "An object number")
  skipWhite(cursor)
  const generation = readCount(cursor, "A generation number")
  skipWhite(cursor)
  expectKeyword(cursor, "obj")
  const ref: PdfRef = { type: "ref", number, generation }
  if (stringsOf !== undefined) cursor.decrypt = stringsOf(ref)
  const value = parseValue(cursor, budget)
  skipWhite(cursor)
  if (typeof value === "object" && value?.type === "dict" && looksAt(cursor, "stream")) {
    cursor.at += "stream".length
    return { ref, value, streamAt: streamStart(cursor) }
  }
  expectKeyword(cursor, "endobj")
  return { ref, value }
}

// 7.3.8.1: a line feed, or a carriage return and a line feed; a carriage return alone would leave the start open.
function streamStart(cursor: Cursor): number {
  if (peek(cursor) === 0x0d) cursor.at += 1
  if (peek(cursor) !== 0x0a)
    throw corrupt(`"stream" at ${placeOf(cursor, cursor.at)} is not followed by a line feed.`)
  cursor.at += 1
  return placeOf(cursor, cursor.at)
}

export function parseValue(cursor: Cursor, budget: Budget, depth = 1): PdfValue {
  if (depth > MAX_NESTING) throw new PdfRefused("too-complex", "The PDF is nested too deeply.")
  spendValue(budget)
  skipWhite(cursor)
  const octet = peek(cursor)
  switch (octet) {
    case undefined:
      throw corrupt(`An object is cut short at ${placeOf(cursor, cursor.at)}.`)
    case 0x2f:
      return { type: "name", name: parseName(cursor) }
    case 0x28:
      return parseLiteral(cursor)
    case 0x3c:
      return cursor.bytes[cursor.at + 1] === 0x3c ? parseDict(cursor, budget, depth) : parseHex(cursor)
    case 0x5b:
      return parseArray(cursor, budget, depth)
  }
  if (isDigit(octet) || octet === 0x2b || octet === 0x2d || octet === 0x2e) return parseNumberOrRef(cursor)
  return parseKeyword(cursor)
}

const NO_ENTRIES = new Map<string, PdfEntry>()

function parseDict(cursor: Cursor, budget: Budget, depth: number): PdfDict {
  const { bytes, at: start, origin } = cursor
  let entries = NO_ENTRIES
  cursor.at += 2
  for (;;) {
    skipWhite(cursor)
    if (looksAt(cursor, ">>")) break
    if (peek(cursor) !== 0x2f)
      throw corrupt(`A key is missing in the dictionary at ${placeOf(cursor, start)}.`)
    const keyStart = cursor.at
    const key = parseName(cursor)
    // 7.3.7: readers disagree on which of two equal keys counts.
    if (entries.has(key))
      throw corrupt(`The dictionary at ${placeOf(cursor, start)} has the key ${key} twice.`)
    skipWhite(cursor)
    const valueStart = cursor.at
    const value = parseValue(cursor, budget, depth + 1)
    if (entries.size >= MAX_DICT_ENTRIES)
      throw new PdfRefused("too-complex", "A dictionary of the PDF has too many entries.")
    // Most of what a hostile file is made of is empty.
    if (entries === NO_ENTRIES) entries = new Map()
    entries.set(key, { value, start: keyStart, valueStart, end: cursor.at })
  }
  cursor.at += 2
  return { type: "dict", entries, bytes, start, end: cursor.at, origin }
}

function parseArray(cursor: Cursor, budget: Budget, depth: number): PdfArray {
  const { bytes, at: start, origin } = cursor
  const items: PdfValue[] = []
  cursor.at += 1
  for (;;) {
    skipWhite(cursor)
    if (peek(cursor) === 0x5d) break
    items.push(parseValue(cursor, budget, depth + 1))
  }
  cursor.at += 1
  return { type: "array", items, bytes, start, end: cursor.at, origin }
}

// 7.3.5: at most 127 octets once `#xx` is one octet.
function parseName(cursor: Cursor): string {
  const start = cursor.at
  cursor.at += 1
  const word = readWord(cursor, 381)
  if (!word.includes("#")) return word
  const name = word.replace(/#([0-9A-Fa-f]{2})/g, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  )
  if (/#(?![0-9A-Fa-f]{2})/.test(word) || name.includes("\0"))
    throw corrupt(`The name at ${placeOf(cursor, start)} is malformed.`)
  return name
}

function parseLiteral(cursor: Cursor): PdfString {
  const { bytes, at: start } = cursor
  let open = 0
  for (; cursor.at < cursor.end; cursor.at++) {
    const octet = bytes[cursor.at]
    if (octet === 0x5c) cursor.at += 1
    else if (octet === 0x28) open += 1
    else if (octet === 0x29) {
      open -= 1
      if (open > 0) continue
      cursor.at += 1
      return stringAt(cursor, start)
    }
  }
  throw corrupt(`The string at ${placeOf(cursor, start)} has no end.`)
}

const IN_HEX = new Uint8Array(256)
for (const character of "0123456789ABCDEFabcdef\0\t\n\f\r ") IN_HEX[character.charCodeAt(0)] = 1

// The marks of all earlier signatures pass here, tens of kilobytes each; hence the table and the local variable.
function parseHex(cursor: Cursor): PdfString {
  const { bytes, at: start, end } = cursor
  let at = start + 1
  while (at < end && IN_HEX[bytes[at] ?? 0] === 1) at += 1
  cursor.at = at
  if (peek(cursor) === 0x3e) {
    cursor.at += 1
    return stringAt(cursor, start)
  }
  throw corrupt(`The hexadecimal string at ${placeOf(cursor, start)} is malformed.`)
}

function stringAt({ bytes, at: end, origin, decrypt }: Cursor, start: number): PdfString {
  return { type: "string", bytes, start, end, origin, decrypt }
}

function parseNumberOrRef(cursor: Cursor): number | PdfRef {
  const start = cursor.at
  const number = readDigits(cursor, 10)
  if (number === undefined) return parseNumber(cursor, start)

  const end = cursor.at
  skipWhite(cursor)
  const generation = readDigits(cursor, 5)
  skipWhite(cursor)
  if (generation !== undefined && peek(cursor) === 0x52 && !isRegular(cursor.bytes[cursor.at + 1])) {
    cursor.at += 1
    return { type: "ref", number, generation }
  }
  cursor.at = end
  return number
}

/** A run of digits that is a word of its own; the cursor stays where it is not. Most numbers are such. */
function readDigits(cursor: Cursor, maxLength: number): number | undefined {
  const start = cursor.at
  let value = 0
  let octet = peek(cursor)
  for (; octet !== undefined && isDigit(octet) && cursor.at - start <= maxLength; octet = peek(cursor)) {
    value = value * 10 + octet - 0x30
    cursor.at += 1
  }
  const length = cursor.at - start
  if (length > 0 && length <= maxLength && !isRegular(octet)) return value
  cursor.at = start
  return undefined
}

function parseNumber(cursor: Cursor, start: number): number {
  cursor.at = start
  const word = readWord(cursor, 64)
  if (!/^[+-]?(\d+\.?\d*|\.\d+)$/.test(word))
    throw corrupt(`The number at ${placeOf(cursor, start)} is malformed.`)
  return Number(word)
}

function parseKeyword(cursor: Cursor): null | boolean {
  const start = cursor.at
  switch (readWord(cursor, 32)) {
    case "null":
      return null
    case "true":
      return true
    case "false":
      return false
    default:
      throw corrupt(`Unknown word at ${placeOf(cursor, start)}.`)
  }
}
