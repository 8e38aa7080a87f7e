import type { Document } from "@paraph/core/document/model"
import type { Evidence } from "@paraph/core/evidence/model"
import type { QueuedJob } from "@paraph/core/jobs"
import type { JournalEntry } from "@paraph/core/journal/model"
import type { Intent } from "@paraph/core/signature-request/intent"
import type { SignatureRequest } from "@paraph/core/signature-request/model"

export type Table<T> = Map<string, T>

export type JobRow = {
  readonly id: string
  readonly job: QueuedJob
  readonly state: "created" | "retry" | "active" | "completed"
  readonly startAfter: number
  readonly retryCount: number
  readonly createdAt: number
  readonly startedAt: number
  readonly heartbeatAt: number
  readonly endedAt: number
}

export type DeliveryRow = {
  readonly id: string
  readonly businessId: string
  readonly subjectId: string
  /** What is called one after the other: a request and a URL, or a webhook and what it is told of. */
  readonly line: string
  readonly place: number
  readonly url: string
  readonly type: string
  readonly eventId: string | null
  readonly state: "OPEN" | "COMPLETED" | "RESIGNED"
  readonly retry: boolean
  /** Infinity: another of its line is before it. */
  readonly dueAt: number
  readonly claim: string | null
  readonly attempts: number
  readonly giveUpAt: number
  readonly createdAt: number
  readonly endedAt: number
}

export type KeyRow = {
  readonly claim: string
  readonly leaseUntil: number
  readonly expiresAt: number
  readonly committed: boolean
  /** The request that the work made or changed. */
  readonly result: string | null
  readonly answer: { readonly status: "ok" | "refused"; readonly value: unknown } | null
}

export type EvidenceRow = Evidence & { readonly requestId: string }
export type JournalRow = JournalEntry & { readonly id: string }

/** What the simulated database holds; as much of the schema as what is simulated touches. */
export type State = {
  readonly requests: Table<SignatureRequest>
  readonly documents: Table<Document>
  readonly intents: Table<Intent>
  readonly links: Table<{ readonly signatureId: string }>
  readonly jobs: Table<JobRow>
  readonly deliveries: Table<DeliveryRow>
  readonly journal: Table<JournalRow>
  readonly evidence: Table<EvidenceRow>
  readonly loose: Table<{ readonly dueAt: number; readonly claimed: boolean }>
  readonly keys: Table<KeyRow>
}

export const newState = (): State => ({
  requests: new Map(),
  documents: new Map(),
  intents: new Map(),
  links: new Map(),
  jobs: new Map(),
  deliveries: new Map(),
  journal: new Map(),
  evidence: new Map(),
  loose: new Map(),
  keys: new Map(),
})

/** Of requests, one after the other as they were committed: what the checker reads as the story of the database. */
export type Change = {
  readonly at: number
  readonly before: SignatureRequest | null
  readonly after: SignatureRequest | null
}
