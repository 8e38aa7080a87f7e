// One PDF object from bytes (ISO 32000-2, 7.3). Strict: what two readers could understand in two ways is refused.

import { PdfRefused } from "../refused.ts"
import { type Budget, MAX_NESTING, spendValue } from "./limits.ts"
import {
  type Cursor,
  corrupt,
  expectKeyword,
  isDigit,
  isRegular,
  isWhite,
  looksAt,
  peek,
  readCount,
  readWord,
  skipWhite,
} from "./scan.ts"
import type { IndirectObject, PdfArray, PdfDict, PdfEntry, PdfRef, PdfString, PdfValue } from "./value.ts"

/** `number generation obj … endobj`; the number is checked, so an offset cannot lead to another object. */
export function parseIndirect(bytes: Uint8Array, at: number, budget: Budget): IndirectObject {
  const cursor: Cursor = { bytes, at, end: bytes.length }
  skipWhite(cursor)
  const number = readCount(cursor, "An object number")
  skipWhite(cursor)
  const generation = readCount(cursor, "A generation number")
  skipWhite(cursor)
  expectKeyword(cursor, "obj")
  const value = parseValue(cursor, budget)
  skipWhite(cursor)
  const ref: PdfRef = { type: "ref", number, generation }
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
  if (peek(cursor) !== 0x0a) throw corrupt(`"stream" at ${cursor.at} is not followed by a line feed.`)
  return cursor.at + 1
}

export function parseValue(cursor: Cursor, budget: Budget, depth = 1): PdfValue {
  if (depth > MAX_NESTING) throw new PdfRefused("too-complex", "The PDF is nested too deeply.")
  spendValue(budget)
  skipWhite(cursor)
  const octet = peek(cursor)
  switch (octet) {
    case undefined:
      throw corrupt(`An object is cut short at ${cursor.at}.`)
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

function parseDict(cursor: Cursor, budget: Budget, depth: number): PdfDict {
  const { bytes, at: start } = cursor
  const entries = new Map<string, PdfEntry>()
  cursor.at += 2
  for (;;) {
    skipWhite(cursor)
    if (looksAt(cursor, ">>")) break
    if (peek(cursor) !== 0x2f) throw corrupt(`A key is missing in the dictionary at ${start}.`)
    const keyStart = cursor.at
    const key = parseName(cursor)
    // 7.3.7: readers disagree on which of two equal keys counts.
    if (entries.has(key)) throw corrupt(`The dictionary at ${start} has the key ${key} twice.`)
    skipWhite(cursor)
    const valueStart = cursor.at
    const value = parseValue(cursor, budget, depth + 1)
    entries.set(key, { value, start: keyStart, valueStart, end: cursor.at })
  }
  cursor.at += 2
  return { type: "dict", entries, bytes, start, end: cursor.at }
}

function parseArray(cursor: Cursor, budget: Budget, depth: number): PdfArray {
  const { bytes, at: start } = cursor
  const items: PdfValue[] = []
  cursor.at += 1
  for (;;) {
    skipWhite(cursor)
    if (peek(cursor) === 0x5d) break
    items.push(parseValue(cursor, budget, depth + 1))
  }
  cursor.at += 1
  return { type: "array", items, bytes, start, end: cursor.at }
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
    throw corrupt(`The name at ${start} is malformed.`)
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
      return { type: "string", bytes, start, end: cursor.at }
    }
  }
  throw corrupt(`The string at ${start} has no end.`)
}

function parseHex(cursor: Cursor): PdfString {
  const { bytes, at: start } = cursor
  for (cursor.at += 1; cursor.at < cursor.end; cursor.at++) {
    const octet = bytes[cursor.at] ?? 0
    if (octet === 0x3e) {
      cursor.at += 1
      return { type: "string", bytes, start, end: cursor.at }
    }
    const letter = octet | 0x20
    if (!isDigit(octet) && !isWhite(octet) && (letter < 0x61 || letter > 0x66)) break
  }
  throw corrupt(`The hexadecimal string at ${start} is malformed.`)
}

function parseNumberOrRef(cursor: Cursor): number | PdfRef {
  const start = cursor.at
  const word = readWord(cursor, 64)
  if (!/^[+-]?(\d+\.?\d*|\.\d+)$/.test(word)) throw corrupt(`The number at ${start} is malformed.`)
  const value = Number(word)
  if (!/^\d{1,10}$/.test(word)) return value

  const end = cursor.at
  skipWhite(cursor)
  if (isDigit(peek(cursor))) {
    const generation = readWord(cursor, 64)
    skipWhite(cursor)
    if (/^\d{1,5}$/.test(generation) && peek(cursor) === 0x52 && !isRegular(cursor.bytes[cursor.at + 1])) {
      cursor.at += 1
      return { type: "ref", number: value, generation: Number(generation) }
    }
  }
  cursor.at = end
  return value
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
      throw corrupt(`Unknown word at ${start}.`)
  }
}
