// Prepares a PAdES baseline signature (EN 319 142-1, 6.3): everything but the value of the signature. One revision is
// appended with a hole for the CMS; the hash of the base is the only work that grows with the file.

import { createHash } from "node:crypto"
import { readCertificate } from "@paraph/pki/certificate"
import { signedAttributes } from "@paraph/pki/cms"
import { algorithmFor } from "@paraph/pki/signature-algorithm"
import type { Prepared } from "./prepared.ts"
import { openPdf, type Pdf } from "./read/document.ts"
import { type Form, isLocked, readForm } from "./read/form.ts"
import { firstPage } from "./read/page.ts"
import { PdfRefused } from "./refused.ts"
import { writeRevision } from "./write/revision.ts"
import { signatureFieldObjects } from "./write/signature-field.ts"
import { latin1, writeDate, writeTextString } from "./write/syntax.ts"

export type PrepareOptions = {
  /** A name that no field of the PDF has yet. */
  readonly fieldName: string
  /** DER. */
  readonly certificate: Uint8Array
  readonly chain: readonly Uint8Array[]
  /** The time that the signer claims; /M, since PAdES has no signing-time. */
  readonly signedAt: Date
  readonly signerName?: string
  readonly reason?: string
  /** Room for the CMS. By default enough for the certificates and, later, a signature timestamp. */
  readonly holeBytes?: number
}

export function prepare(base: Uint8Array, options: PrepareOptions): Prepared {
  const certificate = readCertificate(options.certificate)
  const algorithm = algorithmFor(certificate)
  const pdf = openPdf(base)
  const form = readForm(pdf)
  checkField(pdf, form, options.fieldName)

  const hash = createHash("sha256").update(base)
  const baseSha256 = hash.copy().digest()
  const { tail, hole } = writeTail(pdf, form, options, baseSha256)
  const byteRange = fillByteRange(tail, base.length, hole)
  hash.update(tail.subarray(0, hole.start)).update(tail.subarray(hole.start + hole.length))
  return {
    baseLength: base.length,
    baseSha256: baseSha256.toString("hex"),
    tail: toBase64(tail),
    hole: { start: base.length + hole.start, length: hole.length },
    byteRange,
    signedAttributes: toBase64(signedAttributes({ contentDigest: hash.digest(), certificate })),
    certificate: toBase64(options.certificate),
    chain: options.chain.map(toBase64),
    algorithm,
  }
}

function checkField(pdf: Pdf, form: Form, name: string): void {
  if (name === "" || name.includes("."))
    throw new TypeError("A field name is not empty and has no full stop.")
  if (form.names.has(name)) throw new TypeError("The PDF has a field of this name.")
  if (isLocked(pdf, form, name)) throw new PdfRefused("locked", "An earlier signature forbids any change.")
}

type Hole = { readonly start: number; readonly length: number }

function writeTail(pdf: Pdf, form: Form, options: PrepareOptions, baseSha256: Uint8Array) {
  const signatureNumber = pdf.nextNumber
  const signature = latin1(signatureDictionary(options, holeBytes(options)))
  const field = { name: options.fieldName, signatureNumber }
  const objects = [
    { number: signatureNumber, generation: 0, body: signature },
    ...signatureFieldObjects(pdf, form, firstPage(pdf), field),
  ]
  const { tail, bodyStarts } = writeRevision(pdf, objects, baseSha256)
  const bodyStart = bodyStarts.get(signatureNumber) ?? 0
  const start = bodyStart + Buffer.from(signature).indexOf(CONTENTS) + CONTENTS.length
  return { tail, hole: { start, length: 2 * holeBytes(options) + 2 } satisfies Hole }
}

const CONTENTS = "/Contents "
// Four numbers of up to ten digits, as a cross-reference table can hold them.
const BYTE_RANGE = "/ByteRange ["
const BYTE_RANGE_WIDTH = 43

// The byte range and the hole come first: whatever the signer's name or reason holds, it stands behind them.
function signatureDictionary({ signedAt, signerName, reason }: PrepareOptions, room: number): string {
  const lines = [
    "<<\n/Type /Sig\n/Filter /Adobe.PPKLite\n/SubFilter /ETSI.CAdES.detached",
    `${BYTE_RANGE}${" ".repeat(BYTE_RANGE_WIDTH)}]`,
    `${CONTENTS}<${"0".repeat(2 * room)}>`,
    `/M ${writeDate(signedAt)}`,
  ]
  if (signerName !== undefined) lines.push(`/Name ${writeTextString(signerName)}`)
  if (reason !== undefined) lines.push(`/Reason ${writeTextString(reason)}`)
  return `${lines.join("\n")}\n>>`
}

const FRAME_BYTES = 2_048
const TIMESTAMP_BYTES = 8_192

function holeBytes({ holeBytes, certificate, chain }: PrepareOptions): number {
  if (holeBytes !== undefined) return holeBytes
  const certificates = [certificate, ...chain].reduce((sum, one) => sum + one.length, 0)
  return certificates + FRAME_BYTES + TIMESTAMP_BYTES
}

// ISO 32000-2, 12.8.1: the whole file but the hexadecimal string and its brackets.
function fillByteRange(tail: Uint8Array, baseLength: number, hole: Hole): Prepared["byteRange"] {
  const start = baseLength + hole.start
  const end = start + hole.length
  const byteRange = [0, start, end, baseLength + tail.length - end] as const
  const place =
    Buffer.from(tail.buffer, tail.byteOffset, hole.start).lastIndexOf(BYTE_RANGE) + BYTE_RANGE.length
  tail.set(latin1(byteRange.join(" ").padEnd(BYTE_RANGE_WIDTH)), place)
  return byteRange
}

function toBase64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("base64")
}
