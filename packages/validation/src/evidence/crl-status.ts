// What CRLs state about one certificate (RFC 5280, 6.3). As with OCSP, nothing that is wrong with the times of a CRL makes
// a certificate good that it lists.

import type { Certificate } from "@paraph/pki/certificate"
import { type Crl, findEntry } from "@paraph/pki/crl"
import { EXTENSION } from "@paraph/pki/extensions"
import { nameKey } from "@paraph/pki/name"
import { ifReadable } from "@paraph/pki/optional"
import { type CertificatePath, keyAt } from "@paraph/pki/path-validation"
import { type CrlStatus, checkByCrl } from "@paraph/pki/revocation-by-crl"
import { algorithmUse } from "../policy/reliability.ts"
import { selectCandidates } from "./candidates.ts"
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
    // Made before the certificate was, it cannot know that the certificate is good.
    const isSound = isTimely && crl.thisUpdate >= certificate.notBefore
    if (found.status === "good" && !isSound) return []
    const signer = signerOf(crl, path, position, evidence)
    return [
      {
        source: crl,
        status: found.status,
        isSound,
        ...(found.status === "revoked" && { since: found.revokedAt }),
        ...(found.status === "revoked" && found.reason && { reason: found.reason }),
        madeAt: crl.thisUpdate,
        thisUpdate: crl.thisUpdate,
        ...(crl.nextUpdate && { nextUpdate: crl.nextUpdate }),
        signedBy: signer.certificate,
        use: algorithmUse(crl.signatureAlgorithm, signer.publicKeySpki),
      },
    ]
  })
}

function lists(crl: Crl, { serialNumber }: Certificate): boolean {
  return ifReadable(() => findEntry(crl, serialNumber, () => true)) !== undefined
}

/** As of its own time. A CRL that continues another, or holds only some reasons, is evaluated together with the rest. */
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
  if (found.status !== "undetermined") return { found, isTimely: true }
  if (!lists(crl, certificate)) return { found, isTimely: false }
  const timeless = checkByCrl({ ...check, times: "unchecked" })
  const isListed = timeless.status === "revoked" && timeless.crl === crl
  return { found: isListed ? timeless : found, isTimely: false }
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
