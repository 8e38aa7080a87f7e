import { type CodeOf, isClaimed } from "@paraph/core/account/model"
import { LIMITS } from "@paraph/core/limits"
import { MailFailed } from "@paraph/gateways/smtp-failed"
import { type AccountMail, accountMail } from "@paraph/mail/account"
import type { Attempt } from "@paraph/store/jobs/jobs"
import type { WorkerParts } from "../parts.ts"

/** Writes to a person about their own account. The code is new at each attempt, because only its hash is kept. */
export async function writeToAccount(
  parts: WorkerParts,
  { id, job, createdAt }: Attempt<"write-to-account">,
): Promise<void> {
  const isCode = "askedBy" in job
  const ageMs = parts.now().getTime() - createdAt.getTime()
  // Nobody waits for a code that long; the next one is asked for on the page.
  if (ageMs > (isCode ? LIMITS.accountCodeMs : LIMITS.mailRetryMs)) return
  const says = isCode ? await codeFor(parts, { ...job, purpose: job.letter }) : notice(parts, job.letter)
  if (says === null) return
  const host = new URL(parts.publicUrl).hostname
  const mail = accountMail({ language: job.language, ...says })
  try {
    await parts.mailer.send({ ...mail, to: job.email, messageId: `<${id}@${host}>` })
  } catch (error) {
    if (error instanceof MailFailed && error.forGood !== null) return
    throw error
  }
}

type Says = Omit<AccountMail, "language">

/** Who has an account is told so in place of a code to register; who has none is not written to about a password. */
async function codeFor(
  parts: WorkerParts,
  { purpose: letter, email, askedBy }: CodeOf,
): Promise<Says | null> {
  const account = await parts.accounts.findByEmail(email)
  const isKnown = account !== null && isClaimed(account)
  if (letter === "register" && isKnown)
    return { letter: "known", code: null, link: `${parts.publicUrl}/account/login` }
  if (letter === "recover" && !isKnown) return null
  const code = await parts.newCode({ purpose: letter, email, askedBy })
  return { letter, code: `${code.slice(0, 4)} ${code.slice(4)}`, link: null }
}

/** Where the password was changed, whoever did not do it is no longer logged in, and gets back by a code. */
const notice = (
  parts: WorkerParts,
  letter: Exclude<Says["letter"], "known" | "register" | "recover">,
): Says => ({
  letter,
  code: null,
  link: `${parts.publicUrl}/account/${letter === "password-changed" || letter === "recovered" ? "recover" : "security"}`,
})
