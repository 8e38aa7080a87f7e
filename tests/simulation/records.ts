import type { Document } from "@paraph/core/document/model"
import type { Change } from "./store/tables.ts"

/** A document as it was committed, with the bytes of its object then; undefined: there was none. */
export type Version = { readonly document: Document; readonly text: string | undefined }

/** A callback or an event that reached its receiver, heard or not by whoever sent it. */
export type Receipt = {
  readonly at: number
  readonly deliveryId: string
  readonly isCommitted: boolean
}

/** A mail that the mail server took. */
export type Mailed = {
  readonly at: number
  readonly messageId: string
  readonly requestId: string
  readonly to: string
  /** Null: it asks nobody to sign. "unknown": its link is on no record. */
  readonly signatureId: string | null
  /** Whether the request was ever committed before the mail went. */
  readonly isCommitted: boolean
}

/** What an integrator did by one idempotency key, and what came back. */
export type Asked = {
  readonly key: string
  readonly what: string
  /** Ids of what was acknowledged. */
  readonly acknowledged: string[]
}

/** What happened outside of the service, and the changes of requests as they were committed: what the checker reads. */
export type Records = {
  readonly changes: Change[]
  /** Which key made which request, as it was committed. */
  readonly made: { readonly key: string | null; readonly requestId: string }[]
  readonly receipts: Receipt[]
  readonly mails: Mailed[]
  readonly asked: Asked[]
  /** Mails that the mail server refused for good, by their ids. */
  readonly refused: Set<string>
  /** Certificates that were revoked. */
  readonly revoked: Set<string>
  /** Calls that were over and were written down once more. */
  readonly rewritten: string[]
  /** Every version of a document, by its id. */
  readonly versions: Map<string, Version>
  /** Signatures of people who were told that their press on "sign" was taken. */
  readonly agreed: Set<string>
  /** Of the key: what was signed, and for which mark. */
  readonly keyUses: { readonly at: number; readonly signedAttributes: string }[]
  /** Objects of the bucket. */
  readonly objects: Map<string, string>
  /** Of every link that was ever on record, by its hash: the signature. */
  readonly links: Map<string, string>
  readonly faults: { crashes: number; pauses: number; deadlocks: number }
}

export const newRecords = (): Records => ({
  changes: [],
  made: [],
  receipts: [],
  mails: [],
  asked: [],
  refused: new Set(),
  revoked: new Set(),
  rewritten: [],
  versions: new Map(),
  agreed: new Set(),
  keyUses: [],
  objects: new Map(),
  links: new Map(),
  faults: { crashes: 0, pauses: 0, deadlocks: 0 },
})
