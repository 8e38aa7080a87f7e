import type { Account, LetterToAccount } from "../account/model.ts"
import type { Audited } from "../ports.ts"
import type { ApiKey } from "./api-key.ts"
import type { AuditPage, ReadAudit } from "./audit-log.ts"
import type { Member } from "./member.ts"
import type { Role } from "./model.ts"

type Audits = {
  /** In the transaction of the act: what was done is on record, and what is on record was done. */
  readonly appendAudit: (entry: Audited) => Promise<void>
}

export type BusinessReading = {
  /** By name. */
  readonly listMembers: () => Promise<readonly Member[]>
  /** All that are not revoked, and so many of the others; the newest first. */
  readonly listKeys: (deadAtMost: number) => Promise<readonly ApiKey[]>
  readonly readAudit: (asked: ReadAudit) => Promise<AuditPage>
}

/** People of the business of the transaction. Who changes them holds the business (`lockSettings`): one after the other. */
export type MemberRows = {
  readonly listMembers: BusinessReading["listMembers"]
  readonly findMember: (accountId: string) => Promise<Member | null>
  /** Those who were invited and have not been there yet are not counted. */
  readonly countOtherOwners: (accountId: string) => Promise<number>
  /** The account that is there already stays as it is. */
  readonly ensureAccount: (account: Account, at: Date) => Promise<Account>
  /** Whether a key's user of this business has, or had, this name, however it is written. */
  readonly isNameOfKeys: (name: string) => Promise<boolean>
  /** Also for who is a member already, of whom only the role changes, and the name where one is given. */
  readonly setMember: (
    accountId: string,
    to: { readonly role: Role; readonly name: string | null; readonly invited: boolean },
    at: Date,
  ) => Promise<void>
  /** Answers which webhooks of theirs were stopped. */
  readonly removeMember: (accountId: string, at: Date) => Promise<readonly string[]>
}

export type MembersTx = Audits &
  MemberRows & {
    /** Refuses when the business has written to too many people at once, or to this one too often. */
    readonly writeToMember: (letter: LetterToMember) => Promise<void>
  }

export type LetterToMember = Extract<LetterToAccount, { letter: "added" }>

/** An API user who logs in with keys. */
export type KeyUser = { readonly id: string; readonly username: string }

export type KeysTx = Audits & {
  /** Nobody else resets or revokes it before the transaction ends. */
  readonly lockKey: (id: string) => Promise<ApiKey | null>
  readonly insertKey: (key: ApiKey, hash: Uint8Array) => Promise<void>
  readonly renameKey: (id: string, name: string) => Promise<void>
  /** What the key has set up to go on without it stops with it: answers which webhooks. */
  readonly revokeKey: (id: string, at: Date) => Promise<readonly string[]>
  readonly countLiveKeys: (at: Date) => Promise<number>
  /** Of this business, and not removed. */
  readonly findKeyUser: (username: string) => Promise<KeyUser | null>
  readonly insertKeyUser: (user: KeyUser, at: Date) => Promise<void>
}
