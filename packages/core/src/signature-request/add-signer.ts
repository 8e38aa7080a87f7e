import type { Caller } from "../access/caller.ts"
import { mustWriteRequest } from "../access/may.ts"
import { mustBeIdentifiable } from "../identification/begin.ts"
import type { Clock, Transact } from "../ports.ts"
import { apply } from "./apply.ts"
import { type EntryParts, mustFit, resolveEntries } from "./entries.ts"
import type { SignatureRequest } from "./model.ts"
import type { NewEntry } from "./new-request.ts"
import { documentsOf } from "./update.ts"

/** Part 4.3: adds a signer or a group; each entry is an identity of its own, also for an equal address (SR-12). */
export async function addSigner(
  parts: EntryParts & { readonly transact: Transact; readonly now: Clock },
  caller: Caller,
  requestId: string,
  entry: NewEntry,
): Promise<SignatureRequest> {
  return parts.transact(caller.businessId, async (tx) => {
    // Locked from the first look on, so that two who add at once cannot pass the limit together.
    const request = mustWriteRequest(caller, await tx.lockRequest(requestId))
    const last = Math.max(0, ...[...request.signatures, ...request.groups].map((e) => e.place ?? 0))
    const resolved = await resolveEntries(
      parts,
      tx,
      request.kind,
      [entry],
      await documentsOf(tx, request),
      last,
    )
    const { signatures, groups, members } = resolved
    const joins =
      request.lifecycle === "draft"
        ? { signatures, groups }
        : { signatures: [...signatures, ...members], groups: [] }
    mustFit({
      signatures: [...request.signatures, ...joins.signatures],
      groups: [...request.groups, ...joins.groups],
    })
    const at = parts.now()
    const [signature] = signatures
    if (signature !== undefined) {
      const added = await apply(tx, requestId, { type: "add-signer", signature, at }, caller)
      return mustBeIdentifiable(parts, added)
    }
    const [group] = groups
    if (group === undefined) throw new Error("An entry that is neither a person nor a group.")
    return apply(tx, requestId, { type: "add-group", entry: group, members, at }, caller)
  })
}
