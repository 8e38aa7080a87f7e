import type { Caller } from "../access/caller.ts"
import { mayReadRequest, mustHaveRole } from "../access/may.ts"
import { managing } from "../business/managing.ts"
import { ADMINISTRATORS } from "../business/model.ts"
import type { KeptHold } from "../evidence/ports.ts"
import type { Clock, Read, Transact, Tx } from "../ports.ts"
import { Refusal } from "../refusal.ts"
import type { SignatureRequest } from "./model.ts"

type Parts = { readonly transact: Transact; readonly now: Clock }

/** Since when a request is not to be deleted, by anybody, and why; null: it may be. */
export type Hold = { readonly heldSince: Date | null; readonly reason: string | null }

/**
 * Somebody may need what happened (ADR 0055): until it is said otherwise the request is not deleted, by whomever and whatever its
 * date. For those who look after the business, whoever of it made the request. That it is held is in its story, which signers read;
 * why is not.
 */
export const holdRequest = (parts: Parts, caller: Caller, id: string, reason: string): Promise<Hold> =>
  changingHold(parts, caller, id, async (tx, acting, before) => {
    if (before !== null) return holdOf(before)
    const at = parts.now()
    await tx.holdStory(id, { since: at, reason })
    await tx.appendEvidence(id, [{ type: "request.held", at, data: actor(acting) }])
    await tx.appendAudit({ at, by: acting.username, act: "hold-request", target: `signature request ${id}` })
    return { heldSince: at, reason }
  })

export const endHold = (parts: Parts, caller: Caller, id: string): Promise<Hold> =>
  changingHold(parts, caller, id, async (tx, acting, before) => {
    if (before === null) return holdOf(null)
    const at = parts.now()
    await tx.holdStory(id, null)
    await tx.appendEvidence(id, [{ type: "request.hold-ended", at, data: actor(acting) }])
    await tx.appendAudit({ at, by: acting.username, act: "end-hold", target: `signature request ${id}` })
    return holdOf(null)
  })

const actor = ({ username, keyId }: Caller) => ({ by: username, key: keyId })

const holdOf = (kept: KeptHold | null): Hold => ({
  heldSince: kept?.since ?? null,
  reason: kept?.reason ?? null,
})

/** For those who may read the request, without the reason; and for those who could hold it. */
export const readHold = (parts: { readonly read: Read }, caller: Caller, id: string): Promise<Hold> =>
  parts.read(caller.businessId, async (reading) => {
    const request = ofThisHouse(caller, await reading.findRequest(id))
    const administers = caller.role !== undefined && ADMINISTRATORS.includes(caller.role)
    if (!administers && !mayReadRequest(caller, request)) throw notThere()
    const hold = holdOf(await reading.holdOf(id))
    return administers ? hold : { ...hold, reason: null }
  })

const changingHold = (
  parts: Parts,
  caller: Caller,
  id: string,
  change: (tx: Tx, acting: Caller, before: KeptHold | null) => Promise<Hold>,
): Promise<Hold> =>
  managing(parts, caller, async (tx, acting) => {
    mustHaveRole(acting, ADMINISTRATORS)
    ofThisHouse(acting, await tx.lockRequest(id))
    return change(tx, acting, await tx.holdOf(id))
  })

function ofThisHouse(caller: Caller, request: SignatureRequest | null): SignatureRequest {
  if (request?.businessId !== caller.businessId || request.kind !== caller.kind) throw notThere()
  return request
}

const notThere = () => new Refusal("not-found", "There is no such object.")

/** Called under the lock of the request. */
export async function mustNotBeHeld(tx: Pick<Tx, "holdOf">, id: string): Promise<void> {
  if ((await tx.holdOf(id)) === null) return
  throw new Refusal(
    "request-held",
    "Somebody of the business has put the request on hold: it cannot be deleted.",
  )
}
