// What an OCSP responder answers (RFC 6960, 4.2). The key stays behind `signBytes`.

import { createHash } from "node:crypto"
import {
  encodeSignature,
  SIGNATURE_ALGORITHMS,
  type SignatureAlgorithm,
} from "../algorithm/signature-algorithm.ts"
import type { Certificate } from "../certificate/certificate.ts"
import { TAG } from "../der/der.ts"
import {
  bitString,
  explicit,
  integer,
  nullValue,
  octetString,
  oid,
  sequence,
  writeTagged,
} from "../der/der-writer.ts"
import { keyBits, OCSP_EXTENSION, writeNonce } from "./ocsp.ts"
import { type CertStatus, OCSP_ERRORS, type OcspError } from "./ocsp-response.ts"
import { REVOCATION_REASONS } from "./revocation-reason.ts"

export type OcspEntry = {
  /** Encoded: `certIds[i].bytes` of the request, or `writeCertId`. */
  readonly certId: Uint8Array
  readonly certStatus: CertStatus
  readonly thisUpdate: Date
  readonly nextUpdate?: Date
  readonly archiveCutoff?: Date
}

export type OcspIssue = {
  readonly entries: readonly OcspEntry[]
  readonly producedAt: Date
  /** Of the request, to be repeated. */
  readonly nonce?: Uint8Array
  /** RFC 6960, 4.4.8: say that "revoked" is also said of certificates that were never issued; see NEVER_ISSUED. */
  readonly extendedRevoke?: boolean
  /** The issuer of the certificates in question, or its delegate. */
  readonly responder: Certificate
  /** What the asker needs to believe the responder: the delegate's certificate; for the issuer itself nothing. */
  readonly certificates: readonly Certificate[]
  readonly algorithm: SignatureAlgorithm
  readonly signBytes: (toBeSigned: Uint8Array) => Promise<Uint8Array>
}

/** RFC 6960, 2.2: how an answer with `extendedRevoke` says that it knows of no such certificate. */
export const NEVER_ISSUED: CertStatus = {
  status: "revoked",
  revokedAt: new Date(0),
  reason: "certificateHold",
}

/** An OCSPResponse. Throws when `signBytes` does not sign with the key of the responder. */
export async function writeOcspResponse(issue: OcspIssue): Promise<Uint8Array> {
  const { responder, algorithm, certificates } = issue
  const tbs = writeResponseData(issue)
  const value = await issue.signBytes(tbs)
  const signature = encodeSignature(algorithm, responder.publicKeySpki, tbs, value)
  const basic = sequence(
    tbs,
    SIGNATURE_ALGORITHMS[algorithm].identifier,
    bitString(signature),
    ...(certificates.length === 0 ? [] : [explicit(0, sequence(...certificates.map(({ der }) => der)))]),
  )
  const bytes = sequence(oid("1.3.6.1.5.5.7.48.1.1"), octetString(basic))
  return sequence(enumerated(0), explicit(0, bytes))
}

/** An OCSPResponse that brings no answer; RFC 6960, 4.2.1: it is not signed. */
export function writeOcspError(error: OcspError): Uint8Array {
  return sequence(enumerated(OCSP_ERRORS[error]))
}

function writeResponseData({ responder, producedAt, entries, nonce, extendedRevoke }: OcspIssue): Uint8Array {
  const extensions = [
    ...(nonce === undefined ? [] : [writeNonce(nonce)]),
    ...(extendedRevoke === true
      ? [sequence(oid(OCSP_EXTENSION.extendedRevoke), octetString(nullValue()))]
      : []),
  ]
  // RFC 6960, 4.2.1: the SHA-1 of the key names it; it protects nothing.
  const keyHash = createHash("sha1").update(keyBits(responder)).digest()
  return sequence(
    explicit(2, octetString(keyHash)),
    generalizedTime(producedAt),
    sequence(...entries.map(writeEntry)),
    ...(extensions.length === 0 ? [] : [explicit(1, sequence(...extensions))]),
  )
}

function writeEntry({ certId, certStatus, thisUpdate, nextUpdate, archiveCutoff }: OcspEntry): Uint8Array {
  const cutoff = archiveCutoff && octetString(generalizedTime(archiveCutoff))
  return sequence(
    certId,
    writeCertStatus(certStatus),
    generalizedTime(thisUpdate),
    ...(nextUpdate === undefined ? [] : [explicit(0, generalizedTime(nextUpdate))]),
    ...(cutoff === undefined
      ? []
      : [explicit(1, sequence(sequence(oid(OCSP_EXTENSION.archiveCutoff), cutoff)))]),
  )
}

function writeCertStatus(status: CertStatus): Uint8Array {
  if (status.status === "good") return writeTagged(0x80)
  if (status.status === "unknown") return writeTagged(0x82)
  const { revokedAt, reason } = status
  return writeTagged(
    0xa1,
    generalizedTime(revokedAt),
    ...(reason === undefined ? [] : [explicit(0, enumerated(REVOCATION_REASONS[reason]))]),
  )
}

function enumerated(value: number): Uint8Array {
  return writeTagged(TAG.enumerated, integer(value).subarray(2))
}

// Whole seconds: RFC 5280, 4.1.2.5.2 has no fractions, and a time is cut, never rounded into the future.
function generalizedTime(at: Date): Uint8Array {
  const text = `${at.toISOString().replace(/[-:T]|\.\d+Z$/g, "")}Z`
  return writeTagged(TAG.generalizedTime, Buffer.from(text, "latin1"))
}
