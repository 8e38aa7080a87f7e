import type { Language } from "../language.ts"
import { LIMITS } from "../limits.ts"
import { Refusal } from "../refusal.ts"
import { bySecondFactor, event, mustNotNeedSingleSignOn, wrongCode } from "./log-in.ts"
import {
  type AccountSession,
  asksSecondFactor,
  type Credentials,
  hasSecondFactor,
  type NewAccountSession,
} from "./model.ts"
import { mustBeGood } from "./password.ts"
import type { AccountParts, AccountTx } from "./ports.ts"
import { endAll } from "./secure.ts"

export type Recovery = {
  readonly email: string
  readonly askedBy: string
  readonly code: string
  readonly password: string
  /** A code of the app, or a recovery code, where the account has a second factor. */
  readonly second?: string
  /** Who is logged in at this browser: a fresh login with a second factor of this account stands for `second`. */
  readonly signed: AccountSession | null
  readonly language: Language
}

/**
 * A new password by the code in a mail, and by a second factor where the account has an app or a passkey (ASVS 6.4.3). Without any of
 * its factors and without a recovery code an operator resets the account.
 */
export async function recover(
  parts: AccountParts,
  given: Recovery,
  session: NewAccountSession,
): Promise<{ readonly accountId: string }> {
  const { email, askedBy, language } = given
  if (!(await parts.accounts.tryCode({ purpose: "recover", email, askedBy }, given.code))) throw wrongCode()
  const account = await parts.accounts.findByEmail(email)
  if (account === null) throw wrongCode()
  const password = await mustBeGood(parts, given.password, account)
  const needsSecond = hasSecondFactor(account) && !hasProvedFactor(parts, account, given.signed)
  if (needsSecond && given.second === undefined)
    throw new Refusal(
      "second-factor-needed",
      "Give a code of your authenticator app or a recovery code, or log in with your passkey first.",
    )
  const hash = await parts.passwords.hash(account.email, password)
  const renewed = (tx: AccountTx) => renew(parts, tx, account, { given, hash, session })
  const second = { code: given.second ?? "", where: "second factor, recovery", language, session } as const
  if (needsSecond) await bySecondFactor(parts, account, second, renewed)
  else
    await parts.accounts.transact(async (tx) => {
      const held = await tx.lock(account.id)
      // A factor that was added after the check above is asked for.
      if (held === null || hasSecondFactor(held) !== hasSecondFactor(account)) throw wrongCode()
      // The login that stands for the factor may have ended meanwhile.
      if (hasSecondFactor(held) && !(await tx.isSession(given.signed?.id ?? ""))) throw wrongCode()
      await renewed(tx)
    })
  return { accountId: account.id }
}

function hasProvedFactor({ now }: AccountParts, { id }: Credentials, signed: AccountSession | null): boolean {
  if (signed === null || signed.accountId !== id || !signed.strong) return false
  return now().getTime() - signed.createdAt.getTime() <= LIMITS.accountProofMs
}

type Renewal = { readonly given: Recovery; readonly hash: string; readonly session: NewAccountSession }

/** Somebody else may have been in the account, and have left passkeys of their own there: the young ones go. */
async function renew(
  parts: AccountParts,
  tx: AccountTx,
  account: Credentials,
  { given: { email, askedBy, language }, hash, session }: Renewal,
): Promise<void> {
  if (!(await tx.removeCode({ purpose: "recover", email, askedBy }))) throw wrongCode()
  await mustNotNeedSingleSignOn(tx, account)
  const at = parts.now()
  await tx.savePassword(account.id, hash, at)
  if (!asksSecondFactor(account)) await tx.removeSecret(account.id)
  await tx.note(event(parts, account, session, "recovered", null))
  const trial = new Date(at.getTime() - LIMITS.passkeyTrialMs)
  const removed = await tx.removePasskeysSince(account.id, trial)
  if (removed > 0) await tx.note(event(parts, account, session, "passkey-removed", String(removed)))
  await endAll(parts, tx, account, session)
  await tx.write({ email: account.email, language, letter: "recovered" })
}
