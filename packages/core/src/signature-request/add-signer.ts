import type { Caller } from "../access/caller.ts"
import { mustWrite } from "../access/may.ts"
import { LIMITS } from "../limits.ts"
import type { Clock, NewId, Transact } from "../ports.ts"
import { Refusal } from "../refusal.ts"
import { apply } from "./apply.ts"
import { type NewSigner, newSignature } from "./create.ts"
import type { SignatureRequest } from "./model.ts"

/** Part 4.3: adds a signer to an OPEN request; each entry is an identity of its own, also for an equal address. */
export async function addSigner(
  parts: { readonly transact: Transact; readonly now: Clock; readonly newId: NewId },
  caller: Caller,
  requestId: string,
  signer: NewSigner,
): Promise<SignatureRequest> {
  return parts.transact(caller.businessId, async (tx) => {
    // Locked from the first look on, so that two who add at once cannot pass the limit together.
    const request = mustWrite(caller, await tx.lockRequest(requestId))
    if (request.signatures.length >= LIMITS.signersPerRequest)
      throw new Refusal("constraint-violated", `A request has at most ${LIMITS.signersPerRequest} signers.`)
    const documents = request.documents.map((document) => document.id)
    const signature = newSignature(parts.newId(), signer, documents)
    return apply(tx, requestId, { type: "add-signer", signature, at: parts.now() })
  })
}
