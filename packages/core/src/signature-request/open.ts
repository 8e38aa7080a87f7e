import type { Signer } from "../login/signer.ts"
import type { Clock, NewSession, Transact } from "../ports.ts"
import { apply } from "./apply.ts"

/** The human's POST at the door: the session and the evidence of it are one. */
export async function openDoor(
  parts: { readonly transact: Transact; readonly now: Clock },
  signer: Signer,
  session: NewSession,
): Promise<void> {
  const at = parts.now()
  const { businessId, requestId, signatureId } = signer
  await parts.transact(businessId, async (tx) => {
    await apply(tx, requestId, { type: "open", signatureId, preview: session.preview, at })
    await tx.insertSession(signatureId, session, at)
  })
}
