import type { MailType } from "../captured-mail/model.ts"
import type { Evidence } from "../evidence/model.ts"
import type { Signer } from "../login/signer.ts"
import type { Clock, Transact } from "../ports.ts"
import { apply } from "./apply.ts"
import { statusOf } from "./model.ts"

type Parts = { readonly transact: Transact; readonly now: Clock }

export type Mailed = Omit<Signer, "signatureId"> & {
  readonly signatureId: string | null
  readonly letter: MailType
  /** Of somebody who only follows; a signer's address is in the signature. */
  readonly to: string | null
}

/** What became of a mail. Of a request that was deleted meanwhile there is nobody left to tell. */
export async function noteMail(parts: Parts, mailed: Mailed, became: "sent" | "failed"): Promise<void> {
  await parts.transact(mailed.businessId, async (tx) => {
    const request = await tx.lockRequest(mailed.requestId)
    // A signer may have been removed meanwhile; then the mail was to nobody of the request.
    const signature = request?.signatures.find((s) => s.id === mailed.signatureId)
    if (request === null || (mailed.signatureId !== null && signature === undefined)) return
    const email = signature?.email ?? null
    await tx.appendEvidence(mailed.requestId, [evidenceOf(mailed, email, became, parts.now())])
  })
}

/** The invitation says whom the signature was asked of, whoever is written there later. */
function evidenceOf(
  { signatureId, letter, to }: Mailed,
  email: string | null,
  became: "sent" | "failed",
  at: Date,
): Evidence {
  const of = signatureId === null ? {} : { signatureId }
  const invited = became === "sent" ? "signature.invited" : "signature.invitation-failed"
  if (letter === "invitation")
    return { type: invited, at, ...of, ...(email !== null && { data: { to: email } }) }
  return { type: `mail.${became}`, at, ...of, data: to === null ? { letter } : { letter, to } }
}

/**
 * A mail to a signer cannot be delivered: the sender sees it at the signature. After the end of the request, and for somebody
 * who has signed, it changes nothing any more and is evidence only. The same problem is noted once, however often it is told.
 */
export async function noteMailProblem(parts: Parts, signer: Signer, problem: string): Promise<void> {
  const { businessId, requestId, signatureId } = signer
  await parts.transact(businessId, async (tx) => {
    const request = await tx.lockRequest(requestId)
    const signature = request?.signatures.find((s) => s.id === signatureId)
    if (!request || !signature || signature.mailProblem === problem) return
    const at = parts.now()
    if (statusOf(request) === "OPEN" && signature.state === "open")
      await apply(tx, requestId, { type: "mail-bounced", signatureId, problem, at })
    else
      await tx.appendEvidence(requestId, [
        { type: "signature.mail-bounced", at, signatureId, data: { problem } },
      ])
  })
}
