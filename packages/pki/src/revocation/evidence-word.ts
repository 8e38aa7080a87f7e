// What one OCSP answer, or a set of CRLs, says of a certificate once it was checked; or why it says nothing.

import type { Certificate } from "../certificate/certificate.ts"
import type { CertificatePath } from "../path/path-validation.ts"
import { checkOcsp } from "./check-ocsp.ts"
import type { Crl } from "./crl.ts"
import type { OcspResponse } from "./ocsp-response.ts"
import { checkByCrl } from "./revocation-by-crl.ts"

export type Word = {
  readonly status: "good" | "revoked"
  /** Of a revocation. */
  readonly since?: Date
  readonly thisUpdate: Date
  /** It is proved to have existed then; whoever signed it must still have been good. */
  readonly existedAt: Date
  /** DER; what to keep. */
  readonly ocspResponses: readonly Uint8Array[]
  readonly crls: readonly Uint8Array[]
  /** Who answered, where it was not the issuer, and when its own revocation must be judged. */
  readonly responder?: { readonly certificate: Certificate; readonly needsCheck: boolean; readonly at: Date }
}

export type About = {
  /** A path that was found valid; the word is about the certificate at `position`. */
  readonly path: CertificatePath
  readonly position: number
  readonly issuer: Certificate
  readonly intermediates: readonly Certificate[]
  /** Responders that wait for this very answer, and cannot give it themselves. */
  readonly waiting: readonly Certificate[]
}

type When = {
  /** The word must be fresh then. */
  readonly at: Date
  /** It is proved to have existed then; whoever signed it must still have been valid. */
  readonly existedAt: Date
}

export function byOcsp(
  about: About,
  der: Uint8Array,
  response: OcspResponse,
  { at, existedAt }: When,
  nonce?: Uint8Array,
): Word | string {
  const { path, position, issuer, intermediates, waiting } = about
  const certificate = path.certificates[position]
  if (certificate === undefined) throw new RangeError("no certificate at this position")
  const asked = { certificate, issuer, at, certificates: intermediates }
  const verdict = checkOcsp(response, { ...asked, ...(nonce && { nonce }) })
  if (verdict.status === "refused") return verdict.reason
  if (verdict.status === "unknown") return "unknown"
  const { responderCertificate, responderNeedsCheck: needsCheck, producedAt, thisUpdate } = verdict
  // An ended authority's key may have leaked since, and with it come delegates of any date.
  if (responderCertificate.notAfter < existedAt || issuer.notAfter < existedAt) return "responder-validity"
  // RFC 6960, 4.2.2.2.1: whose own revocation is in question cannot be its own witness, by whichever certificate.
  if (waiting.some((one) => isSame(one.publicKeySpki, responderCertificate.publicKeySpki))) return "responder"
  const responder = { certificate: responderCertificate, needsCheck, at: later(producedAt, existedAt) }
  return {
    ...(verdict.status === "good" ? { status: "good" } : { status: "revoked", since: verdict.revokedAt }),
    thisUpdate,
    existedAt,
    ocspResponses: [der],
    crls: [],
    ...(isSame(responderCertificate.der, issuer.der) ? {} : { responder }),
  }
}

export function byCrls(about: About, crls: readonly Crl[], { at, existedAt }: When): Word | string {
  const { path, position, issuer, intermediates } = about
  if (issuer.notAfter < existedAt) return "issuer"
  const status = checkByCrl({ path, position, crls, at, intermediates })
  if (status.status === "undetermined") return status.reason
  const used = status.status === "good" ? status.crls : [status.crl]
  // Where several lists are needed, the word is as old as the oldest of them.
  const thisUpdate = new Date(Math.min(at.getTime(), ...used.map((crl) => crl.thisUpdate.getTime())))
  const kept = { thisUpdate, existedAt, ocspResponses: [], crls: used.map(({ der }) => der) }
  return status.status === "good"
    ? { status: "good", ...kept }
    : { status: "revoked", since: status.revokedAt, ...kept }
}

function isSame(one: Uint8Array, other: Uint8Array): boolean {
  return Buffer.compare(one, other) === 0
}

export function later(one: Date, other: Date): Date {
  return new Date(Math.max(one.getTime(), other.getTime()))
}
