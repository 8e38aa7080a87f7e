import type { MailType } from "@paraph/core/captured-mail/model"
import type { Signer } from "@paraph/core/login/signer"
import type { CodePurpose } from "@paraph/core/one-time-code/model"
import { noteMailProblem } from "@paraph/core/signature-request/mail"
import { NUMBER_NOT_REACHED } from "@paraph/core/signature-request/mail-problem"
import type { Kind } from "@paraph/core/signature-request/model"
import { noteSms } from "@paraph/core/signature-request/sms"
import type { TelephoneNumber } from "@paraph/core/telephone/number"
import { SmsFailed } from "@paraph/gateways/sms-failed"
import type { WorkerParts } from "../worker-parts.ts"

type Attempt = { readonly id: string; readonly attempt: number }

export type OutgoingSms = Signer & {
  readonly kind: Kind
  readonly purpose: CodePurpose
  readonly to: TelephoneNumber
  readonly text: string
}

/**
 * Sends one text message and notes what became of it. One that was sent and not noted is sent again, under the same reference and
 * with the same words, which the gateway knows by then. What the gateway will never deliver is given up; the evidence says so, and
 * the sender sees it.
 */
export async function deliverSms(parts: WorkerParts, attempt: Attempt, sms: OutgoingSms): Promise<void> {
  const { businessId, requestId, signatureId, purpose, to } = sms
  const signer = { businessId, requestId, signatureId }
  const { id, attempt: number } = attempt
  await parts.mailLog.beginSms({ ...signer, id, attempt: number, type: typeOf(purpose), to })
  try {
    const sent = await handOver(parts, id, sms)
    parts.pass("sms-sent")
    await noteSms(parts, signer, { became: "sent", purpose, id: sent })
  } catch (error) {
    if (!(error instanceof SmsFailed)) throw error
    await parts.mailLog.end(id, error.forGood ? "FAILED" : "WAITING", error.message)
    if (!error.forGood) throw error
    await noteSms(parts, signer, { became: "failed", purpose, id: null })
    return noteMailProblem(parts, signer, NUMBER_NOT_REACHED)
  }
  await parts.mailLog.end(id, "SENT", null)
}

/** A message about a demo request never leaves the house; whoever has the demo key reads it here. */
async function handOver(parts: WorkerParts, id: string, sms: OutgoingSms): Promise<string | null> {
  const { kind, purpose, businessId, requestId, to, text } = sms
  if (kind === "demo") {
    await parts.mailLog.captureSms({ id, businessId, requestId, type: typeOf(purpose), to, text })
    return null
  }
  if (parts.sendSms === null) throw new SmsFailed("refused", "There is no SMS gateway.")
  return (await parts.sendSms({ to, text, reference: id })).id
}

const typeOf = (purpose: CodePurpose): MailType => (purpose === "mailbox" ? "code" : "release-code")
