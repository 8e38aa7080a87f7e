import { fork } from "node:child_process"
import { randomUUID } from "node:crypto"
import { once } from "node:events"
import { setTimeout as pause } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import type { QueuedTask as Task } from "@paraph/core/jobs"
import type { Effect } from "@paraph/core/signature-request/event"
import type { Kind, SignatureRequest } from "@paraph/core/signature-request/model"
import { afterAll, afterEach, beforeAll, expect, it } from "vitest"
import { createEnqueueSealing } from "../postgres/sealing-parts.ts"
import { createTransact } from "../postgres/transact.ts"
import * as own from "../testing/own-database.ts"
import { createEnqueue, type Enqueue } from "./enqueue.ts"
import { type Attempt, type Handlers, type Jobs, openJobs } from "./jobs.ts"

const TAKES_A_JOB = fileURLToPath(new URL("../testing/takes-a-job.ts", import.meta.url))

let database: own.OwnDatabase
let tenant: own.Tenant
/** A process that enqueues and does not work. */
let api: Jobs
let enqueue: Enqueue
let worker: Jobs | undefined

beforeAll(async () => {
  database = await own.createOwnDatabase({ migrated: true })
  tenant = await own.insertTenant(database)
  api = await openJobs(database.url, { worker: false, onError: () => undefined })
  enqueue = createEnqueue(api.boss)
})

afterEach(async () => {
  await worker?.stop(5_000)
  worker = undefined
})

afterAll(async () => {
  await api?.stop(5_000)
  await database?.close()
})

it("a job waits, and is counted with its age, until a worker takes it; then it is gone", async () => {
  const request = await newRequest()
  await send(request, invite)
  expect((await stateOf("invite-signer")).ready).toBe(1)
  expect((await stateOf("invite-signer", "production")).ready).toBe(0)
  expect(await stateOf("sign-document")).toMatchObject({ ready: 0, active: 0, oldestReadySeconds: 0 })

  const { taken, release } = held<"invite-signer">()
  worker = await startWorker({ "invite-signer": taken.handle })
  const { job, attempt } = await taken.first
  expect(attempt).toBe(1)
  expect(job).toMatchObject({ task: "invite-signer", businessId: tenant.businessId, requestId: request.id })
  expect(await stateOf("invite-signer")).toMatchObject({ ready: 0, active: 1 })
  release()
  await worker.stop(5_000)
  expect(await stateOf("invite-signer")).toMatchObject({ ready: 0, active: 0 })
})

it("a handler that throws is tried again, under the same id, and what it threw is told", async () => {
  const attempts: Attempt<"sign-document">[] = []
  const told: unknown[] = []
  const request = await newRequest()
  await new Promise<void>((done) => {
    const handle = async (attempt: Attempt<"sign-document">) => {
      attempts.push(attempt)
      if (attempts.length < 3) throw new Error(`failed at ${attempts.length}`)
      done()
    }
    void (async () => {
      worker = await startWorker({ "sign-document": handle }, (task, id, error) =>
        told.push([task, id, (error as Error).message]),
      )
      await send(request, { type: "sign", signatureId: randomUUID(), documentId: randomUUID() })
    })()
  })
  expect(attempts.map((a) => a.attempt)).toEqual([1, 2, 3])
  const id = attempts[0]?.id
  expect(new Set(attempts.map((a) => a.id)).size).toBe(1)
  expect(told).toEqual([
    ["sign-document", id, "failed at 1"],
    ["sign-document", id, "failed at 2"],
  ])
})

it("a worker that is told to stop lets a job come to its end", async () => {
  const { taken, release } = held<"invite-signer">()
  worker = await startWorker({ "invite-signer": taken.handle })
  await send(await newRequest(), invite)
  const { id } = await taken.first
  const stopped = worker.stop(10_000)
  release()
  await stopped
  expect(await stateInDatabase(id)).toBe("completed")
})

it("a job of a worker that was killed is given to another one within 30 seconds, however often that has been so", async () => {
  const doomed = fork(TAKES_A_JOB, { execArgv: [] })
  doomed.send(database.url)
  await send(await newRequest(), invite)
  const [took] = (await once(doomed, "message")) as [{ id: string; attempt: number }]
  expect(took.attempt).toBe(1)
  const gone = once(doomed, "exit")
  doomed.kill("SIGKILL")
  await gone
  // After so many the next pause would be of minutes.
  await database.pool.query("update jobs.job set retry_count = 8 where id = $1", [took.id])
  const killedAt = Date.now()

  const { taken, release } = held<"invite-signer">()
  release()
  worker = await startWorker({ "invite-signer": taken.handle })
  const again = await taken.first
  expect(again).toMatchObject({ id: took.id, attempt: 10 })
  expect(Date.now() - killedAt).toBeLessThan(30_000)
})

