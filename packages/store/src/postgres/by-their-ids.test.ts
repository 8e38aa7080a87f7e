import type { Read } from "@paraph/core/ports"
import { sql } from "kysely"
import { afterAll, beforeAll, expect, it } from "vitest"
import { createEnqueue } from "../jobs/enqueue.ts"
import { type Jobs, openJobs } from "../jobs/jobs.ts"
import * as own from "../testing/own-database.ts"
import { rowsRead } from "../testing/rows-read.ts"
import { type OpenDatabase, openDatabase } from "./database.ts"
import { createRead, createTransact } from "./transact.ts"

let database: own.OwnDatabase
/** One connection, which keeps its plans for all businesses. */
let single: OpenDatabase
let jobs: Jobs
let read: Read
let large: own.Tenant

/** One business has nearly all rows; with the others, an average one has some ten. */
const LARGE = 5_000
const SMALL_ONES = 500
const ASKED = 20
const asked: Record<Table, string[]> = { document: [], signature_request: [] }

beforeAll(async () => {
  database = await own.createOwnDatabase({ migrated: true })
  single = openDatabase(database.url, { max: 1, name: "test" })
  jobs = await openJobs(database.url, { worker: false, onError: () => undefined })
  const enqueue = createEnqueue(jobs.boss)
  const transact = createTransact({ db: database.db, sealer: own.plainDetails, enqueue })
  read = createRead(single.db, own.plainDetails)
  large = await own.insertTenant(database)
  for (let n = 0; n < ASKED; n += 1) {
    const document = await own.storedDocument(database, large)
    const request = own.sampleRequest(large, [document], 1)
    await transact(large.businessId, async (tx) => {
      await tx.insertDocument(document)
      await tx.insertRequest(request)
    })
    asked.document.push(document.id)
    asked.signature_request.push(request.id)
  }
  await sql`
    insert into business select (jsonb_populate_record(b, jsonb_build_object('id', gen_random_uuid()))).*
      from business b, generate_series(1, ${SMALL_ONES}) where b.id = ${large.businessId}`.execute(
    database.db,
  )
  await sql`
    insert into business_key select (jsonb_populate_record(k, jsonb_build_object('business_id', b.id))).*
      from business_key k, business b where k.business_id = ${large.businessId} and b.id <> k.business_id`.execute(
    database.db,
  )
  await copy("document")
  await copy("signature_request")
  await sql`set plan_cache_mode = force_generic_plan`.execute(single.db)
})
afterAll(async () => {
  await jobs?.stop(1_000)
  await single?.close()
  await database?.close()
})

it.each([
  ["signature_request", "findRequests"],
  ["document", "findDocuments"],
] as const)("rows of %s are found by their ids, however many their business has", async (table, find) => {
  const ids = asked[table]
  const before = await rowsRead(single.db, table)
  const found = await read(large.businessId, async (reading) => [...(await reading[find](ids))])
  expect(found.map(({ id }) => id)).toEqual(ids)
  expect((await rowsRead(single.db, table)) - before).toBeLessThan(5 * ASKED)
})

type Table = "document" | "signature_request"

/** One of them again and again for its own business, and once for each of the others; nobody opens those. */
async function copy(table: Table): Promise<void> {
  const blobs = table === "document" ? sql`, 'blob_name', gen_random_uuid()` : sql``
  await sql`
    insert into ${sql.table(table)}
    select (jsonb_populate_record(t, jsonb_build_object('id', gen_random_uuid(), 'business_id', b.id ${blobs}))).*
      from ${sql.table(table)} t, business b, generate_series(1, case b.id when t.business_id then ${LARGE}::int else 1 end)
     where t.id = ${asked[table][0]}`.execute(database.db)
  await sql`analyze ${sql.table(table)}`.execute(database.db)
}
