import type { Caller } from "../access/caller.ts"
import type { Audited } from "../business/ports.ts"
import type { Hashes } from "../login/hashes.ts"
import type { FactorResetRows } from "../operator/factor-reset.ts"
import type { Clock } from "../ports.ts"
import type { ProvenName } from "../release/proven-name.ts"
import type { Kind } from "../signature-request/model.ts"
import type {
  Account,
  AccountEvent,
  CodeOf,
  Credentials,
  LetterToAccount,
  NewAccountSession,
  Passkey,
  SealedSecret,
  StrongMember,
} from "./model.ts"

/** What the use cases of accounts ask of the world. */
export type AccountParts = {
  readonly now: Clock
  readonly newId: () => string
  readonly accounts: AccountRows
  readonly passwords: Passwords
  readonly estimateGuesses: EstimateGuesses
  readonly secondFactor: SecondFactor
}

/** argon2id. One account, by its address, has one hash under way at a time. `check` does the same work for a hash that is not there, so that its time tells nothing (AUTH-06). */
export type Passwords = {
  readonly hash: (account: string, password: string) => Promise<string>
  readonly check: (
    account: string,
    hash: string | null,
    password: string,
  ) => Promise<"right" | "right, to be renewed" | "wrong">
}

/**
 * The power of ten of the guesses that an attacker with dictionaries of passwords, names and words needs for this password.
 * `words` are tried first. One account, by its address, has one estimate under way at a time.
 */
export type EstimateGuesses = (account: string, password: string, words: readonly string[]) => Promise<number>

export type SecondFactor = {
  /** The step of 30 seconds to which the code belongs; null where it belongs to none of now. */
  readonly stepOf: (
    accountId: string,
    secret: SealedSecret,
    code: string,
    now: Date,
  ) => Promise<number | null>
  readonly hashRecoveryCode: (code: string) => Hashes
}

export type StepPurpose = "second-factor" | "passkey-login" | "passkey-new"
/** Half-way through something: what was asked, and for whom. */
export type Step = {
  readonly purpose: StepPurpose
  readonly accountId: string | null
  readonly challenge: string | null
  /** The business whose provider stood in for the password. */
  readonly singleSignOn?: string | null
}

export type AccountRows = {
  readonly findByEmail: (email: string) => Promise<Credentials | null>
  readonly find: (accountId: string) => Promise<Credentials | null>
  readonly findPasskey: (id: string) => Promise<Passkey | null>
  /** The person behind a session that was opened with a second factor; null for any other session. */
  readonly findStrongMember: (sessionId: string) => Promise<StrongMember | null>
  /** The newest proof of the name that a business may rely on. */
  readonly findProvenName: (accountId: string, businessId: string) => Promise<ProvenName | null>
  /** Counts a try, whatever comes after it; true where the code is that of the newest mail and still good. */
  readonly tryCode: (of: CodeOf, code: string) => Promise<boolean>
  /** Counts a try; null for a step that is unknown, too old, of another purpose, or was tried too often. */
  readonly tryStep: (id: string, purpose: StepPurpose) => Promise<Step | null>
  /** Nobody can take it twice. */
  readonly takeStep: (id: string, purpose: StepPurpose) => Promise<Step | null>
  /** Answers the id by which it can be gone on with. */
  readonly insertStep: (step: Step) => Promise<string>
  /** Beside the answer, so that nobody can tell from its time that there was something to note. */
  readonly noteLater: (event: AccountEvent) => void
  readonly transact: <T>(work: (tx: AccountTx) => Promise<T>) => Promise<T>
  /** A member of a business as a caller of the interface, as long as the session lives. */
  readonly findMember: (sessionId: string, businessId: string, kind: Kind) => Promise<Caller | null>
}

/**
 * One transaction; a thrown error rolls back. Whoever is within one asks nothing of `AccountRows`: that is another connection, and
 * enough of those who hold one and wait for a second would wait for each other.
 */
