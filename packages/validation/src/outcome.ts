// What a building block or a process says (EN 319 102-1, 5.1.3): an indication with its reasons.

import type { BlockIndication, SubIndication } from "./indication.ts"
import type { ReasonCode } from "./reason-codes.ts"
import type { Reason } from "./report.ts"

export type Outcome = {
  readonly indication: BlockIndication
  readonly subIndication?: SubIndication
  readonly reasons: readonly Reason[]
}

export const PASSED: Outcome = { indication: "PASSED", reasons: [] }

export function failed(subIndication: SubIndication, ...reasons: readonly Reason[]): Outcome {
  return { indication: "FAILED", subIndication, reasons }
}

export function indeterminate(subIndication: SubIndication, ...reasons: readonly Reason[]): Outcome {
  return { indication: "INDETERMINATE", subIndication, reasons }
}

export function because(code: ReasonCode, values?: Readonly<Record<string, string>>): Reason {
  return { code, weight: "fail", ...(values && { values }) }
}

export function noted(code: ReasonCode, values?: Readonly<Record<string, string>>): Reason {
  return { code, weight: "note", ...(values && { values }) }
}

export function passed({ indication }: Outcome): boolean {
  return indication === "PASSED"
}

/** The first that did not pass; else passed, with what all of them noted. */
export function firstFault(...steps: readonly (() => Outcome)[]): Outcome {
  const notes: Reason[] = []
  for (const step of steps) {
    const outcome = step()
    if (!passed(outcome)) return { ...outcome, reasons: [...outcome.reasons, ...notes] }
    notes.push(...outcome.reasons)
  }
  return notes.length === 0 ? PASSED : { indication: "PASSED", reasons: notes }
}

/** A check whose weight the policy decides. */
export function byLevel(
  level: "fail" | "note" | "ignore",
  holds: boolean,
  outcome: (weight: (code: ReasonCode, values?: Readonly<Record<string, string>>) => Reason) => Outcome,
): Outcome {
  if (holds || level === "ignore") return PASSED
  if (level === "fail") return outcome(because)
  return { indication: "PASSED", reasons: outcome(noted).reasons }
}

/** The verdicts that a proof of existence may turn (EN 319 102-1, 5.5.4, step 1 and 5.6.3.4, step 2). */
export function mayHaveHeld({ indication, subIndication }: Outcome): boolean {
  return indication === "INDETERMINATE" && subIndication !== undefined && TURNABLE.includes(subIndication)
}

const TURNABLE: readonly SubIndication[] = [
  "REVOKED_NO_POE",
  "REVOKED_CA_NO_POE",
  "OUT_OF_BOUNDS_NO_POE",
  "OUT_OF_BOUNDS_NOT_REVOKED",
  "CRYPTO_CONSTRAINTS_FAILURE_NO_POE",
  "REVOCATION_OUT_OF_BOUNDS_NO_POE",
  "TRY_LATER",
]
