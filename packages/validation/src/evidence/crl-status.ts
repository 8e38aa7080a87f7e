// What CRLs state about one certificate (RFC 5280, 6.3). As with OCSP, nothing that is wrong with the times of a CRL makes
// a certificate good that it lists.

import type { Certificate } from "@paraph/pki/certificate"
import type { Crl } from "@paraph/pki/crl"
import { readIssuingDistributionPoint } from "@paraph/pki/distribution-point"
import { EXTENSION } from "@paraph/pki/extensions"
import { nameKey } from "@paraph/pki/name"
import { ifReadable } from "@paraph/pki/optional"
import { type CertificatePath, keyAt } from "@paraph/pki/path-validation"
import { type CrlStatus, checkByCrl, entryOf } from "@paraph/pki/revocation-by-crl"
import { algorithmUse } from "../policy/reliability.ts"
import { selectCandidates, tooManyRevocations } from "./candidates.ts"
import type { RevocationStatus } from "./revocation-status.ts"

export type CrlEvidence = {
  readonly crlsByIssuer: ReadonlyMap<string, readonly Crl[]>
  /** Where certificates of CRL issuers may be found. */
  readonly certificates: readonly Certificate[]
}

export function statusesByCrl(
  evidence: CrlEvidence,
  path: CertificatePath,
  position: number,
): readonly RevocationStatus[] {
  const certificate = path.certificates[position]
  if (certificate === undefined) return []
  const own = evidence.crlsByIssuer.get(nameKey(certificate.issuer)) ?? []
  const others = [...evidence.crlsByIssuer.values()].flat().filter((crl) => !own.includes(crl))
  const crls = selectCandidates(
    [...own, ...others],
    (crl) => lists(crl, certificate),
    (crl) => crl.thisUpdate,
  )
  return crls.flatMap((crl): readonly RevocationStatus[] => {
    const { found, isTimely } = evaluate(crl, crls, certificate, path, position, evidence)
    if (found.status === "undetermined") return []
    // Where several lists say together that the certificate is good, they say it as of the oldest.
    const { thisUpdate, nextUpdate } = found.status === "good" ? found : crl
    // Made before the certificate was, it cannot know that the certificate is good.
    const isComplete = found.status === "good" || !isForSomeReasons(crl)
    const isSound = isTimely && isComplete && thisUpdate >= certificate.notBefore
    if (found.status === "good" && !isSound) return []
    const signer = signerOf(crl, path, position, evidence)
    return [
      {
        source: crl,
        ...(found.status === "good" && { others: found.crls.filter((one) => one !== crl) }),
        status: found.status,
        isSound,
        ...(found.status === "revoked" && { since: found.revokedAt }),
        ...(found.status === "revoked" && found.reason && { reason: found.reason }),
        madeAt: thisUpdate,
        thisUpdate,
        ...(nextUpdate && { nextUpdate }),
        signedBy: signer.certificate,
        use: algorithmUse(crl.signatureAlgorithm, signer.publicKeySpki),
      },
    ]
  })
}

/** Such a list does not tell whether the certificate was revoked earlier for another reason. */
function isForSomeReasons({ extensions }: Crl): boolean {
  return ifReadable(() => readIssuingDistributionPoint(extensions)?.onlySomeReasons === undefined) !== true
}

function lists(crl: Crl, certificate: Certificate): boolean {
  return ifReadable(() => entryOf(crl, certificate)) !== undefined
}

/**
 * As of its own time. A CRL that continues another, or holds only some reasons, is evaluated together with the rest; the
 * result counts only where this CRL took part in it.
 */
function evaluate(
  crl: Crl,
  all: readonly Crl[],
  certificate: Certificate,
  path: CertificatePath,
  position: number,
  { certificates }: CrlEvidence,
): { readonly found: CrlStatus; readonly isTimely: boolean } {
  const needsOthers = crl.extensions.some(
    ({ id }) => id === EXTENSION.deltaCRLIndicator || id === EXTENSION.issuingDistributionPoint,
  )
  const check = {
    path,
    position,
    crls: needsOthers ? all : [crl],
    at: crl.thisUpdate,
    intermediates: certificates,
    algorithms: "any",
  } as const
  const found = checkByCrl(check)
  if (tookPart(crl, found)) return { found, isTimely: true }
  const nothing = { found: UNDETERMINED, isTimely: false }
  if (!lists(crl, certificate)) return nothing
  // Alone first, so that no other list uses up the work; with the others where its issuer needs a check of its own.
  const timeless = [[crl], all].map((crls) => checkByCrl({ ...check, crls, times: "unchecked" }))
  const listed = timeless.find((one) => tookPart(crl, one))
  if (listed !== undefined) return { found: listed, isTimely: false }
  if (timeless.some((one) => one.status === "undetermined" && one.reason === "too-much-work"))
    throw tooManyRevocations()
  return nothing
}

const UNDETERMINED: CrlStatus = { status: "undetermined", reason: "no-crl" }

function tookPart(crl: Crl, found: CrlStatus): boolean {
  if (found.status === "good") return found.crls.includes(crl)
  return found.status === "revoked" && found.crl === crl
}

function signerOf(
  { issuer }: Crl,
  path: CertificatePath,
  position: number,
  { certificates }: CrlEvidence,
): { readonly certificate: Certificate | undefined; readonly publicKeySpki: Uint8Array } {
  const above = path.certificates[position - 1]
  if (nameKey(issuer) === nameKey(above?.subject ?? path.anchor.subject))
    return { certificate: above, publicKeySpki: keyAt(path, position - 1) }
  const other = certificates.find(({ subject }) => nameKey(subject) === nameKey(issuer))
  return { certificate: other, publicKeySpki: other?.publicKeySpki ?? keyAt(path, position - 1) }
}
