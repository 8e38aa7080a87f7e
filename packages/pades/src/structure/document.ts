// Opens a PDF from its end (ISO 32000-2, 7.5.5): startxref, the chain of cross-reference sections, the trailer; after
// that objects are read one by one, when they are asked for.

import { PdfRefused } from "../refused.ts"
import type { Source } from "../source.ts"
import { type Budget, MAX_OBJECTS, newBudget } from "../syntax/limits.ts"
import { parseIndirect } from "../syntax/parse.ts"
import { type Cursor, corrupt } from "../syntax/scan.ts"
import type { PdfDict, PdfRef, PdfValue } from "../syntax/value.ts"
import { asCount, entry, type IndirectObject, isDict, isName, isRef } from "../syntax/value.ts"
import { parseAt } from "../syntax/window.ts"
import { refuseDisagreement } from "./agreement.ts"
import { type Encryption, openEncryption } from "./encryption.ts"
import { decodeStream } from "./filter.ts"
import { type ObjectStream, openDirectory, packedValue } from "./object-stream.ts"
import { findEntry, lastXrefOffset, readSections } from "./sections.ts"
import { streamData, type XrefEntry, type XrefSection } from "./xref-section.ts"

export type Pdf = {
  readonly source: Source
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
  readonly options: OpenOptions
  readonly encryption: Encryption | undefined
}

export type OpenOptions = {
  /** Opens an encrypted file, as its user or its owner; "" is what most of them have. Without it they are refused. */
  readonly password?: string
  /** One more revision will follow, whose objects get the numbers from the size on. */
  readonly toGrow?: boolean
}

export function openPdf(source: Source, options: OpenOptions = {}): Pdf {
  if (!/^%PDF-[12]\.\d/.test(String.fromCharCode(...source.read(0, 8))))
    throw corrupt("The file does not begin as a PDF.")
  const budget = newBudget(source.length)
  const sections = readSections(source, lastXrefOffset(source), budget)
  refuseDisagreement(source, sections, budget)
  return openSections(source, sections, budget, options)
}

/** The PDF that these sections describe, newest first. */
export function openSections(
  source: Source,
  sections: readonly XrefSection[],
  budget: Budget,
  options: OpenOptions,
): Pdf {
  const [newest] = sections
  if (newest === undefined) throw corrupt("The file has no cross-reference section.")
  const { trailer } = newest
  if (options.password === undefined && sections.some((section) => section.trailer.entries.has("Encrypt")))
    throw new PdfRefused("encrypted", "The PDF is encrypted.")
  const size = asCount(entry(trailer, "Size"), "The size in the trailer")
  if (size > MAX_OBJECTS + 1) throw new PdfRefused("too-complex", "The PDF has too many objects.")
  // 7.5.5: objects beyond the size are to be ignored. Not everybody does, and their numbers must not be given again.
  if (sections.some((section) => section.nextNumber > size))
    throw corrupt("Objects lie beyond the size in the trailer.")
  const catalogRef = entry(trailer, "Root")
  if (!isRef(catalogRef)) throw corrupt("The trailer does not name the catalog.")
  const plain: Open = {
    source,
    sections,
    trailer,
    nextNumber: size,
    budget,
    objectStreams: new Map(),
    open: new Set<number>(),
    options,
    encryption: undefined,
  }
  const open = { ...plain, encryption: encryptionOf(plain) }
  const catalog = readObject(open, catalogRef)
  if (!isDict(catalog) || !isName(entry(catalog, "Type"), "Catalog"))
    throw corrupt("The catalog is not a catalog.")
  return { ...open, catalog, catalogRef }
}

type Open = Omit<Pdf, "catalog" | "catalogRef">

// 7.6.2: the dictionary itself is not encrypted, so it is read before there is a key. The main section of a linearised
// file does not name it; one that names another, or a newest one that names none, leaves open which strings are encrypted.
function encryptionOf(plain: Open): Encryption | undefined {
  const said = plain.sections.map(({ trailer }) => encryptIn(trailer)).filter((one) => one !== undefined)
  if (said.some((one) => one !== encryptIn(plain.trailer)))
    throw new PdfRefused("encrypted", "The revisions of the PDF are not encrypted alike.")
  const dict = resolve(plain, entry(plain.trailer, "Encrypt"))
  if (dict === null) return undefined
  if (!isDict(dict)) throw corrupt("The encryption dictionary is not a dictionary.")
  const id = resolve(plain, entry(plain.trailer, "ID"))
  const get = (from: PdfDict, key: string) => resolve(plain, entry(from, key))
  return openEncryption(dict, id, plain.options.password ?? "", get)
}

