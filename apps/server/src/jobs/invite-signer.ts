import { dateIn } from "@paraph/core/dates"
import type { InviteSigner } from "@paraph/core/jobs"
import { findInvited, type Invited, keepLink } from "@paraph/core/signature-request/invite"
import { invitation } from "@paraph/mail/invitation"
import type { Attempt } from "@paraph/store/jobs/jobs"
import { hashOf, newSecret } from "../secrets.ts"
import type { WorkerParts } from "../worker-parts.ts"
import { deliverMail } from "./deliver-mail.ts"
import { mailBrand } from "./mail-brand.ts"

/** Asks one signer to sign. The link is new at each attempt, because only its hash is kept. */
export async function inviteSigner(parts: WorkerParts, attempt: Attempt<"invite-signer">): Promise<void> {
  const { job } = attempt
  // Jobs of the version before this one name no letter.
  const letter = job.letter ?? "invitation"
  const invited = await findInvited(parts, job)
  if (invited === null) return
  // Somebody was put before them since then: they are written to when their turn comes again.
  if (letter !== "invitation" && invited.theirTurnIsLater) return
  const link = await newLink(parts, job)
  parts.pass("link-kept")
  const { sender, from, brand, attachments } = await mailBrand(parts, job.businessId)
  const mail = invitation({ letter, sender, brand, link, ...asked(parts, invited) })
  const { requestId, businessId, signatureId } = job
  await deliverMail(
    parts,
    attempt,
    { businessId, requestId, signatureId, letter, to: null },
    { ...mail, attachments, to: invited.email, sender: from, answerTo: null, countsAs: invited.request.kind },
  )
}

export async function newLink(
  parts: WorkerParts,
  signer: Pick<InviteSigner, "businessId" | "signatureId">,
): Promise<string> {
  const token = newSecret()
  await keepLink(parts, signer, hashOf(token))
  // Browsers send no server what is behind the #, so no log and no referrer has it (ADR 0099).
  return `${parts.publicUrl}/sign/#${token}`
}

const asked = (parts: WorkerParts, { request, signature, theirTurnIsLater }: Invited) => ({
  language: signature.language,
  creator: request.creator,
  title: request.title,
  message: request.message,
  demo: request.kind === "demo",
  // Part 2.2: somebody may be asked for some of the documents only.
  documentCount: signature.marks.length,
  quality: request.quality === "AES_MINIMAL" ? ("AES" as const) : request.quality,
  lastDay: request.expiresAt?.date ?? null,
  invitedOn: signature.invitedAt === null ? null : dateIn(parts.timeZone, signature.invitedAt),
  theirTurnIsLater,
})
