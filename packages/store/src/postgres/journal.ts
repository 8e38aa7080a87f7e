import { randomUUID } from "node:crypto"
import type { Caller } from "@paraph/core/access/caller"
import { comparableName } from "@paraph/core/access/user-name"
import type { JournalEntry, JournalPage, JournalPlace } from "@paraph/core/journal/model"
import { sql } from "kysely"
import type { Trx } from "./database.ts"
import { type EventRow, toEvent } from "./journal-rows.ts"
import { later } from "./later.ts"
import { usersAmong } from "./users-among.ts"
import { oweToWebhooks } from "./webhook-deliveries.ts"

/** Entries, and what is owed to the webhooks that want them, in the transaction of the change. */
export async function appendJournal(
  trx: Trx,
  businessId: string,
  entries: readonly JournalEntry[],
): Promise<void> {
  if (entries.length === 0) return
  const users = await usersAmong(trx, businessId, [...new Set(entries.flatMap((entry) => entry.readers))])
  const events = entries.map((entry) => ({
    ...entry,
    readers: entry.readers.filter((reader) => users.has(reader)),
    id: randomUUID(),
  }))
  const rows = events.map((e) => ({
    id: e.id,
    business_id: businessId,
    kind: e.kind,
    type: e.type,
    request_id: e.requestId,
    signature_id: e.signatureId,
    document_id: e.documentId,
    callback_id: e.callbackId,
    status: e.status,
    readers: [...e.readers],
    created_at: e.at,
  }))
  // Numbers are given in the order of the rows.
  await trx.insertInto("event").values(rows).modifyEnd(later).execute()
  await oweToWebhooks(trx, businessId, events)
}

/** A callback was tried for 72 hours in vain; told to those who could read its request when it was owed. */
export async function journalGivenUp(trx: Trx, callbackId: string, at: Date): Promise<void> {
  const row = await trx
    .selectFrom("delivery")
    .select(["business_id", "kind", "subject_id", "readers"])
    .where("id", "=", callbackId)
    .executeTakeFirstOrThrow()
  const { kind, readers, subject_id: requestId } = row
  const none = { signatureId: null, documentId: null, status: null }
  const entry = { type: "callback.gave_up", at, kind, readers, requestId, callbackId, ...none } as const
  await appendJournal(trx, row.business_id, [entry])
}

/** So many entries are looked at for one page, however few of them the caller may read. */
const LOOKED_AT = 1000

/**
 * The journal from a place on. Only what was appended by transactions older than any that is still under way is told:
 * so an entry that commits late is never before a place that has been told. A page may be empty and still lead on. What is told is the
 * same in each cell that the business has lived in (`journal_offset`).
 */
export async function eventsAfter(
  trx: Trx,
  caller: Caller,
  after: JournalPlace | null,
  pageSize: number,
): Promise<JournalPage> {
  const from = after ?? { transaction: 0n, number: 0 }
  const offset = sql`(select journal_offset from business where id = ${caller.businessId})`
  const { rows } = await sql<EventRow & { readable: boolean; transaction: string; number: number }>`
    select id, type, request_id, signature_id, document_id, callback_id, status, created_at,
           (event.transaction::text::bigint + ${offset})::text as transaction, number, ${comparableName(caller.username)} = any (readers) as readable
      from event
     where business_id = ${caller.businessId} and kind = ${caller.kind}
       and (transaction, number) > (greatest(0, ${String(from.transaction)}::bigint - ${offset})::text::xid8, ${from.number})
       and transaction < pg_snapshot_xmin(pg_current_snapshot())
     -- By the column of the table: a bare name would be the text above, and "998" come after "2607".
     order by event.transaction, event.number limit ${LOOKED_AT}`.execute(trx)
  const readable = rows.filter((row) => row.readable).slice(0, pageSize)
  const full = readable.length === pageSize
  const last = full ? readable.at(-1) : rows.at(-1)
  return {
    events: readable.map(toEvent),
    next: last === undefined ? after : { transaction: BigInt(last.transaction), number: last.number },
    hasMore: last !== rows.at(-1) || rows.length === LOOKED_AT,
  }
}
