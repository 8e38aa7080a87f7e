import type { Due } from "@paraph/core/signature-request/pass-time"
import { sql } from "kysely"
import type { Database } from "./database.ts"

/** Requests of which a date has come, by indexed columns; a request that another worker is at is left to it. */

export const dueToExpire = (db: Database, now: Date, limit: number): Promise<readonly Due[]> =>
  due(db, sql`status = 'OPEN' and expires_at <= ${now} order by expires_at`, limit)

/** Those that passed meanwhile are no longer warned, they expire. */
export const dueToWarn = (
  db: Database,
  now: Date,
  warningMs: number,
  limit: number,
): Promise<readonly Due[]> => {
  const until = new Date(now.getTime() + warningMs)
  return due(
    db,
    sql`status = 'OPEN' and expiry_warned_at is null and expires_at > ${now} and expires_at <= ${until}
        order by expires_at`,
    limit,
  )
}

export const dueToRetire = (db: Database, now: Date, limit: number): Promise<readonly Due[]> =>
  due(db, sql`auto_delete_at <= ${now} order by auto_delete_at`, limit)

async function due(
  db: Database,
  which: ReturnType<typeof sql<unknown>>,
  limit: number,
): Promise<readonly Due[]> {
  const { rows } = await sql<Due>`
    select business_id as "businessId", id as "requestId" from signature_request
     where ${which} limit ${limit} for update skip locked`.execute(db)
  return rows
}

/** Sessions that have ended; nobody can use them any more. */
export async function removeOldSessions(db: Database, before: Date, limit: number): Promise<number> {
  const { rows } = await sql`
    delete from signer_session where id_hash in
      (select id_hash from signer_session where created_at < ${before} limit ${limit}) returning id_hash`.execute(
    db,
  )
  return rows.length
}
