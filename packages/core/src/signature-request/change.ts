import type { Caller } from "../access/caller.ts"
import { mustRead, mustWriteRequest } from "../access/may.ts"
import { openingShowable, type ShowableParts } from "../document/showable.ts"
import { mustFindGroups } from "../group/find.ts"
import type { Clock, NewId, Transact, Tx } from "../ports.ts"
import { Refusal } from "../refusal.ts"
import { apply, applyRemoval } from "./apply.ts"
import { mustStay } from "./create.ts"
import { memberOf, mustFit } from "./entries.ts"
import type { Event } from "./event.ts"
import { type SignatureRequest, statusOf } from "./model.ts"
import { mustHaveExpiry } from "./terms.ts"
import { documentsOf } from "./update.ts"

type Parts = { readonly transact: Transact; readonly now: Clock }

/** The operations that are one event each. Who may write may do them; the machine knows when. */

export const removeSigner = (parts: Parts, caller: Caller, id: string, signatureId: string) =>
  changing(parts, caller, id, async (_, at) => ({ type: "remove-signer", signatureId, at }))

/** v3: DRAFT → OPEN; from here on the members of its groups are who they are now. */
export const initiate = (
  parts: Parts & ShowableParts & { readonly newId: NewId },
  caller: Caller,
  id: string,
): Promise<SignatureRequest> =>
  openingShowable(parts, (mustBeShowable) =>
    changing(parts, caller, id, async (request, at, tx) => {
      if (statusOf(request) === "DRAFT") mustBeShowable(await documentsOf(tx, request))
      const groupIds = request.groups.map((entry) => entry.groupId)
      const groups = await mustFindGroups(tx, request.kind, groupIds)
      const members = request.groups.flatMap((entry) => {
        const group = groups.get(entry.groupId)
        if (group === undefined) throw new Error("A group that was found is missing.")
        return group.members.map((member) => ({
          ...memberOf(parts.newId(), group, member, entry, entry.place, entry.marks),
          restricted: entry.restricted,
        }))
      })
      mustFit({ signatures: [...request.signatures, ...members], groups: [] })
      return { type: "start", members, at }
    }),
  )

/** Part 4.3: reminds those whose turn it is, or those of them that are named. */
export const remind = (
  parts: Parts,
  caller: Caller,
  id: string,
  signatureIds: readonly string[] | null,
): Promise<SignatureRequest> =>
  changing(parts, caller, id, async (_, at) => ({ type: "remind", signatureIds, at }))

export const withdraw = (parts: Parts, caller: Caller, id: string, message: string | null) =>
  changing(parts, caller, id, async (_, at) => ({ type: "withdraw", message, at }))

/** SR-21: 400 when it is not DRAFT, 403 when the feature is off. `auto_delete_at` stays. */
export const clearExpiry = (parts: Parts, caller: Caller, id: string) =>
  changing(parts, caller, id, async (request, at, tx) => {
    mustHaveExpiry(await tx.settings())
    if (statusOf(request) !== "DRAFT")
      throw new Refusal("request-not-open", "expires_at is set and removed while the request is DRAFT.")
    return { type: "update", changes: { expiresAt: null }, at }
  })

/** Decisions, "v3 draft documents". */
export const addDocument = (parts: Parts, caller: Caller, id: string, documentId: string) =>
  changing(parts, caller, id, async (_, at, tx) => {
    const { title: name, sha256 } = mustStay(mustRead(caller, await tx.findDocument(documentId)))
    return {
      type: "add-document",
      document: { id: documentId, newestId: documentId, name, renewAt: null },
      sha256,
      at,
    }
  })

export const removeDocument = (parts: Parts, caller: Caller, id: string, documentId: string) =>
  changing(parts, caller, id, async (_, at) => ({ type: "remove-document", documentId, at }))

/** Part 4.3: gone, whatever its state; its documents follow (SR-20). */
export const removeSignatureRequest = (parts: Parts, caller: Caller, id: string): Promise<void> =>
  parts.transact(caller.businessId, async (tx) => {
    mustWriteRequest(caller, await tx.lockRequest(id))
    await applyRemoval(tx, id, parts.now(), caller)
  })

/** Locked from the first look on: what the event is made of is still so when it is applied. */
export const changing = (
  parts: Parts,
  caller: Caller,
  id: string,
  event: (request: SignatureRequest, at: Date, tx: Tx) => Promise<Event>,
): Promise<SignatureRequest> =>
  parts.transact(caller.businessId, async (tx) => {
    const request = mustWriteRequest(caller, await tx.lockRequest(id))
    return apply(tx, id, await event(request, parts.now(), tx), caller)
  })
