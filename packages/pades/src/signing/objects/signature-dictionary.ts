// The signature dictionary (ISO 32000-2, 12.8.1) with its hole for the mark, and what a signature forbids afterwards.

import { readTransforms } from "../../content/transform.ts"
import { type Pdf, resolve } from "../../structure/document.ts"
import { corrupt } from "../../syntax/scan.ts"
import { entry, isArray, isDict, type PdfDict, type PdfValue } from "../../syntax/value.ts"
import { latin1, writeDate, writeRef, writeTextString } from "../../write/syntax.ts"

/** What a certification allows: 1 nothing, 2 form filling and signing, 3 annotations as well (table 257). */
export type Permission = 1 | 2 | 3

export type SignatureEntries = {
  readonly type: "Sig" | "DocTimeStamp"
  readonly subFilter: "ETSI.CAdES.detached" | "ETSI.RFC3161"
  readonly holeBytes: number
  readonly signedAt?: Date
  readonly signerName?: string | undefined
  readonly reason?: string | undefined
  readonly location?: string | undefined
  readonly contactInfo?: string | undefined
  /** Signature references, as they are written in a PDF. */
  readonly references?: readonly string[]
}

export type Hole = { readonly start: number; readonly length: number }

const CONTENTS = "/Contents "
// Four numbers of up to ten digits, as a cross-reference table can hold them.
const BYTE_RANGE = "/ByteRange ["
const BYTE_RANGE_WIDTH = 43

// The byte range and the hole come first: whatever the signer's name or reason holds, it stands behind them.
export function signatureDictionary(entries: SignatureEntries): string {
  const { type, subFilter, holeBytes, signedAt, references = [] } = entries
  const lines = [
    `<<\n/Type /${type}\n/Filter /Adobe.PPKLite\n/SubFilter /${subFilter}`,
    `${BYTE_RANGE}${" ".repeat(BYTE_RANGE_WIDTH)}]`,
    `${CONTENTS}<${"0".repeat(2 * holeBytes)}>`,
  ]
  if (signedAt !== undefined) lines.push(`/M ${writeDate(signedAt)}`)
  const texts = {
    Name: entries.signerName,
    Reason: entries.reason,
    Location: entries.location,
    ContactInfo: entries.contactInfo,
  }
  for (const [key, text] of Object.entries(texts))
    if (text !== undefined) lines.push(`/${key} ${writeTextString(text)}`)
  if (references.length > 0) lines.push(`/Reference [${references.join("\n")}]`)
  return `${lines.join("\n")}\n>>`
}

/** Where the hole of the dictionary is, if its body begins at `bodyStart` of the tail. */
export function findHole(tail: Uint8Array, bodyStart: number, holeBytes: number): Hole {
  const bytes = Buffer.from(tail.buffer, tail.byteOffset, tail.length)
  return { start: bytes.indexOf(CONTENTS, bodyStart) + CONTENTS.length, length: 2 * holeBytes + 2 }
}

/** 12.8.1: the whole file but the hexadecimal string and its brackets. */
export function fillByteRange(
  tail: Uint8Array,
  baseLength: number,
  hole: Hole,
): readonly [number, number, number, number] {
  const start = baseLength + hole.start
  const end = start + hole.length
  const byteRange = [0, start, end, baseLength + tail.length - end] as const
  const before = Buffer.from(tail.buffer, tail.byteOffset, hole.start)
  const place = before.lastIndexOf(BYTE_RANGE) + BYTE_RANGE.length
  tail.set(latin1(byteRange.join(" ").padEnd(BYTE_RANGE_WIDTH)), place)
  return byteRange
}

/** Writes the mark as hexadecimal digits; nothing but the hole changes. */
export function fillHole(tail: Uint8Array, hole: Hole, mark: Uint8Array): void {
  const room = hole.length / 2 - 1
  if (mark.length > room)
    throw new RangeError(`The mark has ${mark.length} bytes, the hole room for ${room}.`)
  tail.set(latin1(Buffer.from(mark).toString("hex")), hole.start + 1)
}

/**
 * What a signature forbids afterwards, as signature references. The lock of its field wins; `locked` is the array of names
 * that the signature locks where the field has none.
 */
export function signatureReferences(
  pdf: Pdf,
  field: PdfDict | undefined,
  certify: Permission | undefined,
  locked?: string,
): readonly string[] {
  const lock = field === undefined ? undefined : readLock(pdf, field)
  const references = fieldMdpReferences(pdf, lock, locked)
  const ofLock = lock === undefined ? null : resolve(pdf, entry(lock, "P"))
  const asked = [certify, isPermission(ofLock) ? ofLock : undefined].filter((one) => one !== undefined)
  if (asked.length === 0) return references
  // One and the strictest: readers differ on which of two counts, and nothing loosens an earlier certification.
  const permission = Math.min(...asked, certifiedPermission(pdf) ?? 3)
  const parameters = `<< /Type /TransformParams /P ${permission} /V /1.2 >>`
  const docMdp = `<< /Type /SigRef /TransformMethod /DocMDP /TransformParams ${parameters} >>`
  return [docMdp, ...references]
}

/** 12.8.2.2: what the certification of the document allows, if it has one. */
export function certifiedPermission(pdf: Pdf): Permission | undefined {
  const permissions = resolve(pdf, entry(pdf.catalog, "Perms"))
  const certification = isDict(permissions) ? resolve(pdf, entry(permissions, "DocMDP")) : null
  // Table 257: 2 where it says nothing.
  return isDict(certification) ? (readTransforms(pdf, certification).docMdp ?? 2) : undefined
}

function readLock(pdf: Pdf, field: PdfDict): PdfDict | undefined {
  const lock = resolve(pdf, entry(field, "Lock"))
  if (lock !== null && !isDict(lock)) throw corrupt("The lock of the signature field is not a dictionary.")
  return lock ?? undefined
}

// 12.8.2.4: the fields that can no longer be changed.
function fieldMdpReferences(
  pdf: Pdf,
  lock: PdfDict | undefined,
  locked: string | undefined,
): readonly string[] {
  if (lock !== undefined) return [fieldMdpReference(pdf, rulesOf(pdf, lock))]
  return locked === undefined ? [] : [fieldMdpReference(pdf, includeRule(locked))]
}

/** The action and the names, as a lock and the parameters of a transform write them (tables 235 and 256). */
export const includeRule = (fields: string): string => `/Action /Include /Fields ${fields}`

function rulesOf(pdf: Pdf, lock: PdfDict): string {
  const action = resolve(pdf, entry(lock, "Action"))
  if (typeof action !== "object" || action?.type !== "name" || !ACTIONS.has(action.name))
    throw corrupt("The lock of the signature field has no known action.")
  const fields = action.name === "All" ? "" : ` /Fields ${copyOf(pdf, entry(lock, "Fields"))}`
  return `/Action /${action.name}${fields}`
}

function fieldMdpReference(pdf: Pdf, rules: string): string {
  const parameters = `<< /Type /TransformParams /V /1.2 ${rules} >>`
  return `<< /Type /SigRef /TransformMethod /FieldMDP /TransformParams ${parameters} /Data ${writeRef(pdf.catalogRef)} >>`
}

const ACTIONS = new Set(["All", "Include", "Exclude"])

function isPermission(value: PdfValue): value is Permission {
  return value === 1 || value === 2 || value === 3
}

function copyOf(pdf: Pdf, value: PdfValue): string {
  const array = resolve(pdf, value)
  if (!isArray(array)) throw corrupt("The lock of the signature field names no fields.")
  return Buffer.from(array.bytes.subarray(array.start, array.end)).toString("latin1")
}
