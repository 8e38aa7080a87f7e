import { type CodeOf, isClaimed, type LetterToOwners } from "@paraph/core/account/model"
import type { WriteToAccount } from "@paraph/core/jobs"
import { LIMITS } from "@paraph/core/limits"
import { isGivenUp } from "@paraph/core/patience"
import { MailFailed } from "@paraph/gateways/smtp-failed"
import { type AccountMail, accountMail } from "@paraph/mail/account"
import type { Mail } from "@paraph/mail/mail"
import { membershipMail } from "@paraph/mail/membership"
import { ownerMail } from "@paraph/mail/owners"
import type { Attempt } from "@paraph/store/jobs/jobs"
import type { WorkerParts } from "../worker-parts.ts"

/** Writes to a person about their own account. The code is new at each attempt, because only its hash is kept. */
export async function writeToAccount(
  parts: WorkerParts,
  { id, job, createdAt, attempt }: Attempt<"write-to-account">,
): Promise<void> {
  const isCode = "askedBy" in job
  const now = parts.now()
  // Nobody waits for a code that long; the next one is asked for on the page.
  if (isCode && now.getTime() - createdAt.getTime() > LIMITS.accountCodeMs) return
  if (isGivenUp(createdAt, now, LIMITS.mailRetryMs, attempt)) return
  const mail = await mailFor(parts, job)
  if (mail === null) return
  const host = new URL(parts.publicUrl).hostname
  const of = { businessId: null, requestId: null, signatureId: null }
  // That there was a mail, and nothing of what it said: a code opens an account.
  await parts.mailLog.begin({ id, attempt, ...of, type: `account ${job.letter}`, to: job.email }, null)
  try {
    await parts.mailer.send({ ...mail, to: job.email, messageId: `<${id}@${host}>` })
  } catch (error) {
    if (!(error instanceof MailFailed)) throw error
    const isOver = error.forGood !== null
    await parts.mailLog.end(id, isOver ? "FAILED" : "WAITING", error.message)
    if (isOver) return
    throw error
  }
  await parts.mailLog.end(id, "SENT", null)
}

async function mailFor(parts: WorkerParts, job: WriteToAccount): Promise<Mail | null> {
  if (job.letter === "invited") return invited(parts, job)
  if (job.letter === "single-sign-on-changed" || job.letter === "key-reset") return toOwner(parts, job)
  const says =
    "askedBy" in job ? await codeFor(parts, { ...job, purpose: job.letter }) : notice(parts, job.letter)
  return says === null ? null : accountMail({ language: job.language, ...says })
}

/** As long as the invitation stands: whoever was invited by mistake and removed again need not hear of it. */
async function invited(
  parts: WorkerParts,
  { email, language, businessId, by }: Extract<WriteToAccount, { letter: "invited" }>,
): Promise<Mail | null> {
  const account = await parts.accounts.findByEmail(email)
  const invitations = account === null ? [] : await parts.listInvitations(account.id)
  const business = invitations.find((each) => each.businessId === businessId)
  if (account === null || business === undefined) return null
  const registered = isClaimed(account)
  const link = `${parts.publicUrl}/${registered ? "console/" : "account/register"}`
  return membershipMail({ language, business: business.name, by, registered, link })
}

async function toOwner(
  parts: WorkerParts,
  job: Extract<WriteToAccount, LetterToOwners>,
): Promise<Mail | null> {
  const { name: business } = await parts.brandOf(job.businessId)
  const screen = job.letter === "key-reset" ? "developers/keys" : "settings/single-sign-on"
  const link = `${parts.publicUrl}/console/${screen}?business=${job.businessId}`
  return ownerMail({ language: job.language, business, letter: job, timeZone: parts.timeZone, link })
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
  link: `${parts.publicUrl}/account/${LEADS_TO_RECOVERY.includes(letter) ? "recover" : "security"}`,
})

const LEADS_TO_RECOVERY: readonly Says["letter"][] = ["password-changed", "recovered", "factors-reset"]
