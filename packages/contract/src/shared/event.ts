import {
  JOURNAL_TYPES,
  type JournalEvent,
  type JournalPage,
  type JournalPlace,
} from "@paraph/core/journal/model"
import type { ReadEvents } from "@paraph/core/journal/read"
import type { ReplayEvents } from "@paraph/core/journal/replay"
import { LIMITS } from "@paraph/core/limits"
import { Refusal } from "@paraph/core/refusal"
import { Type } from "typebox"
import { DateTime, Uuid } from "./fields.ts"

/** Decisions, "webhooks": the journal, and what a webhook is sent; the same in every version that has them. */
export const EventType = Type.Enum([...JOURNAL_TYPES])

export const EventData = Type.Object({
  signature_request_id: Type.Optional(Uuid),
  signature_id: Type.Optional(Uuid),
  document_id: Type.Optional(Uuid),
  callback_id: Type.Optional(Uuid),
  status_overall: Type.Optional(Type.String()),
})

export const Event = Type.Object({ id: Uuid, type: EventType, created_at: DateTime, data: EventData })
export type Event = Type.Static<typeof Event>

export const EventPage = Type.Object({
  events: Type.Array(Event, { description: "The oldest first." }),
  next: Type.Union([Type.String(), Type.Null()], {
    description: "Where to go on, as `after`; null while the journal is empty.",
  }),
  has_more: Type.Boolean({ description: "Whether it is worth asking again at once." }),
})
export type EventPage = Type.Static<typeof EventPage>

export const EventQuery = Type.Object({
  after: Type.Optional(
    Type.String({
      maxLength: 128,
      description: "`next` of an earlier answer; opaque. Absent: from the beginning.",
    }),
  ),
  page_size: Type.Optional(
    Type.String({
      pattern: "^(?:[1-9][0-9]?|[1-4][0-9]{2}|500)$",
      description: "1 to 500; 50 unless given.",
    }),
  ),
})
export type EventQuery = Type.Static<typeof EventQuery>

const replayMembers = {
  webhook_id: Uuid,
  ids: Type.Optional(Type.Array(Uuid, { minItems: 1, maxItems: LIMITS.replayedEvents })),
  after: Type.Optional(DateTime),
  before: Type.Optional(DateTime),
  types: Type.Optional(Type.Array(EventType, { maxItems: JOURNAL_TYPES.length })),
}
export const ReplayBody = Type.Object(replayMembers)
export const ClosedReplayBody = Type.Object(replayMembers, { additionalProperties: false })
export type ReplayBody = Type.Static<typeof ReplayBody>

export const Replayed = Type.Object({
  replayed: Type.Integer({ description: `Events that are sent again; at most ${LIMITS.replayedEvents}.` }),
})

export const writeEvent = (event: JournalEvent): Event => ({
  id: event.id,
  type: event.type,
  created_at: event.createdAt.toISOString(),
  data: {
    ...(event.requestId !== null && { signature_request_id: event.requestId }),
    ...(event.signatureId !== null && { signature_id: event.signatureId }),
    ...(event.documentId !== null && { document_id: event.documentId }),
    ...(event.callbackId !== null && { callback_id: event.callbackId }),
    ...(event.status !== null && { status_overall: event.status }),
  },
})

export const writeEventPage = ({ events, next, hasMore }: JournalPage): EventPage => ({
  events: events.map(writeEvent),
  next: next === null ? null : writePlace(next),
  has_more: hasMore,
})

export const readEventQuery = ({ after, page_size }: EventQuery): ReadEvents => ({
  after: after === undefined ? null : readPlace(after),
  pageSize: page_size === undefined ? 50 : Number(page_size),
})

export function readReplay({
  webhook_id: webhookId,
  ids,
  after,
  before,
  types = [],
}: ReplayBody): ReplayEvents {
  if (ids === undefined)
    return {
      webhookId,
      which: { type: "between", after: readTime(after), before: readTime(before), types },
    }
  if (after !== undefined || before !== undefined || types.length > 0)
    throw new Refusal("constraint-violated", "Give ids, or after, before and types.")
  return { webhookId, which: { type: "ids", ids } }
}

const readTime = (text: string | undefined): Date | null => {
  const time = text === undefined ? null : new Date(text)
  // A leap second has the form of a time and is none here.
  if (time !== null && Number.isNaN(time.getTime()))
    throw new Refusal("constraint-violated", "after and before are points in time.")
  return time
}

/** A place is ours to write and to read; nobody else should rely on what is in it. */
const writePlace = ({ transaction, number }: JournalPlace): string =>
  Buffer.from(`${transaction} ${number}`).toString("base64url")

function readPlace(text: string): JournalPlace {
  const [, transaction, number] =
    /^(\d{1,19}) (\d{1,15})$/.exec(Buffer.from(text, "base64url").toString()) ?? []
  if (transaction === undefined || number === undefined)
    throw new Refusal("constraint-violated", "after is no place that this journal has told.")
  return { transaction: BigInt(transaction), number: Number(number) }
}
