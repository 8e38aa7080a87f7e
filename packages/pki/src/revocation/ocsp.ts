// The messages of the Online Certificate Status Protocol (RFC 6960, 4; RFC 8954): what is asked, and what comes back.
// Whether an answer can be believed is judged by check-ocsp.ts.

import { createHash } from "node:crypto"
import { type DigestName, digestAlgorithmName, digestIdentifier } from "../algorithm/digest.ts"
import type { Certificate } from "../certificate/certificate.ts"
import { type Extension, readExtensions } from "../certificate/extension.ts"
import { DerError, type DerNode, expectTag, readBits, readDer, readInteger, TAG } from "../der/der.ts"
import { explicit, integer, nullValue, octetString, oid, sequence } from "../der/der-writer.ts"
import { inside, takeOptional } from "../der/optional.ts"

/** RFC 6960, 4.4. */
export const OCSP_EXTENSION = {
  nonce: "1.3.6.1.5.5.7.48.1.2",
  archiveCutoff: "1.3.6.1.5.5.7.48.1.6",
  extendedRevoke: "1.3.6.1.5.5.7.48.1.9",
} as const

export type CertId = {
  /** As encoded; an answer repeats the bytes of the request. */
  readonly bytes: Uint8Array
  /** Undefined for an algorithm that we do not know. */
  readonly digestAlgorithm: DigestName | undefined
  readonly issuerNameHash: Uint8Array
  readonly issuerKeyHash: Uint8Array
  readonly serialNumber: bigint
}

export type OcspQuestion = {
  readonly certificate: Certificate
  readonly issuer: Certificate
  /** RFC 8954, 2.1: one to 32 octets. An answer made beforehand cannot repeat it. */
  readonly nonce?: Uint8Array
  /**
   * By default SHA-1, since it is what the world's responders know (RFC 5019, 2.1.1 allows nothing else). It finds a
   * certificate in a table and protects nothing: the answer is signed with another digest.
   */
  readonly digestAlgorithm?: DigestName
}

export function ocspRequest(question: OcspQuestion): Uint8Array {
  const { certificate, issuer, nonce, digestAlgorithm = "sha1" } = question
  if (nonce !== undefined && (nonce.length < 1 || nonce.length > 32))
    throw new RangeError("nonce out of range")
  const request = sequence(writeCertId(certificate, issuer, digestAlgorithm))
  const extensions = nonce && explicit(2, sequence(writeNonce(nonce)))
  return sequence(sequence(sequence(request), ...(extensions ? [extensions] : [])))
}

/**
 * A CertID (RFC 6960, 4.1.1): the name as the certificate spells its issuer, the key as the issuer has it. The NULL is
 * what everybody writes, and caches of answers are found by these bytes.
 */
export function writeCertId(
  certificate: Pick<Certificate, "issuer" | "serialNumber">,
  issuer: Certificate,
  digest: DigestName,
): Uint8Array {
  const hashed = (bytes: Uint8Array) => octetString(createHash(digest).update(bytes).digest())
  const [algorithm] = readDer(digestIdentifier(digest)).children
  return sequence(
    sequence(expectTag(algorithm, TAG.oid, "digest").bytes, nullValue()),
    hashed(certificate.issuer),
    hashed(keyBits(issuer)),
    integer(certificate.serialNumber),
  )
}

export function writeNonce(nonce: Uint8Array): Uint8Array {
  return sequence(oid(OCSP_EXTENSION.nonce), octetString(octetString(nonce)))
}

/** Whether the CertID is about a certificate of this issuer, whose name may be given in the certificate's spelling. */
export function namesIssuer(certId: CertId, issuer: Certificate, name = issuer.subject): boolean {
  const { digestAlgorithm, issuerNameHash, issuerKeyHash } = certId
  if (digestAlgorithm === undefined) return false
  const is = (hash: Uint8Array, bytes: Uint8Array) =>
    createHash(digestAlgorithm).update(bytes).digest().equals(hash)
  return is(issuerNameHash, name) && is(issuerKeyHash, keyBits(issuer))
}

