import type { Caller } from "../access/caller.ts"
import type { DeliveryPage, ListDeliveries, WebhookDelivery } from "./deliveries.ts"
import type { Webhook, WhichEvents } from "./model.ts"

export type WebhooksReading = {
  readonly findWebhook: (id: string) => Promise<Webhook | null>
  /** The caller's own. */
  readonly listWebhooks: (caller: Caller) => Promise<readonly Webhook[]>
  /** Of one webhook, the newest first. */
  readonly listDeliveries: (webhookId: string, asked: ListDeliveries) => Promise<DeliveryPage>
}

export type WebhooksTx = {
  /** Of the caller's business and kind; two that are made at once are counted one after the other. */
  readonly countWebhooks: (caller: Caller) => Promise<number>
  readonly insertWebhook: (webhook: Webhook) => Promise<void>
  /** Reads the webhook and holds it until the transaction ends; null when there is none. */
  readonly lockWebhook: (id: string) => Promise<Webhook | null>
  readonly saveWebhookSecrets: (webhook: Webhook) => Promise<void>
  /** What was still owed to it goes with it. */
  readonly removeWebhook: (webhook: Webhook) => Promise<void>
  /** Entries that the webhook's owner may read are owed to it once more; answers how many. */
  readonly replayEvents: (webhook: Webhook, which: WhichEvents, at: Date) => Promise<number>
  /** Owed once more; null when the webhook has no such delivery. */
  readonly replayDelivery: (webhookId: string, id: string, at: Date) => Promise<WebhookDelivery | null>
}
