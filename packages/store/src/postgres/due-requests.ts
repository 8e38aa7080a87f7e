import type { Due } from "@paraph/core/signature-request/pass-time"
import type { RenewalTask } from "@paraph/core/signature-request/renew"
import { sql } from "kysely"
import type { ServiceDatabase } from "./database.ts"

/** Requests of which a date has come, by indexed columns; a request that another worker is at is left to it. */

export const dueToExpire = (db: ServiceDatabase, now: Date, limit: number): Promise<readonly Due[]> =>
  due(db, sql`status = 'OPEN' and expires_at <= ${now} order by expires_at`, limit)

/** Those that passed meanwhile are no longer warned, they expire. */
export const dueToWarn = (
  db: ServiceDatabase,
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

/** One that is held is passed by, and found again when that ends. */
export const dueToRetire = (db: ServiceDatabase, now: Date, limit: number): Promise<readonly Due[]> =>
  due(
    db,
    sql`auto_delete_at <= ${now}
          and not exists (select from story where story.id = signature_request.id and held_since is not null)
        order by auto_delete_at`,
    limit,
  )

/**
 * Signed documents whose time-stamp is to be renewed. Whoever takes one puts its time off, so that one that cannot be renewed
 * just now is tried again later, and not over and over.
 */
export async function claimRenewals(
  db: ServiceDatabase,
  now: Date,
  { againAt, limit }: { readonly againAt: Date; readonly limit: number },
): Promise<readonly RenewalTask[]> {
  const { rows } = await sql<RenewalTask>`
    with due as materialized (
      select c.request_id, c.document_id from request_document c
        join signature_request s on s.id = c.request_id
       where c.renew_at <= ${now} and s.status = 'SIGNED'
       order by c.renew_at limit ${limit} for update of c skip locked)
    update request_document d set renew_at = ${againAt}
      from signature_request r
     where r.id = d.request_id and (d.request_id, d.document_id) in (select request_id, document_id from due)
    returning r.business_id as "businessId", d.request_id as "requestId", d.document_id as "documentId"`.execute(
    db,
  )
  return rows
}

async function due(
  db: ServiceDatabase,
  which: ReturnType<typeof sql<unknown>>,
  limit: number,
): Promise<readonly Due[]> {
  const { rows } = await sql<Due>`
    select business_id as "businessId", id as "requestId" from signature_request
     where ${which} limit ${limit} for update skip locked`.execute(db)
  return rows
}

/** Sessions that have ended; nobody can use them any more. */
export async function removeOldSessions(db: ServiceDatabase, before: Date, limit: number): Promise<number> {
  const { rows } = await sql`
    delete from signer_session where id_hash in
      (select id_hash from signer_session where created_at < ${before} limit ${limit}) returning id_hash`.execute(
    db,
  )
  return rows.length
}
