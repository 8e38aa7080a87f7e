// Distinguished names, compared as RFC 5280, 7.1 demands: by the preparation of strings of RFC 4518, so that case, white
// space and the type of string make no difference. Values that are no text are the same only if their bytes are.

import { DerError, type DerNode, expectTag, readDer, readOid, TAG } from "../der/der.ts"
import { remembered } from "../der/remembered.ts"

/** Whether two encoded names name the same. */
export function sameName(one: Uint8Array, other: Uint8Array): boolean {
  if (Buffer.from(one.buffer, one.byteOffset, one.length).equals(other)) return true
  return nameKey(one) === nameKey(other)
}

/** A string that is the same for two encoded names exactly if the names are: for indexes. */
export const nameKey: (name: Uint8Array) => string = remembered((name) => JSON.stringify(relativeNames(name)))

/** One string for each RelativeDistinguishedName, prepared for comparison; the attributes inside one are a set. */
export function relativeNames(name: Uint8Array): readonly string[] {
  return readName(name).children.map((relative) => {
    const attributes = expectTag(relative, TAG.set, "relative name").children.map(attributeKey)
    return JSON.stringify(attributes.sort())
  })
}

/** Throws a DerError unless every part of a name is one. */
export function checkName(name: DerNode): void {
  for (const relative of expectTag(name, TAG.sequence, "name").children)
    for (const attribute of expectTag(relative, TAG.set, "relative name").children) readAttribute(attribute)
}

/** A name without a single part, which a subject may have if it is named elsewhere (RFC 5280, 4.1.2.6). */
export function isEmptyName(name: Uint8Array): boolean {
  return readName(name).children.length === 0
}

/** The texts of all attributes of one type, in their order. */
export function attributesOf(name: Uint8Array, type: string): readonly string[] {
  return readName(name).children.flatMap((relative) =>
    relative.children.flatMap((attribute) => {
      const { id, value } = readAttribute(attribute)
      const text = id === type ? readDirectoryText(value) : undefined
      return text === undefined ? [] : [text]
    }),
  )
}

/** The text of a directory string or a string of its neighbours; undefined if it is none, or is not well-formed. */
export function readDirectoryText({ tag, content }: DerNode): string | undefined {
  const bytes = Buffer.from(content)
  switch (tag) {
    case TAG.utf8String: {
      const text = bytes.toString("utf8")
      return Buffer.from(text, "utf8").equals(bytes) ? text : undefined
    }
    case TAG.bmpString:
      return bytes.length % 2 === 0 ? bytes.swap16().toString("utf16le") : undefined
    case TAG.universalString:
      return readUniversal(bytes)
    // TeletexString is T.61 by the book and Latin-1 in life.
    case TAG.printableString:
    case TAG.ia5String:
    case TAG.t61String:
    case TAG.numericString:
    case TAG.visibleString:
      return bytes.toString("latin1")
    default:
      return undefined
  }
}

function readUniversal(bytes: Buffer): string | undefined {
  if (bytes.length % 4 !== 0) return undefined
  const points = Array.from({ length: bytes.length / 4 }, (_, index) => bytes.readUInt32BE(index * 4))
  const isPoint = (point: number) => point < 0x110000 && (point < 0xd800 || point > 0xdfff)
  return points.every(isPoint) ? points.map((point) => String.fromCodePoint(point)).join("") : undefined
}

function readName(name: Uint8Array): DerNode {
  return expectTag(readDer(name), TAG.sequence, "name")
}

function readAttribute(node: DerNode): { id: string; value: DerNode } {
  const [type, value, ...rest] = expectTag(node, TAG.sequence, "name attribute").children
  if (value === undefined || rest.length > 0) throw new DerError("name attribute without one value")
  return { id: readOid(type, "name attribute"), value }
}

function attributeKey(node: DerNode): string {
  const { id, value } = readAttribute(node)
  const text = readDirectoryText(value)
  return text === undefined ? `${id}#${Buffer.from(value.bytes).toString("hex")}` : `${id}=${prepare(text)}`
}

// RFC 4518, 2.2: these characters say nothing …
const MAPPED_TO_NOTHING = /[\p{Cc}\p{Cf}\ufffc]|\u034f|[\u180b-\u180d]|[\ufe00-\ufe0f]/gu
// … but these controls are spaces first.
const SPACES = /[\t\n\v\f\r\u0085\p{Z}]+/gu

// RFC 4518, 2: transcode, map, normalize, and handle insignificant spaces. Upper and then lower case is the case folding
// that JavaScript offers: it makes "ß" and "SS" one.
function prepare(text: string): string {
  return text
    .replace(SPACES, " ")
    .replace(MAPPED_TO_NOTHING, "")
    .normalize("NFKC")
    .toUpperCase()
    .toLowerCase()
    .normalize("NFKC")
    .replace(SPACES, " ")
    .trim()
}
