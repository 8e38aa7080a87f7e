// One cross-reference section, as a table (ISO 32000-2, 7.5.4) or as a stream (7.5.8). Entries are records of a fixed
// size and are read by index when an object is wanted, so a large table costs nothing.

import { PdfRefused } from "../refused.ts"
import { bytesSource, type Source } from "../source.ts"
import { type Budget, MAX_OBJECTS, MAX_RUNS } from "../syntax/limits.ts"
import { parseIndirect, parseValue } from "../syntax/parse.ts"
import {
  type Cursor,
  corrupt,
  expectKeyword,
  isDigit,
  isWhite,
  looksAt,
  peek,
  readCount,
  skipWhite,
} from "../syntax/scan.ts"
import { asCount, entry, isArray, isDict, isName, type PdfDict } from "../syntax/value.ts"
import { parseAt } from "../syntax/window.ts"
import { decodeStream } from "./filter.ts"

export type XrefEntry =
  | { readonly kind: "free" }
  | { readonly kind: "plain"; readonly offset: number; readonly generation: number }
  | { readonly kind: "packed"; readonly streamNumber: number; readonly index: number }

/** Consecutive object numbers; `at` is where the record of the first one stands in the section's `records`. */
type Run = { readonly first: number; readonly count: number; readonly at: number }

export type XrefSection = {
  readonly kind: "table" | "stream"
  readonly offset: number
  /** Behind the trailer of a table, or behind the data of a stream. */
  readonly end: number
  readonly trailer: PdfDict
  /** The first number after the highest of this section. */
  readonly nextNumber: number
  readonly runs: readonly Run[]
  /** The file itself for a table, the decoded data for a stream. */
  readonly records: Source
  /** The widths of the three fields of a record; a table has none. */
  readonly widths: readonly [number, number, number]
}

export function readXrefSection(source: Source, offset: number, budget: Budget): XrefSection {
  const { result: start, end } = parseAt(source, offset, budget, (cursor) => {
    while (isWhite(peek(cursor))) cursor.at += 1
    return looksAt(cursor, "xref") ? "table" : isDigit(peek(cursor)) ? "stream" : undefined
  })
  if (start === "table") return readTable(source, offset, end, budget)
  if (start === "stream") return readStream(source, offset, budget)
  throw corrupt(`There is no cross-reference section at ${offset}.`)
}

const TABLE_RECORD_BYTES = 20

function readTable(source: Source, offset: number, start: number, budget: Budget): XrefSection {
  const runs: Run[] = []
  let { end: at } = parseAt(source, start, budget, (cursor) => expectKeyword(cursor, "xref"))
  for (;;) {
    const { result: run, end } = parseAt(source, at, budget, readRunHead)
    at = end
    if (run === undefined) break
    if (run.count > 0) runs.push({ ...run, at })
    if (runs.length > MAX_RUNS)
      throw new PdfRefused("too-complex", "The cross-reference table has too many parts.")
    at += run.count * TABLE_RECORD_BYTES
    if (at > source.length) throw corrupt("The cross-reference table is cut short.")
  }
  const { result: trailer, end } = parseAt(source, at, budget, (cursor) => {
    expectKeyword(cursor, "trailer")
    return parseValue(cursor, budget)
  })
  if (!isDict(trailer)) throw corrupt("The trailer is not a dictionary.")
  return { kind: "table", offset, end, trailer, ...ordered(runs), records: source, widths: [0, 0, 0] }
}

function readRunHead(cursor: Cursor): { readonly first: number; readonly count: number } | undefined {
  skipWhite(cursor)
  if (!isDigit(peek(cursor))) return undefined
  const first = readCount(cursor, "The first number of a cross-reference subsection")
  skipWhite(cursor)
  const count = readCount(cursor, "The count of a cross-reference subsection")
  skipWhite(cursor)
  checkRun(first, count)
  return { first, count }
}

function readStream(source: Source, offset: number, budget: Budget): XrefSection {
  const { value: trailer, streamAt } = parseAt(source, offset, budget, (cursor) =>
    parseIndirect(cursor, budget),
  ).result
  if (streamAt === undefined || !isDict(trailer) || !isName(entry(trailer, "Type"), "XRef"))
    throw corrupt(`There is no cross-reference section at ${offset}.`)
  const length = asCount(entry(trailer, "Length"), "The length of a cross-reference stream")
  const records = decodeStream(trailer, streamData(source, streamAt, length), budget)
  const widths = readWidths(trailer)
  const size = widths[0] + widths[1] + widths[2]
  const index = entry(trailer, "Index")
  const pairs = isArray(index) ? index.items : [0, entry(trailer, "Size")]
  const runs: Run[] = []
  let at = 0
  for (let i = 0; i < pairs.length; i += 2) {
    const first = asCount(pairs[i] ?? null, "The first number of a cross-reference subsection")
    const count = asCount(pairs[i + 1] ?? null, "The count of a cross-reference subsection")
    checkRun(first, count)
    runs.push({ first, count, at })
    at += count * size
  }
  if (at > records.length) throw corrupt("The cross-reference stream is cut short.")
  const end = streamAt + length
  return { kind: "stream", offset, end, trailer, ...ordered(runs), records: bytesSource(records), widths }
}

