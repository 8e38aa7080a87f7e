// Which part of PDF/A a file claims to follow: the identification in its XMP metadata (ISO 19005-1, 6.7.11; XMP is
// ISO 16684-1). A scanner for just that, because two values of one namespace are all that is asked for: no
// document types, no network, and a text that is not well formed identifies nothing.

import { PdfRefused } from "../refused.ts"
import { type Pdf, readStream } from "../structure/document.ts"
import { entry } from "../syntax/value.ts"

export type PdfaClaim = {
  readonly part: number
  /** A, B, U, E or F; part 4 may have none. */
  readonly conformance: string | undefined
}

/** What the metadata claim. Whether it is true only a validator can tell. */
export function pdfaClaim(pdf: Pdf): PdfaClaim | undefined {
  const text = metadata(pdf)
  if (text === undefined) return undefined
  const found = new Map<string, string>()
  if (!scan(text, (name, value) => found.has(name) || found.set(name, value.trim()))) return undefined
  const part = found.get("part") ?? ""
  if (!/^[1-9]$/.test(part)) return undefined
  return { part: Number(part), conformance: found.get("conformance")?.toUpperCase() || undefined }
}

const MAX_METADATA_BYTES = 4_000_000

function metadata(pdf: Pdf): string | undefined {
  try {
    const stream = readStream(pdf, entry(pdf.catalog, "Metadata"))
    if (stream === undefined || stream.bytes.length > MAX_METADATA_BYTES) return undefined
    return decodeText(stream.bytes)
  } catch (error) {
    // Metadata that we cannot read identify nothing; the pages of the file may be sound all the same.
    if (error instanceof PdfRefused || error instanceof TypeError) return undefined
    throw error
  }
}

// ISO 16684-1, 7.1: UTF-8, UTF-16 or UTF-32. A packet begins with "<" or a byte order mark, which tells the encoding.
export function decodeText(bytes: Uint8Array): string {
  const [a = 0, b = 0, c = 0, d = 0] = bytes
  const strict = (encoding: string) => new TextDecoder(encoding, { fatal: true }).decode(bytes)
  if (a === 0 && b === 0 && ((c === 0xfe && d === 0xff) || (c === 0 && d !== 0))) return utf32(bytes, false)
  if (c === 0 && d === 0 && ((a === 0xff && b === 0xfe) || (a !== 0 && b === 0))) return utf32(bytes, true)
  if ((a === 0xfe && b === 0xff) || (a === 0 && b !== 0)) return strict("utf-16be")
  if ((a === 0xff && b === 0xfe) || (a !== 0 && b === 0)) return strict("utf-16le")
  return strict("utf-8")
}

function utf32(bytes: Uint8Array, littleEndian: boolean): string {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  const parts: string[] = []
  for (let at = 0; at + 4 <= bytes.length; at += 4) {
    const codePoint = view.getUint32(at, littleEndian)
    if (codePoint > 0x10ffff) throw new TypeError("This is not UTF-32.")
    parts.push(String.fromCodePoint(codePoint))
  }
  return parts.join("").replace(/^\ufeff/, "")
}

const RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
const PDFA_ID = "http://www.aiim.org/pdfa/ns/id/"
const MAX_DEPTH = 100
const MAX_ATTRIBUTES = 10_000

type Element = {
  readonly tag: string
  readonly namespace: string
  readonly name: string
  /** The prefixes that it declares. */
  readonly declared: readonly string[]
  readonly identifies: boolean
  readonly textAt: number
}

type Scan = {
  readonly open: Element[]
  /** What each prefix means, the innermost declaration last. */
  readonly namespaces: Map<string, string[]>
  readonly identified: (name: string, value: string) => void
}

/** Calls `identified` for each property of the identification schema; false where the text is not well formed. */
function scan(text: string, identified: Scan["identified"]): boolean {
  const state: Scan = { open: [], namespaces: new Map(), identified }
  let at = 0
  for (;;) {
    at = text.indexOf("<", at)
    if (at < 0) return state.open.length === 0
    const unseen = UNSEEN.find(([start]) => text.startsWith(start, at))
    if (unseen !== undefined) {
      const end = text.indexOf(unseen[1], at + unseen[0].length)
      if (end < 0) return false
      at = end + unseen[1].length
    } else if (text.startsWith("</", at)) {
      const closed = state.open.pop()
      const end = text.indexOf(">", at)
      if (closed === undefined || end < 0 || text.slice(at + 2, end).trimEnd() !== closed.tag) return false
      if (closed.identifies) identified(closed.name, propertyText(text, closed.textAt, at))
      forget(state, closed)
      at = end + 1
    } else {
      const tag = readTag(text, at)
      if (tag === undefined || state.open.length >= MAX_DEPTH) return false
      const element = begin(state, tag)
      if (tag.empty) forget(state, element)
      else state.open.push(element)
      at = tag.end
    }
  }
}

