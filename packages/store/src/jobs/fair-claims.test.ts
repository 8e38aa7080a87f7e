import { setTimeout as pause } from "node:timers/promises"
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest"
import * as own from "../testing/own-database.ts"
import { owner, queueJobs, type Started, startHeldWorker } from "../testing/queued-jobs.ts"
import type { Jobs } from "./jobs.ts"
import type { Owner } from "./lane.ts"
import { CHANNEL } from "./queues.ts"

const TASK = "sign-document"

let database: own.OwnDatabase
let starts: Started[]
let workers: Jobs[]

beforeAll(async () => {
  database = await own.createOwnDatabase({ migrated: true })
})
beforeEach(() => {
  starts = []
  workers = []
})
afterEach(async () => {
  const ending = setInterval(() => starts.forEach(({ end }) => void end()), 20)
  await database.pool.query("delete from jobs.job where state < 'active'")
  await Promise.all(workers.map((jobs) => jobs.stop(10_000)))
  clearInterval(ending)
  await database.pool.query("delete from jobs.job")
})
afterAll(() => database?.close())

const startWorker = async () => void workers.push((await startHeldWorker(database, TASK, starts)).jobs)
const queue = (of: Owner, count = 1) => queueJobs(database, TASK, of, count)
const startsOf = (...owners: Owner[]) =>
  starts.filter((start) => owners.some(({ businessId }) => businessId === start.businessId))

async function until(isSo: () => boolean): Promise<void> {
  const deadline = performance.now() + 20_000
  while (!isSo()) {
    if (performance.now() > deadline) throw new Error(`Expected more starts, got ${starts.length} in 20 s.`)
    await pause(5)
  }
}

/** Waits long enough for workers to have looked for jobs again. */
const settle = () => pause(2_500)

/** Ends the oldest job that runs and waits for the one that takes its place. */
async function endNext(index: number): Promise<void> {
  const before = starts.length
  starts[index]?.end()
  await until(() => starts.length > before)
}

it("[B5] a backlog of 10,000 jobs of one business leaves a place for another's, which starts while all of the first run", async () => {
  const [flood, other] = [owner(), owner()]
  await queue(flood, 10_000)
  await startWorker()
  await until(() => starts.length === 2)
  await queue(other)
  await until(() => startsOf(other).length === 1)
  expect(startsOf(flood)).toHaveLength(2)
})

it("[B5] demo jobs of ten businesses hold one place together; a production job starts while they run", async () => {
  const demo = Array.from({ length: 10 }, () => owner("demo"))
  for (const one of demo) await queue(one, 100)
  await startWorker()
  await until(() => starts.length === 1)
  await settle()
  expect(starts).toHaveLength(1)
  const production = [owner(), owner()]
  for (const one of production) await queue(one)
  await until(() => startsOf(...production).length === 2)
  expect(startsOf(...demo)).toHaveLength(1)
})

it("[B5] one business holds no more places with jobs of both modes than with one, and of two workers neither is full of it", async () => {
  const { businessId } = owner()
  await queue({ businessId, kind: "demo" }, 50)
  await queue({ businessId, kind: "production" }, 50)
  await startWorker()
  await startWorker()
  await until(() => starts.length === 4)
  await settle()
  expect(starts).toHaveLength(4)
  const others = [owner(), owner()]
  for (const one of others) await queue(one, 2)
  await until(() => startsOf(...others).length === 4)
})

it("[B5] of many businesses each gets its turn, whatever the first has waiting", async () => {
  const flood = owner()
  await queue(flood, 500)
  const others = Array.from({ length: 40 }, () => owner())
  for (const one of others) await queue(one, 2)
  await startWorker()
  await until(() => starts.length === 4)
  for (let ended = 0; startsOf(...others).length < 80; ended += 1) await endNext(ended)
  // Each round serves every lane once, and the places are filled in addition.
  const firsts = others.map(({ businessId }) => starts.findIndex((s) => s.businessId === businessId))
  expect(Math.max(...firsts)).toBeLessThan(41 + 4)
  expect(startsOf(flood).length).toBeLessThanOrEqual(4)
})

it("[B5] while production has a backlog, demo gets one start in five", async () => {
  const [flood, more, demo] = [owner(), owner(), owner("demo")]
  await queue(flood, 100)
  await queue(more, 100)
  await queue(demo, 100)
  await startWorker()
  await until(() => starts.length === 4)
  for (let ended = 0; starts.length < 54; ended += 1) await endNext(ended)
  expect(startsOf(demo).length).toBeGreaterThanOrEqual(9)
  expect(startsOf(demo).length).toBeLessThanOrEqual(12)
})

it("jobs of one business start in the order in which they were enqueued", async () => {
  const one = owner()
  await queue(one, 30)
  await startWorker()
  await until(() => starts.length === 2)
  for (let ended = 0; starts.length < 30; ended += 1) await endNext(ended)
  const numbers = starts.map(({ job }) => (job as { signatureId: number }).signatureId)
  // Two start at once, and which of them runs its first line sooner is chance.
  expect(numbers.map((number, n) => Math.abs(number - n - 1)).every((off) => off <= 1)).toBe(true)
})

it("[B5] with random arrivals at two workers, a business that has nothing waits for at most one job of each other one", async () => {
  const owners = Array.from({ length: 12 }, () => owner())
  const flood = owners.slice(0, 3)
  for (const one of flood) await queue(one, 200)
  await startWorker()
  await startWorker()
  await until(() => starts.length === 8)
  let ended = 0
  for (let round = 0; round < 25; round += 1) {
    const one = owners[3 + Math.floor(Math.random() * 9)] ?? owner()
    await queue(one)
    const before = starts.length
    const of = startsOf(one).length
    const ends = 1 + Math.floor(Math.random() * 4)
    for (let n = 0; n < ends || startsOf(one).length === of; n += 1) {
      await endNext(ended)
      ended += 1
    }
    const waited = starts.slice(before).findIndex(({ businessId }) => businessId === one.businessId)
    expect(waited).toBeLessThanOrEqual(owners.length)
  }
})

it("notifies on the channel that workers listen on, with the name of the queue", async () => {
  await startWorker()
  const client = await database.pool.connect()
  const heard = Promise.withResolvers<string | undefined>()
  client.on("notification", ({ payload }) => heard.resolve(payload))
  await client.query(`listen "${CHANNEL}"`)
  await workers[0]?.boss.send(TASK, { businessId: "x" })
  expect(await heard.promise).toBe(TASK)
  client.release(true)
})
