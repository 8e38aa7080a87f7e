// Past certificate validation, validation time sliding and past signature validation (EN 319 102-1, 5.6.2.1, 5.6.2.2 and
// 5.6.2.4): whether a signature that does not hold today held at a time at which it is proved to have existed.

import type { Certificate } from "@paraph/pki/certificate"
import { type CertificatePath, keyAt } from "@paraph/pki/path-validation"
import { isFresh, isValidAt, shown, skipsRevocation } from "../block/certificate.ts"
import { acceptAlgorithms } from "../block/cryptographic.ts"
import type { Context, Purpose } from "../context.ts"
import { provedAt } from "../evidence/proofs.ts"
import { statusesOf } from "../evidence/revocation-index.ts"
import { currentHold, isPermanent, type RevocationStatus } from "../evidence/revocation-status.ts"
import { because, failed, indeterminate, type Outcome, PASSED, passed } from "../outcome.ts"
import { type AlgorithmUse, algorithmUse, isReliable, reliability } from "../policy/reliability.ts"

export type PastSubject = {
  /** The signature or the time-stamp, as proofs of existence know it. */
  readonly subject: object
  readonly path: CertificatePath
  readonly purpose: Purpose
  readonly use: AlgorithmUse
}

/** 5.6.2.4. `current` is the outcome of today, which stands where the past does not help. */
export function validatePast(context: Context, past: PastSubject, current: Outcome): Outcome {
  const { path, subject, use } = past
  const certificate = path.certificates.at(-1)
  if (certificate === undefined) return current
  const controlTime = slideTime(context, past)
  if (controlTime === undefined) return current
  const existedAt = provedAt(context.proofs, subject)
  if (existedAt > controlTime) return current
  const name = { certificate: shown(certificate) }
  if (existedAt < certificate.notBefore)
    return failed("NOT_YET_VALID", because("signed-before-certificate", name))
  if (existedAt > certificate.notAfter)
    return indeterminate("OUT_OF_BOUNDS_NOT_REVOKED", because("signed-after-certificate", name))
  const algorithms = acceptAlgorithms(context, use, existedAt)
  if (!passed(algorithms)) return algorithms
  return isWitnessed(context, path)
    ? PASSED
    : indeterminate("REVOCATION_OUT_OF_BOUNDS_NO_POE", because("revocation-issuer-ended", name))
}

// Step 1: a status of the signer's certificate, proved to have existed while its issuer was still valid.
function isWitnessed(context: Context, path: CertificatePath): boolean {
  const last = path.certificates.length - 1
  const certificate = path.certificates[last]
  if (certificate === undefined || skipsRevocation(certificate)) return true
  return soundStatuses(context, path, last).some((status) => isFromValidIssuer(context, status))
}

function soundStatuses(
  { revocation }: Context,
  path: CertificatePath,
  position: number,
): readonly RevocationStatus[] {
  return statusesOf(revocation, path, position).filter(({ isSound }) => isSound)
}

function isFromValidIssuer(context: Context, status: RevocationStatus): boolean {
  const { signedBy } = status
  return signedBy === undefined || isValidAt(signedBy, statusProvedAt(context, status))
}

/** When all the lists that state it together are proved to have existed. */
function statusProvedAt({ proofs }: Context, { source, others = [] }: RevocationStatus): Date {
  return [source, ...others].map((one) => provedAt(proofs, one)).reduce(later)
}

/** 5.6.2.1 and 5.6.2.2: the latest time at which the whole chain is known to have been good. */
function slideTime(context: Context, past: PastSubject): Date | undefined {
  const { certificates } = past.path
  if (!overlap(certificates)) return undefined
  let controlTime: Date | undefined = context.now
  for (const position of certificates.keys()) {
    if (controlTime === undefined) return undefined
    controlTime = slideOver(context, past, position, controlTime)
  }
  return controlTime
}

