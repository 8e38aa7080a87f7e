import type { Signer } from "../login/signer.ts"
import type { Clock, Transact } from "../ports.ts"
import { Refusal } from "../refusal.ts"
import { apply } from "../signature-request/apply.ts"

type Parts = { readonly transact: Transact; readonly now: Clock }

/** The signer goes back to the document; others may sign again. */
export async function leaveTurn(parts: Parts, { businessId, requestId, signatureId }: Signer): Promise<void> {
  await parts.transact(businessId, async (tx) => {
    const request = await tx.lockRequest(requestId)
    const turn = request?.signatures.find((s) => s.id === signatureId)?.turn
    if (turn == null) return
    const { releaseId } = turn
    await apply(tx, requestId, { type: "end-turn", signatureId, releaseId, by: "signer", at: parts.now() })
  })
}

export type DueTurn = Signer & { readonly releaseId: string }

/** Nobody released the key in time. */
export async function endTurn(parts: Parts, due: DueTurn): Promise<void> {
  const { businessId, requestId, signatureId, releaseId } = due
  try {
    await parts.transact(businessId, (tx) =>
      apply(tx, requestId, { type: "end-turn", signatureId, releaseId, by: "time", at: parts.now() }),
    )
  } catch (error) {
    const code = error instanceof Refusal ? error.code : null
    if (code !== "request-not-open" && code !== "not-found" && code !== "signature-not-open") throw error
  }
}
