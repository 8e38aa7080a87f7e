// Whether a credential can make the signature that is wanted. The provider's word counts against it, never for it.

import { type Certificate, readCertificate } from "@paraph/pki/certificate"
import { ifReadable } from "@paraph/pki/optional"
import { findPath } from "@paraph/pki/path"
import { type Legislation, qualifiedUnder } from "@paraph/pki/qc-statements"
import { type CscAlgorithm, offeredAlgorithms } from "./algorithm.ts"
import type { ClaimedCredential, CscRelease } from "./answer.ts"

export type CscCredential = {
  readonly id: string
  readonly description: string | undefined
  /** DER. */
  readonly certificate: Uint8Array
  /** Its issuers, from the next one up, without the anchor; each is what the path has, and nothing else of the answer. */
  readonly chain: readonly Uint8Array[]
  /** As the certificate says it; to show. */
  readonly subjectName: string
  readonly notAfter: Date
  /** The first is the one to take. */
  readonly algorithms: readonly CscAlgorithm[]
  /** How many signatures one release is good for. */
  readonly multisign: number
  /** 2: the release is bound to the hashes. */
  readonly scal: 1 | 2
  readonly release: CscRelease
}

export type UnusableCredential = {
  readonly id: string
  readonly reason:
    | "disabled"
    /** The provider says that the certificate is expired, revoked or suspended. */
    | "status"
    | "unreadable"
    /** No path to an anchor of this provider: of another issuer, expired, too weak. */
    | "untrusted"
    /** A certificate, but none for a qualified signature by the law of this provider. */
    | "not-qualified"
    | "algorithm"
    /** EN 419 241-1, SCAL2: whoever holds a release that is not bound to hashes can have anything signed. */
    | "not-bound"
}

export type Judging = {
  readonly anchors: readonly Certificate[]
  readonly legislation: Legislation
  readonly at: Date
}

export function judge(claimed: ClaimedCredential, judging: Judging): CscCredential | UnusableCredential {
  const { id, certificates, certificateStatus } = claimed
  const unusable = (reason: UnusableCredential["reason"]): UnusableCredential => ({ id, reason })
  if (!claimed.isKeyEnabled) return unusable("disabled")
  if (certificateStatus !== undefined && certificateStatus !== "valid") return unusable("status")
  const [target, ...others] = certificates.map((der) => ifReadable(() => readCertificate(der)))
  if (target === undefined) return unusable("unreadable")
  const found = findPath(target, {
    intermediates: others.filter((one) => one !== undefined),
    anchors: judging.anchors,
    at: judging.at,
  })
  // An anchor that signs by itself would be a path of no certificate.
  if (!found.valid || found.path.certificates.length === 0) return unusable("untrusted")
  if (qualifiedUnder(target) !== judging.legislation) return unusable("not-qualified")
  if (claimed.scal !== 2) return unusable("not-bound")
  const algorithms = offeredAlgorithms(target.keyKind, claimed.keyAlgorithms)
  if (algorithms.length === 0) return unusable("algorithm")
  return {
    id,
    description: claimed.description,
    certificate: target.der,
    chain: found.path.certificates
      .slice(0, -1)
      .reverse()
      .map(({ der }) => der),
    subjectName: target.subjectName,
    notAfter: target.notAfter,
    algorithms,
    multisign: claimed.multisign,
    scal: claimed.scal,
    release: claimed.release,
  }
}

export const isUsable = (judged: CscCredential | UnusableCredential): judged is CscCredential =>
  !("reason" in judged)
