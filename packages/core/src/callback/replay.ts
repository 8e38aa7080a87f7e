import type { Caller } from "../access/caller.ts"
import { mustWriteRequest } from "../access/may.ts"
import type { Callback } from "../delivery/model.ts"
import type { Clock, Transact } from "../ports.ts"
import { Refusal } from "../refusal.ts"

/** Owed once more, whatever became of it and however the request ended (ST-07). */
export function replayCallback(
  parts: { readonly transact: Transact; readonly now: Clock },
  caller: Caller,
  requestId: string,
  callbackId: string,
): Promise<Callback> {
  return parts.transact(caller.businessId, async (tx) => {
    const { id } = mustWriteRequest(caller, await tx.lockRequest(requestId))
    const callback = await tx.replayCallback(id, callbackId, parts.now())
    if (callback === null) throw new Refusal("not-found", "The request has no such callback.")
    return callback
  })
}
