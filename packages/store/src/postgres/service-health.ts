import { sql } from "kysely"
import type { ServiceDatabase } from "./database.ts"

export type Replication = {
  /** Whom the primary waits for before it confirms, in PostgreSQL's own words; empty: nobody. */
  readonly waitsFor: string
  /** `synchronous_commit`, as this role has it. */
  readonly confirms: string
  readonly followers: number
}

export async function replicationOf(db: ServiceDatabase): Promise<Replication> {
  const { rows } = await sql<Replication>`
    select current_setting('synchronous_standby_names') as "waitsFor", current_setting('synchronous_commit') as confirms,
           (select count(*)::int from pg_stat_replication) as followers`.execute(db)
  return rows[0] ?? { waitsFor: "", confirms: "on", followers: 0 }
}

export type Waiting = { readonly what: string; readonly ready: number; readonly seconds: number }

/** What is ready and nobody does, the oldest first. Jobs go by the database's clock, callbacks by the service's. */
export async function waitingWork(db: ServiceDatabase, now: Date): Promise<readonly Waiting[]> {
  const { rows } = await sql<Waiting>`
    select name as what, count(*)::int as ready, extract(epoch from now() - min(start_after))::int as seconds
      from jobs.job where state in ('created', 'retry') and not blocked and start_after <= now() group by name
    union all
    select 'callbacks', count(*)::int, extract(epoch from ${now}::timestamptz - min(due_at))::int
      from delivery where state = 'OPEN' and due_at <= ${now} having count(*) > 0
    order by seconds desc`.execute(db)
  return rows
}

/** Whether row-level security applies to this role (ADR 0091). It does not apply to superusers and to roles with BYPASSRLS. */
export async function areRowsHeld(db: ServiceDatabase): Promise<boolean> {
  const { rows } = await sql<{
    held: boolean
  }>`select row_security_active('signature_request') as held`.execute(db)
  return rows[0]?.held ?? false
}

/** As it goes on, not as the transaction began. */
export async function databaseTime(db: ServiceDatabase): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(db)
  return rows[0]?.now ?? new Date(0)
}
