import { randomUUID } from "node:crypto"
import { sql } from "kysely"
import { PgBoss } from "pg-boss"
import { afterAll, beforeAll, expect, it } from "vitest"
import { type OpenDatabase, openDatabase } from "../postgres/database.ts"
import * as own from "../testing/own-database.ts"
import { rowsRead } from "../testing/rows-read.ts"
import { SCHEMA } from "./queues.ts"

/** PostgreSQL plans a statement anew for the first five times, and then decides whether it keeps a plan. */
const KEPT_AFTER = 8

let database: own.OwnDatabase
/** One connection, which keeps its plans. */
let single: OpenDatabase
let boss: PgBoss
beforeAll(async () => {
  database = await own.createOwnDatabase({ migrated: true })
  single = openDatabase(database.url, { max: 1, name: "test" })
  const executeSql = (text: string, values?: unknown[]) => single.pool.query(text, values)
  boss = new PgBoss({ db: { executeSql }, schema: SCHEMA, migrate: false, supervise: false, schedule: false })
  await boss.start()
})
afterAll(async () => {
  await boss?.stop({ graceful: false })
  await single?.close()
  await database?.close()
})

it("a job is done with by its id, however many came after the first ones", async () => {
  await waiting(KEPT_AFTER)
  for (let n = 0; n < KEPT_AFTER; n += 1) await oneIsDone()
  await waiting(5_000)
  const before = await rowsRead(single.db, "job_common")
  await oneIsDone()
  expect((await rowsRead(single.db, "job_common")) - before).toBeLessThan(50)
})

const waiting = (count: number) =>
  sql`insert into ${sql.table(`${SCHEMA}.job_common`)} (id, name, data, policy)
      select gen_random_uuid(), 'send-mail', ${{ requestId: randomUUID() }}, 'standard' from generate_series(1, ${count})`.execute(
    single.db,
  )

async function oneIsDone(): Promise<void> {
  const [job] = await boss.fetch("send-mail")
  await boss.complete("send-mail", job?.id ?? "")
}