it("what has piled up is worked off without a pause, in all places of its queue at once", async () => {
  const JOBS = 24
  const request = await newRequest({ kind: "production" })
  const signs = Array.from({ length: JOBS }, (): Effect => ({ type: "sign", ...ids() }))
  await send(request, ...signs)
  let under = 0
  let most = 0
  const done = Promise.withResolvers<void>()
  const taken: number[] = []
  worker = await startWorker({
    "sign-document": async () => {
      under += 1
      most = Math.max(most, under)
      taken.push(performance.now())
      await new Promise((resolve) => setImmediate(resolve))
      under -= 1
      if (taken.length === JOBS) done.resolve()
    },
  })
  await done.promise
  expect(most).toBeLessThanOrEqual(2)
  // Two places that pause after each job: each job would begin a second after the one before the last. A busy machine may hold
  // up some of them, but not half.
  const gaps = taken.slice(2).map((at, index) => at - (taken[index] ?? 0))
  expect(gaps.sort((a, b) => a - b)[gaps.length / 2]).toBeLessThan(900)
})

it("places that are free find what is due, however long another one takes", async () => {
  const { taken, release } = held<"sign-document">()
  const others: string[] = []
  worker = await startWorker({
    "sign-document": async (attempt) => {
      if (attempt.job.documentId === slow.documentId) return taken.handle(attempt)
      others.push(attempt.job.documentId)
      // Nobody is notified of the end of a pause.
      if (attempt.attempt === 1) throw new Error("Once more.")
    },
  })
  const slow = ids()
  const again = ids()
  const request = await newRequest({ kind: "production" })
  await send(request, { type: "sign", ...slow })
  await taken.first
  await send(request, { type: "sign", ...again })
  // Its pause is some seconds; a place that is not told looks for itself after thirty.
  await within(25_000, () => others.length === 2)
  expect(others).toEqual([again.documentId, again.documentId])
  release()
})

it("what demo keys have sealed waits behind all that production has ordered", async () => {
  const { businessId } = tenant
  const order = createEnqueueSealing(api.boss)
  const transact = async (kind: Kind) => {
    const requestId = randomUUID()
    await database.db
      .transaction()
      .execute((trx) => order(trx, { task: "seal-protocol", businessId, requestId, language: "en" }, kind))
    return requestId
  }
  const demo = [await transact("demo"), await transact("demo"), await transact("demo")]
  const production = [await transact("production"), await transact("production")]
  const taken: string[] = []
  // Two are in hand at a time, and which of them is begun first is chance: nobody goes on to a third before both are.
  worker = await startWorker({
    "seal-protocol": async ({ job }) => {
      taken.push(job.requestId)
      await within(10_000, () => taken.length >= 2)
    },
  })
  await within(10_000, () => taken.length === 5)
  expect(new Set(taken.slice(0, 2))).toEqual(new Set(production))
  expect(new Set(taken.slice(2))).toEqual(new Set(demo))
})

const ids = () => ({ signatureId: randomUUID(), documentId: randomUUID() })

async function within(ms: number, isSo: () => boolean): Promise<void> {
  const deadline = performance.now() + ms
  while (!isSo()) {
    if (performance.now() > deadline) throw new Error(`It is not so after ${ms} ms.`)
    await pause(20)
  }
}

const invite: Effect = { type: "invite", signatureId: randomUUID() }

async function newRequest(more: Partial<SignatureRequest> = {}): Promise<SignatureRequest> {
  const document = await own.storedDocument(database, tenant)
  const request = own.sampleRequest(tenant, [document], 1, more)
  await createTransact({ db: database.db, enqueue, sealer: own.plainDetails })(
    tenant.businessId,
    async (tx) => {
      await tx.insertDocument(document)
      await tx.insertRequest(request)
    },
  )
  return request
}

const send = (request: SignatureRequest, ...effects: Effect[]): Promise<void> =>
  database.db.transaction().execute((trx) => enqueue(trx, request, effects))

async function startWorker(
  handlers: Partial<Handlers>,
  onError: (task: Task, id: string, error: unknown) => void = () => undefined,
): Promise<Jobs> {
  const jobs = await openJobs(database.url, { worker: true, onError: () => undefined })
  const nothing = async () => undefined
  const all = {
    "invite-signer": nothing,
    "send-mail": nothing,
    "send-code": nothing,
    "prepare-release": nothing,
    "sign-remotely": nothing,
    "seal-document": nothing,
    "seal-batch": nothing,
    "seal-report": nothing,
    "seal-protocol": nothing,
    "sign-document": nothing,
    "ask-identity-provider": nothing,
    "write-to-account": nothing,
  }
  await jobs.work({ ...all, ...handlers }, onError)
  return jobs
}

/** A handler that tells of the first job it takes, and ends its jobs when it is released. */
function held<T extends Task>() {
  const taken = Promise.withResolvers<Attempt<T>>()
  const released = Promise.withResolvers<void>()
  const handle = async (attempt: Attempt<T>): Promise<void> => {
    taken.resolve(attempt)
    await released.promise
  }
  return { taken: { first: taken.promise, handle }, release: released.resolve }
}

async function stateOf(task: Task, mode: Kind = "demo") {
  const state = (await api.stats()).find((one) => one.task === task && one.mode === mode)
  if (state === undefined) throw new Error("There is no such queue.")
  return state
}

async function stateInDatabase(id: string): Promise<string> {
  const { rows } = await database.pool.query("select state from jobs.job where id = $1", [id])
  return rows[0]?.state
}
