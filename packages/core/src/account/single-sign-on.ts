import { LIMITS } from "../limits.ts"
import { displayName } from "../names/characters.ts"
import { isPlainName } from "../names/read-name.ts"
import { type LoggedIn, opened } from "./log-in.ts"
import { type Account, asksSecondFactor, type NewAccountSession } from "./model.ts"
import type { AccountParts, AccountTx } from "./ports.ts"

/** How the people of a business log in by a provider of its own (ADR 0037). */
export type SingleSignOn = {
  readonly businessId: string
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  /** Whether members of the granted domains come in by nothing else. */
  readonly enforced: boolean
  /** Whether somebody of a granted domain who is no member becomes one by logging in. */
  readonly joins: boolean
  readonly updatedAt: Date
}

/** Whom a provider tells of; `subject` is its own name for the person, and never that of another. */
export type Identity = {
  readonly subject: string
  readonly email: string | null
  readonly isEmailVerified: boolean
  readonly name: string | null
  /** Whether the provider stated that the person proved a second factor (`amr`, `acr`). */
  readonly hasSecondFactor: boolean
}

export type WhyRefused =
  /** Begun too long ago, elsewhere, or with what is not set any more: once more. */
  | "again"
  /** The provider did not say, in a way that counts, who it is. */
  | "unproved"
  | "email-unverified"
  | "other-domain"
  | "no-member"
  /** The address is that of somebody whom the provider called by another name before. */
  | "other-person"

export class SingleSignOnRefused extends Error {
  readonly why: WhyRefused
  constructor(why: WhyRefused, options?: ErrorOptions) {
    super(`Single sign-on was refused: ${why}.`, options)
    this.name = "SingleSignOnRefused"
    this.why = why
  }
}

/** Of an address, as domains are granted; the letters of a domain do not count, those of a name might. */
export const domainOf = (email: string): string => email.slice(email.lastIndexOf("@") + 1).toLowerCase()

/**
 * Stands in the place of a password, and opens no more than that: whoever set up an authenticator app is asked for it, since a
 * provider is looked after by others. What it says counts for the domains that the operator has granted to the business.
 */
export async function logInBySingleSignOn(
  parts: AccountParts,
  { by, identity }: { readonly by: SingleSignOn; readonly identity: Identity },
  session: NewAccountSession,
): Promise<LoggedIn> {
  const { email, isEmailVerified, subject } = identity
  if (email === null || !isEmailVerified || !isAddress(email))
    throw new SingleSignOnRefused("email-unverified")
  // OpenID Connect Core, 2.
  if (subject === "" || subject.length > 255) throw new SingleSignOnRefused("unproved")
  const { businessId } = by
  const known = await parts.accounts.findByEmail(email)
  return parts.accounts.transact(async (tx) => {
    const held = await tx.holdSingleSignOn(businessId)
    // What the provider said was said to whoever it knew then.
    if (held?.getTime() !== by.updatedAt.getTime()) throw new SingleSignOnRefused("again")
    if (!(await tx.isDomainGranted(businessId, domainOf(email))))
      throw new SingleSignOnRefused("other-domain")
    if (known === null && !by.joins) throw new SingleSignOnRefused("no-member")
    const account = known ?? (await newAccount(parts, tx, email))
    const credentials = await tx.lock(account.id)
    if (credentials === null) throw new SingleSignOnRefused("again")
    await mustBeMember(parts, tx, by, { ...credentials, name: claimedName(identity.name) })
    if (!(await tx.tieSubject(businessId, subject, account.id, parts.now())))
      throw new SingleSignOnRefused("other-person")
    const its = { ...session, singleSignOn: businessId, providerFactor: identity.hasSecondFactor }
    if (asksSecondFactor(credentials)) {
      const step = { purpose: "second-factor", accountId: account.id, challenge: null } as const
      return { step: await tx.insertStep({ ...step, singleSignOn: businessId }) }
    }
    await opened(parts, tx, credentials, its, "single sign-on")
    return { accountId: account.id }
  })
}

/** Without a name: the provider's word for a person is the business's, and no other one hears it. */
const newAccount = (parts: AccountParts, tx: AccountTx, email: string): Promise<Account> =>
  tx.ensureAccount({ id: parts.newId(), email, name: email }, parts.now())

/** Null where the claim is no name: the person is then called by the email address. */
export function claimedName(claim: string | null): string | null {
  const name = displayName([...displayName(claim ?? "")].slice(0, LIMITS.signerNameCharacters).join(""))
  return name !== "" && isPlainName(name) ? name : null
}

/** As an operator may type it: what is quoted is an address too, but nobody's. */
const isAddress = (email: string): boolean =>
  email.length <= LIMITS.emailCharacters && /^[^\s\p{C}@<>",;]+@[^\s\p{C}@<>",;]+$/u.test(email)

async function mustBeMember(
  parts: AccountParts,
  tx: AccountTx,
  { businessId, joins }: SingleSignOn,
  person: Parameters<AccountTx["join"]>[1],
): Promise<void> {
  if (await tx.isMember(businessId, person.id)) return
  if (!joins || !(await tx.join(businessId, person, parts.now()))) throw new SingleSignOnRefused("no-member")
}
