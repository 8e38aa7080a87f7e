import type { JournalType } from "@paraph/core/journal/model"
import type { DeliveryPage, ListDeliveries, WebhookDelivery } from "@paraph/core/webhook/deliveries"
import { sql } from "kysely"
import { oweAgain, tryNow } from "./callbacks.ts"
import type { Trx } from "./database.ts"
import { lockLines } from "./deliveries.ts"
import { pageOf, shownOf } from "./newest-first.ts"

/** What was and is owed to one webhook, the newest first. */
export async function listDeliveries(
  trx: Trx,
  businessId: string,
  webhookId: string,
  asked: ListDeliveries,
): Promise<DeliveryPage> {
  const { place, rest } = pageOf(asked, sql`d.created_at`, sql`d.id`)
  const ofState = asked.state === null ? sql`true` : sql`d.state = ${asked.state}`
  const { rows } = await sql<Row>`
    ${SELECT} where d.business_id = ${businessId} and d.webhook_id = ${webhookId} and ${ofState} and ${place}
    ${rest}`.execute(trx)
  const { entries, ...beside } = shownOf(asked, rows)
  return { deliveries: entries.map(fromRow), ...beside }
}

/** As a callback is: for another 72 hours, behind what is owed to the webhook of the same request already. */
export async function replayDelivery(
  trx: Trx,
  businessId: string,
  webhookId: string,
  id: string,
  at: Date,
): Promise<WebhookDelivery | null> {
  const found = await sql<{ subject_id: string }>`
    select subject_id from delivery
     where id = ${id} and webhook_id = ${webhookId} and business_id = ${businessId}`.execute(trx)
  const [of] = found.rows
  if (of === undefined) return null
  await lockLines(trx, of.subject_id)
  const held = await sql<{ id: string; line: Buffer; state: string }>`
    select id, line, state from delivery where id = ${id}`.execute(trx)
  const [row] = held.rows
  // The sweep may have been at it in between.
  if (row === undefined) return null
  if (row.state === "OPEN") await tryNow(trx, id, at)
  else await oweAgain(trx, row, at)
  const { rows } = await sql<Row>`${SELECT} where d.id = ${id}`.execute(trx)
  return rows[0] === undefined ? null : fromRow(rows[0])
}

const SELECT = sql`
  select d.id, d.event_id, e.type, e.request_id, d.state, d.attempts, d.messages, d.created_at, d.updated_at,
         case when d.state = 'OPEN' and d.claim is null and d.due_at <> 'infinity' then d.due_at end as next_attempt_at
    from delivery d join event e on e.id = d.event_id`

type Row = {
  id: string
  event_id: string
  type: string
  request_id: string | null
  state: WebhookDelivery["state"]
  attempts: number
  messages: string[]
  next_attempt_at: Date | null
  created_at: Date
  updated_at: Date
}

const fromRow = (row: Row): WebhookDelivery => ({
  id: row.id,
  eventId: row.event_id,
  type: row.type as JournalType,
  requestId: row.request_id,
  state: row.state,
  attempts: row.attempts,
  messages: row.messages,
  nextAttemptAt: row.next_attempt_at,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})
