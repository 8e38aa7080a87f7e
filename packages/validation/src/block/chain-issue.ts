// What can be wrong with a chain of certificates (EN 319 102-1, 5.2.6.4), as data.

import type { RevocationStatus } from "../evidence/revocation-status.ts"
import type { SubIndication } from "../indication.ts"
import { because } from "../outcome.ts"
import type { ReasonCode } from "../reason-codes.ts"
import type { Reason } from "../report.ts"

export type ChainIssueKind =
  /** No path, or one that no proof of existence will mend. */
  | "general"
  | "revoked"
  | "on-hold"
  /** The certificate at this position has ended, or has not begun. */
  | "out-of-bounds"
  /** Who gave the revocation information is no longer valid. */
  | "revocation-issuer-ended"
  | "stale"
  | "weak"

export type ChainIssue = {
  readonly kind: ChainIssueKind
  readonly subIndication: SubIndication
  readonly reason: Reason
  /** In the path; the signer's own certificate stands last. */
  readonly position: number
  readonly status?: RevocationStatus
}

type Values = Readonly<Record<string, string>>

export function issueOf(
  kind: ChainIssueKind,
  subIndication: SubIndication,
  position: number,
  [code, values]: readonly [code: ReasonCode, values?: Values],
  status?: RevocationStatus,
): ChainIssue {
  return { kind, subIndication, reason: because(code, values), position, ...(status && { status }) }
}

const RANKS: readonly ChainIssueKind[] = [
  "general",
  "revoked",
  "on-hold",
  "out-of-bounds",
  "revocation-issuer-ended",
  "stale",
  "weak",
]

/** The weightiest first; of two of a kind that of the signer's own certificate. */
export function byWeight(one: ChainIssue, other: ChainIssue): number {
  return RANKS.indexOf(one.kind) - RANKS.indexOf(other.kind) || other.position - one.position
}
