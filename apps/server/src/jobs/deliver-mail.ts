import { LIMITS } from "@paraph/core/limits"
import { isGivenUp } from "@paraph/core/patience"
import { type Mailed, noteMail, noteMailProblem } from "@paraph/core/signature-request/mail"
import { MAILBOX_FULL, mailProblemOf, NOBODY_TOOK_IT } from "@paraph/core/signature-request/mail-problem"
import type { Kind } from "@paraph/core/signature-request/model"
import type { Mail } from "@paraph/gateways/smtp"
import { MailFailed } from "@paraph/gateways/smtp-failed"
import type { WorkerParts } from "../worker-parts.ts"

/** The attempt that sends it; its id is the mail's own. */
type Attempt = { readonly id: string; readonly attempt: number; readonly createdAt: Date }

/** What a mail of ours says, and to whom; how it travels is the same for all of them. */
export type Outgoing = Pick<Mail, "to" | "subject" | "text" | "html" | "attachments"> & {
  /** For whom we write; null where we write for ourselves. */
  readonly sender: string | null
  /**
   * Whom an answer goes to. Null for every letter that has a secret in it, a link or a code: an answer quotes it, and so would
   * bring it to the very person it is kept from, who could then sign in the reader's name.
   */
  readonly answerTo: string | null
  /** The mode of the request whose daily mails to the address this one counts as; null for a one-time code, which has limits of its own. */
  readonly countsAs: Kind | null
}

/**
 * Sends one mail and notes what became of it. One that was sent and not noted is sent again, under the same
 * Message-ID: repeated perhaps, never lost. What is refused for good, and what no mail server takes for 72 hours, is given
 * up; the evidence says so, and the sender sees it. `lighter` is sent where the mail server finds this one too large.
 */
export async function deliverMail(
  parts: WorkerParts,
  attempt: Attempt,
  mailed: Mailed,
  outgoing: Outgoing,
  lighter?: Outgoing,
): Promise<void> {
  await beginMail(parts, attempt, mailed, outgoing)
  const { countsAs, to } = outgoing
  if (countsAs !== null && !parts.mailbox.reserve(countsAs, to)) return wait(parts, attempt, mailed)
  try {
    await parts.mailer.send(dressed(parts, attempt, mailed, outgoing))
  } catch (error) {
    if (countsAs !== null) parts.mailbox.release(countsAs, to)
    if (!(error instanceof MailFailed)) throw error
    if (error.forGood === "size" && lighter !== undefined) return deliverMail(parts, attempt, mailed, lighter)
    const problem = problemOf(parts, attempt, error)
    await parts.mailLog.end(attempt.id, problem === null ? "WAITING" : "FAILED", problem ?? error.message)
    if (problem === null) throw error
    return giveUp(parts, mailed, problem)
  }
  parts.pass("mail-sent")
  await noteMail(parts, mailed, "sent")
  await parts.mailLog.end(attempt.id, "SENT", null)
}

/** As where no mail server takes the mail: another attempt follows, until it is given up and the sender sees why. */
async function wait(parts: WorkerParts, attempt: Attempt, mailed: Mailed): Promise<void> {
  const isOver = isGivenUp(attempt.createdAt, parts.now(), LIMITS.mailRetryMs, attempt.attempt)
  await parts.mailLog.end(attempt.id, isOver ? "FAILED" : "WAITING", MAILBOX_FULL)
  if (!isOver) throw new MailboxFull()
  return giveUp(parts, mailed, MAILBOX_FULL)
}

/** Has the queue try again. */
class MailboxFull extends Error {
  override readonly name = "MailboxFull"
  constructor() {
    super("The recipient has had the daily number of mails. The mail waits.")
  }
}

/** For operators, that there is such a mail; for whoever builds something with a demo key, the mail itself. */
function beginMail(
  { mailLog }: WorkerParts,
  { id, attempt }: Attempt,
  { businessId, requestId, signatureId, letter: type }: Mailed,
  { to, subject, text, html }: Outgoing,
): Promise<void> {
  const of = { businessId, requestId, type }
  return mailLog.begin({ id, attempt, signatureId, to, ...of }, { ...of, subject, text, html })
}

function dressed(parts: WorkerParts, { id }: Attempt, mailed: Mailed, outgoing: Outgoing): Mail {
  const { sender, answerTo, countsAs: _, ...mail } = outgoing
  const host = new URL(parts.publicUrl).hostname
  const returnTo = mailed.signatureId === null ? undefined : parts.bounceAddresses.of(mailed.signatureId)
  return {
    ...mail,
    messageId: `<${id}@${host}>`,
    // All mails of one request stand together in somebody's mailbox.
    thread: `<${mailed.requestId}@${host}>`,
    ...(returnTo !== undefined && { returnTo }),
    ...(sender !== null && { onBehalfOf: sender }),
    ...(answerTo !== null && { replyTo: answerTo }),
  }
}

/** Null where another attempt is worth it. */
function problemOf(parts: WorkerParts, { createdAt, attempt }: Attempt, error: MailFailed): string | null {
  if (error.forGood !== null) return mailProblemOf(error.status)
  return isGivenUp(createdAt, parts.now(), LIMITS.mailRetryMs, attempt) ? NOBODY_TOOK_IT : null
}

async function giveUp(parts: WorkerParts, mailed: Mailed, problem: string): Promise<void> {
  await noteMail(parts, mailed, "failed")
  const { businessId, requestId, signatureId } = mailed
  if (signatureId !== null) await noteMailProblem(parts, { businessId, requestId, signatureId }, problem)
}
