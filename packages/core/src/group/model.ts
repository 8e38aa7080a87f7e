import type { Language } from "../language.ts"
import type { Kind } from "../signature-request/model.ts"

/** Decisions, "v3 groups": people of whom each signs, or who observe together. Of a business, and of a kind of keys. */
export type Group = {
  readonly id: string
  readonly businessId: string
  readonly kind: Kind
  /** The API user who made it. */
  readonly ownerId: string
  readonly owner: string
  readonly name: string
  readonly members: readonly GroupMember[]
  /** Another one with each change. */
  readonly versionId: string
  readonly createdAt: Date
  readonly updatedAt: Date
}

export type GroupMember = {
  /** Once in a group, also in other letters: nobody signs twice for the same group. */
  readonly email: string
  readonly firstName: string | null
  readonly lastName: string | null
  readonly language: Language | null
}

export type GroupPage = {
  /** Newest first. */
  readonly groups: readonly Group[]
  readonly hasNext: boolean
  readonly hasPrevious: boolean
}
