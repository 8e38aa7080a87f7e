// Writes a PDF again as one revision with the objects that the catalog leads to, and nothing else: what was removed is not in an
// earlier revision either. Objects keep their numbers, and streams their bytes.

import { createHash } from "node:crypto"
import { readValue } from "../conditional/read-value.ts"
import { PdfRefused } from "../refused.ts"
import { type Pdf, readNumber } from "../structure/document.ts"
import {
  asCount,
  entry,
  isArray,
  isDict,
  isRef,
  type PdfArray,
  type PdfDict,
  type PdfValue,
  stringBytes,
} from "../syntax/value.ts"
import { latin1, writeRef } from "../write/syntax.ts"

/** What is left out. */
export type Omits = {
  /** Objects that end; references to them become null, wherever they stand. */
  readonly objects: ReadonlySet<number>
  /** An entry of a dictionary. */
  readonly entry: (dict: PdfDict, key: string, value: PdfValue) => boolean
  /** A dictionary of the structure tree or of a list of files, with the item of the list that it is. */
  readonly item: (value: PdfDict) => boolean
}

/** A frame between processes holds no more. */
const MAX_BYTES = 60_000_000

export function rewrite(pdf: Pdf, omits: Omits): Uint8Array {
  if (pdf.encryption !== undefined) throw new PdfRefused("encrypted", "An encrypted PDF cannot be flattened.")
  const parts: Uint8Array[] = []
  let length = 0
  const put = (bytes: Uint8Array) => {
    parts.push(bytes)
    length += bytes.length
    if (length > MAX_BYTES) throw new PdfRefused("too-complex", "The PDF is too large to be flattened.")
  }
  put(latin1("%PDF-1.7"))
  put(Uint8Array.of(0x0a, 0x25, 0xe2, 0xe3, 0xcf, 0xd3, 0x0a))
  const offsets = new Map<number, number>()
  const info = entry(pdf.trailer, "Info")
  const waiting = [pdf.catalogRef.number, ...(isRef(info) ? [info.number] : [])]
  const met = new Set(waiting)
  const meet = (number: number) => {
    if (met.has(number) || number >= pdf.nextNumber) return
    met.add(number)
    waiting.push(number)
  }
  for (let number = waiting.pop(); number !== undefined; number = waiting.pop()) {
    const object = readNumber(pdf, number)
    if (object === undefined) continue
    offsets.set(number, length)
    const value = isDict(object.value) && omits.item(object.value) ? null : object.value
    put(latin1(`${number} 0 obj\n${serialize(value, { omits, meet, nextNumber: pdf.nextNumber })}`))
    if (object.streamAt !== undefined && isDict(value)) {
      const size = asCount(readValue(pdf, entry(value, "Length")), "The length of a stream")
      put(latin1("\nstream\n"))
      put(pdf.source.read(object.streamAt, object.streamAt + size))
      put(latin1("\nendstream"))
    }
    put(latin1("\nendobj\n"))
  }
  put(latin1(trailerOf(pdf, offsets, length, identityOf(pdf, parts))))
  return Buffer.concat(parts)
}

/** 14.4: the first part stays that of the document; the second follows from the content, so that equal files stay equal. */
function identityOf(pdf: Pdf, parts: readonly Uint8Array[]): string {
  const hash = createHash("sha256")
  for (const part of parts) hash.update(part)
  const own = `<${hash.digest("hex").slice(0, 32)}>`
  const id = readValue(pdf, entry(pdf.trailer, "ID"))
  const first = isArray(id) ? readValue(pdf, id.items[0] ?? null) : null
  const isString = typeof first === "object" && first?.type === "string"
  return `[${isString ? `<${Buffer.from(stringBytes(first)).toString("hex")}>` : own} ${own}]`
}

type Writing = {
  readonly omits: Omits
  readonly meet: (number: number) => void
  readonly nextNumber: number
}

