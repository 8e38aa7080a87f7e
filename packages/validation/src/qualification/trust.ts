// Whom a validation trusts: what the operator has configured, and what the trusted lists say. From it come the anchors of
// paths; what a signature is worth by law is judged beside that, in qualify.ts.

import { type Certificate, readCertificate } from "@paraph/pki/certificate"
import { ifReadable } from "@paraph/pki/optional"
import type { Legislation } from "../report.ts"
import type { ServicePeriod, TrustService } from "../trusted-list/trusted-list.ts"
import { periodAt } from "./service-state.ts"

/** One that the operator trusts. */
export type TrustAnchor = {
  readonly certificate: Certificate
  /** Left out: for everything. None: no path ends with it, and it counts for `quality` where one goes through it. */
  readonly purposes?: readonly TrustPurpose[]
  /** The operator says that those whom it certifies make advanced signatures with it, and by which law that counts. */
  readonly quality?: "AES"
  readonly legislation?: Legislation
  /** Those whom it certifies for something else: SHA-256 of their certificates, hexadecimal. */
  readonly except?: readonly string[]
}

export type TrustPurpose = "signing" | "timestamp" | "revocation"

export type Trust = {
  readonly anchors: readonly TrustAnchor[]
  /** Those of the lists that may belong to the document at hand: `servicesFor` finds them. */
  readonly services: readonly TrustService[]
}

const CERTIFYING = ["CA/QC", "CA/PKC", "NationalRootCA-QC"]
const STAMPING = ["TSA/QTST", "TSA", "TSA/TSS-QC", "TSA/TSS-AdESQCandQES"]
const ANSWERING = ["Certstatus/OCSP/QC", "Certstatus/OCSP", "Certstatus/CRL/QC", "Certstatus/CRL"]

// Who certifies signers certifies time-stamping units and responders too; not the other way round.
const TYPES: Readonly<Record<TrustPurpose, readonly string[]>> = {
  signing: CERTIFYING,
  timestamp: [...STAMPING, ...CERTIFYING],
  revocation: [...ANSWERING, ...CERTIFYING],
}

// TS 119 612, 5.5.4 and D.5: under which a service is one that somebody answers for.
const GOOD = [
  "granted",
  "recognisedatnationallevel",
  "undersupervision",
  "supervisionincessation",
  "accredited",
  "setbynationallaw",
]

/**
 * Where a path may end. `issuedAt` is when the certificate was issued whose path it is: a service counts that was in good
 * standing then, whatever has become of it; what it issued before stays what it was.
 */
export function anchorsFor(trust: Trust, purpose: TrustPurpose, issuedAt: Date): readonly Certificate[] {
  const configured = trust.anchors.filter(({ purposes }) => purposes?.includes(purpose) ?? true)
  const listed = trust.services.filter((service) => isGood(periodAt(service, issuedAt.getTime()), purpose))
  const certificates = new Map<string, Certificate>()
  for (const { certificate } of configured)
    certificates.set(Buffer.from(certificate.der).toString("base64"), certificate)
  for (const { certificate } of listed.flatMap(({ identities }) => identities)) {
    if (certificates.has(certificate)) continue
    const read = ifReadable(() => readCertificate(new Uint8Array(Buffer.from(certificate, "base64"))))
    if (read !== undefined) certificates.set(certificate, read)
  }
  return [...certificates.values()]
}

function isGood(period: ServicePeriod | undefined, purpose: TrustPurpose): boolean {
  return period?.isUnderstood === true && GOOD.includes(period.status) && TYPES[purpose].includes(period.type)
}
