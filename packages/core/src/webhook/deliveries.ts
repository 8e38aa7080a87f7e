import type { Caller } from "../access/caller.ts"
import type { DeliveryState } from "../delivery/model.ts"
import type { ListDocuments } from "../document/model.ts"
import type { JournalType } from "../journal/model.ts"
import type { Clock, Read, Transact } from "../ports.ts"
import { Refusal } from "../refusal.ts"
import { mustBeOwn } from "./own.ts"

/** One event that is owed to a webhook, or was: how often it was sent, and what came back. */
export type WebhookDelivery = {
  readonly id: string
  readonly eventId: string
  readonly type: JournalType
  readonly requestId: string | null
  readonly state: DeliveryState
  readonly attempts: number
  /** What came back, one sentence for each of the last attempts. */
  readonly messages: readonly string[]
  /** Null when it is over, under way just now, or behind another of its line. */
  readonly nextAttemptAt: Date | null
  readonly createdAt: Date
  readonly updatedAt: Date
}

export type ListDeliveries = Omit<ListDocuments, "search"> & { readonly state: DeliveryState | null }

export type DeliveryPage = {
  /** Newest first. */
  readonly deliveries: readonly WebhookDelivery[]
  readonly hasNext: boolean
  readonly hasPrevious: boolean
}

export function listDeliveries(
  parts: { readonly read: Read },
  caller: Caller,
  webhookId: string,
  asked: ListDeliveries,
): Promise<DeliveryPage> {
  return parts.read(caller.businessId, async (reading) => {
    const { id } = mustBeOwn(caller, await reading.findWebhook(webhookId))
    return reading.listDeliveries(id, asked)
  })
}

/** Owed once more, whatever became of it; the receiver knows it by the id of the event, which stays. */
export function replayDelivery(
  parts: { readonly transact: Transact; readonly now: Clock },
  caller: Caller,
  webhookId: string,
  deliveryId: string,
): Promise<WebhookDelivery> {
  return parts.transact(caller.businessId, async (tx) => {
    const webhook = mustBeOwn(caller, await tx.lockWebhook(webhookId))
    if (webhook.stoppedAt !== null)
      throw new Refusal("constraint-violated", "The webhook is stopped. Give it a new secret first.")
    const delivery = await tx.replayDelivery(webhook.id, deliveryId, parts.now())
    if (delivery === null) throw new Refusal("not-found", "The webhook has no such delivery.")
    return delivery
  })
}
