import type { Language } from "../language.ts"
import { readName } from "../names/read-name.ts"
import { event, mustNotNeedSingleSignOn, wrongCode } from "./log-in.ts"
import { type Account, type CodeOf, isClaimed, type NewAccountSession } from "./model.ts"
import { mustBeGood } from "./password.ts"
import type { AccountParts } from "./ports.ts"

/**
 * Asks for a code by mail. Whether the address is known is looked up by whoever sends the mail, later: so this is the
 * same act in the same time for every address, and the mailbox alone learns more.
 */
export async function askForCode(
  parts: AccountParts,
  { purpose: letter, email, askedBy }: CodeOf,
  language: Language,
): Promise<void> {
  await parts.accounts.transact((tx) => tx.write({ email, language, letter, askedBy }))
}

export type Registration = {
  readonly email: string
  readonly askedBy: string
  readonly code: string
  readonly name: string
  readonly password?: string
}

/** Proves the address; a password may be missing where a passkey follows at once. */
export async function register(
  parts: AccountParts,
  given: Registration,
  session: NewAccountSession,
): Promise<Account> {
  const { email, askedBy } = given
  const name = given.name === email ? email : readName("name", given.name)
  const of = { purpose: "register", email, askedBy } as const
  // Before the code is used up: a person who has to choose another name or password still has it.
  const password = given.password === undefined ? null : await mustBeGood(parts, given.password, given)
  if (!(await parts.accounts.tryCode(of, given.code))) throw wrongCode()
  const hash = password === null ? null : await parts.passwords.hash(email.toLowerCase(), password)
  const at = parts.now()
  return parts.accounts.transact(async (tx) => {
    if (!(await tx.removeCode(of))) throw wrongCode()
    const account = await tx.ensureAccount({ id: parts.newId(), email, name }, at)
    const known = await tx.lock(account.id)
    // Registered by another mail meanwhile.
    if (known === null || isClaimed(known)) throw wrongCode()
    await mustNotNeedSingleSignOn(tx, account)
    if (hash !== null) await tx.savePassword(account.id, hash, at)
    await tx.endSessions(account.id, "all")
    await tx.insertSession(account.id, session, at)
    await tx.note(event(parts, account, session, "registered", null))
    return account
  })
}
