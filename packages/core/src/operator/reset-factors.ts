import { event } from "../account/log-in.ts"
import { asksSecondFactor, isClaimed } from "../account/model.ts"
import type { AccountParts } from "../account/ports.ts"
import type { Signed } from "../account/secure.ts"
import { Refusal } from "../refusal.ts"
import type { Operator } from "./operator.ts"

/**
 * For somebody who has lost the app and the recovery codes. All that opened the account is gone, the password too: whoever asked
 * may be one who has that alone. What is left is the mailbox, to which a code for a new password is sent when it is asked for.
 */
export async function resetFactors(
  parts: AccountParts & { readonly newKeyBytes: () => string },
  operator: Operator,
  by: Signed,
  email: string,
): Promise<void> {
  const account = await parts.accounts.findByEmail(email)
  if (account === null) throw new Refusal("not-found", "There is no such account.")
  if (account.id === operator.accountId)
    throw new Refusal("constraint-violated", "Another operator does this for you.")
  if (!isClaimed(account))
    throw new Refusal("constraint-violated", "This person has nothing to log in with yet, and can register.")
  const unknown = await parts.passwords.hash(account.email, parts.newKeyBytes())
  const at = parts.now()
  await parts.accounts.transact(async (tx) => {
    const held = await tx.lock(account.id)
    if (held === null) throw new Refusal("not-found", "There is no such account.")
    await tx.savePassword(account.id, unknown, at)
    await tx.removeSecret(account.id)
    await tx.saveRecoveryCodes(account.id, [])
    await tx.removePasskeysSince(account.id, new Date(0))
    await tx.endSessions(account.id, "all")
    await tx.stopWebhooks(account.id, "all", at)
    // Where the operator sits is none of this person's business.
    const where = { browser: "", network: "" }
    await tx.note(event(parts, account, where, "factors-reset", "operator"))
    const before = { app: asksSecondFactor(held), passkeys: held.passkeyCount }
    const target = `person ${account.email}`
    await tx.appendAudit({ at, by: operator.email, act: "reset-factors", target, before })
    await tx.write({ email: account.email, language: by.language, letter: "factors-reset" })
  })
}