const ENDSTREAM_BYTES = 64

/** The data of a stream, if `endstream` stands where its length says. */
export function streamData(source: Source, start: number, length: number): Uint8Array {
  checkStreamEnd(source, start, length)
  return source.read(start, start + length)
}

export function checkStreamEnd(source: Source, start: number, length: number): void {
  const bytes = source.read(start + length, start + length + ENDSTREAM_BYTES)
  const cursor: Cursor = { bytes, at: 0, end: bytes.length }
  while (isWhite(peek(cursor))) cursor.at += 1
  if (!looksAt(cursor, "endstream"))
    throw corrupt(`The stream at ${start} does not end where its length says.`)
}

function readWidths(trailer: PdfDict): readonly [number, number, number] {
  const value = entry(trailer, "W")
  if (!isArray(value) || value.items.length < 3)
    throw corrupt("The cross-reference stream has no field widths.")
  const [type = 0, second = 0, third = 0] = value.items.map((item) => asCount(item, "A field width"))
  if (value.items.length > 3 || type > 1 || second < 1 || second > 8 || third > 8)
    throw corrupt("The cross-reference stream has unusual field widths.")
  return [type, second, third]
}

function checkRun(first: number, count: number): void {
  if (first + count > MAX_OBJECTS + 1) throw new PdfRefused("too-complex", "The PDF has too many objects.")
}

function ordered(runs: readonly Run[]): { runs: readonly Run[]; nextNumber: number } {
  const sorted = runs.filter(({ count }) => count > 0).sort((a, b) => a.first - b.first)
  let nextNumber = 0
  for (const { first, count } of sorted) {
    // 7.5.4: no object number has two entries in one section.
    if (first < nextNumber) throw corrupt("A cross-reference section lists an object twice.")
    nextNumber = first + count
  }
  return { runs: sorted, nextNumber }
}

/** What the section says of an object, or nothing if it does not mention it. */
export function findInSection(section: XrefSection, number: number): XrefEntry | undefined {
  const { runs } = section
  let low = 0
  let high = runs.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((runs[middle]?.first ?? 0) <= number) low = middle + 1
    else high = middle
  }
  const run = runs[low - 1]
  if (run === undefined || number >= run.first + run.count) return undefined
  return section.kind === "table" ? tableEntry(section, run, number) : streamEntry(section, run, number)
}

// 7.5.4: `nnnnnnnnnn ggggg n` or `f`, and an end of line of two octets. Read by hand, because every object passes here.
function tableEntry({ records }: XrefSection, run: Run, number: number): XrefEntry {
  const at = run.at + (number - run.first) * TABLE_RECORD_BYTES
  const record = records.read(at, at + TABLE_RECORD_BYTES)
  const offset = digits(record, 0, 10)
  const generation = digits(record, 11, 16)
  const [kind, eol1, eol2] = [record[17], record[18], record[19]]
  const ends = (eol1 === 0x20 && (eol2 === 0x0d || eol2 === 0x0a)) || (eol1 === 0x0d && eol2 === 0x0a)
  const spaced = record[10] === 0x20 && record[16] === 0x20
  if (!ends || !spaced || (kind !== 0x6e && kind !== 0x66) || !isOffset(offset) || !isOffset(generation))
    throw corrupt(`The cross-reference entry of object ${number} is malformed.`)
  return kind === 0x66 ? { kind: "free" } : { kind: "plain", offset, generation }
}

/** Not a number where something else than a digit stands there. */
function digits(record: Uint8Array, start: number, end: number): number {
  let value = 0
  for (let at = start; at < end; at++)
    value = isDigit(record[at]) ? value * 10 + (record[at] ?? 0) - 0x30 : Number.NaN
  return value
}

function streamEntry({ records, widths }: XrefSection, run: Run, number: number): XrefEntry {
  const size = widths[0] + widths[1] + widths[2]
  const start = run.at + (number - run.first) * size
  const record = records.read(start, start + size)
  let at = 0
  const [kind, second, third] = widths.map((width) => {
    let value = 0
    for (const end = at + width; at < end; at++) value = value * 256 + (record[at] ?? 0)
    return value
  })
  if (!isOffset(second) || !isOffset(third))
    throw corrupt(`The cross-reference entry of object ${number} is malformed.`)
  // 7.5.8.3: type 1 is the default where the field has no width; an unknown type is a reference to null.
  switch (widths[0] === 0 ? 1 : kind) {
    case 1:
      return { kind: "plain", offset: second, generation: third }
    case 2:
      return { kind: "packed", streamNumber: second, index: third }
    default:
      return { kind: "free" }
  }
}

function isOffset(value: number | undefined): value is number {
  return value !== undefined && Number.isSafeInteger(value)
}
