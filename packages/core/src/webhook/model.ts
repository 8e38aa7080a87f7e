import type { JournalType } from "../journal/model.ts"
import type { Kind } from "../signature-request/model.ts"

/** Where the events go that one API user may read (choice 130). */
export type Webhook = {
  readonly id: string
  readonly businessId: string
  readonly kind: Kind
  readonly ownerId: string
  readonly owner: string
  readonly url: string
  /** Only these; all of them when there is none. */
  readonly types: readonly JournalType[]
  /** The newest first. Each signs what is sent; an older one ends (Standard Webhooks, "secret rotation"). */
  readonly secrets: readonly WebhookSecret[]
  /** The API key, or the login of a person, by which the newest secret was shown; null: it is not known. */
  readonly shownTo: string | null
  /** The same of who chose its address. */
  readonly madeBy: string | null
  /** When either was revoked: from then on nothing is sent, until there is another secret (choice 204). */
  readonly stoppedAt: Date | null
  readonly createdAt: Date
  readonly updatedAt: Date
}

export type WebhookSecret = {
  /** `whsec_` and Base64 of 32 random bytes. */
  readonly secret: string
  readonly validUntil: Date | null
}

/** Those that sign at that moment. */
export const validSecrets = (secrets: readonly WebhookSecret[], at: Date): readonly string[] =>
  secrets.flatMap(({ secret, validUntil }) => (validUntil === null || validUntil > at ? [secret] : []))

/** Which entries of the journal are sent again. */
export type WhichEvents =
  | { readonly type: "ids"; readonly ids: readonly string[] }
  | {
      readonly type: "between"
      readonly after: Date | null
      readonly before: Date | null
      readonly types: readonly JournalType[]
    }
