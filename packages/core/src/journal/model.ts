import type { Kind, Status } from "../signature-request/model.ts"

/** Decisions, "webhooks": what the journal tells of, and webhooks carry. */
export const JOURNAL_TYPES = [
  "signature_request.created",
  "signature_request.initiated",
  "signature_request.updated",
  "signature_request.signed",
  "signature_request.declined",
  "signature_request.error",
  "signature_request.expired",
  "signature_request.withdrawn",
  "signature_request.deleted",
  "signature.invited",
  "signature.opened",
  "signature.reminded",
  "signature.signed",
  "signature.declined",
  "document.created",
  "document.deleted",
  "document.renewed",
  "identification.started",
  "identification.pending_review",
  "identification.accepted",
  "identification.rejected",
  "callback.gave_up",
] as const
export type JournalType = (typeof JOURNAL_TYPES)[number]

/** One thing that happened, appended in the transaction in which it happened. It holds ids and a status, no names. */
export type JournalEntry = {
  readonly type: JournalType
  readonly at: Date
  readonly kind: Kind
  /** The API users who could read the request or the document at that moment, by their names (choice 127). */
  readonly readers: readonly string[]
  readonly requestId: string | null
  readonly signatureId: string | null
  readonly documentId: string | null
  readonly callbackId: string | null
  readonly status: Status | null
}

/** As it is told: readers are nobody's business but ours. */
export type JournalEvent = Omit<JournalEntry, "readers" | "kind" | "at"> & {
  readonly id: string
  readonly createdAt: Date
}

/**
 * A place in the journal: the transaction that appended an entry, and its number. Transactions that began earlier are
 * over when an entry is first told, so nothing is ever put before a place that somebody has read up to.
 */
export type JournalPlace = { readonly transaction: bigint; readonly number: number }

export type JournalPage = {
  readonly events: readonly JournalEvent[]
  /** Where to go on; null while the journal has told nothing at all. */
  readonly next: JournalPlace | null
  readonly hasMore: boolean
}