export type AccountTx = {
  /** What opens the account now; nobody else changes it, and nobody logs in, until the transaction ends. */
  readonly lock: (accountId: string) => Promise<Credentials | null>
  /** Whether the login is still there, after the lock. */
  readonly isSession: (id: string) => Promise<boolean>
  readonly insertStep: AccountRows["insertStep"]
  readonly takeStep: AccountRows["takeStep"]
  /** The account with this address, with this name from here on; made where there is none. */
  readonly ensureAccount: (account: Account, at: Date) => Promise<Account>
  /** All of the address for this purpose. False where somebody else took this one first. */
  readonly removeCode: (of: CodeOf) => Promise<boolean>
  readonly savePassword: (accountId: string, hash: string, at: Date) => Promise<void>
  readonly saveSecret: (accountId: string, secret: SealedSecret, at: Date) => Promise<void>
  /** From here on it is asked for. False where there is none that waits for it. */
  readonly confirmSecret: (accountId: string, at: Date, heldUntil: Date | null) => Promise<boolean>
  readonly removeSecret: (accountId: string) => Promise<void>
  /** False where this step, or a later one, was used before: a code counts once (RFC 6238, 5.2). */
  readonly useStep: (accountId: string, step: number) => Promise<boolean>
  /** Those before are gone. */
  readonly saveRecoveryCodes: (accountId: string, hashes: readonly Hashes[]) => Promise<void>
  /** False where it is none, or was used before. */
  readonly useRecoveryCode: (accountId: string, hashes: Hashes) => Promise<boolean>
  readonly insertPasskey: (passkey: Passkey) => Promise<void>
  readonly removePasskey: (accountId: string, id: string) => Promise<boolean>
  /** Answers how many. */
  readonly removePasskeysSince: (accountId: string, since: Date) => Promise<number>
  /** False where the counter went back: then somebody has a copy of it (WebAuthn, 6.1.1). */
  readonly usePasskey: (id: string, counter: number, at: Date) => Promise<boolean>
  readonly insertSession: (accountId: string, session: NewAccountSession, at: Date) => Promise<void>
  /** All of them, with every login that is under way, or the one that is named; answers how many sessions. */
  readonly endSessions: (accountId: string, which: string | "all") => Promise<number>
  /** Those that the person made, or those of one session: whoever was in it knows their secrets. Answers how many. */
  readonly stopWebhooks: (accountId: string, madeBy: string | "all", at: Date) => Promise<number>
  /** The name of a business that has this person come by its single sign-on and by nothing else. */
  readonly singleSignOnNeeded: (accountId: string) => Promise<string | null>
  /** When the single sign-on of a business was last changed; nobody changes it before the transaction ends. Null: there is none. */
  readonly holdSingleSignOn: (businessId: string) => Promise<Date | null>
  readonly isDomainGranted: (businessId: string, domain: string) => Promise<boolean>
  /** Who was invited and has not accepted is none. */
  readonly isMember: (businessId: string, accountId: string) => Promise<boolean>
  /**
   * Makes the person a member, on record, or takes an invitation for accepted; `name` is what the provider calls them. False where
   * somebody took them out before, or a key's user has the name.
   */
  readonly join: (
    businessId: string,
    person: { readonly id: string; readonly email: string; readonly name: string | null },
    at: Date,
  ) => Promise<boolean>
  /** From the first time on a name of the provider's is of one account, and an account of one name. False where it is another's. */
  readonly tieSubject: (businessId: string, subject: string, accountId: string, at: Date) => Promise<boolean>
  /** How often `act` was noted with this detail since then. */
  readonly countEvents: (
    of: Pick<AccountEvent, "accountId" | "act" | "detail">,
    since: Date,
  ) => Promise<number>
  readonly note: (event: AccountEvent) => Promise<void>
  readonly lockFactorReset: FactorResetRows["lockFactorReset"]
  readonly saveFactorReset: FactorResetRows["saveFactorReset"]
  readonly removeFactorReset: FactorResetRows["removeFactorReset"]
  /** Of an operator, who acts beside all businesses. */
  readonly appendAudit: (entry: Audited) => Promise<void>
  readonly write: (letter: LetterToAccount) => Promise<void>
}
