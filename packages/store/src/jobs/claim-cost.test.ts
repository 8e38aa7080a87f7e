import { PgBoss } from "pg-boss"
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest"
import { type OpenDatabase, openDatabase } from "../postgres/database.ts"
import * as own from "../testing/own-database.ts"
import { owner, queueJobs } from "../testing/queued-jobs.ts"
import { rowsRead } from "../testing/rows-read.ts"
import { laneOf } from "./lane.ts"
import { LANES_AT_ONCE, readyLanes } from "./ready-lanes.ts"

const TASK = "sign-document"
const NOBODY_SERVED = { production: null, demo: null }

let database: own.OwnDatabase
let single: OpenDatabase
let boss: PgBoss
beforeAll(async () => {
  database = await own.createOwnDatabase({ migrated: true })
  single = openDatabase(database.url, { max: 1, name: "test" })
  const executeSql = (text: string, values?: unknown[]) => single.pool.query(text, values)
  boss = new PgBoss({ db: { executeSql }, schema: "jobs", migrate: false, supervise: false, schedule: false })
  await boss.start()
})
beforeEach(() => database.pool.query("delete from jobs.job"))
afterAll(async () => {
  await boss?.stop({ graceful: false })
  await single?.close()
  await database?.close()
})

async function rowsOf<T>(act: () => Promise<T>): Promise<{ readonly result: T; readonly rows: number }> {
  const before = await rowsRead(single.db, "job_common")
  const result = await act()
  return { result, rows: (await rowsRead(single.db, "job_common")) - before }
}

it("[B5] finding and fetching the job of one business reads nothing of the 10,000 that another has waiting", async () => {
  const [flood, other] = [owner(), owner()]
  await queueJobs(database, TASK, flood, 10_000)
  await queueJobs(database, TASK, other)
  const found = await rowsOf(() => readyLanes(boss, TASK, NOBODY_SERVED))
  expect(new Set(found.result.production)).toEqual(new Set([laneOf(flood), laneOf(other)]))
  expect(found.rows).toBeLessThan(50)
  const lane = laneOf(other)
  const fetched = await rowsOf(() => boss.fetch(TASK, { minPriority: lane, maxPriority: lane, batchSize: 2 }))
  expect(fetched.result).toMatchObject([{ data: { businessId: other.businessId } }])
  expect(fetched.rows).toBeLessThan(50)
})

it("[B5] of 2,000 businesses that wait the next ones are found without the others, and the round comes to all", async () => {
  const owners = Array.from({ length: 2_000 }, () => owner())
  const values = owners.map((one) => `('${TASK}', '{}'::jsonb, ${laneOf(one)})`)
  await database.pool.query(`insert into jobs.job (name, data, priority) values ${values.join(", ")}`)
  const { result, rows } = await rowsOf(() => readyLanes(boss, TASK, NOBODY_SERVED))
  expect(result.production).toHaveLength(LANES_AT_ONCE)
  expect(rows).toBeLessThan(10 * LANES_AT_ONCE)
  const seen = new Set<number>()
  for (let production: number | null = null; seen.size < 2_000; ) {
    const { production: lanes } = await readyLanes(boss, TASK, { production, demo: null })
    const next = lanes.slice(0, LANES_AT_ONCE)
    expect(next.some((lane) => !seen.has(lane))).toBe(true)
    for (const lane of next) seen.add(lane)
    production = next.at(-1) ?? null
  }
})
