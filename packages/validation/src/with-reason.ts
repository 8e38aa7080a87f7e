// One more reason in the report on a signature. What was found after the processes of EN 319 102-1 can only take a pass away.

import type { Reason, SignatureReport } from "./report.ts"

export function withReason(signature: SignatureReport, reason: Reason): SignatureReport {
  const { indication, reasons } = signature
  if (reason.weight === "note" || indication !== "TOTAL-PASSED")
    return { ...signature, reasons: [...reasons, reason] }
  return {
    ...signature,
    indication: "INDETERMINATE",
    subIndication: "SIG_CONSTRAINTS_FAILURE",
    reasons: [reason, ...reasons],
  }
}
