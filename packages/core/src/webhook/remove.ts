import type { Caller } from "../access/caller.ts"
import type { Transact } from "../ports.ts"
import { mustBeOwn } from "./own.ts"

/** From here on nothing is sent there, not even what was owed. */
export function removeWebhook(
  parts: { readonly transact: Transact },
  caller: Caller,
  id: string,
): Promise<void> {
  return parts.transact(caller.businessId, async (tx) =>
    tx.removeWebhook(mustBeOwn(caller, await tx.lockWebhook(id))),
  )
}
