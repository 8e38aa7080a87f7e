// What the values of form fields that changed after a signature do to its verdict (ADR 0084). A signature says nothing of a
// value that replaced what was signed, or that no signature covers: it always takes the pass away or is noted.

import { because, noted } from "./outcome.ts"
import type { Level } from "./policy/policy.ts"
import type { ReasonCode } from "./reason-codes.ts"
import type { Change, FillStatus, SignatureReport } from "./report.ts"
import { withReason } from "./with-reason.ts"

const CODES = {
  replaced: "value-replaced",
  unsigned: "value-unsigned",
  later: "filled-later",
} as const satisfies Readonly<Record<FillStatus, ReasonCode>>

export function withChangedValues(signature: SignatureReport, level: Level): SignatureReport {
  const later = fieldsOf(signature.changes, "later")
  const told =
    later === undefined
      ? signature
      : { ...signature, reasons: [...signature.reasons, noted(CODES.later, { field: later })] }
  if (level === "ignore") return told
  const open = (["replaced", "unsigned"] as const).flatMap((status) => {
    const field = fieldsOf(signature.changes, status)
    return field === undefined ? [] : [{ code: CODES[status], field }]
  })
  return open.reduceRight(
    (known, { code, field }) => withReason(known, (level === "fail" ? because : noted)(code, { field })),
    told,
  )
}

const MAX_NAMED = 3

/** The names of the first fields of this status. */
function fieldsOf(changes: readonly Change[], status: FillStatus): string | undefined {
  const ofStatus = changes.filter(({ fill }) => fill === status)
  if (ofStatus.length === 0) return undefined
  const names = [...new Set(ofStatus.flatMap(({ field }) => field ?? []))]
  const isMore = names.length > MAX_NAMED || ofStatus.some(({ field }) => field === undefined)
  return `${names.slice(0, MAX_NAMED).join(", ")}${isMore ? ", …" : ""}`
}