/** 5.6.2.2.4, step 2, for one certificate. Undefined where nothing is known of it that existed at the control time. */
function slideOver(
  context: Context,
  { path, purpose, subject }: PastSubject,
  position: number,
  before: Date,
): Date | undefined {
  const certificate = path.certificates[position]
  if (certificate === undefined) return before
  const statuses = statusesOf(context.revocation, path, position)
  const usable = usableStatuses(context, path, position, before)
  const isTarget = position === path.certificates.length - 1
  if (usable.length === 0 && needsStatus(context, certificate, isTarget, purpose)) return undefined
  const own = algorithmUse(certificate.signatureAlgorithm, keyAt(path, position - 1))
  const controlTime = whileReliable(context, own, beforeRevocation(statuses, before))
  const { maxAge } = context.policy.revocation.freshness[purpose]
  const existedAt = provedAt(context.proofs, subject)
  const slid = usable.map((status) => {
    if (isPermanent(status)) return controlTime
    if (status.status === "revoked") return earlier(controlTime, new Date((status.since?.getTime() ?? 1) - 1))
    // Step c) asks for a status that is fresh at the control time, which no past one can be: what counts is whether it
    // was fresh when the signature existed.
    const fresh = isFresh(status, existedAt, maxAge) ? controlTime : earlier(controlTime, status.thisUpdate)
    return whileReliable(context, status.use, fresh)
  })
  return slid.length === 0 ? controlTime : slid.reduce(later)
}

/**
 * Steps 2 b) and c) for revocations. Every revocation in the evidence counts, also one that is proved only now, or whose
 * responder has expired since: a good status never takes it away. So does a hold that no newer status has ended, also one that
 * was stated after the control time: a control time that slides back must not make it forgotten.
 */
function beforeRevocation(statuses: readonly RevocationStatus[], controlTime: Date): Date {
  const hold = currentHold(statuses)
  return (
    [...statuses.filter(isPermanent), ...(hold ? [hold] : [])]
      // Strictly before it, as in 5.5.4, step 5 a): what existed only at the moment of the revocation was signed too late.
      .reduce((time, { since }) => earlier(time, new Date((since?.getTime() ?? 1) - 1)), controlTime)
  )
}

// Step 2 a): made before the control time, and proved to have existed by then, as the certificate itself. Of a hold only the
// newest status tells whether it lasts.
function usableStatuses(
  context: Context,
  path: CertificatePath,
  position: number,
  controlTime: Date,
): readonly RevocationStatus[] {
  const certificate = path.certificates[position]
  if (certificate === undefined || provedAt(context.proofs, certificate) > controlTime) return []
  const isTarget = position === path.certificates.length - 1
  const all = soundStatuses(context, path, position)
  const witnesses = isTarget ? all.filter((status) => isFromValidIssuer(context, status)) : []
  const found = (witnesses.length > 0 ? witnesses : all).filter(
    (status) => status.madeAt <= controlTime && statusProvedAt(context, status) <= controlTime,
  )
  const hold = currentHold(found)
  return hold === undefined ? found.filter((one) => one.status === "good" || isPermanent(one)) : [hold]
}

function needsStatus(
  { policy }: Context,
  certificate: Certificate,
  isTarget: boolean,
  purpose: Purpose,
): boolean {
  if (isTarget) return !skipsRevocation(certificate)
  return purpose === "signature" || policy.revocation.authoritiesOfTimestamps === "fail"
}

// Step d): back to when the algorithms were still relied upon.
function whileReliable({ policy }: Context, use: AlgorithmUse, controlTime: Date): Date {
  const ends = reliability(use, policy.algorithms)
  return ends.until === "for-now" || isReliable(ends, controlTime)
    ? controlTime
    : earlier(controlTime, ends.until)
}

// 5.6.2.1.4, step 2: there must be a time at which all of them were valid.
function overlap(certificates: readonly Certificate[]): boolean {
  const from = Math.max(...certificates.map(({ notBefore }) => notBefore.getTime()))
  const until = Math.min(...certificates.map(({ notAfter }) => notAfter.getTime()))
  return from <= until
}

function later(one: Date, other: Date): Date {
  return one < other ? other : one
}

function earlier(one: Date, other: Date): Date {
  return other < one ? other : one
}
