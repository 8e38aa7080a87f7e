import { makeCode } from "@paraph/core/signature-request/email-code"
import { code } from "@paraph/mail/code"
import type { Attempt } from "@paraph/store/jobs/jobs"
import type { WorkerParts } from "../worker-parts.ts"
import { deliverMail } from "./deliver-mail.ts"
import { mailBrand } from "./mail-brand.ts"

/** Mails the code by which a signer proves the address. It is made here, and is in no row and in no log. */
export async function sendCode(parts: WorkerParts, attempt: Attempt<"send-code">): Promise<void> {
  const { businessId, requestId, signatureId } = attempt.job
  const made = await makeCode(parts, attempt.job)
  if (made === null) return
  const { request, language, email } = made
  const { sender, brand, attachments } = await mailBrand(parts, businessId)
  const mail = code({
    language,
    sender,
    title: request.title,
    demo: request.kind === "demo",
    code: made.code,
    brand,
  })
  await deliverMail(
    parts,
    attempt,
    { businessId, requestId, signatureId, letter: "code", to: null },
    { ...mail, attachments, to: email, sender: null, answerTo: null },
  )
}
