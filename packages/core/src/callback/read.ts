import type { Caller } from "../access/caller.ts"
import { mustReadRequest } from "../access/may.ts"
import type { Callback } from "../delivery/model.ts"
import type { Read } from "../ports.ts"

/** Decisions, "callbacks read": what was owed, and what came of it, for whoever may read the request. */
export function readCallbacks(
  parts: { readonly read: Read },
  caller: Caller,
  requestId: string,
): Promise<readonly Callback[]> {
  return parts.read(caller.businessId, async (reading) => {
    const { id } = mustReadRequest(caller, await reading.findRequest(requestId))
    return reading.callbacksOf(id)
  })
}
