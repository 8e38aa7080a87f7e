import type { Signer } from "../login/signer.ts"
import type { CodePurpose } from "../one-time-code/model.ts"
import type { Clock, Transact } from "../ports.ts"

/** What became of a text message to a signer; `id` is what the gateway calls it. Neither the number nor the code is in it. */
export type Texted = {
  readonly became: "sent" | "failed"
  readonly purpose: CodePurpose
  readonly id: string | null
}

/** On record, as what became of a mail is. Of a request or a signer that is gone meanwhile there is nobody left to tell. */
export async function noteSms(
  parts: { readonly transact: Transact; readonly now: Clock },
  { businessId, requestId, signatureId }: Signer,
  { became, purpose, id }: Texted,
): Promise<void> {
  await parts.transact(businessId, async (tx) => {
    const request = await tx.lockRequest(requestId)
    if (!request?.signatures.some((s) => s.id === signatureId)) return
    const data = { letter: purpose === "mailbox" ? "code" : "release-code", ...(id !== null && { id }) }
    await tx.appendEvidence(requestId, [{ type: `sms.${became}`, at: parts.now(), signatureId, data }])
  })
}
