import type { CallbackType, Kind } from "../signature-request/model.ts"

/** Decisions, "callbacks read". */
export type DeliveryState = "OPEN" | "COMPLETED" | "RESIGNED"

/** A callback that was owed: what was called, how often, and what came back (EVT-07). */
export type Callback = {
  readonly id: string
  readonly requestId: string
  readonly type: CallbackType
  readonly state: DeliveryState
  readonly url: string
  readonly attempts: number
  /** What came back, one sentence for each of the last attempts. */
  readonly messages: readonly string[]
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** A callback that is owed from now on; it is told to those who may read its request when it is given up. */
export type NewCallback = {
  readonly id: string
  readonly businessId: string
  readonly kind: Kind
  readonly readers: readonly string[]
  readonly requestId: string
  readonly type: CallbackType
  /** Callbacks of one request with the same template are called one after the other. */
  readonly template: string
  readonly url: string
  readonly at: Date
}

/** One that a worker holds for a while, to call it. */
export type Claimed = {
  readonly id: string
  /** Whose it is until its lease ends: what somebody else has claimed since then is theirs. */
  readonly claim: string
  readonly businessId: string
  readonly kind: Kind
  /** The request or the document that it tells of. */
  readonly subjectId: string
  readonly retry: boolean
  readonly attempts: number
  readonly giveUpAt: Date
} & (
  | { readonly to: "callback"; readonly url: string }
  | { readonly to: "webhook"; readonly webhookId: string; readonly eventId: string }
)

/** What came of one attempt. */
export type Attempted = {
  readonly message: string
  readonly at: Date
  readonly next:
    | { readonly state: "COMPLETED" | "RESIGNED" }
    | { readonly state: "OPEN"; readonly dueAt: Date }
}
