// Reads an OCSPResponse (RFC 6960, 4.2.1). Nothing here says that it can be believed: see check-ocsp.ts.

import type { Extension } from "../certificate/extension.ts"
import {
  DerError,
  type DerNode,
  expectTag,
  readBits,
  readDer,
  readInteger,
  readOid,
  readTime,
  TAG,
} from "../der/der.ts"
import { ifReadable, inside, takeOptional, underImplicit } from "../der/optional.ts"
import {
  type CertId,
  OCSP_EXTENSION,
  readCertId,
  readNonce,
  readVersion,
  readWrappedExtensions,
} from "./ocsp.ts"
import { type RevocationReason, readRevocationReason } from "./revocation-reason.ts"

export type OcspResponse =
  | { readonly status: "successful"; readonly basic: BasicOcspResponse }
  | { readonly status: OcspError }

/** RFC 6960, 4.2.1: the number of each status that brings no answer; 4 is not used. */
export const OCSP_ERRORS = {
  malformedRequest: 1,
  internalError: 2,
  tryLater: 3,
  sigRequired: 5,
  unauthorized: 6,
} as const

export type OcspError = keyof typeof OCSP_ERRORS

export type BasicOcspResponse = {
  readonly der: Uint8Array
  /** ResponseData: the bytes that the responder signed. */
  readonly tbs: Uint8Array
  /** `keyHash` is the SHA-1 of the bits of the responder's key. */
  readonly responderId: { readonly name: Uint8Array } | { readonly keyHash: Uint8Array }
  readonly producedAt: Date
  readonly responses: readonly SingleResponse[]
  readonly nonce?: Uint8Array
  /** RFC 6960, 4.4.8: "revoked" may also mean "never issued". */
  readonly extendedRevoke: boolean
  readonly extensions: readonly Extension[]
  readonly signatureAlgorithm: Uint8Array
  readonly signature: Uint8Array
  /** DER of each; to find the responder's among them. */
  readonly certificates: readonly Uint8Array[]
}

export type CertStatus =
  | { readonly status: "good" }
  | { readonly status: "revoked"; readonly revokedAt: Date; readonly reason?: RevocationReason }
  | { readonly status: "unknown" }

export type SingleResponse = {
  readonly certId: CertId
  readonly certStatus: CertStatus
  readonly thisUpdate: Date
  readonly nextUpdate?: Date
  /** RFC 6960, 4.4.4: since when the responder remembers, also of certificates that have expired. */
  readonly archiveCutoff?: Date
  readonly extensions: readonly Extension[]
}

// An answer has some 200 values, its certificates included. Responders that answer for a whole list exist; we ask for one.
const LIMITS = { maxDepth: 32, maxNodes: 20_000 }
const MAX_BYTES = 1024 * 1024
const MAX_RESPONSES = 256
const MAX_CERTIFICATES = 32

const ID_PKIX_OCSP_BASIC = "1.3.6.1.5.5.7.48.1.1"

export function readOcspResponse(der: Uint8Array): OcspResponse {
  if (der.length > MAX_BYTES) throw new DerError("OCSPResponse is too large")
  const [status, wrapped, ...more] = expectTag(readDer(der, LIMITS), TAG.sequence, "OCSPResponse").children
  if (more.length > 0) throw new DerError("OCSPResponse has more than two parts")
  const { content } = expectTag(status, TAG.enumerated, "responseStatus")
  const number = content.length === 1 ? content[0] : undefined
  if (number !== 0) {
    const error = Object.entries(OCSP_ERRORS).find(([, value]) => value === number)?.[0]
    if (error === undefined) throw new DerError("responseStatus is unknown")
    // RFC 6960, 4.2.1: an error brings no responseBytes.
    if (wrapped !== undefined) throw new DerError("an error with an answer")
    return { status: error as OcspError }
  }
  const bytes = inside(expectTag(wrapped, 0xa0, "responseBytes"), "responseBytes")
  const [type, response, ...others] = expectTag(bytes, TAG.sequence, "responseBytes").children
  if (others.length > 0) throw new DerError("responseBytes has more than two parts")
  if (readOid(type, "responseType") !== ID_PKIX_OCSP_BASIC) throw new DerError("responseType is unknown")
  const basic = readBasicOcspResponse(expectTag(response, TAG.octetString, "response").content)
  return { status: "successful", basic }
}

