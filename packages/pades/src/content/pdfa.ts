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
  return { part: Number(part), conformance: found.get("conformance")?.toUpperCase() }
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

type Element = {
  readonly tag: string
  readonly name: string
  readonly scope: Scope | undefined
  readonly identifies: boolean
  readonly textAt: number
}

/** Calls `identified` for each property of the identification schema; false where the text is not well formed. */
function scan(text: string, identified: (name: string, value: string) => void): boolean {
  const open: Element[] = []
  let at = 0
  for (;;) {
    at = text.indexOf("<", at)
    if (at < 0) return open.length === 0
    const unseen = UNSEEN.find(([start]) => text.startsWith(start, at))
    if (unseen !== undefined) {
      const end = text.indexOf(unseen[1], at + unseen[0].length)
      if (end < 0) return false
      at = end + unseen[1].length
    } else if (text.startsWith("</", at)) {
      const closed = open.pop()
      const end = text.indexOf(">", at)
      if (closed === undefined || end < 0 || text.slice(at + 2, end).trimEnd() !== closed.tag) return false
      if (closed.identifies) identified(closed.name, plainText(text.slice(closed.textAt, at)))
      at = end + 1
    } else {
      const tag = readTag(text, at)
      if (tag === undefined || open.length >= MAX_DEPTH) return false
      const element = elementOf(tag, open.at(-1), identified)
      if (!tag.empty) open.push(element)
      at = tag.end
    }
  }
}

const UNSEEN = [
  ["<!--", "-->"],
  ["<?", "?>"],
  ["<![CDATA[", "]]>"],
] as const

type Tag = {
  readonly tag: string
  readonly attributes: readonly (readonly [name: string, value: string])[]
  readonly empty: boolean
  readonly end: number
}

function readTag(text: string, at: number): Tag | undefined {
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
    attributes.push([found[1] ?? "", found[2] ?? found[3] ?? ""])
  }
}

function elementOf(
  { tag, attributes, end }: Tag,
  parent: Element | undefined,
  identified: (name: string, value: string) => void,
): Element {
  const scope = withDeclared(attributes, parent?.scope)
  const [namespace, name] = qualified(tag, scope)
  if (namespace === RDF && name === "Description")
    for (const [attribute, value] of attributes) {
      // A name without a prefix is in no namespace if it is an attribute's.
      const [of, property] = attribute.includes(":") ? qualified(attribute, scope) : ["", attribute]
      if (of === PDFA_ID) identified(property, plainText(value))
    }
  const [parentNamespace, parentName] = qualified(parent?.tag ?? "", parent?.scope)
  const property = parentNamespace === RDF && parentName === "Description"
  return { tag, name, scope, identifies: property && namespace === PDFA_ID, textAt: end }
}

/** The prefixes that an element declares, and those of the elements around it. */
type Scope = { readonly declared: ReadonlyMap<string, string>; readonly outer: Scope | undefined }

// A chain, not a copy: a text could declare thousands of prefixes and have thousands of elements below.
function withDeclared(attributes: Tag["attributes"], outer: Scope | undefined): Scope | undefined {
  const declared = attributes.filter(([name]) => name === "xmlns" || name.startsWith("xmlns:"))
  if (declared.length === 0) return outer
  return { declared: new Map(declared.map(([name, value]) => [name.slice(6), plainText(value)])), outer }
}

function qualified(name: string, scope: Scope | undefined): readonly [string, string] {
  const colon = name.indexOf(":")
  const prefix = colon < 0 ? "" : name.slice(0, colon)
  for (let at = scope; at !== undefined; at = at.outer) {
    const namespace = at.declared.get(prefix)
    if (namespace !== undefined) return [namespace, name.slice(colon + 1)]
  }
  return ["", name.slice(colon + 1)]
}

const ENTITIES = new Map([
  ["lt", "<"],
  ["gt", ">"],
  ["amp", "&"],
  ["quot", '"'],
  ["apos", "'"],
])

function plainText(text: string): string {
  return text
    .replace(/<!--.*?-->/gs, "")
    .replace(/<!\[CDATA\[(.*?)\]\]>/gs, "$1")
    .replace(/&(?:#(\d{1,7})|#x([0-9a-fA-F]{1,6})|(\w{1,8}));/g, (whole, decimal, hex, name) => {
      if (name !== undefined) return ENTITIES.get(name) ?? whole
      const codePoint = Number.parseInt(decimal ?? hex, decimal === undefined ? 16 : 10)
      return codePoint <= 0x10ffff ? String.fromCodePoint(codePoint) : whole
    })
}
