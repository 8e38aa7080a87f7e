import type { Role } from "../business/model.ts"
import type { Language } from "../language.ts"

/** A person who proved an e-mail address, once for the whole deployment (ADR 0025). */
export type Account = { readonly id: string; readonly email: string; readonly name: string }

/** The secret of an authenticator app, wrapped by the operator's key. */
export type SealedSecret = { readonly kekId: string; readonly wrapped: Uint8Array }

export type Passkey = {
  /** As the authenticator calls it, in Base64url. */
  readonly id: string
  readonly accountId: string
  readonly publicKey: Uint8Array
  readonly counter: number
  readonly transports: readonly string[]
  readonly name: string
  readonly createdAt: Date
  readonly usedAt: Date | null
  /** When it may first activate a signing key (factor-hold.ts); null: at once. */
  readonly heldUntil: Date | null
}

/** What the person can prove to be themselves by. */
export type Credentials = Account & {
  readonly passwordHash: string | null
  /** `since` is null as long as no code was shown for it: it is asked for only after that. */
  readonly totp: {
    readonly secret: SealedSecret
    readonly since: Date | null
    /** As of a passkey. */
    readonly heldUntil: Date | null
  } | null
  readonly passkeyCount: number
  /** When the first of the passkeys may activate a signing key; null: at once. */
  readonly passkeysHeldUntil: Date | null
  readonly recoveryCodeCount: number
}

/**
 * An account that an operator made has nothing to log in with, until the person proves the address. An authenticator app alone
 * opens nothing, yet whoever has it is the owner: a mailbox is not enough any more.
 */
export const isClaimed = (account: Credentials): boolean =>
  account.passwordHash !== null || account.passkeyCount > 0 || asksSecondFactor(account)

/** Whether a login by password goes on with a code of an authenticator app. */
export const asksSecondFactor = ({ totp }: Credentials): boolean => totp !== null && totp.since !== null

/** An app or a passkey: a mailbox alone does not recover the account (ASVS 6.4.3), and recovery codes stand in for either. */
export const hasSecondFactor = (account: Credentials): boolean =>
  account.passkeyCount > 0 || asksSecondFactor(account)

/** Where somebody acts from, as far as we keep it: the browser by name, and the network, not the address. */
export type Whence = { readonly browser: string; readonly network: string }

/** A person who logged in with a second factor, such as a passkey. */
export type StrongMember = Pick<Account, "email"> & { readonly accountId: string }

/** A login; `id` may be shown, what the browser holds is known by its hash alone. */
export type NewAccountSession = Whence & {
  readonly id: string
  readonly idHash: Uint8Array
  /** More than a password was proved, by something of the person's own. */
  readonly strong?: boolean
  /** Until when the factor that opened it activates no signing key; null: it does, or none opened it. */
  readonly factorHeldUntil?: Date | null
  /** The business whose provider said who it is (ADR 0037). */
  readonly singleSignOn?: string
  /** That provider stated that the person proved a second factor there. */
  readonly providerFactor?: boolean
  /** The hash of what the browser presented as its session: that session ends with the login (ASVS 7.2.4). */
  readonly replaces?: Uint8Array
}

export type AccountSession = Whence & {
  readonly id: string
  readonly accountId: string
  readonly createdAt: Date
  readonly seenAt: Date
  /** Opened by a passkey, or by an authenticator app beside the password. */
  readonly strong: boolean
  readonly factorHeldUntil: Date | null
  /** The business whose provider opened it; null where the person had something of their own. */
  readonly singleSignOn: string | null
}

/** What a business's identity provider asserts counts in that business alone (ADR 0037). */
export const isValidIn = (
  { singleSignOn }: Pick<AccountSession, "singleSignOn">,
  businessId: string,
): boolean => singleSignOn === null || singleSignOn === businessId

export type AccountAct =
  | "registered"
  | "logged-in"
  | "login-failed"
  | "logged-out"
  | "session-ended"
  | "recovered"
  | "password-changed"
  | "passkey-added"
  | "passkey-removed"
  | "second-factor-on"
  | "second-factor-off"
  | "recovery-codes-made"
  | "recovery-code-used"
  | "webhooks-stopped"
  | "factors-reset"

export type AccountEvent = Whence & {
  readonly accountId: string
  readonly at: Date
  readonly act: AccountAct
  /** By what it was done, or what it was done to; never a secret. */
  readonly detail: string | null
}

/** What a code that is mailed is good for. */
export type CodePurpose = "register" | "recover"

/** A code is of an address and of the browser that asked for it, which is known by the hash of a cookie: others can neither use it nor use it up. */
export type CodeOf = { readonly purpose: CodePurpose; readonly email: string; readonly askedBy: string }

/** What a person is written about their own account. */
export type AccountLetter = CodePurpose | NoticeLetter
export type NoticeLetter =
  | "password-changed"
  | "recovered"
  | "passkey-added"
  | "passkey-removed"
  | "second-factor-on"
  | "second-factor-off"
  | "second-factor-wrong"
  | "factors-reset-asked"
  | "factors-reset"

export type LetterToAccount = { readonly email: string; readonly language: Language } & (
  | { readonly letter: NoticeLetter }
  | { readonly letter: CodePurpose; readonly askedBy: string }
  /** Somebody of a business wants the person as a member; `by` is their e-mail address. */
  | { readonly letter: "invited"; readonly businessId: string; readonly by: string }
  | LetterToOwners
)

/** To every owner of a business, about what opens it. Times are written as ISO 8601, since a job is JSON. */
export type LetterToOwners = { readonly businessId: string; readonly at: string } & (
  | {
      readonly letter: "single-sign-on-changed"
      readonly by: string
      readonly changes: readonly ProviderChange[]
    }
  /** By an operator, who does not see the one in its place. */
  | { readonly letter: "key-reset"; readonly key: { readonly name: string; readonly hint: string } }
)

/** What is another one now; `to` is null where there is nothing to show, as of a secret. */
export type ProviderChange = {
  readonly what: "issuer" | "client" | "secret" | "enforced" | "joins" | "removed"
  readonly to: string | boolean | null
}

export type MembershipOf = { readonly businessId: string; readonly name: string; readonly role: Role }

/** To be a member, by whom and since when; nothing comes of it until the person says yes. */
export type Invitation = MembershipOf & { readonly by: string | null; readonly at: Date }
