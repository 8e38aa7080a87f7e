import type { Language } from "../language.ts"
import { LIMITS } from "../limits.ts"
import type { Hashes } from "../login/hashes.ts"
import { Refusal } from "../refusal.ts"
import { holdOfNewFactor } from "./factor-hold.ts"
import { event, wrongCode } from "./log-in.ts"
import {
  type AccountSession,
  type Credentials,
  hasSecondFactor,
  type NewAccountSession,
  type Passkey,
  type SealedSecret,
} from "./model.ts"
import { mustBeGood } from "./password.ts"
import type { AccountParts, AccountTx } from "./ports.ts"

/** Who changes what they log in with, and where from. */
export type Signed = {
  readonly account: Credentials
  readonly session: AccountSession
  readonly language: Language
}

/**
 * What opens an account is changed by whoever logged in a moment ago, not by whoever finds an open window. Nor by who came by
 * single sign-on, which opens by itself as long as the provider knows the browser, and is looked after by others: what they left
 * here would open the account when they are gone.
 */
export function mustBeFresh(parts: AccountParts, { session }: Pick<Signed, "session">): void {
  if (session.singleSignOn !== null)
    throw new Refusal(
      "own-login-needed",
      "You came by single sign-on. Log in with a password or a passkey of your own to change this.",
    )
  mustBeRecent(parts, { session })
}

export function mustBeRecent(parts: AccountParts, { session }: Pick<Signed, "session">): void {
  if (parts.now().getTime() - session.createdAt.getTime() > LIMITS.accountProofMs)
    throw new Refusal("login-again", "Log in again to change this.")
}

/** Within the transaction it is looked at again: who was logged out meanwhile, by a new password, changes nothing any more. */
const changing = <T>(
  parts: AccountParts,
  by: Signed,
  work: (tx: AccountTx, account: Credentials) => Promise<T>,
): Promise<T> =>
  parts.accounts.transact(async (tx) => {
    const account = await tx.lock(by.account.id)
    if (account === null || !(await tx.isSession(by.session.id)))
      throw new Refusal("token-invalid", "Log in first.")
    return work(tx, account)
  })

export type NewPassword = {
  readonly password: string
  /** The password of today; needed where the account has one (ASVS 6.2.3). */
  readonly current?: string
}

/** Every session ends, and this browser gets a new one. */
export async function changePassword(
  parts: AccountParts,
  by: Signed,
  { password, current }: NewPassword,
  next: NewAccountSession,
): Promise<void> {
  mustBeFresh(parts, by)
  await checkCurrentPassword(parts, by, current)
  const hash = await parts.passwords.hash(by.account.email, await mustBeGood(parts, password, by.account))
  await changing(parts, by, async (tx, account) => {
    // The checks above take time, and another browser may have changed the password meanwhile.
    if (account.passwordHash !== by.account.passwordHash) throw wrongCurrent()
    await tx.savePassword(account.id, hash, parts.now())
    await tx.note(event(parts, account, next, "password-changed", null))
    const { strong, factorHeldUntil } = by.session
    await endAll(parts, tx, account, { ...next, strong, factorHeldUntil })
    await tx.write({ email: account.email, language: by.language, letter: "password-changed" })
  })
}

async function checkCurrentPassword(
  parts: AccountParts,
  { account, session }: Signed,
  current: string | undefined,
): Promise<void> {
  if (account.passwordHash === null) return
  if (current === undefined) throw wrongCurrent()
  if (
    (await parts.passwords.check(account.email, account.passwordHash, current.normalize("NFC"))) !== "wrong"
  )
    return
  parts.accounts.noteLater(event(parts, account, session, "login-failed", "password"))
  throw wrongCurrent()
}

const wrongCurrent = () => new Refusal("credentials-invalid", "The current password is missing or wrong.")

/** Whoever was in the account may have made webhooks in its name, which would go on telling them what happens. */
export async function endAll(
  parts: AccountParts,
  tx: AccountTx,
  account: Credentials,
  next: NewAccountSession,
): Promise<void> {
  const at = parts.now()
  await tx.endSessions(account.id, "all")
  const stopped = await tx.stopWebhooks(account.id, "all", at)
  if (stopped > 0) await tx.note(event(parts, account, next, "webhooks-stopped", String(stopped)))
  await tx.insertSession(account.id, next, at)
}

/** Asked before a secret is made and wrapped, which is work of the operator's key. */
export function mayBeginSecondFactor(parts: AccountParts, by: Signed): void {
  mustBeFresh(parts, by)
  mayHaveSecret(by.account)
}

function mayHaveSecret({ totp, passwordHash, passkeyCount }: Credentials): void {
  if (totp?.since) throw new Refusal("constraint-violated", "There is an authenticator app already.")
  if (passwordHash === null && passkeyCount === 0)
    throw new Refusal("constraint-violated", "Choose a password or make a passkey first.")
}

