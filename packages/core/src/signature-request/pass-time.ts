import type { Clock, Transact } from "../ports.ts"
import { Refusal } from "../refusal.ts"
import { apply, applyRemoval } from "./apply.ts"

/** A request of which a date has come, found by an indexed column; whoever found it first does it. */
export type Due = { readonly businessId: string; readonly requestId: string }

type Parts = { readonly transact: Transact; readonly now: Clock }

/** ST-06: `expires_at` has passed with signatures missing. */
export const expireRequest = (parts: Parts, due: Due): Promise<void> =>
  unlessItIsOver(parts, due, (tx) => apply(tx, due.requestId, { type: "expire", at: parts.now() }))

export const warnOfExpiry = (parts: Parts, due: Due): Promise<void> =>
  unlessItIsOver(parts, due, (tx) => apply(tx, due.requestId, { type: "warn-of-expiry", at: parts.now() }))

/** SR-23: the business's retention policy deletes it, and its documents with it. */
export const retire = (parts: Parts, due: Due): Promise<void> =>
  unlessItIsOver(parts, due, (tx) => applyRemoval(tx, due.requestId, parts.now()))

/** Between the look and the lock somebody may have signed, withdrawn, held or deleted it, or another worker was faster. */
async function unlessItIsOver(
  parts: Parts,
  { businessId }: Due,
  work: (tx: Parameters<Parameters<Transact>[1]>[0]) => Promise<unknown>,
): Promise<void> {
  try {
    await parts.transact(businessId, work)
  } catch (error) {
    const code = error instanceof Refusal ? error.code : null
    if (code !== "request-not-open" && code !== "not-found" && code !== "request-held") throw error
  }
}
