import type { SendCode } from "@paraph/core/jobs"
import { type CodeToSend, makeCode } from "@paraph/core/one-time-code/make"
import { code } from "@paraph/mail/code"
import { smsCode } from "@paraph/mail/sms-code"
import type { Attempt } from "@paraph/store/jobs/jobs"
import type { WorkerParts } from "../worker-parts.ts"
import { deliverMail } from "./deliver-mail.ts"
import { deliverSms } from "./deliver-sms.ts"
import { mailBrand } from "./mail-brand.ts"

/** Sends a signer the code, to the mailbox or the telephone. It is made here, and is in no row and in no log. */
export async function sendCode(parts: WorkerParts, attempt: Attempt<"send-code">): Promise<void> {
  const made = await makeCode(parts, attempt.job)
  // Over, or another one was asked for meanwhile.
  if (made === null) return parts.mailLog.gaveUp(attempt.id)
  const { sender, brand, attachments } = await mailBrand(parts, attempt.job.businessId)
  const { to } = made
  if (to.channel === "sms") return deliverSms(parts, attempt, textOf(attempt.job, made, sender, to.number))
  const { businessId, requestId, signatureId } = attempt.job
  const { language, request } = made
  const demo = request.kind === "demo"
  const mail = code({ language, sender, title: request.title, demo, code: made.code, brand })
  await deliverMail(
    parts,
    attempt,
    { businessId, requestId, signatureId, letter: "code", to: null },
    { ...mail, attachments, to: to.email, sender: null, answerTo: null, countsAs: null },
  )
}

const textOf = (
  { businessId, requestId, signatureId }: SendCode,
  { language, purpose, request: { kind }, code }: CodeToSend,
  sender: string,
  to: Parameters<typeof deliverSms>[2]["to"],
) => ({
  businessId,
  requestId,
  signatureId,
  kind,
  purpose,
  to,
  text: smsCode({ language, purpose, sender, demo: kind === "demo", code }),
})
