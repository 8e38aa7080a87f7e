import type { Account, LetterToAccount, LetterToOwners } from "../account/model.ts"
import type { Logo } from "../branding/model.ts"
import type { Language } from "../language.ts"
import type { Hashes } from "../login/hashes.ts"
import type { ApiKey } from "./api-key.ts"
import type { AuditPage, ReadAudit } from "./audit-log.ts"
import type { Member } from "./member.ts"
import type { BusinessSettings, Feature, Role } from "./model.ts"
import type { AgreedSettings, ChangedSettings } from "./settings.ts"
import type { AskedPage, ExportPage } from "./walk-export.ts"

/** One row of the audit log of the business. */
export type Audited = {
  readonly at: Date
  /** The e-mail address of the person who acted; null where only the user of the shell is known. */
  readonly by: string | null
  readonly act: string
  /** What was acted on: its kind and its id or name. */
  readonly target: string
  /** What changed, as far as it may be read by whoever reads the log: never a secret. */
  readonly before?: object
  readonly after?: object
}

type Audits = {
  /** In the transaction of the act: what was done is on record, and what is on record was done. */
  readonly appendAudit: (entry: Audited) => Promise<void>
}

export type BusinessReading = PeopleReading & {
  readonly settings: () => Promise<BusinessSettings>
  /** All of it, also what no request depends on. */
  readonly agreedSettings: () => Promise<AgreedSettings>
  readonly findLogo: () => Promise<Logo | null>
  /** By name. */
  readonly listMembers: () => Promise<readonly Member[]>
  /** All that live or can be claimed, and so many of those that ended last; the newest first. */
  readonly listKeys: (deadAtMost: number, now: Date) => Promise<readonly ApiKey[]>
  readonly readAudit: (asked: ReadAudit) => Promise<AuditPage>
  /** Of all of the business, whoever made them; the oldest first. */
  readonly exportPage: (asked: AskedPage) => Promise<ExportPage>
}

type PeopleReading = {
  /** The e-mail address of a member of the business, by the id of the account. */
  readonly memberEmail: (accountId: string) => Promise<string | null>
  /** Whether a verified person has this address, in whichever business; letters count the same in both cases. */
  readonly isAccount: (email: string) => Promise<boolean>
  /** Whether that person is a member of this business. */
  readonly isMember: (email: string) => Promise<boolean>
  /** Whether the member who is this user is one of its owners or admins (decisions, "roles"). */
  readonly isAdministrator: (userId: string) => Promise<boolean>
  /** Whether there is such an API user of this business. */
  readonly isUser: (username: string) => Promise<boolean>
}

export type PeopleTx = Omit<PeopleReading, "isUser">

export type SettingsTx = Audits & {
  readonly settings: BusinessReading["settings"]
  /** Holds the business until the transaction ends, so that what was before is what is changed; requests go on meanwhile. */
  readonly lockSettings: () => Promise<AgreedSettings>
  /** Another sender's name is not confirmed by anybody yet. */
  readonly saveSettings: (changes: ChangedSettings) => Promise<void>
  readonly confirmSenderName: (at: Date) => Promise<void>
  /** REG-02; an operator does. */
  readonly setFeature: (feature: Feature, on: boolean) => Promise<void>
  /** One for a business: it takes the place of an earlier one. */
  readonly keepLogo: (logo: Logo, at: Date) => Promise<void>
  readonly removeLogo: () => Promise<void>
}

/** People of the business of the transaction. Who changes them holds the business (`lockSettings`): one after the other. */
export type MemberRows = {
  readonly listMembers: BusinessReading["listMembers"]
  readonly findMember: (accountId: string) => Promise<Member | null>
  /** What the member who is this user may do now; null where they are none, or have not accepted. */
  readonly roleOf: (userId: string) => Promise<Role | null>
  /** Those who were invited and have not accepted are not counted. */
  readonly countOtherOwners: (accountId: string) => Promise<number>
  /** The account that is there already stays as it is; a new one has no name until the person gives one. */
  readonly ensureAccount: (account: Pick<Account, "id" | "email">, at: Date) => Promise<Account>
  /** Whether a key's user of this business has, or had, this name, however it is written. */
  readonly isNameOfKeys: (name: string) => Promise<boolean>
  /** Also for who is a member already, of whom only the role changes, and the name where one is given. */
  readonly setMember: (
    accountId: string,
    to: { readonly role: Role; readonly name: string | null; readonly invitedBy: string | null },
    at: Date,
  ) => Promise<void>
  /** False where there was no invitation. Where the business wants a login by its provider, others end. */
  readonly acceptMembership: (accountId: string, at: Date) => Promise<boolean>
  /** Answers which webhooks of theirs were stopped. */
  readonly removeMember: (accountId: string, at: Date) => Promise<readonly string[]>
}

export type MembersTx = Audits &
  MemberRows & {
    /** Refuses an invitation when the business has written to too many people at once, or to this one too often. */
    readonly writeToMember: (letter: LetterToMember) => Promise<void>
  }

export type LetterToMember = Extract<LetterToAccount, { businessId: string }>

export type WritesToOwners = {
  /** To each who has accepted: what opens the business is nothing that one of them changes alone, unseen. */
  readonly writeToOwners: (letter: LetterToOwners, language: Language) => Promise<void>
}

/** An API user who logs in with keys. */
export type KeyUser = { readonly id: string; readonly username: string }

export type KeysTx = Audits &
  WritesToOwners & {
    /** Nobody else resets or revokes it before the transaction ends. */
    readonly lockKey: (id: string) => Promise<ApiKey | null>
    readonly insertKey: (key: ApiKey, hashes: Hashes) => Promise<void>
    readonly renameKey: (id: string, name: string) => Promise<void>
    /** What the key has set up to go on without it stops with it: answers which webhooks. */
    readonly revokeKey: (id: string, at: Date) => Promise<readonly string[]>
    /** AUTH-14: by an operator; revoked as well. Those of the business may claim one in its place. */
    readonly markReset: (id: string, at: Date) => Promise<void>
    /** Nobody claims it twice. */
    readonly markClaimed: (id: string, at: Date) => Promise<void>
    readonly countLiveKeys: (at: Date) => Promise<number>
    /** Of this business, and not removed. */
    readonly findKeyUser: (username: string) => Promise<KeyUser | null>
    readonly insertKeyUser: (user: KeyUser, at: Date) => Promise<void>
  }
