// One certificate of a chain at the time of validation: revocation with its freshness (EN 319 102-1, 5.2.5), algorithms,
// validity (5.2.6.4).

import type { Certificate } from "@paraph/pki/certificate"
import { type CertificatePath, keyAt } from "@paraph/pki/path-validation"
import type { Context, Purpose } from "../context.ts"
import { statusesOf } from "../evidence/revocation-index.ts"
import { decisiveStatus, type RevocationStatus } from "../evidence/revocation-status.ts"
import { noted } from "../outcome.ts"
import type { Freshness, Level } from "../policy/policy.ts"
import { type AlgorithmUse, algorithmUse, isReliable, reliability } from "../policy/reliability.ts"
import type { ReasonCode } from "../reason-codes.ts"
import type { Reason } from "../report.ts"
import { type ChainIssue, issueOf } from "./chain-issue.ts"

export type Found = { readonly issues: readonly ChainIssue[]; readonly notes: readonly Reason[] }

type Asked = {
  readonly context: Context
  readonly certificate: Certificate
  readonly position: number
  /** The signer's own certificate, and not an authority's. */
  readonly isTarget: boolean
  readonly purpose: Purpose
  /** When it was used, as far as somebody says so; else now. */
  readonly usedAt: Date
}

// ETSI EN 319 412-1, 5.2 and RFC 9608: certificates so short-lived that nobody revokes them.
export const NEEDS_NO_REVOCATION: readonly string[] = ["0.4.0.194121.2.1", "2.5.29.56"]

export function judgeCertificate(
  context: Context,
  path: CertificatePath,
  position: number,
  purpose: Purpose,
  usedAt: Date,
): Found {
  const certificate = path.certificates[position]
  if (certificate === undefined) return { issues: [], notes: [] }
  const isTarget = position === path.certificates.length - 1
  const asked = { context, certificate, position, isTarget, purpose, usedAt }
  const isNeeded = !(isTarget && skipsRevocation(certificate))
  const all = statusesOf(context.revocation, path, position)
  // Nothing is needed of a short-lived certificate, but a revocation that is at hand counts.
  const statuses = isNeeded || all.some(({ status }) => status === "revoked") ? all : []
  const status = decisiveStatus(statuses)
  const isKnown = statuses.some(({ isSound }) => isSound)
  const own = algorithmUse(certificate.signatureAlgorithm, keyAt(path, position - 1))
  return together([
    ...(status !== undefined ? [judgeStatus(asked, status, levelOf(asked))] : []),
    ...(isNeeded && !isKnown ? [noInformation(asked)] : []),
    only(weakness(asked, own, "certificate-weak")),
    only(outOfBounds(asked, status, isNeeded)),
  ])
}

function levelOf({ isTarget, purpose, context }: Asked): Level {
  return isTarget || purpose === "signature" ? "fail" : context.policy.revocation.authoritiesOfTimestamps
}

function noInformation(asked: Asked): Found {
  const level = levelOf(asked)
  const why = ["no-revocation-information", { certificate: shown(asked.certificate) }] as const
  if (level === "fail")
    return only([issueOf("general", "CERTIFICATE_CHAIN_GENERAL_FAILURE", asked.position, why)])
  return { issues: [], notes: level === "note" ? [noted(...why)] : [] }
}

function judgeStatus(asked: Asked, status: RevocationStatus, level: Level): Found {
  const bad = only(revoked(asked, status))
  // Where nothing is needed of an authority, old news of it do no harm.
  if (level !== "fail") return bad
  const weak = only(weakness(asked, status.use, "revocation-information-weak", status))
  return together([bad, stale(asked, status), weak, issuerEnded(asked, status)])
}

function revoked(
  { context, certificate, position, isTarget }: Asked,
  status: RevocationStatus,
): readonly ChainIssue[] {
  const { since, reason = "unspecified" } = status
  if (status.status !== "revoked" || since === undefined) return []
  const values = { certificate: shown(certificate), since: since.toISOString(), reason }
  if (reason === "certificateHold")
    return [issueOf("on-hold", "TRY_LATER", position, ["on-hold", values], status)]
  if (since > context.now) return []
  const subIndication = isTarget ? "REVOKED_NO_POE" : "REVOKED_CA_NO_POE"
  return [issueOf("revoked", subIndication, position, ["revoked", values], status)]
}