function encryptIn(trailer: PdfDict): string | undefined {
  const value = entry(trailer, "Encrypt")
  if (value === null) return undefined
  return isRef(value) ? `${value.number} ${value.generation}` : "direct"
}

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

/** A stream, decrypted and decoded; nothing where the value is none. An unusual filter is refused, and too many bytes. */
export function readStream(pdf: Open, value: PdfValue, maxBytes?: number): DecodedStream | undefined {
  if (!isRef(value)) return undefined
  const found = findEntry(pdf.sections, value.number, pdf.budget)
  if (found?.kind !== "plain" || found.generation !== value.generation) return undefined
  const object = readPlain(pdf, value.number, found)
  if (!isDict(object.value) || object.streamAt === undefined) return undefined
  const { end, ...stream } = decoded(pdf, object, maxBytes)
  return { ...stream, interval: { start: found.offset, end } }
}

export type DecodedStream = {
  readonly dict: PdfDict
  readonly bytes: Uint8Array
  /** Where the object stands in the file: from its number to the last byte of its data. */
  readonly interval: { readonly start: number; readonly end: number }
}

/** The object of a number in its newest generation, with the place of its data where it is a stream; nothing where there is none. */
export function readNumber(pdf: Open, number: number): Omit<IndirectObject, "ref"> | undefined {
  const found = findEntry(pdf.sections, number, pdf.budget)
  if (found === undefined || found.kind === "free") return undefined
  return found.kind === "packed" ? { value: readPacked(pdf, number, found) } : readPlain(pdf, number, found)
}

/** 7.3.10: a reference to an object that does not exist is a reference to null. */
function readObject(pdf: Open, ref: PdfRef): PdfValue {
  // A new object would get this number, and a reference that led to nothing would come alive.
  if (pdf.options.toGrow === true && ref.number >= pdf.nextNumber)
    throw corrupt(`Object ${ref.number} lies beyond the size in the trailer.`)
  const found = findEntry(pdf.sections, ref.number, pdf.budget)
  if (found === undefined || found.kind === "free") return null
  if (found.kind === "packed") return ref.generation === 0 ? readPacked(pdf, ref.number, found) : null
  return found.generation === ref.generation ? readPlain(pdf, ref.number, found).value : null
}

function readPlain(pdf: Open, number: number, found: XrefEntry & { kind: "plain" }): IndirectObject {
  if (found.offset >= pdf.source.length) throw corrupt(`Object ${number} lies outside the file.`)
  const parse = (cursor: Cursor) => parseIndirect(cursor, pdf.budget, pdf.encryption?.stringsOf)
  const object = parseAt(pdf.source, found.offset, pdf.budget, parse).result
  if (object.ref.number !== number || object.ref.generation !== found.generation)
    throw corrupt(`Object ${number} is not where the cross-reference section says.`)
  return object
}

function readPacked(pdf: Open, number: number, found: XrefEntry & { kind: "packed" }): PdfValue {
  const stream = openObjectStream(pdf, found.streamNumber)
  if (stream.numbers[found.index] !== number)
    throw corrupt(`Object ${number} is not in object stream ${found.streamNumber}.`)
  return packedValue(stream, found.index, pdf.budget)
}

// 7.5.7. An object stream is itself a plain object, and its length may be one too, but never one inside it.
export function openObjectStream(pdf: Open, number: number): ObjectStream {
  const known = pdf.objectStreams.get(number)
  if (known !== undefined) return known
  if (pdf.open.has(number)) throw corrupt(`Object stream ${number} contains itself.`)
  const found = findEntry(pdf.sections, number, pdf.budget)
  if (found?.kind !== "plain") throw corrupt(`Object stream ${number} is missing.`)
  pdf.open.add(number)
  try {
    const object = readPlain(pdf, number, found)
    if (
      object.streamAt === undefined ||
      !isDict(object.value) ||
      !isName(entry(object.value, "Type"), "ObjStm")
    )
      throw corrupt(`Object ${number} is not an object stream.`)
    const { dict, bytes } = decoded(pdf, object)
    const opened = openDirectory(dict, bytes)
    pdf.objectStreams.set(number, opened)
    return opened
  } finally {
    pdf.open.delete(number)
  }
}

function decoded(pdf: Open, { ref, value: dict, streamAt }: IndirectObject, maxBytes?: number) {
  if (!isDict(dict) || streamAt === undefined) throw corrupt(`Object ${ref.number} is not a stream.`)
  const length = asCount(resolve(pdf, entry(dict, "Length")), "The length of a stream")
  const data = streamData(pdf.source, streamAt, length)
  const plain = pdf.encryption === undefined ? data : pdf.encryption.decryptStream(ref, dict, data)
  return { dict, bytes: decodeStream(dict, plain, pdf.budget, maxBytes), end: streamAt + length }
}
