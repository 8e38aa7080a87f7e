// Opens a PDF from its end (ISO 32000-2, 7.5.5): startxref, the chain of cross-reference sections, the trailer; after
// that objects are read one by one, when they are asked for.

import { PdfRefused } from "../refused.ts"
import { decodeStream } from "./filter.ts"
import { type Budget, MAX_OBJECTS, MAX_XREF_SECTIONS, newBudget } from "./limits.ts"
import { parseIndirect, parseValue } from "./parse.ts"
import { type Cursor, corrupt, looksAt, readCount, skipWhite } from "./scan.ts"
import type { PdfDict, PdfRef, PdfValue } from "./value.ts"
import { asCount, entry, type IndirectObject, isDict, isName, isRef } from "./value.ts"
import {
  findInSection,
  readXrefSection,
  streamData,
  type XrefEntry,
  type XrefSection,
} from "./xref-section.ts"

export type Pdf = {
  readonly bytes: Uint8Array
  /** Newest first. A hybrid file's stream (7.5.8.4) stands right after the table that names it. */
  readonly sections: readonly XrefSection[]
  readonly trailer: PdfDict
  readonly catalog: PdfDict
  readonly catalogRef: PdfRef
  /** The first object number that no revision has used. */
  readonly nextNumber: number
  readonly budget: Budget
  readonly objectStreams: Map<number, ObjectStream>
  /** Objects being read just now; asking for one of them again is a loop. */
  readonly open: Set<number>
}

type ObjectStream = { readonly bytes: Uint8Array; readonly numbers: number[]; readonly starts: number[] }

export function openPdf(bytes: Uint8Array): Pdf {
  if (!/^%PDF-[12]\.\d/.test(String.fromCharCode(...bytes.subarray(0, 8))))
    throw corrupt("The file does not begin as a PDF.")
  const budget = newBudget(bytes.length)
  const sections = readSections(bytes, lastXrefOffset(bytes), budget)
  const [newest] = sections
  if (newest === undefined) throw corrupt("The file has no cross-reference section.")
  const { trailer } = newest
  if (sections.some((section) => section.trailer.entries.has("Encrypt")))
    throw new PdfRefused("encrypted", "The PDF is encrypted.")

  const size = asCount(entry(trailer, "Size"), "The size in the trailer")
  if (size > MAX_OBJECTS + 1) throw new PdfRefused("too-complex", "The PDF has too many objects.")
  // 7.5.5: objects beyond the size are to be ignored. Not everybody does, and their numbers must not be given again.
  if (sections.some((section) => section.nextNumber > size))
    throw corrupt("Objects lie beyond the size in the trailer.")
  const catalogRef = entry(trailer, "Root")
  if (!isRef(catalogRef)) throw corrupt("The trailer does not name the catalog.")
  const open = {
    bytes,
    sections,
    trailer,
    nextNumber: size,
    budget,
    objectStreams: new Map(),
    open: new Set<number>(),
  }
  const catalog = readObject(open, catalogRef)
  if (!isDict(catalog) || !isName(entry(catalog, "Type"), "Catalog"))
    throw corrupt("The catalog is not a catalog.")
  return { ...open, catalog, catalogRef }
}

// Acrobat looks in the last 1024 bytes (ISO 32000-2, Annex I), and so does everybody since.
function lastXrefOffset(bytes: Uint8Array): number {
  const tail = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).subarray(-1024)
  const found = tail.lastIndexOf("startxref")
  if (found < 0) throw corrupt("The file does not say where its cross-reference section is.")
  const cursor: Cursor = { bytes: tail, at: found + "startxref".length, end: tail.length }
  // Not skipWhite: `%%EOF` is a comment.
  while (looksAt(cursor, "\r") || looksAt(cursor, "\n") || looksAt(cursor, " ")) cursor.at += 1
  const offset = readCount(cursor, "The place of the cross-reference section")
  if (!/^\s*%%EOF/.test(tail.toString("latin1", cursor.at))) throw corrupt("The file does not end as a PDF.")
  return offset
}

function readSections(bytes: Uint8Array, newest: number, budget: Budget): readonly XrefSection[] {
  const sections: XrefSection[] = []
  const chain = new Set<number>()
  const hybrid = new Map<number, XrefSection>()
  for (let offset: number | undefined = newest; offset !== undefined; ) {
    if (chain.has(offset)) throw corrupt("The cross-reference sections form a loop.")
    if (chain.size >= MAX_XREF_SECTIONS)
      throw new PdfRefused("too-complex", "The PDF has too many revisions.")
    chain.add(offset)
    const section = readSection(bytes, offset, budget)
    sections.push(section)
    const stream = hybridOffset(section)
    if (stream !== undefined) {
      // Word saves twice and lets both tables name the same stream.
      const read = hybrid.get(stream) ?? readSection(bytes, stream, budget)
      if (read.kind !== "stream") throw corrupt("The stream of a hybrid section is not a stream.")
      hybrid.set(stream, read)
      sections.push(read)
    }
    offset = section.trailer.entries.has("Prev") ? asCount(entry(section.trailer, "Prev"), "Prev") : undefined
  }
  return sections
}