/** The bits of the public key, without algorithm and header: what RFC 6960 hashes to name a key. */
export function keyBits({ publicKeySpki }: Certificate): Uint8Array {
  return readBits(readDer(publicKeySpki).children[1], "public key")
}

export type OcspRequest = {
  readonly certIds: readonly CertId[]
  readonly nonce?: Uint8Array
  readonly extensions: readonly Extension[]
}

// A responder answers strangers: a few certificates per request, as RFC 5019, 2.1.1 has one.
const REQUEST_LIMITS = { maxDepth: 16, maxNodes: 1_000 }
const MAX_QUESTIONS = 32
const MAX_NONCE_BYTES = 128

/** Reads what is asked. A signature of the requestor is passed over: nobody here answers some and not others. */
export function readOcspRequest(der: Uint8Array): OcspRequest {
  const [tbs, signature, ...more] = expectTag(
    readDer(der, REQUEST_LIMITS),
    TAG.sequence,
    "OCSPRequest",
  ).children
  if (more.length > 0 || (signature !== undefined && signature.tag !== 0xa0))
    throw new DerError("OCSPRequest of odd parts")
  const fields = [...expectTag(tbs, TAG.sequence, "tbsRequest").children]
  readVersion(takeOptional(fields, 0xa0))
  takeOptional(fields, 0xa1)
  const list = expectTag(fields.shift(), TAG.sequence, "requestList").children
  const extensions = readWrappedExtensions(takeOptional(fields, 0xa2))
  if (fields.length > 0) throw new DerError("tbsRequest has more parts than the standard")
  if (list.length === 0 || list.length > MAX_QUESTIONS) throw new DerError("no question, or too many")
  const nonce = readNonce(extensions)
  return {
    certIds: list.map(readQuestion),
    ...(nonce && { nonce }),
    extensions,
  }
}

function readQuestion(node: DerNode): CertId {
  const [certId, extensions, ...more] = expectTag(node, TAG.sequence, "request").children
  if (more.length > 0 || (extensions !== undefined && extensions.tag !== 0xa0))
    throw new DerError("request of odd parts")
  return readCertId(certId)
}

export function readCertId(node: DerNode | undefined): CertId {
  const { bytes, children } = expectTag(node, TAG.sequence, "CertID")
  const [algorithm, name, key, serialNumber, ...more] = children
  if (more.length > 0) throw new DerError("CertID has more parts than the standard")
  return {
    bytes,
    digestAlgorithm: digestAlgorithmName(expectTag(algorithm, TAG.sequence, "hashAlgorithm").bytes),
    issuerNameHash: expectTag(name, TAG.octetString, "issuerNameHash").content,
    issuerKeyHash: expectTag(key, TAG.octetString, "issuerKeyHash").content,
    serialNumber: readInteger(serialNumber, "serial number"),
  }
}

/**
 * RFC 8954, 2.1: an OCTET STRING inside of the extension's own. Before it nobody had said so, and one in ten of the
 * answers that we have seen in PDFs has the bare octets; they are only ever compared. RFC 9654 allows up to 128.
 */
export function readNonce(extensions: readonly Extension[]): Uint8Array | undefined {
  const found = extensions.find(({ id }) => id === OCSP_EXTENSION.nonce)
  if (found === undefined) return undefined
  const nonce = unwrapped(found.value)
  if (nonce.length < 1 || nonce.length > MAX_NONCE_BYTES) throw new DerError("nonce is too short or too long")
  return nonce
}

function unwrapped(value: Uint8Array): Uint8Array {
  try {
    const { tag, content } = readDer(value, { maxDepth: 1, maxNodes: 1 })
    return tag === TAG.octetString ? content : value
  } catch (error) {
    if (error instanceof DerError) return value
    throw error
  }
}

export function readVersion(field: DerNode | undefined): void {
  if (field !== undefined && readInteger(inside(field, "version"), "version") !== 0n)
    throw new DerError("version is unknown")
}

/** RFC 5280, 4.1 wants at least one extension; a responder in the field writes an empty list where it has none. */
export function readWrappedExtensions(field: DerNode | undefined): readonly Extension[] {
  if (field === undefined) return []
  const list = inside(field, "extensions")
  return list.content.length === 0 ? [] : readExtensions(list)
}
