// XML 1.0 with namespaces, as far as trusted lists need it: UTF-8, no document type (so no entities and no default
// attributes), no processing instructions, and a limit on everything. Comments are passed over: Canonical XML leaves them
// out of what is signed, and what is not signed must not be there to be read. The tokens are read by saxes.

import { type SaxesAttributeNS, SaxesParser, type SaxesTagNS } from "saxes"

export type XmlAttribute = {
  readonly prefix: string
  readonly local: string
  readonly namespace: string
  readonly value: string
}

export type XmlElement = {
  readonly prefix: string
  readonly local: string
  readonly namespace: string
  /** Without the declarations of namespaces. */
  readonly attributes: readonly XmlAttribute[]
  /** The namespaces that this very element declares: prefix ("" for the default one) and name. */
  readonly declared: ReadonlyMap<string, string>
  /** Neighbouring texts are one. */
  readonly children: readonly (XmlElement | string)[]
  readonly parent: XmlElement | undefined
}

/** Why bytes are no XML that we read. */
export class XmlError extends Error {
  override readonly name = "XmlError"
}

export type XmlLimits = {
  readonly bytes: number
  readonly depth: number
  readonly elements: number
  readonly attributes: number
  /** Declared around one place, one inside the other: whatever looks up a prefix goes through them. */
  readonly namespaces: number
}

/** The largest of 42 real lists have 2.4 MB, 18,437 elements, a depth of 17, 9 attributes and 11 namespaces. */
export const XML_LIMITS: XmlLimits = {
  bytes: 52_428_800,
  depth: 64,
  elements: 500_000,
  attributes: 64,
  namespaces: 64,
}

const XMLNS = "http://www.w3.org/2000/xmlns/"
// What comes in one piece is looked at before the next, so that a refusal does not wait for the end.
const PIECE = 1_048_576

export function readXml(bytes: Uint8Array, limits: XmlLimits = XML_LIMITS): XmlElement {
  if (bytes.length > limits.bytes) throw new XmlError("more bytes than a list may have")
  const text = decode(bytes)
  const growing = growTree(limits)
  const parser = new SaxesParser({ xmlns: true, position: false })
  parser.on("error", (error) => refuse(`not well-formed: ${error.message.slice(0, 200)}`))
  parser.on("xmldecl", ({ version, encoding }) => {
    if (version !== "1.0") refuse("another version of XML")
    if (encoding !== undefined && encoding.toLowerCase() !== "utf-8") refuse("another encoding than UTF-8")
  })
  parser.on("doctype", () => refuse("a document type"))
  parser.on("processinginstruction", () => refuse("a processing instruction"))
  parser.on("opentagstart", () => growing.begin())
  parser.on("attribute", () => growing.count())
  parser.on("opentag", (tag) => growing.open(tag))
  parser.on("closetag", () => growing.close())
  parser.on("text", (data) => growing.text(data))
  parser.on("cdata", (data) => growing.text(data))
  for (let start = 0; start < text.length; start += PIECE) parser.write(text.slice(start, start + PIECE))
  parser.close()
  return growing.root() ?? refuse("no element")
}

function refuse(why: string): never {
  throw new XmlError(why)
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes)
  } catch {
    return refuse("not UTF-8")
  }
}

type Growing = XmlElement & { readonly children: (XmlElement | string)[] }

// The one thing here that changes; nobody sees it before it is finished.
function growTree(limits: XmlLimits) {
  let root: Growing | undefined
  let open: Growing | undefined
  let depth = 0
  let elements = 0
  let attributes = 0
  let namespaces = 0
  let texts: string[] = []
  const settle = () => {
    const text = texts.join("")
    if (text !== "") open?.children.push(text)
    if (texts.length > 0) texts = []
  }
  return {
    root: () => root,
    // Limits are met before anything is made of a tag: one tag could be the whole file.
    begin() {
      depth += 1
      elements += 1
      attributes = 0
      if (depth > limits.depth) refuse("nested too deep")
      if (elements > limits.elements) refuse("too many elements")
    },
    count() {
      attributes += 1
      if (attributes > limits.attributes) refuse("too many attributes")
    },
    open(tag: SaxesTagNS) {
      settle()
      const element = newElement(tag, open)
      namespaces += element.declared.size
      if (namespaces > limits.namespaces) refuse("too many namespaces")
      open?.children.push(element)
      root ??= element
      open = element
    },
    close() {
      settle()
      depth -= 1
      namespaces -= open?.declared.size ?? 0
      open = open?.parent as Growing | undefined
    },
    text(data: string) {
      texts.push(data)
    },
  }
}

function newElement(tag: SaxesTagNS, parent: XmlElement | undefined): Growing {
  return {
    prefix: tag.prefix,
    local: tag.local,
    namespace: tag.uri,
    attributes: Object.values(tag.attributes).filter(isPlain).map(attribute),
    declared: new Map(Object.entries(tag.ns)),
    children: [],
    parent,
  }
}

function isPlain({ uri }: SaxesAttributeNS): boolean {
  return uri !== XMLNS
}

function attribute({ prefix, local, uri, value }: SaxesAttributeNS): XmlAttribute {
  return { prefix, local, namespace: uri, value }
}
