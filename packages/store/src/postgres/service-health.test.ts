import { randomUUID } from "node:crypto"
import { afterAll, beforeAll, expect, it } from "vitest"
import { type Jobs, openJobs } from "../jobs/jobs.ts"
import * as own from "../testing/own-database.ts"
import * as deliveries from "./deliveries.ts"
import { replicationOf, waitingWork } from "./service-health.ts"

let database: own.OwnDatabase
let tenant: own.Tenant
let jobs: Jobs
beforeAll(async () => {
  database = await own.createOwnDatabase({ migrated: true })
  tenant = await own.insertTenant(database)
  jobs = await openJobs(database.url, { worker: false, onError: () => undefined })
})
afterAll(async () => {
  await jobs?.stop(5_000)
  await database?.close()
})

it("tells what is ready and nobody does, the oldest first: jobs by the database's clock, callbacks by ours", async () => {
  expect(await waitingWork(database.db, own.NOW)).toEqual([])
  await jobs.boss.send("send-mail", {})
  await jobs.boss.send("invite-signer", {}, { startAfter: 3_600 })
  await database.pool.query(
    "update jobs.job set start_after = now() - interval '400 s' where name = 'send-mail'",
  )
  const callback = {
    template: "https://a.example/",
    url: "https://a.example/",
    readers: [],
    type: "update",
  } as const
  const owed = {
    ...callback,
    id: randomUUID(),
    businessId: tenant.businessId,
    kind: "demo",
    requestId: randomUUID(),
    at: own.NOW,
  } as const
  await database.db.transaction().execute((trx) => deliveries.insertCallback(trx, owed))
  const waiting = await waitingWork(database.db, new Date(own.NOW.getTime() + 30_000))
  expect(waiting.map(({ what, ready }) => `${what} ${ready}`)).toEqual(["send-mail 1", "callbacks 1"])
  expect(waiting[0]?.seconds).toBeGreaterThanOrEqual(400)
  expect(waiting[1]?.seconds).toBe(30)
})

it("tells whether a primary waits for anybody", async () => {
  expect(await replicationOf(database.db)).toMatchObject({ waitsFor: "", followers: 0 })
})
