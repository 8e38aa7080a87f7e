import type { InviteSigner } from "@paraph/core/jobs"
import { turn } from "@paraph/core/signature-request/machine"
import { statusOf } from "@paraph/core/signature-request/model"
import { invitation } from "@paraph/mail/invitation"
import { hashOf, newSecret } from "../http/app/session.ts"
import type { WorkerParts } from "../parts.ts"

/**
 * Writes to one signer. The link is new at each attempt, because only its hash is kept; a mail that was sent and
 * not noted is sent again, under the same Message-ID: repeated perhaps, never lost.
 */
export async function inviteSigner(parts: WorkerParts, id: string, job: InviteSigner): Promise<void> {
  const request = await parts.transact(job.businessId, (tx) => tx.findRequest(job.requestId))
  const signature = request?.signatures.find((s) => s.id === job.signatureId)
  if (!request || signature?.state !== "open" || statusOf(request) !== "OPEN") return

  const token = newSecret()
  await parts.signers.insertLink(signature.id, hashOf(token), parts.now())
  parts.pass("link-kept")
  const sender = await parts.businessName(request.businessId)
  const mail = invitation({
    language: signature.language,
    sender,
    title: request.title,
    message: request.message,
    link: `${parts.publicUrl}/sign/${token}`,
    demo: request.kind === "demo",
    documentCount: request.documents.length,
    theirTurnIsLater: !turn(request).includes(signature),
  })
  const messageId = `<${id}@${new URL(parts.publicUrl).hostname}>`
  await parts.mailer.send({ to: signature.email, onBehalfOf: sender, ...mail, messageId })
  parts.pass("mail-sent")

  await parts.transact(job.businessId, async (tx) => {
    await tx.lockRequest(request.id)
    const invited = { type: "signature.invited", at: parts.now(), signatureId: signature.id } as const
    await tx.appendEvidence(request.id, [invited])
  })
}
