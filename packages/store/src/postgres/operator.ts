import type { Feature } from "@paraph/core/business/model"
import type { MailState } from "@paraph/core/captured-mail/model"
import { LIMITS } from "@paraph/core/limits"
import { sql } from "kysely"
import { countJobs, listTroubledJobs, retryJob } from "../jobs/troubled.ts"
import { appendAudit } from "./audit-log.ts"
import type { Database } from "./database.ts"

/** What those who run the service see: numbers, names of businesses, and when; no title and no content of anybody's. */

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

export async function readOverview(db: Database, now: Date) {
  const since = new Date(now.getTime() - DAY_MS)
  // One of before is not tried any more: what it was about is gone.
  const tried = new Date(now.getTime() - LIMITS.mailRetryMs)
  const { rows } = await sql<Counted>`
    select (select count(*)::integer from delivery where state = 'OPEN') as open,
           (select count(*)::integer from delivery where state = 'RESIGNED' and updated_at > ${since}) as resigned,
           (select count(*)::integer from mail_log where created_at > ${tried} and state = 'WAITING') as "mailsWaiting",
           (select count(*)::integer from mail_log where created_at > ${since} and state in ('FAILED', 'BOUNCED'))
             as "mailsFailed",
           (select greatest(0, reltuples)::float8 from pg_class where oid = 'document'::regclass) as documents,
           pg_database_size(current_database())::float8 as "databaseBytes",
           current_setting('server_version') as postgres,
           (select max(name) from migration) as schema`.execute(db)
  const [counted] = rows
  if (counted === undefined) throw new Error("The database counts nothing.")
  return { ...counted, queue: await countJobs(db), certificates: await listCertificates(db) }
}

type Counted = {
  readonly open: number
  readonly resigned: number
  readonly mailsWaiting: number
  readonly mailsFailed: number
  /** As the database itself estimates it. */
  readonly documents: number
  readonly databaseBytes: number
  readonly postgres: string
  readonly schema: string
}

export type ServiceCertificate = {
  readonly name: string
  readonly subject: string
  readonly notAfter: Date
}

/** The worker has the certificates; whoever answers an operator may be another process, on another machine. */
export async function noteCertificates(
  db: Database,
  certificates: readonly ServiceCertificate[],
  at: Date,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await trx.deleteFrom("service_certificate").execute()
    const rows = certificates.map(({ name, subject, notAfter }) => ({ name, subject, not_after: notAfter }))
    if (rows.length === 0) return
    await trx
      .insertInto("service_certificate")
      .values(rows.map((row) => ({ ...row, noted_at: at })))
      // Another worker, which starts at the same time, has noted the same.
      .onConflict((known) => known.column("name").doNothing())
      .execute()
  })
}

const listCertificates = (db: Database): Promise<readonly ServiceCertificate[]> =>
  db
    .selectFrom("service_certificate")
    .select(["name", "subject", "not_after as notAfter"])
    .orderBy("not_after")
    .execute()

export type BusinessSeen = {
  readonly id: string
  readonly name: string
  readonly createdAt: Date
  readonly features: readonly Feature[]
  readonly retentionDays: number | null
  readonly members: number
  /** That live. */
  readonly keys: number
  /** Sent within the last 30 days, of both kinds. */
  readonly requests30d: number
}

/** By name; those that the words are in, or the one whose id they are. */
export async function listBusinesses(
  db: Database,
  asked: { readonly search: string; readonly id: string | null; readonly limit: number; readonly now: Date },
): Promise<readonly BusinessSeen[]> {
  const { search, id, limit, now } = asked
  const pattern = `%${search.replace(/[\\%_]/g, "\\$&")}%`
  const which = id === null ? sql`b.name ilike ${pattern}` : sql`b.id = ${id}`
  const { rows } = await sql<BusinessSeen>`
    select b.id, b.name, b.created_at as "createdAt", b.retention_days as "retentionDays",
           array(select feature from business_feature where business_id = b.id order by feature) as features,
           (select count(*)::integer from membership where business_id = b.id) as members,
           (select count(*)::integer from api_key k join api_user u on u.id = k.api_user_id
             where k.business_id = b.id and k.revoked_at is null and k.expires_at > ${now} and u.removed_at is null) as keys,
           (select coalesce(sum(count), 0)::integer from usage_day
             where business_id = b.id and what = 'requests' and day > (${now}::timestamptz - interval '30 days')::date)
             as "requests30d"
      from business b where ${which} order by lower(b.name), b.id limit ${limit}`.execute(db)
  return rows
}

export async function isBusiness(db: Database, id: string): Promise<boolean> {
  const { rows } = await sql`select from business where id = ${id}`.execute(db)
  return rows.length > 0
}

/** That an operator looked is on the record of the business, once an hour at most. */
export async function noteLook(db: Database, businessId: string, email: string, at: Date): Promise<void> {
  const lately = await db
    .selectFrom("audit_log")
    .select("id")
    .where("business_id", "=", businessId)
    .where("act", "=", LOOK)
    .where("actor", "=", email)
    .where("at", ">", new Date(at.getTime() - HOUR_MS))
    .limit(1)
    .execute()
  if (lately.length > 0) return
  const by = { person: email, shellUser: null }
  await appendAudit(db, { at, by, act: LOOK, businessId, target: `business ${businessId}` })
}

const LOOK = "look-at-business"

export type MailSeen = {
  readonly id: string
  readonly at: Date
  readonly businessId: string | null
  readonly type: string
  readonly recipient: string
  readonly state: MailState
  readonly attempts: number
  readonly error: string | null
}

/** The newest first; older than the one that is named. */
export async function listMailLog(
  db: Database,
  asked: {
    readonly businessId: string | null
    readonly state: MailState | null
    readonly olderThan: string | null
    readonly limit: number
  },
): Promise<readonly MailSeen[]> {
  const { businessId, state, olderThan, limit } = asked
  const { rows } = await sql<MailSeen>`
    select id, created_at as at, business_id as "businessId", type, recipient, state, attempts, error
      from mail_log
     where ${businessId === null ? sql`true` : sql`business_id = ${businessId}`}
       and ${state === null ? sql`true` : sql`state = ${state}`}
       and ${olderThan === null ? sql`true` : sql`(created_at, id) < (select created_at, id from mail_log where id = ${olderThan})`}
     order by created_at desc, id desc limit ${limit}`.execute(db)
  return rows
}

export const listFailedJobs = (db: Database) => listTroubledJobs(db, 200)

/** On the record in the transaction of the act. */
export const retryFailedJob = (
  db: Database,
  id: string,
  by: { readonly email: string; readonly at: Date },
): Promise<boolean> =>
  db.transaction().execute(async (trx) => {
    const job = await retryJob(trx, id)
    if (job === null) return false
    const acting = { at: by.at, by: { person: by.email, shellUser: null } }
    const target = `job ${id}`
    await appendAudit(trx, {
      ...acting,
      act: "retry-job",
      businessId: job.businessId,
      target,
      after: { task: job.name },
    })
    return true
  })
