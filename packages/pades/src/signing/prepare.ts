// Prepares a PAdES baseline signature (EN 319 142-1, 6.3): everything but the value of the signature. One revision is
// appended with a hole for the CMS; the hash of the base is the only work that grows with the file.

import { readCertificate } from "@paraph/pki/certificate"
import { signedAttributes } from "@paraph/pki/cms"
import { algorithmFor, SIGNATURE_ALGORITHMS, type SignatureAlgorithm } from "@paraph/pki/signature-algorithm"
import type { AppearanceParts } from "../appearance/appearance-objects.ts"
import { type Base, baseOf } from "../base.ts"
import { type Form, readForm, type SignatureField } from "../content/form.ts"
import { isLocked } from "../content/lock.ts"
import type { PagePlace } from "../content/page.ts"
import { checkSeedValue } from "../content/seed-value.ts"
import { PdfRefused } from "../refused.ts"
import type { Source } from "../source.ts"
import { openPdf, type Pdf } from "../structure/document.ts"
import { amendOfCatalog, create, newEdits, objectsOf } from "../write/edits.ts"
import { writeRevision } from "../write/revision.ts"
import { fillField } from "./objects/existing-field.ts"
import { fieldsToLock, lockFields, namesOf } from "./objects/field-lock.ts"
import { addSignatureField, fieldNameAt } from "./objects/new-field.ts"
import {
  certifiedPermission,
  fillByteRange,
  findHole,
  type Permission,
  signatureDictionary,
  signatureReferences,
} from "./objects/signature-dictionary.ts"
import type { Prepared } from "./prepared.ts"

export type PrepareOptions = {
  /** An empty signature field of the PDF, or a name that no field has yet. */
  readonly fieldName: string
  /** Where a new field stands, on the page as a person sees it. Without it, a new field is invisible. */
  readonly place?: PagePlace
  /** Where the same signature is shown again: by further fields, which are named like the first with a number behind. */
  readonly alsoAt?: readonly PagePlace[]
  readonly appearance?: AppearanceParts
  /** DER. */
  readonly certificate: Uint8Array
  readonly chain: readonly Uint8Array[]
  /** By default what the key of the certificate is made for; RSA-PSS must be asked for. */
  readonly algorithm?: SignatureAlgorithm
  /** The time that the signer claims; /M, since PAdES has no signing-time. */
  readonly signedAt: Date
  readonly signerName?: string
  readonly reason?: string
  readonly location?: string
  readonly contactInfo?: string
  /** Makes the signature a certification, which must be the first of its document, and says what stays allowed. */
  readonly certify?: Permission
  /**
   * The full names of the fields that later signers fill in. The first signature of a document locks all other fields; by
   * default no field is left open.
   */
  readonly fieldsFilledLater?: readonly string[]
  /** Room for the CMS. By default enough for the certificates and a signature time-stamp. */
  readonly holeBytes?: number
}

export function prepare(document: Base | Source | Uint8Array, options: PrepareOptions): Prepared {
  const base = baseOf(document)
  const certificate = readCertificate(options.certificate)
  const algorithm = options.algorithm ?? algorithmFor(certificate)
  const { digest } = SIGNATURE_ALGORITHMS[algorithm]
  const pdf = openPdf(base.source, { toGrow: true })
  const form = readForm(pdf)
  const field = fieldOf(pdf, form, options)
  const { timestampRequired } = checkSeedValue(pdf, field?.dict, { ...options, digest })

  const baseSha256 = base.hash("sha256").digest()
  const { tail, hole } = writeTail(pdf, form, field, options, baseSha256)
  const byteRange = fillByteRange(tail, base.source.length, hole)
  const hash = base.hash(digest)
  hash.update(tail.subarray(0, hole.start)).update(tail.subarray(hole.start + hole.length))
  return {
    baseLength: base.source.length,
    baseSha256: baseSha256.toString("hex"),
    tail: toBase64(tail),
    hole: { start: base.source.length + hole.start, length: hole.length },
    byteRange,
    signedAttributes: toBase64(signedAttributes({ contentDigest: hash.digest(), certificate, algorithm })),
    certificate: toBase64(options.certificate),
    chain: options.chain.map(toBase64),
    algorithm,
    ...(timestampRequired ? { timestampRequired } : {}),
  }
}

/** The empty field of this name, or nothing where a new one is to be made. */
function fieldOf(pdf: Pdf, form: Form, options: PrepareOptions): SignatureField | undefined {
  const { fieldName, place, alsoAt = [], certify } = options
  const field = form.signatureFields.find(({ name }) => name === fieldName)
  if (alsoAt.length > 0 && place === undefined)
    throw new TypeError("The first place of the field is missing.")
  if (field === undefined) {
    if (fieldName === "" || fieldName.includes("."))
      throw new TypeError("The name of a new field is not empty and has no full stop.")
    if (form.names.has(fieldName)) throw new TypeError("The field of this name is not a signature field.")
  } else {
    if (field.signature !== undefined) throw new TypeError("The field of this name is signed already.")
    if (place !== undefined) throw new TypeError("The field of this name has its place already.")
  }
  const names = [fieldName, ...alsoAt.map((_, i) => fieldNameAt(fieldName, i + 1))]
  if (names.slice(1).some((name) => form.names.has(name)))
    throw new TypeError("There is a field of the name that a further place would have.")
  const isFirst = form.signatureFields.every(({ signature }) => signature === undefined)
  if (certify !== undefined && (!isFirst || certifiedPermission(pdf) !== undefined))
    throw new PdfRefused("locked", "Only the first signature of a document can certify it.")
  if (names.some((name) => isLocked(pdf, form, name)))
    throw new PdfRefused("locked", "An earlier signature forbids any change.")
  return field
}

function writeTail(
  pdf: Pdf,
  form: Form,
  field: SignatureField | undefined,
  options: PrepareOptions,
  baseSha256: Uint8Array,
) {
  const edits = newEdits(pdf)
  const holeBytes = options.holeBytes ?? roomFor(options)
  const { certify } = options
  const toLock = fieldsToLock(pdf, form, field, options)
  const locked = toLock.length === 0 ? undefined : namesOf(toLock)
  const body = signatureDictionary({
    ...options,
    type: "Sig",
    subFilter: "ETSI.CAdES.detached",
    holeBytes,
    references: signatureReferences(pdf, field?.dict, certify, locked),
  })
  const signature = create(edits, body)
  const lock = locked === undefined ? undefined : lockFields(edits, toLock, locked)
  if (field !== undefined) fillField(edits, form, field, { ...options, signature, lock })
  else addSignatureField(edits, form, { ...options, name: options.fieldName, signature, lock })
  if (certify !== undefined) amendOfCatalog(edits, "Perms", { DocMDP: signature })
  const { tail, bodyStarts } = writeRevision(pdf, objectsOf(edits), baseSha256)
  return { tail, hole: findHole(tail, bodyStarts.get(pdf.nextNumber) ?? 0, holeBytes) }
}

const FRAME_BYTES = 2_048
const TIMESTAMP_BYTES = 8_192

function roomFor({ certificate, chain }: PrepareOptions): number {
  const certificates = [certificate, ...chain].reduce((sum, one) => sum + one.length, 0)
  return certificates + FRAME_BYTES + TIMESTAMP_BYTES
}

function toBase64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("base64")
}
