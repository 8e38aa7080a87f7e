import type { Caller } from "../access/caller.ts"
import type { Clock, Read, Transact } from "../ports.ts"
import { Refusal } from "../refusal.ts"
import type { ReportOf, SealedReport } from "./ports.ts"
import { found } from "./read.ts"

export type ReadReportParts = {
  readonly read: Read
  readonly transact: Transact
  readonly now: Clock
  /** Comes back when the report is sealed or gone, or after a time that a caller can be asked to wait. */
  readonly reportIsOver: (of: ReportOf) => Promise<unknown>
}

const RETRY = { retryAfterSeconds: 10 }

/**
 * Decisions, "reports": the sealed one, for people. Whoever asks has no key, so a worker seals it (ADR 0051); once, and whoever
 * asks again gets the same bytes. Who is told 503 may come back for it: it is made meanwhile.
 */
export async function readPdfReport(
  parts: ReadReportParts,
  caller: Caller,
  of: ReportOf,
): Promise<Uint8Array> {
  const { businessId, kind } = caller
  const before = await reportOf(parts, caller, of)
  if (before?.pdf != null) return before.pdf
  await parts.transact(businessId, async (tx) => {
    if (await tx.orderReport(of, parts.now()))
      await tx.enqueueSealing({ task: "seal-report", businessId, ...of }, kind)
  })
  await parts.reportIsOver(of)
  const after = await reportOf(parts, caller, of)
  if (after?.pdf != null) return after.pdf
  throw notSealed(after?.waitingFor ?? null)
}

/** VAL-08: asked as everything else about a validation is, each time. */
const reportOf = (parts: ReadReportParts, caller: Caller, of: ReportOf): Promise<SealedReport | null> =>
  parts.read(caller.businessId, async (reading) => {
    await found(parts, reading, caller, of.validationId)
    return reading.findReport(of)
  })

/** For whoever waited in vain: what is lacking, and when to come back. */
export const notSealed = (waitingFor: SealedReport["waitingFor"]): Refusal =>
  new Refusal("part-down", LACKS[waitingFor ?? "none"], RETRY)

const LACKS = {
  keys: "The key that seals reports cannot be reached.",
  timestamp: "No time-stamping authority gave a time-stamp that can be relied upon.",
  revocation: "Nobody says that the certificate of the service is not revoked.",
  none: "The report was not sealed in time.",
} as const