/** A new secret for an authenticator app. Nothing is asked of the person by it until a code has shown that the app has it. */
export async function beginSecondFactor(
  parts: AccountParts,
  by: Signed,
  secret: SealedSecret,
): Promise<void> {
  mayBeginSecondFactor(parts, by)
  await changing(parts, by, async (tx, account) => {
    mayHaveSecret(account)
    await tx.saveSecret(account.id, secret, parts.now())
  })
}

export async function confirmSecondFactor(
  parts: AccountParts,
  by: Signed,
  code: string,
  recoveryHashes: readonly Hashes[],
): Promise<void> {
  mustBeFresh(parts, by)
  const { session, language } = by
  const { totp } = by.account
  const step = totp && (await parts.secondFactor.stepOf(by.account.id, totp.secret, code, parts.now()))
  if (step === null) throw wrongCode()
  await changing(parts, by, async (tx, account) => {
    const at = parts.now()
    const heldUntil = holdOfNewFactor(session, at)
    if (!(await tx.confirmSecret(account.id, at, heldUntil)) || !(await tx.useStep(account.id, step)))
      throw wrongCode()
    await tx.saveRecoveryCodes(account.id, recoveryHashes)
    await tx.note(event(parts, account, session, "second-factor-on", null))
    await tx.write({ email: account.email, language, letter: "second-factor-on" })
  })
}

export async function removeSecondFactor(parts: AccountParts, by: Signed): Promise<void> {
  mustBeFresh(parts, by)
  const { session, language } = by
  await changing(parts, by, async (tx, account) => {
    if (account.totp === null) return
    await tx.removeSecret(account.id)
    if (account.passkeyCount === 0) await tx.saveRecoveryCodes(account.id, [])
    await tx.note(event(parts, account, session, "second-factor-off", null))
    await tx.write({ email: account.email, language, letter: "second-factor-off" })
  })
}

export async function renewRecoveryCodes(
  parts: AccountParts,
  by: Signed,
  hashes: readonly Hashes[],
): Promise<void> {
  mustBeFresh(parts, by)
  await changing(parts, by, async (tx, account) => {
    if (!hasSecondFactor(account))
      throw new Refusal(
        "constraint-violated",
        "Recovery codes stand in for an authenticator app or a passkey.",
      )
    await tx.saveRecoveryCodes(account.id, hashes)
    await tx.note(event(parts, account, by.session, "recovery-codes-made", null))
  })
}

/** Answers whether the recovery codes became those of this passkey: the first factor of an account comes with them. */
export async function addPasskey(
  parts: AccountParts,
  by: Signed,
  passkey: Omit<Passkey, "heldUntil">,
  recoveryHashes: readonly Hashes[],
): Promise<boolean> {
  const { session, language } = by
  return changing(parts, by, async (tx, account) => {
    if (account.passkeyCount >= LIMITS.passkeysPerAccount)
      throw new Refusal(
        "constraint-violated",
        `An account has at most ${LIMITS.passkeysPerAccount} passkeys.`,
      )
    await tx.insertPasskey({ ...passkey, heldUntil: holdOfNewFactor(session, parts.now()) })
    const isFirst = !hasSecondFactor(account)
    if (isFirst) await tx.saveRecoveryCodes(account.id, recoveryHashes)
    await tx.note(event(parts, account, session, "passkey-added", passkey.name))
    await tx.write({ email: account.email, language, letter: "passkey-added" })
    return isFirst
  })
}

/** The last way in stays. */
export async function removePasskey(parts: AccountParts, by: Signed, id: string): Promise<void> {
  mustBeFresh(parts, by)
  const { session, language } = by
  await changing(parts, by, async (tx, account) => {
    if (!(await tx.removePasskey(account.id, id))) throw new Refusal("not-found", "There is no such passkey.")
    if (account.passwordHash === null && account.passkeyCount === 1)
      throw new Refusal(
        "constraint-violated",
        "This is the only way into your account. Choose a password first.",
      )
    if (account.passkeyCount === 1 && !account.totp?.since) await tx.saveRecoveryCodes(account.id, [])
    await tx.note(event(parts, account, session, "passkey-removed", null))
    await tx.write({ email: account.email, language, letter: "passkey-removed" })
  })
}

/** A fresh login is needed to end another session (ASVS 7.5.2), and none to leave. Its tokens are dead with it. Who ends another one than their own does not trust it, nor the webhooks that it made. */
export async function endSession(
  parts: AccountParts,
  { account, session }: Pick<Signed, "account" | "session">,
  which: string,
): Promise<void> {
  const act = which === session.id ? "logged-out" : "session-ended"
  if (act === "session-ended") mustBeRecent(parts, { session })
  await parts.accounts.transact(async (tx) => {
    if ((await tx.endSessions(account.id, which)) === 0)
      throw new Refusal("not-found", "There is no such session.")
    await tx.note(event(parts, account, session, act, null))
    if (act === "logged-out") return
    const stopped = await tx.stopWebhooks(account.id, which, parts.now())
    if (stopped > 0) await tx.note(event(parts, account, session, "webhooks-stopped", String(stopped)))
  })
}