const CDATA = "<![CDATA["
export const UNSEEN = [
  ["<!--", "-->"],
  ["<?", "?>"],
  [CDATA, "]]>"],
] as const

export type Tag = {
  readonly tag: string
  readonly attributes: readonly (readonly [name: string, value: string])[]
  readonly empty: boolean
  readonly end: number
}

export function readTag(text: string, at: number): Tag | undefined {
  const name = /<([^\s<>/="'!?&]{1,500})/y
  name.lastIndex = at
  const tag = name.exec(text)?.[1]
  if (tag === undefined) return undefined
  const attributes: [string, string][] = []
  const attribute = /\s+([^\s<>/="'&]{1,500})\s*=\s*(?:"([^"<]*)"|'([^'<]*)')/y
  const close = /\s*(\/?)>/y
  for (let next = name.lastIndex; ; next = attribute.lastIndex) {
    attribute.lastIndex = next
    const found = attribute.exec(text)
    if (found === null) {
      close.lastIndex = next
      const closed = close.exec(text)
      return closed === null ? undefined : { tag, attributes, empty: closed[1] === "/", end: close.lastIndex }
    }
    if (attributes.length >= MAX_ATTRIBUTES) return undefined
    attributes.push([found[1] ?? "", found[2] ?? found[3] ?? ""])
  }
}

function begin(state: Scan, { tag, attributes, end }: Tag): Element {
  const declared: string[] = []
  for (const [attribute, value] of attributes) {
    if (attribute !== "xmlns" && !attribute.startsWith("xmlns:")) continue
    const prefix = attribute.slice(6)
    declared.push(prefix)
    const meanings = state.namespaces.get(prefix)
    if (meanings === undefined) state.namespaces.set(prefix, [plainText(value)])
    else meanings.push(plainText(value))
  }
  const [namespace, name] = qualified(state, tag)
  if (isDescription({ namespace, name }))
    for (const [attribute, value] of attributes) {
      // A name without a prefix is in no namespace if it is an attribute's.
      const [of, property] = attribute.includes(":") ? qualified(state, attribute) : ["", attribute]
      if (of === PDFA_ID) state.identified(property, propertyText(value, 0, value.length))
    }
  const parent = state.open.at(-1)
  const identifies = namespace === PDFA_ID && parent !== undefined && isDescription(parent)
  return { tag, namespace, name, declared, identifies, textAt: end }
}

function forget({ namespaces }: Scan, { declared }: Element): void {
  for (const prefix of declared) namespaces.get(prefix)?.pop()
}

function isDescription({ namespace, name }: Pick<Element, "namespace" | "name">): boolean {
  return namespace === RDF && name === "Description"
}

function qualified({ namespaces }: Scan, name: string): readonly [string, string] {
  const colon = name.indexOf(":")
  const prefix = colon < 0 ? "" : name.slice(0, colon)
  return [namespaces.get(prefix)?.at(-1) ?? "", name.slice(colon + 1)]
}

/** A part is one digit and a conformance one letter; around them there may be white space and comments. */
const MAX_PROPERTY_LENGTH = 1_000

function propertyText(text: string, start: number, end: number): string {
  return end - start > MAX_PROPERTY_LENGTH ? "" : plainText(text.slice(start, end))
}

const ENTITIES = new Map([
  ["lt", "<"],
  ["gt", ">"],
  ["amp", "&"],
  ["quot", '"'],
  ["apos", "'"],
])

// Only what stands between comments and instructions; of a CDATA section what it holds, as it is.
export function plainText(text: string): string {
  let plain = ""
  for (let at = 0; at < text.length; ) {
    const unseen = UNSEEN.find(([start]) => text.startsWith(start, at))
    const end = unseen === undefined ? -1 : text.indexOf(unseen[1], at + unseen[0].length)
    if (unseen === undefined || end < 0) {
      const next = text.indexOf("<", at + 1)
      plain += withoutEntities(text.slice(at, next < 0 ? text.length : next))
      at = next < 0 ? text.length : next
    } else {
      if (unseen[0] === CDATA) plain += text.slice(at + CDATA.length, end)
      at = end + unseen[1].length
    }
  }
  return plain
}

function withoutEntities(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([0-9a-fA-F]{1,6})|(\w{1,8}));/g, (whole, decimal, hex, name) => {
    if (name !== undefined) return ENTITIES.get(name) ?? whole
    const codePoint = Number.parseInt(decimal ?? hex, decimal === undefined ? 16 : 10)
    return codePoint <= 0x10ffff ? String.fromCodePoint(codePoint) : whole
  })
}
