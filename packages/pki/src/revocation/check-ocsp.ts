// Judges an OCSP answer about one certificate (RFC 6960, 3.2 and 4.2.2). Time is an argument: whoever looks back at an
// answer that was kept gives the time at which it is proved to have existed.

import { createHash } from "node:crypto"
import type { DigestName } from "../algorithm/digest.ts"
import { readSignatureScheme, verifySignature } from "../algorithm/verify-signature.ts"
import { type AlgorithmPolicy, isTooWeak } from "../algorithm/weakness.ts"
import type { Certificate } from "../certificate/certificate.ts"
import type { Extension } from "../certificate/extension.ts"
import {
  hasOcspNoCheck,
  readBasicConstraints,
  readExtendedKeyUsage,
  readKeyUsage,
} from "../certificate/extensions.ts"
import { sameName } from "../certificate/name.ts"
import { readableCertificates } from "../certificate/readable-certificates.ts"
import { DerError } from "../der/der.ts"
import { type PathFault, validatePath } from "../path/path-validation.ts"
import { keyBits, namesIssuer, OCSP_EXTENSION } from "./ocsp.ts"
import type { BasicOcspResponse, CertStatus, OcspResponse, SingleResponse } from "./ocsp-response.ts"

export type OcspFault =
  /** tryLater, unauthorized and the like. */
  | "not-successful"
  /** No entry is about this certificate. */
  | "certificate"
  | "nonce"
  /** Neither the issuer nor one to whom the issuer has delegated it (RFC 6960, 4.2.2.2). */
  | "responder"
  /** More certificates name the responder than are evaluated, so the one that signed may be among the rest. */
  | "too-many-responders"
  /** The delegate's certificate was not valid when the answer was made, or is not valid at `at`. */
  | "responder-validity"
  | "signature"
  /** Of the answer, or of the delegate's certificate. */
  | "algorithm-too-weak"
  /** A critical extension that we do not know. */
  | "extension"
  /** thisUpdate or producedAt lies after `at`, or thisUpdate after producedAt. */
  | "not-yet-valid"
  /** nextUpdate lies before `at`, or thisUpdate is further back than `maxAgeMs`. */
  | "stale"

export type OcspAnswer = CertStatus & {
  readonly producedAt: Date
  readonly thisUpdate: Date
  readonly nextUpdate?: Date
  readonly archiveCutoff?: Date
  /** RFC 6960, 2.2: revoked at the beginning of time and on hold means that it was never issued. */
  readonly neverIssued: boolean
  /** For whoever decides which algorithms still count. */
  readonly signatureDigest: DigestName | "none"
  /** The issuer itself, or its delegate. */
  readonly responderCertificate: Certificate
  /** RFC 6960, 4.2.2.2.1: true for a delegate without ocsp-nocheck, whose own revocation is the caller's to ask. */
  readonly responderNeedsCheck: boolean
}

export type OcspVerdict = OcspAnswer | { readonly status: "refused"; readonly reason: OcspFault }

export type OcspCheck = {
  readonly certificate: Certificate
  readonly issuer: Certificate
  /** Now, for an answer that was just given; of one that was kept, when it is proved to have existed. */
  readonly at: Date
  /** Of the request. An answer made beforehand has none, which is accepted unless `needsNonce`. */
  readonly nonce?: Uint8Array
  readonly needsNonce?: boolean
  /** Where else to look for the delegate's certificate, if the answer does not bring it. */
  readonly certificates?: readonly Certificate[]
  /** RFC 6960, 4.2.2.2, criterion 1: whom the caller trusts to answer for this issuer, whoever certified them. */
  readonly trustedResponders?: readonly Certificate[]
  /** By how much clocks may differ. By default five minutes. */
  readonly toleranceMs?: number
  /**
   * How far back thisUpdate may lie, whatever nextUpdate says. By default one day for an answer without nextUpdate, 35 days
   * for one with it, and 366 days where it is about an authority.
   */
  readonly maxAgeMs?: number
  readonly algorithms?: AlgorithmPolicy
  /**
   * "unchecked" verifies who signed the response, and ignores all its times, when the responder was valid, and unknown
   * extensions. It is for callers that look for a revocation: such a response may prove nothing good, but it may still state one.
   */
  readonly times?: "checked" | "unchecked"
}

const TOLERANCE_MS = 5 * 60_000
const DAY_MS = 24 * 3_600_000
// Answers about subscribers live for ten days at most by the rules for TLS, and for hours to a month elsewhere. Those
// about authorities come from roots that are offline, which must be asked once in twelve months (CA/Browser Forum,
// Baseline Requirements, 4.9.10). Without a bound, a responder's lapse would be believed for as long as it says.
const MAX_AGE_MS = { open: DAY_MS, subscriber: 35 * DAY_MS, authority: 366 * DAY_MS }
// Each may cost two verifications.
const MAX_CANDIDATES = 64

