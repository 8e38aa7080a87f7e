import { LIMITS } from "../limits.ts"
import type { NewSession } from "../login/ports.ts"
import { calledFrom, type Signer } from "../login/signer.ts"
import type { Clock, Transact, Tx } from "../ports.ts"
import { Refusal } from "../refusal.ts"
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
    await apply(tx, requestId, { type: "open", signatureId, way: session.way, ...calledFrom(session), at })
    await mustNotBeTooMany(tx, signatureId, session, at)
    await tx.insertSession(signatureId, session, at)
  })
}

/**
 * Each is a row, and evidence that is kept for good: whoever has an address must not be able to make them without end. Others
 * have the address of a preview too, so what they do locks neither the mailed link nor the signer's own account.
 */
async function mustNotBeTooMany(tx: Tx, signatureId: string, { way }: NewSession, at: Date): Promise<void> {
  const since = new Date(at.getTime() - LIMITS.signerSessionMs)
  const count = await tx.countSessions(signatureId, way === "code" ? "preview" : way, since)
  if (count >= LIMITS.sessionsPerSignature)
    throw new Refusal("rate-limited", "This was opened too often. Wait some hours and try again.", {
      retryAfterSeconds: 3600,
    })
}
