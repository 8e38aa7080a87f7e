import type { DocumentReport, Verdict } from "./report.ts"

const RANKS = ["TOTAL-FAILED", "INDETERMINATE", "TOTAL-PASSED"] as const

/** A document is as good as the worst of its signatures. */
export function worstOf(
  verdicts: readonly Pick<Verdict, "indication" | "subIndication">[],
): Pick<DocumentReport, "indication" | "subIndication"> {
  const [worst] = verdicts.toSorted((a, b) => RANKS.indexOf(a.indication) - RANKS.indexOf(b.indication))
  if (worst === undefined) return { indication: "INDETERMINATE", subIndication: "SIGNED_DATA_NOT_FOUND" }
  const { indication, subIndication } = worst
  return { indication, ...(subIndication && { subIndication }) }
}
