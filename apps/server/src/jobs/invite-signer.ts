import { LIMITS } from "@paraph/core/limits"
import { findInvited, type Invited, keepLink, noteInvitation } from "@paraph/core/signature-request/invite"
import { MailFailed } from "@paraph/gateways/smtp"
import { invitation } from "@paraph/mail/invitation"
import type { Attempt } from "@paraph/store/jobs/jobs"
import type { WorkerParts } from "../parts.ts"
import { hashOf, newSecret } from "../secrets.ts"

/**
 * Writes to one signer. The link is new at each attempt, because only its hash is kept; a mail that was sent and
 * not noted is sent again, under the same Message-ID: repeated perhaps, never lost. What no mail server takes for
 * 72 hours is given up, and the evidence says so.
 */
export async function inviteSigner(parts: WorkerParts, attempt: Attempt<"invite-signer">): Promise<void> {
  const { job } = attempt
  const invited = await findInvited(parts, job)
  if (invited === null) return
  const token = newSecret()
  await keepLink(parts, job, hashOf(token))
  parts.pass("link-kept")
  try {
    await send(parts, attempt.id, invited, `${parts.publicUrl}/sign/${token}`)
  } catch (error) {
    const ageMs = parts.now().getTime() - attempt.createdAt.getTime()
    if (!(error instanceof MailFailed) || ageMs < LIMITS.invitationRetryMs) throw error
    return noteInvitation(parts, job, "signature.invitation-failed")
  }
  parts.pass("mail-sent")
  await noteInvitation(parts, job, "signature.invited")
}

async function send(parts: WorkerParts, id: string, invited: Invited, link: string): Promise<void> {
  const { request, signature, theirTurnIsLater } = invited
  const sender = await parts.businessName(request.businessId)
  const mail = invitation({
    language: signature.language,
    sender,
    title: request.title,
    message: request.message,
    link,
    demo: request.kind === "demo",
    documentCount: request.documents.length,
    theirTurnIsLater,
  })
  const messageId = `<${id}@${new URL(parts.publicUrl).hostname}>`
  await parts.mailer.send({ to: signature.email, onBehalfOf: sender, ...mail, messageId })
}
