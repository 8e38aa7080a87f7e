import { LIMITS } from "@paraph/core/limits"
import { sql } from "kysely"
import { countJobs } from "../jobs/troubled.ts"
import type { ServiceDatabase } from "./database.ts"
import { listCertificates } from "./service-certificates.ts"

const DAY_MS = 24 * 3_600_000

/** What those who run the service see first: numbers and versions, and nothing of anybody's. */
export async function readOverview(db: ServiceDatabase, now: Date) {
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
