import { afterAll, beforeAll, expect, it } from "vitest"
import { createEnqueue } from "../jobs/enqueue.ts"
import { type Jobs, openJobs } from "../jobs/jobs.ts"
import * as own from "../testing/own-database.ts"
import { findCallback, recordAttempt } from "./callbacks.ts"
import { createTransact } from "./transact.ts"

let database: own.OwnDatabase
let jobs: Jobs
let tenant: own.Tenant

beforeAll(async () => {
  database = await own.createOwnDatabase({ migrated: true })
  jobs = await openJobs(database.url, { worker: false, onError: () => undefined })
  tenant = await own.insertTenant(database)
})

afterAll(async () => {
  await jobs?.stop(5_000)
  await database?.close()
})

it("a callback that is owed is a job and a row with one id, in the order of its request", async () => {
  const { request, job } = await owedCallback()
  const row = await findCallback(database.db, job.id)
  const url = `https://a.example/${request.id}?d=${request.documents[0]?.newestId}`
  expect(row).toMatchObject({
    request_id: request.id,
    type: "success",
    url,
    state: "OPEN",
    attempts: 0,
    messages: [],
  })
  expect(job.data).toMatchObject({ task: "deliver-callback", type: "success", url })
  expect(job.singleton_key).toMatch(/^[\w-]{43}$/)
})

it("an attempt is counted and its message kept; the last one says how it ended", async () => {
  const { job } = await owedCallback()
  const later = new Date(own.NOW.getTime() + 1000)
  await recordAttempt(database.db, job.id, { state: "OPEN", message: "answered 500", now: own.NOW })
  await recordAttempt(database.db, job.id, { state: "COMPLETED", message: "answered 204", now: later })
  expect(await findCallback(database.db, job.id)).toMatchObject({
    state: "COMPLETED",
    attempts: 2,
    messages: ["answered 500", "answered 204"],
    updated_at: later,
  })
})

it("of many attempts the last 20 messages are kept, in their order", async () => {
  const { job } = await owedCallback()
  for (let n = 1; n <= 25; n += 1)
    await recordAttempt(database.db, job.id, { state: "OPEN", message: `attempt ${n}`, now: own.NOW })
  const row = await findCallback(database.db, job.id)
  expect(row?.attempts).toBe(25)
  expect(row?.messages).toEqual(Array.from({ length: 20 }, (_, index) => `attempt ${index + 6}`))
})

async function owedCallback() {
  const document = await own.storedDocument(database, tenant)
  const template = "https://a.example/SERVICE_SIGNATURE_REQUEST_ID?d=SERVICE_DOCUMENT_ID"
  const request = own.sampleRequest(tenant, [document], 1, { callbacks: { success: template } })
  await createTransact(
    database.db,
    createEnqueue(jobs.boss),
    own.plainDetails,
  )(tenant.businessId, async (tx) => {
    await tx.insertDocument(document)
    await tx.insertRequest(request)
    await tx.enqueue(request, [{ type: "call-back", which: "success" }])
  })
  const { rows } = await database.pool.query("select * from jobs.job where data->>'requestId' = $1", [
    request.id,
  ])
  expect(rows).toHaveLength(1)
  return { request, job: rows[0] as { id: string; data: object; singleton_key: string } }
}
