import type { Certificate } from "@paraph/pki/certificate"
import { readBasicConstraints, readKeyUsage } from "@paraph/pki/extensions"
import { sameName } from "@paraph/pki/name"
import { findPath } from "@paraph/pki/path"
import type { IssuedCertificate } from "./built-in.ts"
import { IssuingFailed } from "./failed.ts"

export type Expected = {
  /** The encoded name that was asked for. */
  readonly subject: Uint8Array
  readonly publicKeySpki: Uint8Array
  /** With which a path may be built. */
  readonly issuers: readonly Certificate[]
  readonly anchors: readonly Certificate[]
  readonly now: Date
}

const TOLERANCE_MS = 300_000

/**
 * What somebody else issued, before anything is signed with its key: this key, this name, valid now, for signatures, and by a path to
 * an anchor of the operator's.
 */
export function checkIssued(certificates: readonly Certificate[], expected: Expected): IssuedCertificate {
  const { subject, publicKeySpki, issuers, anchors, now } = expected
  const certificate = certificates.find((one) => Buffer.compare(one.publicKeySpki, publicKeySpki) === 0)
  if (certificate === undefined) throw wrong("None of the certificates is about our key.")
  if (!sameName(certificate.subject, subject)) throw wrong("The certificate names somebody else.")
  if (certificate.notBefore.getTime() > now.getTime() + TOLERANCE_MS || certificate.notAfter <= now)
    throw wrong("The certificate is not valid now.")
  const usage = readKeyUsage(certificate.extensions) ?? []
  if (readBasicConstraints(certificate.extensions)?.ca === true)
    throw wrong("It is an authority's certificate.")
  // EN 319 412-2, 4.3.2: one of the two, or nobody takes it for a signature's.
  if (!usage.includes("contentCommitment") && !usage.includes("digitalSignature"))
    throw wrong("The certificate is not for signatures.")
  const at = new Date(Math.max(now.getTime(), certificate.notBefore.getTime()))
  const intermediates = [...certificates.filter((one) => one !== certificate), ...issuers]
  const found = findPath(certificate, { intermediates, anchors, at })
  if (!found.valid) throw wrong(`No path leads to one of our anchors: ${found.reason}.`)
  const above = found.path.certificates.slice(0, -1).toReversed()
  const anchor = anchors.find((one) => one === found.path.anchor)
  return {
    certificate: certificate.der,
    chain: [...above, ...(anchor ? [anchor] : [])].map(({ der }) => der),
  }
}

const wrong = (message: string) => new IssuingFailed("wrong-answer", message)
