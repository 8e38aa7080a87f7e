import type { Caller } from "../access/caller.ts"
import { mustWrite } from "../access/may.ts"
import type { Clock, Transact } from "../ports.ts"
import type { Document } from "./model.ts"

export type ChangeAccess = {
  readonly readAccess?: readonly string[]
  readonly writeAccess?: readonly string[]
}

/** Decisions, "document access": owner and writers say who may read and write; what is absent stays. */
export function changeAccess(
  parts: { readonly transact: Transact; readonly now: Clock },
  caller: Caller,
  id: string,
  change: ChangeAccess,
): Promise<Document> {
  return parts.transact(caller.businessId, async (tx) => {
    const document = mustWrite(caller, await tx.lockDocument(id))
    const changed = { ...document, ...change, updatedAt: parts.now() }
    await tx.saveAccess(changed)
    return changed
  })
}
