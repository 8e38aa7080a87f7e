import { randomUUID } from "node:crypto"
import { comparableName } from "@paraph/core/access/user-name"
import type { JournalEntry, JournalEvent } from "@paraph/core/journal/model"
import { LIMITS } from "@paraph/core/limits"
import type { Kind } from "@paraph/core/signature-request/model"
import type { Webhook, WhichEvents } from "@paraph/core/webhook/model"
import { sql } from "kysely"
import type { ServiceDatabase, Trx } from "./database.ts"
import { insertWebhookCalls, type NewWebhookCall } from "./deliveries.ts"
import { toEvent } from "./journal-rows.ts"
import { named } from "./named.ts"
import { fromRow, type SecretsSealer, webhookRows } from "./webhooks.ts"

type Appended = JournalEntry & { readonly id: string }

/** Nobody reads for an owner who is gone. */
type Listening = Pick<Webhook, "id" | "kind" | "url" | "owner"> & { readonly types: readonly string[] }

/** Whose webhook it is may read the entry, and wants its type (choice 130). */
export async function oweToWebhooks(
  trx: Trx,
  businessId: string,
  events: readonly Appended[],
): Promise<void> {
  const kinds = [...new Set(events.map(({ kind }) => kind))]
  // Held, so that one which is just being removed is either removed before, or with what is owed to it.
  const { rows: webhooks } = await named(
    "webhooks-that-listen",
    sql<Listening>`
      select w.id, w.kind, w.url, w.types, u.username as owner from webhook w join api_user u on u.id = w.owner_id
       where w.business_id = ${businessId} and w.kind = any (${kinds}) and w.stopped_at is null
         and u.removed_at is null
         for key share of w`,
  ).execute(trx)
  const wanted = (event: Appended, webhook: Listening) =>
    webhook.kind === event.kind &&
    event.readers.includes(comparableName(webhook.owner)) &&
    (webhook.types.length === 0 || webhook.types.includes(event.type))
  const calls = events.flatMap((event) =>
    webhooks
      .filter((webhook) => wanted(event, webhook))
      .map((webhook) => callOf({ businessId, kind: event.kind, webhook, event, at: event.at })),
  )
  await insertWebhookCalls(trx, calls)
}

type Owed = {
  readonly businessId: string
  readonly kind: Kind
  readonly webhook: { readonly id: string; readonly url: string }
  readonly event: {
    readonly id: string
    readonly requestId: string | null
    readonly documentId: string | null
  }
  readonly at: Date
}

/** In order per webhook and request, or document: what others do to other requests holds up nothing. */
const callOf = ({ businessId, kind, webhook, event, at }: Owed): NewWebhookCall => ({
  id: randomUUID(),
  businessId,
  kind,
  subjectId: event.requestId ?? event.documentId ?? event.id,
  webhookId: webhook.id,
  url: webhook.url,
  eventId: event.id,
  at,
})

/** Entries of the journal that its owner may read, once more and in their order; answers how many. */
export async function replayEvents(
  trx: Trx,
  webhook: Webhook,
  which: WhichEvents,
  at: Date,
): Promise<number> {
  let wanted = trx
    .selectFrom("event")
    .selectAll()
    .where("business_id", "=", webhook.businessId)
    .where("kind", "=", webhook.kind)
    .where((e) => e(e.val(comparableName(webhook.owner)), "=", e.fn.any("readers")))
  if (which.type === "ids") wanted = wanted.where("id", "in", which.ids)
  else {
    if (which.after !== null) wanted = wanted.where("created_at", ">=", which.after)
    if (which.before !== null) wanted = wanted.where("created_at", "<", which.before)
    if (which.types.length > 0) wanted = wanted.where("type", "in", which.types)
  }
  // Held: the sweep may be about to remove the oldest of them.
  const oldestFirst = wanted.orderBy("transaction").orderBy("number").forKeyShare()
  const rows = await oldestFirst.limit(LIMITS.replayedEvents).execute()
  const { businessId, kind } = webhook
  await insertWebhookCalls(
    trx,
    rows.map((row) => callOf({ businessId, kind, webhook, event: toEvent(row), at })),
  )
  return rows.length
}

export type WebhookCall = { readonly webhook: Webhook; readonly event: JournalEvent }

/** What one delivery sends, and where; null when the webhook is gone, or stopped. */
export async function findWebhookCall(
  db: ServiceDatabase,
  sealer: SecretsSealer,
  ids: { readonly businessId: string; readonly webhookId: string; readonly eventId: string },
): Promise<WebhookCall | null> {
  const row = await webhookRows(db, ids.businessId)
    .where("webhook.id", "=", ids.webhookId)
    .where("webhook.stopped_at", "is", null)
    .executeTakeFirst()
  const event = await db.selectFrom("event").selectAll().where("id", "=", ids.eventId).executeTakeFirst()
  if (row === undefined || event === undefined) return null
  return { webhook: await fromRow(db, sealer, row), event: toEvent(event) }
}
