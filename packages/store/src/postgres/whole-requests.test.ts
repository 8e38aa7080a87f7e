import { sql } from "kysely"
import { afterAll, beforeAll, expect, it } from "vitest"
import { createEnqueue } from "../jobs/enqueue.ts"
import { type Jobs, openJobs } from "../jobs/jobs.ts"
import * as own from "../testing/own-database.ts"
import { type OpenDatabase, openDatabase } from "./database.ts"
import { createRead, createTransact } from "./transact.ts"

let database: own.OwnDatabase
let single: OpenDatabase
let jobs: Jobs
beforeAll(async () => {
  database = await own.createOwnDatabase({ migrated: true })
  single = openDatabase(database.url, { max: 1, name: "test" })
  jobs = await openJobs(database.url, { worker: false, onError: () => undefined })
})
afterAll(async () => {
  await jobs?.stop(1_000)
  await single?.close()
  await database?.close()
})

const LARGE = 5_000
const SMALL_ONES = 500

it("requests are found by their ids, however many their business has, also by a plan that is kept for all businesses", async () => {
  const enqueue = createEnqueue(jobs.boss)
  const transact = createTransact({ db: database.db, sealer: own.plainDetails, enqueue })
  const read = createRead(single.db, own.plainDetails)
  const large = await own.insertTenant(database)
  const document = await own.storedDocument(database, large)
  const request = own.sampleRequest(large, [document], 1)
  await transact(large.businessId, async (tx) => {
    await tx.insertDocument(document)
    await tx.insertRequest(request)
  })
  await copies(request.id, LARGE, sql`${large.businessId}::uuid`)
  // The others have one each; so an average business has some ten.
  const businesses = sql`(select id from small offset n - 1 limit 1)`
  await sql`create table small as select gen_random_uuid() as id from generate_series(1, ${SMALL_ONES})`.execute(
    database.db,
  )
  await sql`insert into business select (jsonb_populate_record(b, jsonb_build_object('id', s.id))).*
              from business b, small s where b.id = ${large.businessId}`.execute(database.db)
  await copies(request.id, SMALL_ONES, businesses)
  await sql`analyze signature_request`.execute(database.db)

  const { rows } = await sql<{ id: string }>`
    select id from signature_request where business_id = ${large.businessId} limit 50`.execute(database.db)
  const ids = rows.map(({ id }) => id)
  await sql`set plan_cache_mode = force_generic_plan`.execute(single.db)
  const before = await entriesRead()
  const found = await read(large.businessId, (reading) => reading.findRequests(ids))
  expect(found.map(({ id }) => id).sort()).toEqual(ids.sort())
  expect((await entriesRead()) - before).toBeLessThan(5 * ids.length)
})

/** The same, so many times, of the business that is said. */
const copies = (id: string, count: number, business: ReturnType<typeof sql>) =>
  sql`insert into signature_request
      select (jsonb_populate_record(r, jsonb_build_object('id', gen_random_uuid(), 'business_id', ${business}))).*
        from signature_request r, generate_series(1, ${count}) n where r.id = ${id}`.execute(database.db)

/** Of all indexes of the requests, by this connection, which tells it at once. */
async function entriesRead(): Promise<number> {
  await sql`select pg_stat_force_next_flush()`.execute(single.db)
  const { rows } = await sql<{ read: number }>`
    select sum(idx_tup_read)::int as read from pg_stat_user_indexes where relname = 'signature_request'`.execute(
    single.db,
  )
  return rows[0]?.read ?? 0
}