function stale({ context, certificate, position, purpose, usedAt }: Asked, status: RevocationStatus): Found {
  const { at, maxAge } = context.policy.revocation.freshness[purpose]
  const why = [
    "revocation-information-old",
    { certificate: shown(certificate), thisUpdate: status.thisUpdate.toISOString() },
  ] as const
  if (!isFresh(status, at === "use" ? usedAt : context.now, maxAge))
    return only([issueOf("stale", "TRY_LATER", position, why, status)])
  return { issues: [], notes: isFresh(status, context.now, maxAge) ? [] : [noted(...why)] }
}

/** 5.2.5: whether revocation information is recent enough for that time. */
export function isFresh(
  { thisUpdate, nextUpdate }: RevocationStatus,
  at: Date,
  maxAge: Freshness["maxAge"],
): boolean {
  if (maxAge === "none") return true
  if (maxAge !== "next-update") return thisUpdate.getTime() > at.getTime() - maxAge.hours * 3_600_000
  // Without nextUpdate there is newer information at any time (RFC 6960, 4.2.2.1): good for what lies before it alone.
  return nextUpdate === undefined ? thisUpdate >= at : at < nextUpdate
}

function issuerEnded(
  { context, certificate, position, isTarget, purpose }: Asked,
  status: RevocationStatus,
): Found {
  const level = context.policy.revocation.issuerValidity[purpose]
  const { signedBy } = status
  if (!isTarget || level === "ignore" || signedBy === undefined || isValidAt(signedBy, context.now))
    return { issues: [], notes: [] }
  const why = [
    "revocation-issuer-ended",
    { certificate: shown(certificate), issuer: shown(signedBy) },
  ] as const
  if (level === "note") return { issues: [], notes: [noted(...why)] }
  return only([issueOf("revocation-issuer-ended", "REVOCATION_OUT_OF_BOUNDS_NO_POE", position, why, status)])
}

function weakness(
  { context, certificate, position }: Asked,
  use: AlgorithmUse,
  code: ReasonCode,
  status?: RevocationStatus,
): readonly ChainIssue[] {
  const ends = reliability(use, context.policy.algorithms)
  if (ends.until === "for-now" || isReliable(ends, context.now)) return []
  const values = { certificate: shown(certificate), algorithm: ends.what, until: day(ends.until) }
  return [issueOf("weak", "CRYPTO_CONSTRAINTS_FAILURE_NO_POE", position, [code, values], status)]
}

// A certificate that has ended may have been good when it was used, if nobody had revoked it.
function outOfBounds(
  asked: Asked,
  status: RevocationStatus | undefined,
  isNeeded: boolean,
): readonly ChainIssue[] {
  const { context, certificate, position, isTarget } = asked
  const { now } = context
  if (isValidAt(certificate, now)) return []
  const isKnownGood =
    !isNeeded ||
    (status?.status === "good" && (status.signedBy === undefined || isValidAt(status.signedBy, now)))
  const code = now < certificate.notBefore ? "not-yet-valid" : "expired"
  const { notBefore, notAfter } = certificate
  const values = { certificate: shown(certificate), notBefore: day(notBefore), notAfter: day(notAfter) }
  const subIndication = isTarget && isKnownGood ? "OUT_OF_BOUNDS_NOT_REVOKED" : "OUT_OF_BOUNDS_NO_POE"
  return [issueOf("out-of-bounds", subIndication, position, [code, values], status)]
}

export function skipsRevocation({ extensions }: Certificate): boolean {
  return extensions.some(({ id }) => NEEDS_NO_REVOCATION.includes(id))
}

export function isValidAt({ notBefore, notAfter }: Certificate, at: Date): boolean {
  return notBefore <= at && at <= notAfter
}

export function shown(certificate: Certificate | undefined): string {
  return certificate?.subjectName ?? ""
}

function day(at: Date): string {
  return at.toISOString().slice(0, 10)
}

function together(found: readonly Found[]): Found {
  return { issues: found.flatMap(({ issues }) => issues), notes: found.flatMap(({ notes }) => notes) }
}

function only(issues: readonly ChainIssue[]): Found {
  return { issues, notes: [] }
}
