// What an OCSP response or a CRL states about one certificate, taken for what it was when it was made; and which of several
// statements decides. Whether one is recent enough, and whether its algorithms still count, is decided by the blocks
// (EN 319 102-1, 5.2.5 and 5.2.6).

import type { Certificate } from "@paraph/pki/certificate"
import type { Crl } from "@paraph/pki/crl"
import type { BasicOcspResponse } from "@paraph/pki/ocsp-response"
import type { RevocationReason } from "@paraph/pki/revocation-reason"
import type { AlgorithmUse } from "../policy/reliability.ts"

export type RevocationStatus = {
  /** What proofs of existence are about. */
  readonly source: BasicOcspResponse | Crl
  /** CRLs that state the same only together with the source: a base of a delta, or lists for other reasons. */
  readonly others?: readonly Crl[]
  readonly status: "good" | "revoked"
  /**
   * False for a revocation with odd times, or by a responder that is not known to be good. It counts against the certificate,
   * and never as the information that a certificate needs: a good status of the same kind would not count at all.
   */
  readonly isSound: boolean
  /** Of a revocation. */
  readonly since?: Date
  readonly reason?: RevocationReason
  /** When it was made: producedAt of an OCSP response, thisUpdate of a CRL. */
  readonly madeAt: Date
  readonly thisUpdate: Date
  readonly nextUpdate?: Date
  /** The certificate that signed it; undefined where the trust anchor did. */
  readonly signedBy: Certificate | undefined
  readonly use: AlgorithmUse
}

/** Revoked for ever (RFC 5280, 5.3.1); only a hold can end. */
export function isPermanent({ status, reason }: RevocationStatus): boolean {
  return status === "revoked" && reason !== "certificateHold"
}

/**
 * The status that decides, of statuses with the newest first. A good status never outweighs a permanent revocation,
 * however new it is: its responder has not learnt of the revocation yet. Of several revocations the earliest counts.
 */
export function decisiveStatus(statuses: readonly RevocationStatus[]): RevocationStatus | undefined {
  const hold = currentHold(statuses)
  const revocations = [...statuses.filter(isPermanent), ...(hold ? [hold] : [])]
  const [earliest] = revocations.toSorted((a, b) => sinceOf(a) - sinceOf(b))
  return earliest ?? statuses[0]
}

/**
 * The hold that no newer good status has ended; of several with no good status between them the one that began first. A
 * permanent revocation does not end it: it may have begun earlier.
 */
export function currentHold(statuses: readonly RevocationStatus[]): RevocationStatus | undefined {
  const temporary = statuses.filter((one) => !isPermanent(one))
  const end = temporary.findIndex(({ status }) => status === "good")
  const holds = end < 0 ? temporary : temporary.slice(0, end)
  return holds.toSorted((a, b) => sinceOf(a) - sinceOf(b))[0]
}

/** A revocation without a date counts from the beginning. */
function sinceOf({ since }: RevocationStatus): number {
  return since?.getTime() ?? 0
}