/** The signed part alone, as CAdES keeps it in revocation-values (EN 319 122-1, A.1.1). */
export function readBasicOcspResponse(der: Uint8Array): BasicOcspResponse {
  const fields = [...expectTag(readDer(der, LIMITS), TAG.sequence, "BasicOCSPResponse").children]
  const [tbs, signatureAlgorithm, signature] = fields.splice(0, 3)
  const certificates = takeOptional(fields, 0xa0)
  if (fields.length > 0) throw new DerError("BasicOCSPResponse has more parts than the standard")
  const certs = certificates ? expectTag(inside(certificates, "certs"), TAG.sequence, "certs").children : []
  if (certs.length > MAX_CERTIFICATES) throw new DerError("too many certificates")
  return {
    der,
    ...readResponseData(expectTag(tbs, TAG.sequence, "tbsResponseData")),
    signatureAlgorithm: expectTag(signatureAlgorithm, TAG.sequence, "signature algorithm").bytes,
    signature: readBits(signature, "signature"),
    certificates: certs.map(({ bytes }) => bytes),
  }
}

function readResponseData(tbs: DerNode) {
  const fields = [...tbs.children]
  readVersion(takeOptional(fields, 0xa0))
  const [responderId, producedAt, responses] = fields.splice(0, 3)
  const extensions = readWrappedExtensions(takeOptional(fields, 0xa1))
  if (fields.length > 0) throw new DerError("tbsResponseData has more parts than the standard")
  const singles = expectTag(responses, TAG.sequence, "responses").children
  if (singles.length > MAX_RESPONSES) throw new DerError("too many responses")
  const nonce = readNonce(extensions)
  return {
    tbs: tbs.bytes,
    responderId: readResponderId(responderId),
    producedAt: readGeneralizedTime(producedAt, "producedAt"),
    responses: singles.map(readSingleResponse),
    ...(nonce && { nonce }),
    extendedRevoke: extensions.some(({ id }) => id === OCSP_EXTENSION.extendedRevoke),
    extensions,
  }
}

function readResponderId(node: DerNode | undefined): BasicOcspResponse["responderId"] {
  if (node?.tag === 0xa1)
    return { name: expectTag(inside(node, "responderID"), TAG.sequence, "responder's name").bytes }
  const keyHash = inside(expectTag(node, 0xa2, "responderID"), "responderID")
  return { keyHash: expectTag(keyHash, TAG.octetString, "responder's key hash").content }
}

function readSingleResponse(node: DerNode): SingleResponse {
  const fields = [...expectTag(node, TAG.sequence, "SingleResponse").children]
  const [certId, certStatus, thisUpdate] = fields.splice(0, 3)
  const nextUpdate = takeOptional(fields, 0xa0)
  const extensions = readWrappedExtensions(takeOptional(fields, 0xa1))
  if (fields.length > 0) throw new DerError("SingleResponse has more parts than the standard")
  const archiveCutoff = readArchiveCutoff(extensions)
  return {
    certId: readCertId(certId),
    certStatus: readCertStatus(certStatus),
    thisUpdate: readGeneralizedTime(thisUpdate, "thisUpdate"),
    ...(nextUpdate && { nextUpdate: readGeneralizedTime(inside(nextUpdate, "nextUpdate"), "nextUpdate") }),
    ...(archiveCutoff && { archiveCutoff }),
    extensions,
  }
}

/**
 * An archive cutoff only extends what a response is about (RFC 6960, 4.4.4). One that is not a time extends nothing, and must
 * not take away the status, which may be a revocation.
 */
function readArchiveCutoff(extensions: readonly Extension[]): Date | undefined {
  const found = extensions.find(({ id }) => id === OCSP_EXTENSION.archiveCutoff)
  if (found === undefined) return undefined
  const read = () => readGeneralizedTime(readDer(found.value), "archiveCutoff")
  return found.critical ? read() : ifReadable(read)
}

function readCertStatus(node: DerNode | undefined): CertStatus {
  if (node?.tag === 0xa1) return readRevokedInfo(node)
  if (node === undefined || (node.tag !== 0x80 && node.tag !== 0x82))
    throw new DerError("certStatus is unknown")
  underImplicit(node, TAG.null)
  return { status: node.tag === 0x80 ? "good" : "unknown" }
}

function readRevokedInfo({ children }: DerNode): CertStatus {
  const [revokedAt, reason, ...more] = children
  if (more.length > 0) throw new DerError("RevokedInfo has more than two parts")
  return {
    status: "revoked",
    revokedAt: readGeneralizedTime(revokedAt, "revocationTime"),
    ...(reason && { reason: readReason(expectTag(reason, 0xa0, "revocationReason")) }),
  }
}

function readReason(node: DerNode): RevocationReason {
  const code = expectTag(inside(node, "revocationReason"), TAG.enumerated, "CRLReason")
  return readRevocationReason(readInteger(underImplicit(code, TAG.integer), "CRLReason"))
}

// RFC 6960, 4.2.2.1 has GeneralizedTime only, as RFC 5280, 4.1.2.5.2 writes it.
function readGeneralizedTime(node: DerNode | undefined, what: string): Date {
  return readTime(expectTag(node, TAG.generalizedTime, what), what)
}
