import type { Signer } from "../login/signer.ts"
import type { Clock, Transact } from "../ports.ts"

/** The human's POST at the door: the session and the evidence of it are one. */
export async function openDoor(
  parts: { readonly transact: Transact; readonly now: Clock },
  signer: Signer,
  sessionHash: Uint8Array,
): Promise<void> {
  const at = parts.now()
  const { businessId, requestId, signatureId } = signer
  await parts.transact(businessId, async (tx) => {
    await tx.lockRequest(requestId)
    await tx.insertSession(signatureId, sessionHash, at)
    await tx.appendEvidence(requestId, [{ type: "signature.opened", at, signatureId }])
  })
}
