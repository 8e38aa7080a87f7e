// npm run bench:growth -- --hours 2: the large database for hours, while everything goes on that time brings. Requests are made,
// their signers invited, warned and told that it is over, and the requests deleted, all within minutes; PostgreSQL vacuums
// as it likes, and once everything by order. What is told of each ten minutes shows whether anything falls behind.
import { startProcess } from "../../service/process.ts"
import { openLoop } from "../harness/open-loop.ts"
import { CALL_NAMES, type CallName, openCalls, told } from "./calls.ts"
import type { Filled } from "./kept-service.ts"

const TELL_SECONDS = 600
/** Two of three calls read; one makes a request. */
const A_SECOND: Readonly<Record<CallName, number>> = {
  create: 3,
  read: 6,
  "list, first page": 1,
  "list, 10,000th page": 1,
}
const EXPIRES_AFTER = "3 minutes"
const DELETED_AFTER = "6 minutes"

/** What waits, and for how long; what was done in the last ten minutes; what it takes. All by indexes, or by what PostgreSQL counts. */
const COUNTS = {
  "late to expire, s": `select coalesce(extract(epoch from now() - min(expires_at)), 0)::int
    from signature_request where status = 'OPEN' and expires_at <= now()`,
  "late to be deleted, s": `select coalesce(extract(epoch from now() - min(auto_delete_at)), 0)::int
    from signature_request where auto_delete_at <= now()`,
  "jobs waiting": "select count(*) from jobs.job where state < 'active' and start_after <= now()",
  "evidence not yet in the log": "select count(*) from log_waiting",
  deleted: "select count(*) from erasure where erased_at > now() - interval '10 minutes'",
  autovacuums: "select sum(autovacuum_count) from pg_stat_user_tables",
  "dead rows": "select sum(n_dead_tup) from pg_stat_user_tables",
  "database, MB": "select pg_database_size(current_database()) / 1000000",
} as const

export async function forHours(
  filled: Filled,
  hours: number,
  tell: (said: string) => void,
): Promise<readonly string[]> {
  const worker = await startProcess({ ...filled.env, ROLES: "worker", SWEEP_SECONDS: "10" })
  const { calls, logInAgain, close } = await openCalls(filled)
  const stretches = Math.ceil((hours * 3600) / TELL_SECONDS)
  const rows: string[] = []
  for (let n = 1; n <= stretches; n += 1) {
    const vacuumed = n === Math.ceil(stretches / 2) ? vacuum(filled, tell) : undefined
    const ticking = setInterval(() => void setDates(filled), 10_000)
    const took = await Promise.all(
      CALL_NAMES.map((name) => openLoop({ aSecond: A_SECOND[name], seconds: TELL_SECONDS }, calls[name])),
    )
    clearInterval(ticking)
    await logInAgain()
    const counts: string[] = []
    for (const statement of Object.values(COUNTS)) counts.push(await filled.sql(statement))
    const p95s = took.map((ms) => `${told(ms).p95}`)
    rows.push(`| ${[(n * TELL_SECONDS) / 60, ...p95s, ...counts].join(" | ")} |`)
    tell(rows.at(-1) ?? "")
    await vacuumed
  }
  const trouble = worker.log().match(/^.*"level":[56]0.*$/gm) ?? []
  tell(`${trouble.length} errors in the worker's log ${trouble.slice(0, 3).join(" ")}`)
  await close()
  await worker.stop()
  const head = ["minutes", ...CALL_NAMES.map((name) => `${name}: p95, ms`), ...Object.keys(COUNTS)]
  return [`| ${head.join(" | ")} |`, `|${" --- |".repeat(head.length)}`, ...rows]
}

/** A date of the interface is a day; here it is minutes away, for those that were made by this. */
const setDates = ({ sql, business }: Filled) =>
  sql(`
    update signature_request
       set expires_at = created_at + interval '${EXPIRES_AFTER}', expires_on = created_at::date,
           auto_delete_at = created_at + interval '${DELETED_AFTER}', auto_delete_on = created_at::date
     where business_id = '${business}' and status = 'OPEN' and auto_delete_at is null
       and created_at > now() - interval '1 minute'`)

async function vacuum({ sql }: Filled, tell: (said: string) => void): Promise<void> {
  const began = performance.now()
  await sql("vacuum (analyze)")
  tell(`everything vacuumed in ${Math.round((performance.now() - began) / 1000)} s`)
}