/** All references are of generation 0, as the objects are written. */
function serialize(value: PdfValue, writing: Writing): string {
  const { omits, meet, nextNumber } = writing
  if (value === null) return "null"
  if (typeof value === "number") return plainNumber(value)
  if (typeof value === "boolean") return String(value)
  if (isRef(value)) {
    if (value.number >= nextNumber || omits.objects.has(value.number)) return "null"
    meet(value.number)
    return writeRef({ number: value.number, generation: 0 })
  }
  if (isArray(value)) return `[${value.items.map((item) => serialize(item, writing)).join(" ")}]`
  if (isDict(value)) {
    const entries = [...value.entries].flatMap(([key, { value: inner }]) => {
      if (ends(omits, inner, key) || omits.entry(value, key, inner)) return []
      return `${writeName(key)} ${serializeEntry(value, key, inner, writing)}`
    })
    return `<< ${entries.join(" ")} >>`
  }
  if (value.type === "name") return writeName(value.name)
  return Buffer.from(value.bytes.subarray(value.start, value.end)).toString("latin1")
}

/** Items that end leave the lists of structure elements (14.7.5.3), associated files (14.13) and names (7.9.6). */
function serializeEntry(dict: PdfDict, key: string, value: PdfValue, writing: Writing): string {
  const { omits } = writing
  const names = entry(dict, "Names")
  const write = (items: readonly PdfValue[]) => `[${items.map((item) => serialize(item, writing)).join(" ")}]`
  if (!isArray(value)) return serialize(value, writing)
  if (key === "K" || key === "AF") return write(value.items.filter((item) => !ends(omits, item, key)))
  if (key === "Names") return write(keptNames(omits, value).flat())
  if (key === "Limits" && isArray(names)) {
    const kept = keptNames(omits, names)
    const [first, last] = [kept.at(0)?.[0], kept.at(-1)?.[0]]
    return first === undefined || last === undefined ? "[() ()]" : write([first, last])
  }
  return serialize(value, writing)
}

/** Pairs of a key and a value. */
const keptNames = (omits: Omits, { items }: PdfArray): readonly (readonly PdfValue[])[] =>
  Array.from({ length: Math.ceil(items.length / 2) }, (_, i) => items.slice(2 * i, 2 * i + 2)).filter(
    ([, value]) => value === undefined || !ends(omits, value, "Names"),
  )

function ends(omits: Omits, value: PdfValue, key: string): boolean {
  if (isRef(value)) return omits.objects.has(value.number)
  return ["K", "AF", "Names"].includes(key) && isDict(value) && omits.item(value)
}

/** 7.3.3: without an exponent, and as exact as it was read. */
const plainNumber = (value: number): string =>
  value !== 0 && (Math.abs(value) < 1e-6 || Math.abs(value) >= 1e21) ? value.toFixed(12) : String(value)

/** 7.3.5: everything but regular characters is written as a number. */
const writeName = (name: string): string =>
  `/${Array.from(Buffer.from(name, "latin1"), (byte) =>
    /[A-Za-z0-9+_.:*-]/.test(String.fromCharCode(byte))
      ? String.fromCharCode(byte)
      : `#${byte.toString(16).padStart(2, "0")}`,
  ).join("")}`

function trailerOf(pdf: Pdf, offsets: ReadonlyMap<number, number>, start: number, id: string): string {
  // A reference to an object that is missing stays one to nothing.
  const size = pdf.nextNumber
  const rows = Array.from({ length: size }, (_, number) => {
    const at = offsets.get(number)
    return at === undefined ? "0000000000 65535 f \n" : `${String(at).padStart(10, "0")} 00000 n \n`
  })
  const info = entry(pdf.trailer, "Info")
  const kept = isRef(info) && offsets.has(info.number) ? ` /Info ${info.number} 0 R` : ""
  return `xref\n0 ${size}\n${rows.join("")}trailer\n<< /Size ${size} /Root ${pdf.catalogRef.number} 0 R${kept} /ID ${id} >>\nstartxref\n${start}\n%%EOF\n`
}