export function checkOcsp(response: OcspResponse, check: OcspCheck): OcspVerdict {
  if (response.status !== "successful") return refused("not-successful")
  const { basic } = response
  const single = findSingle(basic, check)
  if (single === undefined) return refused("certificate")
  if (!nonceMatches(basic, check)) return refused("nonce")
  const isStrict = check.times !== "unchecked"
  if (isStrict && [...basic.extensions, ...single.extensions].some(isUnknownAndCritical))
    return refused("extension")

  const responder = findResponder(basic, check)
  if (typeof responder === "string") return refused(responder)
  const { signatureAlgorithm: algorithm, tbs: signed, signature: value } = basic
  const { publicKeySpki } = responder.certificate
  const [scheme] = orNone(() => [readSignatureScheme(algorithm)])
  if (scheme === undefined) return refused("signature")
  if (isTooWeak(scheme, publicKeySpki, check.algorithms)) return refused("algorithm-too-weak")
  if (!verifySignature({ algorithm, publicKeySpki, signed, value })) return refused("signature")
  const late = isStrict ? checkTime(basic, single, check) : undefined
  if (late !== undefined) return refused(late)

  const { certStatus, thisUpdate, nextUpdate, archiveCutoff } = single
  return {
    ...certStatus,
    producedAt: basic.producedAt,
    thisUpdate,
    ...(nextUpdate && { nextUpdate }),
    ...(archiveCutoff && { archiveCutoff }),
    neverIssued: isNeverIssued(basic, certStatus),
    signatureDigest: scheme.scheme === "ed25519" ? "none" : scheme.digest,
    responderCertificate: responder.certificate,
    responderNeedsCheck: responder.needsCheck,
  }
}

function refused(reason: OcspFault): OcspVerdict {
  return { status: "refused", reason }
}

// Should a responder list one certificate twice: a permanent revocation, else the newest, and of two equally new ones the worse.
function findSingle(
  basic: BasicOcspResponse,
  { certificate, issuer }: OcspCheck,
): SingleResponse | undefined {
  const matching = basic.responses.filter(
    ({ certId }) =>
      certId.serialNumber === certificate.serialNumber && namesIssuer(certId, issuer, certificate.issuer),
  )
  const rank = ({ certStatus }: SingleResponse) => ["good", "unknown", "revoked"].indexOf(certStatus.status)
  const [newest] = matching.sort(
    (a, b) => b.thisUpdate.getTime() - a.thisUpdate.getTime() || rank(b) - rank(a),
  )
  return matching.find(({ certStatus }) => isPermanent(certStatus)) ?? newest
}

function isPermanent(status: CertStatus): boolean {
  return status.status === "revoked" && status.reason !== "certificateHold"
}

function nonceMatches(basic: BasicOcspResponse, { nonce, needsNonce }: OcspCheck): boolean {
  if (nonce === undefined) return true
  return basic.nonce === undefined ? needsNonce !== true : equal(basic.nonce, nonce)
}

const KNOWN: readonly string[] = Object.values(OCSP_EXTENSION)

function isUnknownAndCritical({ id, critical }: Extension): boolean {
  return critical && !KNOWN.includes(id)
}

type Responder = { readonly certificate: Certificate; readonly needsCheck: boolean }

function findResponder(basic: BasicOcspResponse, check: OcspCheck): Responder | OcspFault {
  const { issuer, certificates = [], trustedResponders = [] } = check
  const named = [...readableCertificates(basic.certificates), ...certificates].filter(
    (one) => isNamed(basic, one) && isSameName(one.issuer, issuer.subject),
  )
  const different = [...new Map(named.map((one) => [Buffer.from(one.der).toString("latin1"), one])).values()]
  // What nothing signs, such as the certificates next to a response, may name the responder many times. A limit that was
  // reached is no answer: the responder may be among those that were not looked at.
  if (different.length > MAX_CANDIDATES) return "too-many-responders"
  // A CA may have certified several responders of one name, so the key that signed the response decides.
  const signers = different.filter((one) => isSignedBy(basic, one))
  const delegates = signers.length > 0 ? signers : different
  if (isNamed(basic, issuer) && (signers.length === 0 || isSignedBy(basic, issuer)))
    return { certificate: issuer, needsCheck: false }
  const trustedOnes = trustedResponders.filter((one) => isNamed(basic, one))
  const trusted = trustedOnes.find((one) => isSignedBy(basic, one)) ?? trustedOnes[0]
  if (trusted !== undefined) {
    const isValid = timesOf(basic, check).every(
      (at) => at === "any-time" || (trusted.notBefore <= at && at <= trusted.notAfter),
    )
    return isValid ? { certificate: trusted, needsCheck: false } : "responder-validity"
  }
  const judged = delegates.map((one) => delegateOf(one, basic, check))
  // The first that will do; else what the most promising one lacks.
  const faults = judged.filter((one) => typeof one === "string")
  return (
    judged.find((one) => typeof one !== "string") ?? faults.find((one) => one !== "responder") ?? "responder"
  )
}

