// Past certificate validation, validation time sliding and past signature validation (EN 319 102-1, 5.6.2.1, 5.6.2.2 and
// 5.6.2.4): whether a signature that does not hold today held at a time at which it is proved to have existed.

import type { Certificate } from "@paraph/pki/certificate"
import { type CertificatePath, keyAt } from "@paraph/pki/path-validation"
import { isFresh, isValidAt, shown, skipsRevocation } from "../block/certificate.ts"
import { acceptAlgorithms } from "../block/cryptographic.ts"
import type { Context, Purpose } from "../context.ts"
import { provedAt } from "../evidence/proofs.ts"
import { decisiveWord, type Word, wordsAbout } from "../evidence/revocation-words.ts"
import { because, failed, indeterminate, type Outcome, PASSED, passed } from "../outcome.ts"
import { type AlgorithmUse, algorithmUse, isReliable, reliability } from "../policy/reliability.ts"

export type PastSubject = {
  /** The signature or the time-stamp, as proofs of existence know it. */
  readonly subject: object
  readonly path: CertificatePath
  readonly purpose: Purpose
  readonly use: AlgorithmUse
}

/** 5.6.2.4. `current` is what was said of it today, and remains so where the past does not help. */
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

// Step 1: somebody's word on the signer's certificate, proved to have existed while they were still valid.
function isWitnessed(context: Context, path: CertificatePath): boolean {
  const last = path.certificates.length - 1
  const certificate = path.certificates[last]
  if (certificate === undefined || skipsRevocation(certificate)) return true
  return wordsAbout(context.words, path, last).some((word) => isFromValidIssuer(context, word))
}

function isFromValidIssuer({ proofs }: Context, { signedBy, source }: Word): boolean {
  return signedBy === undefined || isValidAt(signedBy, provedAt(proofs, source))
}

/** 5.6.2.1 and 5.6.2.2: the latest time at which the whole chain is known to have been good. */
function slideTime(context: Context, { path, purpose, subject }: PastSubject): Date | undefined {
  const { certificates } = path
  const { maxAge } = context.policy.revocation.freshness[purpose]
  const existedAt = provedAt(context.proofs, subject)
  if (!overlap(certificates)) return undefined
  let controlTime = context.now
  for (const [position, certificate] of certificates.entries()) {
    const isTarget = position === certificates.length - 1
    const word = selectWord(context, path, position, controlTime)
    if (word === undefined && needsWord(context, certificate, isTarget, purpose)) return undefined
    if (word?.status === "revoked" && word.since !== undefined) controlTime = earlier(controlTime, word.since)
    // Step c) asks for news at the control time, which the past cannot have: what counts is whether it was news when the
    // signature existed.
    else if (word !== undefined && !isFresh(word, existedAt, maxAge))
      controlTime = earlier(controlTime, word.thisUpdate)
    const own = algorithmUse(certificate.signatureAlgorithm, keyAt(path, position - 1))
    controlTime = whileReliable(context, own, controlTime)
    if (word !== undefined) controlTime = whileReliable(context, word.use, controlTime)
  }
  return controlTime
}

// 5.6.2.2.4, step 2 a): made before the control time, and proved to have existed by then, as the certificate itself.
function selectWord(
  context: Context,
  path: CertificatePath,
  position: number,
  controlTime: Date,
): Word | undefined {
  const { proofs, words } = context
  const certificate = path.certificates[position]
  if (certificate === undefined || provedAt(proofs, certificate) > controlTime) return undefined
  const isTarget = position === path.certificates.length - 1
  const all = wordsAbout(words, path, position)
  const witnesses = isTarget ? all.filter((word) => isFromValidIssuer(context, word)) : []
  return decisiveWord(
    (witnesses.length > 0 ? witnesses : all).filter(
      ({ madeAt, source }) => madeAt <= controlTime && provedAt(proofs, source) <= controlTime,
    ),
  )
}

function needsWord(
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

function earlier(one: Date, other: Date): Date {
  return other < one ? other : one
}
