// Canonical XML 1.0 (W3C, 2001) and Exclusive XML Canonicalization 1.0 (2002), both without comments: the bytes that a
// signature is over. Libraries do this for a document tree of theirs; this is for ours, which has no document types,
// instructions or comments, so that what is left is the order of names and which namespaces are written. Compared with
// others' in canonical-xml.test.ts.

import { createHash } from "node:crypto"
import { type XmlAttribute, type XmlElement, XmlError } from "./xml-reader.ts"

export type Canonicalization =
  | { readonly method: "inclusive" }
  /** The prefixes that are treated as the inclusive method treats all (its InclusiveNamespaces; "" for the default). */
  | { readonly method: "exclusive"; readonly prefixes: readonly string[] }

type Namespaces = ReadonlyMap<string, string>

const XML = "http://www.w3.org/XML/1998/namespace"
const NONE: Namespaces = new Map()
const PIECE = 65_536

export type CanonicalTarget = {
  readonly element: XmlElement
  /** Left out: the signature itself (XMLDSig, 6.6.4). */
  readonly without?: XmlElement
  readonly canonicalization: Canonicalization
}

export function canonicalDigest(target: CanonicalTarget, algorithm: "sha256" | "sha384" | "sha512"): Buffer {
  const hash = createHash(algorithm)
  writeCanonical(target, (text) => hash.update(text, "utf8"))
  return hash.digest()
}

export function canonicalBytes(target: CanonicalTarget): Uint8Array {
  const pieces: Buffer[] = []
  writeCanonical(target, (text) => pieces.push(Buffer.from(text, "utf8")))
  return new Uint8Array(Buffer.concat(pieces))
}

function writeCanonical(target: CanonicalTarget, write: (text: string) => void): void {
  const { element, canonicalization } = target
  const above = inScopeAbove(element)
  if (canonicalization.method === "inclusive") refuseInherited(element)
  let waiting = ""
  const put = (text: string) => {
    waiting += text
    if (waiting.length < PIECE) return
    write(waiting)
    waiting = ""
  }
  writeElement(element, { target, scope: above, rendered: NONE, put })
  write(waiting)
}

type Place = {
  readonly target: CanonicalTarget
  /** Prefixes with their namespaces, as declared by the ancestors. */
  readonly scope: Namespaces
  /** What the nearest ancestors that were written have said. */
  readonly rendered: Namespaces
  readonly put: (text: string) => void
}

function writeElement(element: XmlElement, place: Place): void {
  const { target, put } = place
  const scope = element.declared.size === 0 ? place.scope : new Map([...place.scope, ...element.declared])
  const news = [...newNamespaces(element, scope, place)]
  const rendered = news.length === 0 ? place.rendered : new Map([...place.rendered, ...news])
  const name = qualified(element)
  put(`<${name}`)
  for (const [prefix, value] of news.sort(byPrefix))
    put(` ${prefix === "" ? "xmlns" : `xmlns:${prefix}`}="${escapeAttribute(value)}"`)
  for (const attribute of [...element.attributes].sort(byName))
    put(` ${qualified(attribute)}="${escapeAttribute(attribute.value)}"`)
  put(">")
  for (const child of element.children) {
    if (typeof child === "string") put(escapeText(child))
    else if (child !== target.without) writeElement(child, { target, scope, rendered, put })
  }
  put(`</${name}>`)
}

// Inclusive: all that are in scope; inside, all but what is declared there have been written. Exclusive, 3: those that the
// element and its attributes visibly use, and those listed.
function newNamespaces(element: XmlElement, scope: Namespaces, { target, rendered }: Place): Namespaces {
  const wanted = new Map<string, string>()
  const want = (prefix: string) => {
    if (prefix !== "xml") wanted.set(prefix, scope.get(prefix) ?? "")
  }
  const how = target.canonicalization
  if (how.method === "inclusive") {
    const candidates = element === target.element ? scope : element.declared
    for (const prefix of candidates.keys()) want(prefix)
  } else {
    want(element.prefix)
    for (const { prefix } of element.attributes) if (prefix !== "") want(prefix)
    for (const prefix of how.prefixes) if (prefix === "" || scope.has(prefix)) want(prefix)
  }
  for (const [prefix, name] of wanted) if ((rendered.get(prefix) ?? "") === name) wanted.delete(prefix)
  return wanted
}

function inScopeAbove(element: XmlElement): Namespaces {
  const above = ancestorsOf(element).flatMap(({ declared }) => [...declared])
  return new Map(above)
}

// Canonical XML 1.0, 2.4 copies xml:lang and its like from the ancestors into a part of a document, and 1.1 does so in
// another way. No list has them there, so nobody needs to know which is right.
function refuseInherited(element: XmlElement): void {
  const isSpecial = ({ namespace }: XmlAttribute) => namespace === XML
  if (ancestorsOf(element).some(({ attributes }) => attributes.some(isSpecial)))
    throw new XmlError("an attribute of the xml namespace above what is canonicalized")
}

/** From the root down. */
function ancestorsOf(element: XmlElement): readonly XmlElement[] {
  const found: XmlElement[] = []
  for (let above = element.parent; above !== undefined; above = above.parent) found.unshift(above)
  return found
}

function qualified({ prefix, local }: { readonly prefix: string; readonly local: string }): string {
  return prefix === "" ? local : `${prefix}:${local}`
}

function byPrefix([one]: readonly [string, string], [other]: readonly [string, string]): number {
  return compare(one, other)
}

// Canonical XML, 2.3: by the name of the namespace first, those without one before all.
function byName(one: XmlAttribute, other: XmlAttribute): number {
  return compare(one.namespace, other.namespace) || compare(one.local, other.local)
}

// By code points, which UTF-16 orders otherwise beyond its surrogates.
function compare(one: string, other: string): number {
  if (one === other) return 0
  return Buffer.compare(Buffer.from(one, "utf8"), Buffer.from(other, "utf8"))
}

const TEXT: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", "\r": "&#xD;" }
const ATTRIBUTE: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  '"': "&quot;",
  "\t": "&#x9;",
  "\n": "&#xA;",
  "\r": "&#xD;",
}

function escapeText(text: string): string {
  return text.replace(/[&<>\r]/g, (character) => TEXT[character] ?? character)
}

function escapeAttribute(value: string): string {
  return value.replace(/[&<"\t\n\r]/g, (character) => ATTRIBUTE[character] ?? character)
}
