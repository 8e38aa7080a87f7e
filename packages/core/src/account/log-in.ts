import type { Language } from "../language.ts"
import { LIMITS } from "../limits.ts"
import { Refusal } from "../refusal.ts"
import { holdFrom } from "./factor-hold.ts"
import {
  type AccountAct,
  type AccountEvent,
  asksSecondFactor,
  type Credentials,
  type NewAccountSession,
  type Passkey,
} from "./model.ts"
import type { AccountParts, AccountTx } from "./ports.ts"

const DAY_MS = 86_400_000

export type LoggedIn = { readonly accountId: string } | { readonly step: string }

/**
 * Address and password. Unknown address, no password, wrong password: the same work, the same answer (as AUTH-06).
 * That a second factor is asked for is told to whoever has the password alone.
 */
export async function logIn(
  parts: AccountParts,
  given: { readonly email: string; readonly password: string },
  session: NewAccountSession,
): Promise<LoggedIn> {
  const account = await parts.accounts.findByEmail(given.email)
  const password = given.password.normalize("NFC")
  const check = await parts.passwords.check(
    given.email.toLowerCase(),
    account?.passwordHash ?? null,
    password,
  )
  if (account === null || check === "wrong") {
    if (account !== null) parts.accounts.noteLater(event(parts, account, session, "login-failed", "password"))
    throw wrong()
  }
  // Whoever knows the password is here: the moment to hash it as it is done today.
  const newer = check === "right, to be renewed" ? await parts.passwords.hash(account.email, password) : null
  return parts.accounts.transact(async (tx) => {
    const held = await tx.lock(account.id)
    // The check took its time, and the password may have been changed in it, to keep this very person out.
    if (held === null || held.passwordHash !== account.passwordHash) throw wrong()
    if (newer !== null) await tx.savePassword(account.id, newer, parts.now())
    if (asksSecondFactor(held)) {
      await mustNotNeedSingleSignOn(tx, account)
      const step = { purpose: "second-factor", accountId: account.id, challenge: null } as const
      return { step: await tx.insertStep(step) }
    }
    await opened(parts, tx, account, session, "password")
    return { accountId: account.id }
  })
}

/** The second factor of a login that a password began: a code of the app, or one of those that were written down. */
export async function logInBySecondFactor(
  parts: AccountParts,
  given: { readonly step: string; readonly code: string; readonly language: Language },
  session: NewAccountSession,
): Promise<{ readonly accountId: string }> {
  const step = await parts.accounts.tryStep(given.step, "second-factor")
  const account = step?.accountId ? await parts.accounts.find(step.accountId) : null
  if (account === null) throw again()
  const business = step?.singleSignOn ?? null
  const its = business === null ? session : { ...session, singleSignOn: business }
  const by = business === null ? "password" : "single sign-on"
  // A recovery code stands for a factor that was lost, so it confirms no new one.
  const factorHeldUntil = isAppCode(given.code) ? (account.totp?.heldUntil ?? null) : holdFrom(parts.now())
  await bySecondFactor(parts, account, { ...given, where: "second factor", session }, async (tx) => {
    // A new password has taken it away, like the sessions; so has another provider.
    if (business !== null && (await tx.holdSingleSignOn(business)) === null) throw again()
    if ((await tx.takeStep(given.step, "second-factor")) === null) throw again()
    await opened(parts, tx, account, { ...its, factorHeldUntil }, `${by} and second factor`)
  })
  return { accountId: account.id }
}

export type GivenSecond = {
  readonly code: string
  /** Counted apart: who has the password alone must not be able to lock recovery. */
  readonly where: "second factor" | "second factor, recovery" | "second factor, signing"
  readonly language: Language
  readonly session: NewAccountSession
}