function readSection(bytes: Uint8Array, offset: number, budget: Budget): XrefSection {
  if (offset <= 0 || offset >= bytes.length) throw corrupt("A cross-reference section lies outside the file.")
  return readXrefSection(bytes, offset, budget)
}

function hybridOffset({ kind, trailer }: XrefSection): number | undefined {
  if (kind !== "table" || !trailer.entries.has("XRefStm")) return undefined
  return asCount(entry(trailer, "XRefStm"), "XRefStm")
}

type Open = Omit<Pdf, "catalog" | "catalogRef">

/** The value itself, or the object that it refers to. A reference to a reference is not followed: 7.3.10 has none. */
export function resolve(pdf: Open, value: PdfValue): PdfValue {
  if (!isRef(value)) return value
  const found = readObject(pdf, value)
  if (isRef(found)) throw corrupt(`Object ${value.number} is a reference.`)
  return found
}

export function resolveDict(pdf: Open, value: PdfValue, what: string): PdfDict {
  const found = resolve(pdf, value)
  if (!isDict(found)) throw corrupt(`${what} is not a dictionary.`)
  return found
}

/** 7.3.10: a reference to an object that does not exist is a reference to null. */
function readObject(pdf: Open, ref: PdfRef): PdfValue {
  const found = findEntry(pdf.sections, ref.number)
  if (found === undefined || found.kind === "free") return null
  if (found.kind === "packed") return ref.generation === 0 ? readPacked(pdf, ref.number, found) : null
  return found.generation === ref.generation ? readPlain(pdf, ref.number, found).value : null
}

function findEntry(sections: readonly XrefSection[], number: number): XrefEntry | undefined {
  for (const [place, section] of sections.entries()) {
    const found = findInSection(section, number)
    if (found === undefined) continue
    // 7.5.8.4: an object that the stream of a hybrid section holds is marked as free in its table.
    const stream = hybridOffset(section) === undefined ? undefined : sections[place + 1]
    if (found.kind === "free" && stream !== undefined) return findInSection(stream, number) ?? found
    return found
  }
  return undefined
}

function readPlain(pdf: Open, number: number, found: XrefEntry & { kind: "plain" }): IndirectObject {
  if (found.offset >= pdf.bytes.length) throw corrupt(`Object ${number} lies outside the file.`)
  const object = parseIndirect(pdf.bytes, found.offset, pdf.budget)
  if (object.ref.number !== number || object.ref.generation !== found.generation)
    throw corrupt(`Object ${number} is not where the cross-reference section says.`)
  return object
}

function readPacked(pdf: Open, number: number, found: XrefEntry & { kind: "packed" }): PdfValue {
  const { bytes, numbers, starts } = openObjectStream(pdf, found.streamNumber)
  const start = starts[found.index]
  if (numbers[found.index] !== number || start === undefined)
    throw corrupt(`Object ${number} is not in object stream ${found.streamNumber}.`)
  return parseValue({ bytes, at: start, end: bytes.length }, pdf.budget)
}

// 7.5.7. An object stream is itself a plain object, and its length may be one too, but never one inside it.
function openObjectStream(pdf: Open, number: number): ObjectStream {
  const known = pdf.objectStreams.get(number)
  if (known !== undefined) return known
  if (pdf.open.has(number)) throw corrupt(`Object stream ${number} contains itself.`)
  pdf.open.add(number)
  const found = findEntry(pdf.sections, number)
  if (found?.kind !== "plain") throw corrupt(`Object stream ${number} is missing.`)
  const { value: dict, streamAt } = readPlain(pdf, number, found)
  if (streamAt === undefined || !isDict(dict) || !isName(entry(dict, "Type"), "ObjStm"))
    throw corrupt(`Object ${number} is not an object stream.`)
  const length = asCount(resolve(pdf, entry(dict, "Length")), "The length of an object stream")
  const bytes = decodeStream(dict, streamData(pdf.bytes, streamAt, length), pdf.budget)
  const opened = { bytes, ...readDirectory(dict, bytes) }
  pdf.open.delete(number)
  pdf.objectStreams.set(number, opened)
  return opened
}

function readDirectory(dict: PdfDict, bytes: Uint8Array): { numbers: number[]; starts: number[] } {
  const count = asCount(entry(dict, "N"), "The count of an object stream")
  const first = asCount(entry(dict, "First"), "The first offset of an object stream")
  // Two digits and two spaces are the least that an entry takes.
  if (first > bytes.length || count * 4 > first + 1)
    throw corrupt("The directory of an object stream is cut short.")
  const cursor: Cursor = { bytes, at: 0, end: first }
  const numbers: number[] = []
  const starts: number[] = []
  for (let i = 0; i < count; i++) {
    skipWhite(cursor)
    numbers.push(readCount(cursor, "An object number"))
    skipWhite(cursor)
    starts.push(first + readCount(cursor, "An offset in an object stream"))
  }
  return { numbers, starts }
}
