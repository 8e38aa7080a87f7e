import { sql } from "kysely"
import type { ServiceDatabase } from "./database.ts"

/**
 * What is over and has been kept for long enough, in bounded batches and by indexed columns. Each answers how many rows it
 * looked at: as many as were asked for means that there may be more. Whatever somebody is at just now is left for the next time.
 */

/** Calls that were made or given up. */
export async function removeOldDeliveries(db: ServiceDatabase, before: Date, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from delivery where id = any (array
      (select id from delivery where state <> 'OPEN' and updated_at < ${before}
        order by updated_at limit ${limit} for update skip locked))`.execute(db)
  return Number(numAffectedRows ?? 0)
}

/** Entries of the journal, with what became of their calls; one that is still owed to a webhook stays until it is not. */
export async function removeOldEvents(db: ServiceDatabase, before: Date, limit: number): Promise<number> {
  const { rows } = await sql`
    with old as materialized (
      select id from event e
       where created_at < ${before}
         and not exists (select from delivery d where d.event_id = e.id and d.state = 'OPEN')
       order by created_at limit ${limit} for update skip locked),
    calls as (delete from delivery where event_id in (select id from old))
    delete from event where id in (select id from old) returning id`.execute(db)
  return rows.length
}

/** How long after it was made, and after each look, a link is looked at. */
export const LOOK_EVERY_MS = 30 * 86_400_000

/**
 * Links that open nothing any more: their signature, or the request, ended before that day. Those that still work are looked
 * at again a month later, so that old ones do not stand before the others.
 */
export async function removeOldLinks(
  db: ServiceDatabase,
  now: Date,
  before: Date,
  limit: number,
): Promise<number> {
  const again = new Date(now.getTime() + LOOK_EVERY_MS)
  const { rows } = await sql<{ looked: number }>`
    with looked as materialized (
      select token_hash from signing_link where look_at <= ${now}
       order by look_at limit ${limit} for update skip locked),
    gone as (
      delete from signing_link l using signature s, signature_request r
       where l.token_hash in (select token_hash from looked) and s.id = l.signature_id and r.id = s.request_id
         and r.updated_at < ${before} and (s.state <> 'open' or r.status <> 'OPEN')
      returning l.token_hash),
    kept as (
      update signing_link set look_at = ${again}
       where token_hash in (select token_hash from looked except select token_hash from gone))
    select count(*)::integer as looked from looked`.execute(db)
  return rows[0]?.looked ?? 0
}
