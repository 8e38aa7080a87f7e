// Reads a PDF from its first byte to its last, without believing any cross-reference section: which objects there are,
// and which revision each belongs to. Strict as the rest of the reader; what is not an object, a table, a trailer or a
// comment is refused, since another reader could see something in it.

import { PdfRefused } from "../refused.ts"
import type { Source } from "../source.ts"
import { type Budget, MAX_OBJECTS, spendScanned } from "../syntax/limits.ts"
import { parseIndirect, parseValue } from "../syntax/parse.ts"
import {
  type Cursor,
  corrupt,
  expectKeyword,
  isDigit,
  isWhite,
  looksAt,
  peek,
  placeOf,
  readCount,
  skipWhite,
} from "../syntax/scan.ts"
import { asCount, entry, type IndirectObject, isDict, isName, isRef, type PdfDict } from "../syntax/value.ts"
import { parseAt } from "../syntax/window.ts"

export type Gathered = {
  readonly object: IndirectObject
  readonly offset: number
  /** How many `%%EOF` stand before it. */
  readonly revision: number
  /** Where the data of a stream end. */
  readonly streamEnd: number | undefined
}

export type Piece =
  | ({ readonly kind: "object" } & Gathered)
  | { readonly kind: "trailer"; readonly dict: PdfDict; readonly revision: number }
  /** `startxref` with a number, or `%%EOF`. */
  | { readonly kind: "startxref" | "end of file"; readonly revision: number }
  /** An entry of a table that calls an object free. */
  | { readonly kind: "free"; readonly number: number; readonly revision: number }

/** In the order of the file, one at a time: a file has more objects than memory should hold. */
export function* gather(source: Source, budget: Budget): Generator<Piece> {
  let revision = 0
  let count = 0
  for (let at = 0; at < source.length; ) {
    const { result: found, end } = parseAt(source, at, budget, (cursor) => readPiece(cursor, budget))
    at = end
    if (found.kind === "object") {
      count += 1
      if (count > MAX_OBJECTS) throw new PdfRefused("too-complex", "The PDF has too many objects.")
      const stream = streamEnd(source, found.object, budget)
      at = stream?.object ?? end
      yield { ...found, revision, streamEnd: stream?.data }
    } else if (found.kind === "table") {
      for (const number of found.free) yield { kind: "free", number, revision }
    } else if (found.kind !== "nothing") yield { ...found, revision }
    if (found.kind === "end of file") revision += 1
  }
}

type Found =
  | { readonly kind: "object"; readonly object: IndirectObject; readonly offset: number }
  | { readonly kind: "trailer"; readonly dict: PdfDict }
  | { readonly kind: "table"; readonly free: readonly number[] }
  | { readonly kind: "startxref" | "end of file" }
  | { readonly kind: "nothing" }

function readPiece(cursor: Cursor, budget: Budget): Found {
  while (isWhite(peek(cursor))) cursor.at += 1
  const offset = placeOf(cursor, cursor.at)
  const octet = peek(cursor)
  if (octet === undefined) return { kind: "nothing" }
  if (octet === 0x25) return readComment(cursor)
  if (isDigit(octet)) return { kind: "object", object: parseIndirect(cursor, budget), offset }
  if (looksAt(cursor, "xref")) return { kind: "table", free: readTable(cursor) }
  if (looksAt(cursor, "trailer")) {
    expectKeyword(cursor, "trailer")
    const dict = parseValue(cursor, budget)
    if (!isDict(dict)) throw corrupt(`The trailer at ${offset} is not a dictionary.`)
    return { kind: "trailer", dict }
  }
  if (!looksAt(cursor, "startxref")) throw corrupt(`What stands at ${offset} is not an object.`)
  expectKeyword(cursor, "startxref")
  skipWhite(cursor)
  readCount(cursor, "The place of the cross-reference section")
  return { kind: "startxref" }
}

function readComment(cursor: Cursor): Found {
  const isEnd = looksAt(cursor, "%%EOF")
  while (peek(cursor) !== undefined && peek(cursor) !== 0x0a && peek(cursor) !== 0x0d) cursor.at += 1
  return isEnd ? { kind: "end of file" } : { kind: "nothing" }
}

/** The numbers that the table calls free, if an object of such a number could have been meant. */
function readTable(cursor: Cursor): number[] {
  expectKeyword(cursor, "xref")
  const free: number[] = []
  let number = 0
  for (;;) {
    skipWhite(cursor)
    if (!isDigit(peek(cursor))) return free
    const first = readCount(cursor, "An offset in a cross-reference table")
    skipWhite(cursor)
    readCount(cursor, "A generation in a cross-reference table")
    skipWhite(cursor)
    if (isDigit(peek(cursor))) {
      number = first
      continue
    }
    const kind = peek(cursor)
    if (kind === 0x66 && number > 0) free.push(number)
    else if (kind !== 0x6e && kind !== 0x66) {
      number = first
      continue
    }
    cursor.at += 1
    number += 1
  }
}

// A length that is an object of its own is not known yet; then the first `endstream endobj` counts, and whoever gathers
// has to compare.
function streamEnd(
  source: Source,
  { ref, value, streamAt }: IndirectObject,
  budget: Budget,
): { readonly data: number; readonly object: number } | undefined {
  if (streamAt === undefined || !isDict(value)) return undefined
  const length = entry(value, "Length")
  const data = isRef(length)
    ? findIn(source, streamAt, source.length, END, budget)
    : streamAt + asCount(length, "The length of a stream")
  if (data === undefined || data >= source.length)
    throw corrupt(`The stream of object ${ref.number} has no end.`)
  // Other readers search streams too when they repair; this one would show them another document.
  if (findIn(source, streamAt, data, OBJECT, budget) !== undefined)
    throw corrupt(`The stream of object ${ref.number} holds what looks like objects.`)
  const { end } = parseAt(source, data, budget, (cursor) => {
    while (isWhite(peek(cursor))) cursor.at += 1
    if (!looksAt(cursor, "endstream"))
      throw corrupt(`The stream of object ${ref.number} does not end where its length says.`)
    expectKeyword(cursor, "endstream")
    skipWhite(cursor)
    expectKeyword(cursor, "endobj")
  })
  return { data, object: end }
}

const END = /endstream\s{1,40}endobj/
const OBJECT = /\d\s{1,20}\d{1,5}\s{1,20}obj(?![!-~])/
const BLOCK_BYTES = 65_536
const LONGEST_MATCH = 64

function findIn(
  source: Source,
  start: number,
  end: number,
  what: RegExp,
  budget: Budget,
): number | undefined {
  for (let at = start; at < end; at += BLOCK_BYTES) {
    const bytes = source.read(at, Math.min(at + BLOCK_BYTES + LONGEST_MATCH, end))
    spendScanned(budget, bytes.length)
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("latin1")
    const found = what.exec(text)
    if (found !== null) return at + found.index
  }
  return undefined
}

/** A signature, a field that holds one, or a form that says that there is one. */
export function looksSigned(dict: PdfDict): boolean {
  const flags = entry(dict, "SigFlags")
  return (
    dict.entries.has("ByteRange") ||
    isName(entry(dict, "Type"), "DocTimeStamp") ||
    isName(entry(dict, "Type"), "Sig") ||
    (isName(entry(dict, "FT"), "Sig") && dict.entries.has("V")) ||
    (typeof flags === "number" && (flags & 1) === 1)
  )
}
