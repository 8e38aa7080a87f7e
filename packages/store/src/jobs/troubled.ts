import { sql } from "kysely"
import { recording } from "../postgres/audit-log.ts"
import type { ServiceDatabase, Trx } from "../postgres/database.ts"
import { QUEUES, SCHEMA } from "./queues.ts"

const JOBS = sql.table(`${SCHEMA}.job`)

export type QueueCounts = {
  readonly name: string
  readonly waiting: number
  readonly active: number
  /** That failed at least once, and are tried again or given up. */
  readonly failed: number
  /** How long the oldest has waited that could run now. */
  readonly oldestSeconds: number
}

/** Each queue, also where nothing is in it. */
export async function countJobs(db: ServiceDatabase): Promise<readonly QueueCounts[]> {
  const { rows } = await sql<QueueCounts>`
    select name,
           (count(*) filter (where state in ('created', 'retry')))::integer as waiting,
           (count(*) filter (where state = 'active'))::integer as active,
           (count(*) filter (where state in ('retry', 'failed')))::integer as failed,
           coalesce(extract(epoch from now() - min(start_after) filter
             (where state in ('created', 'retry') and start_after <= now())), 0)::float8 as "oldestSeconds"
      from ${JOBS} where state < 'completed' or state = 'failed' group by name`.execute(db)
  const none = { waiting: 0, active: 0, failed: 0, oldestSeconds: 0 }
  return Object.keys(QUEUES).map((name) => rows.find((row) => row.name === name) ?? { name, ...none })
}

export type TroubledJob = {
  readonly id: string
  readonly name: string
  readonly state: "retry" | "failed"
  readonly attempts: number
  readonly businessId: string | null
  readonly createdAt: Date
  readonly nextAttemptAt: Date | null
  readonly error: string
}

/** Jobs that failed, the newest first: what they are and what went wrong, and nothing of what they carry but the business. */
export async function listTroubledJobs(db: ServiceDatabase, limit = 200): Promise<readonly TroubledJob[]> {
  const { rows } = await sql<TroubledJob>`
    select id, name, state, retry_count + (state = 'failed')::integer as attempts, data ->> 'businessId' as "businessId",
           created_on as "createdAt", case when state = 'retry' then start_after end as "nextAttemptAt",
           coalesce(output ->> 'message', '') as error
      from ${JOBS} where state in ('retry', 'failed') and name = any (${Object.keys(QUEUES)})
     order by created_on desc, id limit ${limit}`.execute(db)
  return rows.map((row) => ({ ...row, error: withoutPeople(row.error) }))
}

/** An error may repeat whom a mail was for, or an address that opens something. */
const withoutPeople = (text: string): string =>
  text
    .replace(/[^\s<>"'(]+@[^\s<>"')]+/g, "•••")
    .replace(/\bhttps?:\/\/\S+/g, "•••")
    .slice(0, 300)

/** On record in the transaction of the act; false where there is no such job, or it is under way. */
export const retryTroubledJob = (
  db: ServiceDatabase,
  id: string,
  by: { readonly email: string; readonly at: Date },
): Promise<boolean> =>
  db.transaction().execute(async (trx) => {
    const job = await retryJob(trx, id)
    if (job === null) return false
    await recording(
      trx,
      job.businessId,
    )({
      at: by.at,
      by: by.email,
      act: "retry-job",
      target: `job ${id}`,
      after: { task: job.name },
    })
    return true
  })

/** Tried at once; answers whose job it was, or null where there is no such job, or it is under way. */
async function retryJob(
  trx: Trx,
  id: string,
): Promise<{ readonly name: string; readonly businessId: string | null } | null> {
  const { rows } = await sql<{ name: string; businessId: string | null }>`
    update ${JOBS} set state = 'retry', start_after = now(), completed_on = null,
           retry_limit = retry_limit + (state = 'failed')::integer
     where id = ${id} and state in ('retry', 'failed') and name = any (${Object.keys(QUEUES)})
    returning name, data ->> 'businessId' as "businessId"`.execute(trx)
  return rows[0] ?? null
}