/** Does the work if the code is right. Each wrong one is kept: some a day are refused unseen, and the owner is told before that. */
export async function bySecondFactor(
  parts: AccountParts,
  account: Credentials,
  { code, where, language, session }: GivenSecond,
  work: (tx: AccountTx) => Promise<void>,
): Promise<void> {
  const use = await secondFactor(parts, account, code, session)
  const isRight = await parts.accounts.transact(async (tx) => {
    const held = await tx.lock(account.id)
    if (held?.totp?.since?.getTime() !== account.totp?.since?.getTime()) throw again()
    const failure = event(parts, account, session, "login-failed", where)
    const wrongBefore = await tx.countEvents(failure, new Date(failure.at.getTime() - DAY_MS))
    if (wrongBefore >= LIMITS.secondFactorsWrong)
      throw new Refusal("rate-limited", "Too many wrong codes. Try again tomorrow.", {
        retryAfterSeconds: 3600,
      })
    if (use !== null && (await use(tx))) {
      await work(tx)
      return true
    }
    await tx.note(failure)
    if (wrongBefore + 1 === LIMITS.secondFactorsWrongTold)
      await tx.write({ email: account.email, language, letter: "second-factor-wrong" })
    return false
  })
  if (!isRight) throw wrongCode()
}

const bareCode = (code: string): string => code.replace(/[\s-]/g, "")
const isAppCode = (code: string): boolean => /^\d{6}$/.test(bareCode(code))

/** How the code is used up, within the transaction of what it is for; null where it is wrong. */
async function secondFactor(
  parts: AccountParts,
  account: Credentials,
  code: string,
  session: NewAccountSession,
): Promise<((tx: AccountTx) => Promise<boolean>) | null> {
  const { secondFactor: factor, now } = parts
  const bare = bareCode(code)
  if (isAppCode(code)) {
    // A secret that no code has confirmed is no factor: it could be that of a thief of the password.
    if (account.totp === null || !asksSecondFactor(account)) return null
    const step = await factor.stepOf(account.id, account.totp.secret, bare, now())
    return step === null ? null : (tx) => tx.useStep(account.id, step)
  }
  const hashes = factor.hashRecoveryCode(bare.toUpperCase())
  return async (tx) => {
    const isUsed = await tx.useRecoveryCode(account.id, hashes)
    if (isUsed) await tx.note(event(parts, account, session, "recovery-code-used", null))
    return isUsed
  }
}

/** The assertion of a passkey was verified; its counter is still to be compared. */
export type PasskeyProof = Pick<Passkey, "accountId" | "counter" | "heldUntil"> & {
  readonly passkeyId: string
}

/** After a passkey was proved: it is something the person has, and the authenticator has asked who they are. */
export async function logInByPasskey(
  parts: AccountParts,
  proved: PasskeyProof,
  session: NewAccountSession,
): Promise<void> {
  const account = await parts.accounts.find(proved.accountId)
  if (account === null) throw wrong()
  await parts.accounts.transact(async (tx) => {
    await tx.lock(account.id)
    if (!(await tx.usePasskey(proved.passkeyId, proved.counter, parts.now()))) throw wrong()
    await opened(parts, tx, account, { ...session, factorHeldUntil: proved.heldUntil }, "passkey")
  })
}

/** More than a password, or than the word of a business: both factors of a passkey, or an authenticator app beside the first. */
const STRONG_WAYS: readonly string[] = [
  "passkey",
  "password and second factor",
  "single sign-on and second factor",
]

export async function opened(
  parts: AccountParts,
  tx: AccountTx,
  account: Credentials,
  session: NewAccountSession,
  by: string,
): Promise<void> {
  if (session.singleSignOn === undefined) await mustNotNeedSingleSignOn(tx, account)
  const strong = STRONG_WAYS.includes(by)
  await tx.insertSession(account.id, { ...session, strong }, parts.now())
  await tx.note(event(parts, account, session, "logged-in", by))
}

/**
 * Where a business has its people come by its own provider, nothing else opens the account of one of them, and no mailbox either.
 * Told to whoever has proved themselves alone: whether somebody is a member is nobody else's business.
 */
export async function mustNotNeedSingleSignOn(tx: AccountTx, { id }: { readonly id: string }): Promise<void> {
  const business = await tx.singleSignOnNeeded(id)
  if (business !== null)
    throw new Refusal("single-sign-on-needed", `${business} has you log in by its single sign-on.`)
}

export const event = (
  parts: AccountParts,
  { id: accountId }: { readonly id: string },
  { browser, network }: Pick<NewAccountSession, "browser" | "network">,
  act: AccountAct,
  detail: string | null,
): AccountEvent => ({ accountId, at: parts.now(), act, detail, browser, network })

const again = () => new Refusal("login-again", "Log in again.")
const wrong = () => new Refusal("credentials-invalid", "The address or the password is wrong.")
export const wrongCode = () => new Refusal("code-wrong", "The code is wrong or too old.")