function isSignedBy(
  { signatureAlgorithm: algorithm, tbs: signed, signature: value }: BasicOcspResponse,
  { publicKeySpki }: Certificate,
): boolean {
  return orNone(() => [verifySignature({ algorithm, publicKeySpki, signed, value })]).includes(true)
}

// When a delegate must have been valid: producedAt is what it says itself, so the time of judging counts as well. A clock
// that is ahead of ours must not make a certificate too young.
function timesOf(
  { producedAt }: BasicOcspResponse,
  { at, times }: OcspCheck,
): readonly (Date | "any-time")[] {
  if (times === "unchecked") return ["any-time"]
  return producedAt < at ? [producedAt, at] : [producedAt]
}

function isNamed({ responderId }: BasicOcspResponse, certificate: Certificate): boolean {
  if ("name" in responderId) return isSameName(responderId.name, certificate.subject)
  return equal(responderId.keyHash, createHash("sha1").update(keyBits(certificate)).digest())
}

const OCSP_SIGNING = "1.3.6.1.5.5.7.3.9"
const SIGNING_USAGES = ["digitalSignature", "contentCommitment"] as const

// RFC 6960, 4.2.2.2: issued directly by the one that issued the certificate in question, with the same key, and for
// this purpose by name; anyExtendedKeyUsage is not enough. Of the two usages for signatures either will do: qualified
// authorities have responders with contentCommitment alone.
function delegateOf(
  certificate: Certificate,
  basic: BasicOcspResponse,
  check: OcspCheck,
): Responder | OcspFault {
  const { extensions } = certificate
  const [isDelegate] = orNone(() => {
    const usages = readKeyUsage(extensions)
    return [
      readExtendedKeyUsage(extensions)?.includes(OCSP_SIGNING) === true &&
        (usages === undefined || SIGNING_USAGES.some((usage) => usages.includes(usage))),
    ]
  })
  if (isDelegate !== true) return "responder"
  const path = { anchor: check.issuer, certificates: [certificate] }
  const policy = check.algorithms === undefined ? {} : { algorithms: check.algorithms }
  for (const at of timesOf(basic, check)) {
    const verdict = validatePath(path, { at, ...policy })
    if (!verdict.valid) return PATH_FAULTS[verdict.reason] ?? "responder"
  }
  const [noCheck] = orNone(() => [hasOcspNoCheck(extensions)])
  return noCheck === undefined ? "responder" : { certificate, needsCheck: !noCheck }
}

const PATH_FAULTS: Readonly<Partial<Record<PathFault, OcspFault>>> = {
  expired: "responder-validity",
  "not-yet-valid": "responder-validity",
  "algorithm-too-weak": "algorithm-too-weak",
}

// A name that cannot be read names nobody.
function isSameName(one: Uint8Array, other: Uint8Array): boolean {
  return orNone(() => [sameName(one, other)]).includes(true)
}

/** What cannot be read does no harm, unless it is what is needed. */
function orNone<T>(read: () => readonly T[]): readonly T[] {
  try {
    return read()
  } catch (error) {
    if (error instanceof DerError) return []
    throw error
  }
}

function checkTime(
  { producedAt }: BasicOcspResponse,
  { thisUpdate, nextUpdate }: SingleResponse,
  check: OcspCheck,
): OcspFault | undefined {
  const { at, toleranceMs = TOLERANCE_MS, maxAgeMs = maxAge(check.certificate, nextUpdate) } = check
  const now = at.getTime()
  // RFC 6960, 2.4: what is signed at producedAt cannot know what was true only later.
  const latest = Math.min(now, producedAt.getTime()) + toleranceMs
  if (thisUpdate.getTime() > latest || producedAt.getTime() > now + toleranceMs) return "not-yet-valid"
  const until = Math.min(nextUpdate?.getTime() ?? Infinity, thisUpdate.getTime() + maxAgeMs)
  return until < now - toleranceMs ? "stale" : undefined
}

// RFC 6960, 4.2.2.1: without nextUpdate there is newer information at any time.
function maxAge({ extensions }: Certificate, nextUpdate: Date | undefined): number {
  if (nextUpdate === undefined) return MAX_AGE_MS.open
  const [basic] = orNone(() => [readBasicConstraints(extensions)])
  return basic?.ca === true ? MAX_AGE_MS.authority : MAX_AGE_MS.subscriber
}

function isNeverIssued({ extendedRevoke }: BasicOcspResponse, status: CertStatus): boolean {
  return (
    extendedRevoke &&
    status.status === "revoked" &&
    status.reason === "certificateHold" &&
    status.revokedAt.getTime() === 0
  )
}

function equal(a: Uint8Array, b: Uint8Array): boolean {
  return Buffer.compare(a, b) === 0
}
