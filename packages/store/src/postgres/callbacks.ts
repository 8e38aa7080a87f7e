import type { Callback } from "@paraph/core/delivery/model"
import { LIMITS } from "@paraph/core/limits"
import { type Selectable, sql } from "kysely"
import type { Trx } from "./database.ts"
import { lockLines } from "./deliveries.ts"
import type { Tables } from "./tables.ts"

/** In the order in which they were owed. */
export async function callbacksOf(
  trx: Trx,
  businessId: string,
  requestId: string,
): Promise<readonly Callback[]> {
  const rows = await callbackRows(trx, businessId, requestId)
    .orderBy("created_at")
    .orderBy("place")
    .limit(MOST_SHOWN)
    .execute()
  return rows.map(fromRow)
}

/** More than a request of 200 signers can come to owe. */
const MOST_SHOWN = 1000

/**
 * Owed once more, for another 72 hours, behind what is owed at the same URL already. One that is still being tried keeps
 * its place and is tried at once.
 */
export async function replayCallback(
  trx: Trx,
  businessId: string,
  requestId: string,
  id: string,
  at: Date,
): Promise<Callback | null> {
  await lockLines(trx, requestId)
  const row = await callbackRows(trx, businessId, requestId).where("id", "=", id).executeTakeFirst()
  if (row === undefined) return null
  if (row.state === "OPEN") await tryNow(trx, id, at)
  else await oweAgain(trx, row, at)
  return fromRow(
    await callbackRows(trx, businessId, requestId).where("id", "=", id).executeTakeFirstOrThrow(),
  )
}

/** One that waits for another, or that a worker has in hand, is left to them. */
export async function tryNow(trx: Trx, id: string, at: Date): Promise<void> {
  await sql`
    update delivery set due_at = ${at}, retry = false
     where id = ${id} and claim is null and due_at <> 'infinity' and due_at > ${at}`.execute(trx)
}

export async function oweAgain(trx: Trx, { id, line }: Pick<Row, "id" | "line">, at: Date): Promise<void> {
  const giveUpAt = new Date(at.getTime() + LIMITS.callbackRetryMs)
  await sql`
    update delivery set state = 'OPEN', retry = false, give_up_at = ${giveUpAt}, updated_at = ${at}, claim = null,
           place = nextval(pg_get_serial_sequence('delivery', 'place')),
           due_at = case when exists (select from delivery where line = ${line} and state = 'OPEN')
                         then 'infinity' else ${at}::timestamptz end
     where id = ${id}`.execute(trx)
}

type Row = Selectable<Tables["delivery"]>

const callbackRows = (trx: Trx, businessId: string, requestId: string) =>
  trx
    .selectFrom("delivery")
    .selectAll()
    .where("business_id", "=", businessId)
    .where("subject_id", "=", requestId)
    .where("webhook_id", "is", null)

function fromRow(row: Row): Callback {
  if (row.type === "webhook") throw new Error("A webhook's delivery is no callback.")
  return {
    id: row.id,
    requestId: row.subject_id,
    type: row.type,
    state: row.state,
    url: row.url,
    attempts: row.attempts,
    messages: row.messages,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}
