// What OCSP responses state about one certificate (RFC 6960). A good status needs everything to be in order. A revocation
// counts as soon as a responder of the issuer has signed it: nothing that is wrong with its times makes the certificate good.

import type { Certificate } from "@paraph/pki/certificate"
import { checkOcsp, type OcspAnswer, type OcspFault } from "@paraph/pki/check-ocsp"
import { namesIssuer } from "@paraph/pki/ocsp"
import type { BasicOcspResponse } from "@paraph/pki/ocsp-response"
import type { CertificatePath } from "@paraph/pki/path-validation"
import { anchorOf } from "../anchor.ts"
import { algorithmUse } from "../policy/reliability.ts"
import { selectCandidates, tooManyRevocations } from "./candidates.ts"
import type { RevocationStatus } from "./revocation-status.ts"

export type OcspEvidence = {
  /** About the serial number of the certificate, by any issuer. */
  readonly responses: readonly BasicOcspResponse[]
  /** Where else to look for certificates of responders. */
  readonly certificates: readonly Certificate[]
  /** Whether a responder that needs a check of its own is known not to be revoked. */
  readonly isResponderGood: (responder: Certificate) => boolean
}

export function statusesByOcsp(
  evidence: OcspEvidence,
  path: CertificatePath,
  position: number,
): readonly RevocationStatus[] {
  const certificate = path.certificates[position]
  const issuer = path.certificates[position - 1] ?? anchorOf(path)
  if (certificate === undefined || issuer === undefined) return []
  const responses = selectCandidates(
    evidence.responses,
    (one) => claimsRevocation(one, certificate, issuer),
    (one) => one.producedAt,
  )
  return responses.flatMap((response): readonly RevocationStatus[] => {
    const { answer, isTimely } = evaluate(response, certificate, issuer, evidence)
    if (answer === undefined || answer.status === "unknown") return []
    const isSound =
      isTimely &&
      isAbout(certificate, answer.thisUpdate, answer.archiveCutoff) &&
      (!answer.responderNeedsCheck || evidence.isResponderGood(answer.responderCertificate))
    if (answer.status === "good" && !isSound) return []
    const { responderCertificate: responder, thisUpdate, nextUpdate } = answer
    const isIssuer = isSame(responder.der, issuer.der)
    return [
      {
        source: response,
        status: answer.status,
        isSound,
        ...(answer.status === "revoked" && { since: answer.revokedAt }),
        ...(answer.status === "revoked" && answer.reason && { reason: answer.reason }),
        madeAt: response.producedAt,
        thisUpdate,
        ...(nextUpdate && { nextUpdate }),
        signedBy:
          isIssuer && position === 0 ? undefined : isIssuer ? path.certificates[position - 1] : responder,
        use: algorithmUse(response.signatureAlgorithm, responder.publicKeySpki),
      },
    ]
  })
}

function claimsRevocation(
  { responses }: BasicOcspResponse,
  certificate: Certificate,
  issuer: Certificate,
): boolean {
  return responses.some(
    ({ certId, certStatus }) =>
      certStatus.status === "revoked" &&
      certId.serialNumber === certificate.serialNumber &&
      namesIssuer(certId, issuer, certificate.issuer),
  )
}

/** These take away a good status, never a revocation. */
const FAULTS_OF_GOOD: readonly OcspFault[] = ["stale", "not-yet-valid", "responder-validity", "extension"]

/** As of the time at which it was made. */
function evaluate(
  response: BasicOcspResponse,
  certificate: Certificate,
  issuer: Certificate,
  { certificates }: OcspEvidence,
): { readonly answer?: OcspAnswer; readonly isTimely: boolean } {
  const check = {
    certificate,
    issuer,
    at: response.producedAt,
    certificates,
    algorithms: "any",
    maxAgeMs: Infinity,
  } as const
  const verdict = checkOcsp({ status: "successful", basic: response }, check)
  if (verdict.status !== "refused") return { answer: verdict, isTimely: true }
  if (verdict.reason === "too-many-responders" && claimsRevocation(response, certificate, issuer))
    throw tooManyRevocations()
  if (!FAULTS_OF_GOOD.includes(verdict.reason)) return { isTimely: false }
  const timeless = checkOcsp({ status: "successful", basic: response }, { ...check, times: "unchecked" })
  return timeless.status === "revoked" ? { answer: timeless, isTimely: false } : { isTimely: false }
}

/**
 * A status made before the certificate existed cannot be about it. One made after the certificate has ended may have
 * forgotten it, unless the responder states how long it remembers.
 */
function isAbout({ notBefore, notAfter }: Certificate, thisUpdate: Date, archiveCutoff?: Date): boolean {
  const since = archiveCutoff !== undefined && archiveCutoff < thisUpdate ? archiveCutoff : thisUpdate
  return notBefore <= thisUpdate && notAfter >= since
}

function isSame(one: Uint8Array, other: Uint8Array): boolean {
  return Buffer.compare(one, other) === 0
}
