// Signatures with time and with long-term validation material (EN 319 102-1, 5.5): which of the issues of a chain are none,
// seen from the time at which a time-stamp proves that the signature existed.

import type { Certificate } from "@paraph/pki/certificate"
import { isFresh, isValidAt, shown } from "../block/certificate.ts"
import type { JudgedChain } from "../block/chain.ts"
import type { ChainIssue } from "../block/chain-issue.ts"
import type { Context } from "../context.ts"
import { because, failed, indeterminate, type Outcome, PASSED } from "../outcome.ts"

export function withTime(
  context: Context,
  certificate: Certificate,
  { issues, notes }: JudgedChain,
  existedAt: Date,
): Outcome {
  const name = { certificate: shown(certificate) }
  // 5.5.4, step 5 c).
  if (existedAt < certificate.notBefore)
    return failed("NOT_YET_VALID", because("signed-before-certificate", name))
  const left = issues.find((issue) => !isSettled(context, certificate, issue, existedAt))
  if (left !== undefined) return indeterminate(left.subIndication, left.reason, ...notes)
  return notes.length === 0 ? PASSED : { indication: "PASSED", reasons: notes }
}

function isSettled(
  { now, policy }: Context,
  certificate: Certificate,
  { kind, status, subIndication }: ChainIssue,
  existedAt: Date,
): boolean {
  switch (kind) {
    // Step 5 a) and b): revoked later than the signature was made.
    case "revoked":
    case "on-hold":
      return status?.since !== undefined && status.since > existedAt && isValidAt(certificate, existedAt)
    // Step 5 c): within its validity when it was used, and known not to have been revoked.
    case "out-of-bounds":
      return subIndication === "OUT_OF_BOUNDS_NOT_REVOKED" && isValidAt(certificate, existedAt)
    // Step 6: fresh enough for the time of the signature, though not for today.
    case "stale":
      return (
        existedAt < now &&
        status !== undefined &&
        isFresh(status, existedAt, policy.revocation.freshness.signature.maxAge) &&
        isValidAt(certificate, existedAt)
      )
    default:
      return false
  }
}
