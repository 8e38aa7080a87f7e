import { sql } from "kysely"
import type { Database } from "./database.ts"

export type Replication = {
  /** Whom the primary waits for before it confirms, in PostgreSQL's own words; empty: nobody. */
  readonly waitsFor: string
  /** `synchronous_commit`, as this role has it. */
  readonly confirms: string
  readonly followers: number
}

export async function replicationOf(db: Database): Promise<Replication> {
  const { rows } = await sql<Replication>`
    select current_setting('synchronous_standby_names') as "waitsFor", current_setting('synchronous_commit') as confirms,
           (select count(*)::int from pg_stat_replication) as followers`.execute(db)
  return rows[0] ?? { waitsFor: "", confirms: "on", followers: 0 }
}

export type Waiting = { readonly what: string; readonly ready: number; readonly seconds: number }

/** What is ready and nobody does, the oldest first. Jobs go by the database's clock, callbacks by the service's. */
export async function waitingWork(db: Database, now: Date): Promise<readonly Waiting[]> {
  const { rows } = await sql<Waiting>`
    select name as what, count(*)::int as ready, extract(epoch from now() - min(start_after))::int as seconds
      from jobs.job where state in ('created', 'retry') and not blocked and start_after <= now() group by name
    union all
    select 'callbacks', count(*)::int, extract(epoch from ${now}::timestamptz - min(due_at))::int
      from delivery where state = 'OPEN' and due_at <= ${now} having count(*) > 0
    order by seconds desc`.execute(db)
  return rows
}

/** Whether PostgreSQL holds this role to the rows of the business that a transaction names (ADR 0062): the owner of the schema is free. */
export async function areRowsHeld(db: Database): Promise<boolean> {
  const { rows } = await sql<{
    held: boolean
  }>`select row_security_active('signature_request') as held`.execute(db)
  return rows[0]?.held ?? false
}

/** As it goes on, not as the transaction began. */
export async function databaseTime(db: Database): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(db)
  return rows[0]?.now ?? new Date(0)
}
