import type { Caller } from "../access/caller.ts"
import { mustWriteRequest } from "../access/may.ts"
import type { Callback } from "../delivery/model.ts"
import type { Read } from "../ports.ts"

/** Decisions, "callbacks read": what was owed, and what came of it, with the URLs; so for whoever may write it (choice 201). */
export function readCallbacks(
  parts: { readonly read: Read },
  caller: Caller,
  requestId: string,
): Promise<readonly Callback[]> {
  return parts.read(caller.businessId, async (reading) => {
    const { id } = mustWriteRequest(caller, await reading.findRequest(requestId))
    return reading.callbacksOf(id)
  })
}
