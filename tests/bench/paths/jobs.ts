// Invitations by mail and calls of a webhook, from when they wait to when all have gone; beside the job engine with as many tasks
// that do nothing.
import { fork } from "node:child_process"
import { once } from "node:events"
import { resolve } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import { withServiceScope } from "@paraph/store/postgres/service-scope"
import pg from "pg"
import { startReceiver } from "../../service/receiver.ts"
import { newAddress, uploadTo } from "../../service/requests.ts"
import type { Service } from "../../service/service.ts"
import { type Bench, learnTables } from "../harness/bench.ts"
import { closedLoop } from "../harness/drive.ts"
import { atLeast, type Figure } from "../harness/figure.ts"

const BARE = resolve(import.meta.dirname, "../harness/bare-queue.ts")
const JOBS_LEFT = "select count(*) from jobs.job where state < 'completed'"
const CALLS_LEFT = "select count(*) from delivery where state = 'OPEN'"

export const jobs = (bench: Bench, { count }: { count: number }): Promise<readonly Figure[]> =>
  bench.withService({}, async (service) => {
    const receiver = await startReceiver()
    try {
      const document = await uploadTo(service.caller, "v2")
      const invite = (notify = true) => inviteMany(service, document, count, notify)
      const { pid } = service.worker
      await invite()
      await until(service, JOBS_LEFT)
      await learnTables(service)
      const mails = await frozen(service, pid, invite, JOBS_LEFT)
      const { body: hook } = await service.caller.post("/v2/webhooks", {
        url: `${receiver.url}/hook`,
        types: [],
      })
      const before = receiver.received.length
      const calls = await frozen(service, pid, () => invite(false), CALLS_LEFT)
      const called = receiver.received.length - before
      await service.caller.delete(`/v2/webhooks/${hook.id}`)
      await until(service, JOBS_LEFT)
      await service.worker.stop()
      const bare = await bareQueue(service, count)
      const of = (path: string, seconds: number, many: number) =>
        atLeast(0.5, {
          path,
          unit: "jobs a second",
          ours: many / seconds,
          bare: count / bare,
          beside: "the job engine, empty tasks",
        })
      return [of("invitations by mail", mails, count), of("calls of a webhook", calls, called)]
    } finally {
      await receiver.close()
    }
  })

const inviteMany = (service: Service, document: string, count: number, notify: boolean) =>
  closedLoop(count, 8, async () => {
    const signatures = [{ account_email: newAddress("bench"), notify }]
    await service.caller.post("/v2/signature-requests", {
      title: "Contract",
      document_id: document,
      signatures,
    })
  })

/** Seconds that a worker takes for what was made while it stood still. */
async function frozen(
  service: Service,
  pid: number,
  make: () => Promise<void>,
  left: string,
): Promise<number> {
  process.kill(pid, "SIGSTOP")
  await make()
  const started = performance.now()
  process.kill(pid, "SIGCONT")
  await until(service, left)
  return (performance.now() - started) / 1000
}

/** By one connection: a program that is started for each look would take a fifth of a core from those who work. */
async function until({ env }: Service, left: string): Promise<void> {
  const client = new pg.Client({ connectionString: withServiceScope(env.DATABASE_OWNER_URL ?? "") })
  await client.connect()
  try {
    while ((await client.query<{ count: string }>(left)).rows[0]?.count !== "0") await pause(50)
  } finally {
    await client.end()
  }
}

async function bareQueue(service: Service, count: number): Promise<number> {
  const child = fork(BARE, { execArgv: [] })
  child.send(service.env.DATABASE_URL ?? "")
  await once(child, "message")
  const job = `jsonb_build_object('task', 'invite-signer')`
  const seconds = await frozen(
    service,
    child.pid ?? 0,
    async () =>
      void (await service.sql(
        `insert into jobs.job (name, data) select 'invite-signer', ${job} from generate_series(1, ${count})`,
      )),
    JOBS_LEFT,
  )
  child.disconnect()
  return seconds
}
