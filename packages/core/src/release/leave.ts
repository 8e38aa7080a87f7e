import type { Signer } from "../login/signer.ts"
import type { Clock, Transact, Tx } from "../ports.ts"
import { Refusal } from "../refusal.ts"
import { apply } from "../signature-request/apply.ts"
import type { SignatureRequest } from "../signature-request/model.ts"

type Parts = { readonly transact: Transact; readonly now: Clock }

/** The signer goes back to the document; others may sign again. */
export async function leaveTurn(parts: Parts, { businessId, requestId, signatureId }: Signer): Promise<void> {
  await parts.transact(businessId, async (tx) => {
    const request = await tx.lockRequest(requestId)
    const turn = request?.signatures.find((s) => s.id === signatureId)?.turn
    if (turn == null) return
    const { releaseId } = turn
    const event = { type: "end-turn", signatureId, releaseId, by: "signer", at: parts.now() } as const
    const after = await apply(tx, requestId, event)
    await forgetToken(tx, after, { signatureId, releaseId })
  })
}

export type DueTurn = Signer & { readonly releaseId: string }

/** Nobody released the key in time. */
export async function endTurn(parts: Parts, due: DueTurn): Promise<void> {
  const { businessId, requestId, signatureId, releaseId } = due
  try {
    await parts.transact(businessId, async (tx) => {
      const at = parts.now()
      const after = await apply(tx, requestId, { type: "end-turn", signatureId, releaseId, by: "time", at })
      await forgetToken(tx, after, { signatureId, releaseId })
    })
  } catch (error) {
    const code = error instanceof Refusal ? error.code : null
    if (code !== "request-not-open" && code !== "not-found" && code !== "signature-not-open") throw error
  }
}

/** What opened a provider for this turn opens nothing any more, where the turn has ended. */
async function forgetToken(
  tx: Tx,
  { signatures }: SignatureRequest,
  { signatureId, releaseId }: { readonly signatureId: string; readonly releaseId: string },
): Promise<void> {
  const turn = signatures.find((s) => s.id === signatureId)?.turn
  if (turn?.releaseId !== releaseId) await tx.keepRemoteToken(releaseId, null)
}
