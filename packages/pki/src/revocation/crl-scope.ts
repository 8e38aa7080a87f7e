// Whether a CRL is one that a distribution point speaks of, and covers the certificate (RFC 5280, 6.3.3 (b)).

import type { Certificate } from "../certificate/certificate.ts"
import {
  type DistributionPoint,
  type DistributionPointName,
  REASON_FLAGS,
  type ReasonFlag,
  readCrlDistributionPoints,
  readIssuingDistributionPoint,
} from "../certificate/distribution-point.ts"
import { readBasicConstraints } from "../certificate/extensions.ts"
import type { GeneralName } from "../certificate/general-name.ts"
import { sameName } from "../certificate/name.ts"
import { readDer } from "../der/der.ts"
import { sequence } from "../der/der-writer.ts"
import type { Crl } from "./crl.ts"

/** Every reason that must be covered before a certificate can be said not to be revoked. */
export const ALL_REASONS: readonly ReasonFlag[] = REASON_FLAGS.filter((reason) => reason !== "unused")

/** The points of a certificate, and behind them the one that 6.3.3 assumes: any CRL of the issuer itself. */
export function distributionPoints({ extensions, issuer }: Certificate): readonly DistributionPoint[] {
  const assumed: DistributionPoint = {
    name: { form: "fullName", names: [{ form: "directoryName", name: issuer }] },
  }
  return [...(readCrlDistributionPoints(extensions) ?? []), assumed]
}

/** The reasons for which this CRL answers at this point; undefined if it does not answer for the certificate. */
export function reasonsCovered(
  point: DistributionPoint,
  crl: Crl,
  certificate: Certificate,
): readonly ReasonFlag[] | undefined {
  const issuing = readIssuingDistributionPoint(crl.extensions)
  // (b)(1)
  const issuers = directoryNames(point.cRLIssuer)
  const fromIssuer =
    point.cRLIssuer === undefined
      ? sameName(crl.issuer, certificate.issuer)
      : issuing?.indirectCRL === true && issuers.some((name) => sameName(name, crl.issuer))
  if (!fromIssuer) return undefined
  if (issuing === undefined) return point.reasons ?? ALL_REASONS

  // (b)(2)
  const isAuthority = readBasicConstraints(certificate.extensions)?.ca === true
  if (
    issuing.onlyContainsAttributeCerts ||
    (isAuthority ? issuing.onlyContainsUserCerts : issuing.onlyContainsCACerts)
  )
    return undefined
  if (issuing.name !== undefined) {
    const covered = fullNames(issuing.name, crl.issuer)
    const asked =
      point.name === undefined
        ? (point.cRLIssuer ?? [])
        : fullNames(point.name, issuers[0] ?? certificate.issuer)
    if (!covered.some((one) => asked.some((other) => sameGeneralName(one, other)))) return undefined
  }
  const some = issuing.onlySomeReasons ?? ALL_REASONS
  return (point.reasons ?? ALL_REASONS).filter((reason) => some.includes(reason))
}

// RFC 5280, 4.2.1.13: a relative name continues the name of the CRL issuer.
function fullNames(name: DistributionPointName, issuer: Uint8Array): readonly GeneralName[] {
  if (name.form === "fullName") return name.names
  const parts = readDer(issuer).children.map(({ bytes }) => bytes)
  return [{ form: "directoryName", name: sequence(...parts, name.relative) }]
}

function directoryNames(names: readonly GeneralName[] | undefined): readonly Uint8Array[] {
  return (names ?? []).flatMap((name) => (name.form === "directoryName" ? [name.name] : []))
}

function sameGeneralName(one: GeneralName, other: GeneralName): boolean {
  if (one.form === "directoryName" && other.form === "directoryName") return sameName(one.name, other.name)
  if ("text" in one && "text" in other) return one.form === other.form && one.text === other.text
  if ("octets" in one && "octets" in other) return Buffer.from(one.octets).equals(other.octets)
  if ("id" in one && "id" in other) return one.id === other.id
  if (!("content" in one) || !("content" in other)) return false
  return one.form === other.form && Buffer.from(one.content).equals(other.content)
}
