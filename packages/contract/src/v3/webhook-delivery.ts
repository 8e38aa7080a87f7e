import { JOURNAL_TYPES } from "@paraph/core/journal/model"
import type { DeliveryPage, ListDeliveries, WebhookDelivery as Model } from "@paraph/core/webhook/deliveries"
import { Type } from "typebox"
import { closed, DateTime, Uuid } from "../shared/fields.ts"
import * as list from "../shared/list.ts"

const State = Type.Enum(["OPEN", "COMPLETED", "RESIGNED"], {
  description: "OPEN: still owed. RESIGNED: given up after 72 hours.",
})

/** What was and is owed to a webhook, and what came of it. */
export const WebhookDelivery = Type.Object({
  id: Uuid,
  event_id: Type.String({
    format: "uuid",
    description: "The webhook-id that the receiver sees; it stays over all attempts.",
  }),
  type: Type.Enum([...JOURNAL_TYPES]),
  signature_request_id: Type.Optional(Uuid),
  state: State,
  attempts: Type.Integer(),
  messages: Type.Array(Type.String(), { description: "What came back, for the last 20 attempts." }),
  next_attempt_at: Type.Optional(DateTime),
  created_at: DateTime,
  updated_at: DateTime,
})
export type WebhookDelivery = Type.Static<typeof WebhookDelivery>

export const WebhookDeliveryParams = Type.Object({ id: Uuid, delivery_id: Uuid })
export type WebhookDeliveryParams = Type.Static<typeof WebhookDeliveryParams>

const { page_number, page_size, cursor } = list.listMembers
export const WebhookDeliveryQuery = Type.Object(
  { page_number, page_size, cursor, state: Type.Optional(State) },
  closed,
)
export type WebhookDeliveryQuery = Type.Static<typeof WebhookDeliveryQuery>

export function readDeliveryList({ state, ...paging }: WebhookDeliveryQuery): ListDeliveries {
  const { pageSize, from } = list.readPaging(paging)
  return { pageSize, from, state: state ?? null }
}

export function writeDeliveryLinks(
  address: string,
  { pageSize, state }: ListDeliveries,
  page: DeliveryPage,
): string | null {
  const filters: Readonly<Record<string, string>> = state === null ? {} : { state }
  return list.linksBeside(address, { pageSize, search: null, filters }, { ...page, entries: page.deliveries })
}

export const writeDelivery = (delivery: Model): WebhookDelivery => ({
  id: delivery.id,
  event_id: delivery.eventId,
  type: delivery.type,
  ...(delivery.requestId !== null && { signature_request_id: delivery.requestId }),
  state: delivery.state,
  attempts: delivery.attempts,
  messages: [...delivery.messages],
  ...(delivery.nextAttemptAt !== null && { next_attempt_at: delivery.nextAttemptAt.toISOString() }),
  created_at: delivery.createdAt.toISOString(),
  updated_at: delivery.updatedAt.toISOString(),
})
