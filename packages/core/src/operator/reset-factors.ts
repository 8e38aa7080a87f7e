import { event } from "../account/log-in.ts"
import { asksSecondFactor, type Credentials, isClaimed } from "../account/model.ts"
import type { AccountParts, AccountTx } from "../account/ports.ts"
import type { Signed } from "../account/secure.ts"
import { LIMITS } from "../limits.ts"
import { Refusal } from "../refusal.ts"
import type { FactorReset } from "./factor-reset.ts"
import type { Operator } from "./operator.ts"

type ResetParts = AccountParts & { readonly newKeyBytes: () => string }
type Asked = { readonly operator: Operator; readonly by: Signed; readonly email: string }

/** Mails the person at once, so that one who did not ask has the time until the confirmation. */
export async function askForReset(
  parts: ResetParts,
  { operator, by, email }: Asked,
  { reason, operatorsNeeded }: { readonly reason: string; readonly operatorsNeeded: 1 | 2 },
): Promise<"asked" | "reset"> {
  const account = await resettable(parts, operator, email)
  const at = parts.now()
  const target = `person ${account.email}`
  const audited = { at, by: operator.email, target, after: { reason } }
  if (operatorsNeeded === 1) {
    await resetNow(parts, account, by, async (tx, before) =>
      tx.appendAudit({ ...audited, act: "reset-factors", before, after: { reason, operators: 1 } }),
    )
    return "reset"
  }
  await parts.accounts.transact(async (tx) => {
    await tx.lock(account.id)
    const open = await tx.lockFactorReset(account.id)
    if (open !== null && isOpen(open, at) && open.askedBy !== operator.email)
      throw new Refusal(
        "constraint-violated",
        `${open.askedBy} has asked for this already. Confirm it instead.`,
      )
    await tx.saveFactorReset({ accountId: account.id, askedBy: operator.email, reason, askedAt: at })
    await tx.appendAudit({ ...audited, act: "ask-factor-reset" })
    await tx.write({ email: account.email, language: by.language, letter: "factors-reset-asked" })
  })
  return "asked"
}

/** By another operator than the one who asked, within a day. */
export async function confirmReset(parts: ResetParts, { operator, by, email }: Asked): Promise<void> {
  const account = await resettable(parts, operator, email)
  await resetNow(parts, account, by, async (tx, before) => {
    const open = await tx.lockFactorReset(account.id)
    if (open === null || !isOpen(open, parts.now()))
      throw new Refusal("not-found", "No operator has asked for this within the last day.")
    if (open.askedBy === operator.email)
      throw new Refusal("constraint-violated", "Another operator than the one who asked confirms this.")
    await tx.removeFactorReset(account.id)
    const after = { reason: open.reason, askedBy: open.askedBy, operators: 2 }
    const target = `person ${account.email}`
    await tx.appendAudit({ at: parts.now(), by: operator.email, act: "reset-factors", target, before, after })
  })
}

/** By any operator, the one who asked included. */
export async function refuseReset(parts: ResetParts, { operator, email }: Asked): Promise<void> {
  const account = await resettable(parts, operator, email)
  await parts.accounts.transact(async (tx) => {
    if ((await tx.lockFactorReset(account.id)) === null)
      throw new Refusal("not-found", "No operator has asked for this.")
    await tx.removeFactorReset(account.id)
    const target = `person ${account.email}`
    await tx.appendAudit({ at: parts.now(), by: operator.email, act: "refuse-factor-reset", target })
  })
}

export const isOpen = ({ askedAt }: Pick<FactorReset, "askedAt">, now: Date): boolean =>
  now.getTime() - askedAt.getTime() < LIMITS.factorResetMs

async function resettable(parts: ResetParts, operator: Operator, email: string): Promise<Credentials> {
  const account = await parts.accounts.findByEmail(email)
  if (account === null) throw new Refusal("not-found", "There is no such account.")
  if (account.id === operator.accountId)
    throw new Refusal("constraint-violated", "Another operator does this for you.")
  if (!isClaimed(account))
    throw new Refusal("constraint-violated", "This person has nothing to log in with yet, and can register.")
  return account
}

/**
 * For a person who has lost every factor and the recovery codes. All that opened the account is removed, the password too: the one who
 * asked may have that alone. What is left is the mailbox, to which a code for a new password is sent when it is asked for.
 */
async function resetNow(
  parts: ResetParts,
  account: Credentials,
  by: Signed,
  record: (tx: AccountTx, before: { readonly app: boolean; readonly passkeys: number }) => Promise<void>,
): Promise<void> {
  const unknown = await parts.passwords.hash(account.email, parts.newKeyBytes())
  const at = parts.now()
  await parts.accounts.transact(async (tx) => {
    const held = await tx.lock(account.id)
    if (held === null) throw new Refusal("not-found", "There is no such account.")
    await record(tx, { app: asksSecondFactor(held), passkeys: held.passkeyCount })
    await tx.savePassword(account.id, unknown, at)
    await tx.removeSecret(account.id)
    await tx.saveRecoveryCodes(account.id, [])
    await tx.removePasskeysSince(account.id, new Date(0))
    await tx.endSessions(account.id, "all")
    await tx.stopWebhooks(account.id, "all", at)
    // The network of the operator is no business of this person.
    const where = { browser: "", network: "" }
    await tx.note(event(parts, account, where, "factors-reset", "operator"))
    await tx.write({ email: account.email, language: by.language, letter: "factors-reset" })
  })
}
