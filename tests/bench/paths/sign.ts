// Simple signatures of 100 kB, from the job that waits to the B-LTA document in the bucket, by one worker and by two; beside the
// same bytes prepared, signed by the same token, put and noted, by one process that does nothing else.
import { setTimeout as pause } from "node:timers/promises"
import pg from "pg"
import { linkMailedTo } from "../../service/mailbox.ts"
import { pdfOfSize } from "../../service/pdf.ts"
import { newAddress } from "../../service/requests.ts"
import type { Service } from "../../service/service.ts"
import { openSession, type Signer } from "../../service/signer.ts"
import { bareSigning } from "../harness/bare-signing.ts"
import type { Bench } from "../harness/bench.ts"
import { closedLoop } from "../harness/drive.ts"
import { atLeast, type Figure } from "../harness/figure.ts"
import { holdTo } from "../harness/share-of-a-core.ts"
import { processorTimes } from "../processor-time.ts"

const BYTES = 100_000
/** The first ones compile what the others run, and PostgreSQL plans a statement anew for the first five on each connection. */
export const WARMING = 20
/** Of a core, for each worker with its processes: four of them, and all that they ask, fit into two cores. */
export const SHARE = 0.3

export const sign = (bench: Bench, { signatures }: { signatures: number }): Promise<readonly Figure[]> =>
  bench.withService({}, async (service) => {
    const sessions = await openSessions(service, 3 * signatures + 4 * WARMING)
    await service.worker.stop()
    const by = (workers: Workers) => {
      const warming = sessions.splice(0, workers.count * WARMING)
      return signBy(bench, service, workers, { warming, pressed: sessions.splice(0, signatures) })
    }
    const alone = await by({ count: 1, share: null })
    const one = await by({ count: 1, share: SHARE })
    const two = await by({ count: 2, share: SHARE })
    const bare = await bareSigning(bench.stack, service.env, pdfOfSize(BYTES))
    return [
      atLeast(0.4, {
        path: "sign: SES, 100 kB, P-256, B-LTA",
        unit: "jobs a second and core",
        ours: 1000 / alone.processorMs,
        bare: 1000 / bare.processorMs,
        beside: "prepare, C_Sign, put and one transaction",
      }),
      atLeast(1.7, {
        path: "two workers against one, 0.3 of a core each",
        unit: "signatures a second",
        ours: 1000 / two.clockMs,
        bare: 1000 / one.clockMs,
        beside: "one worker",
      }),
    ]
  })

export async function openSessions(
  service: Pick<Service, "url" | "caller">,
  count: number,
): Promise<Signer[]> {
  const { body } = await service.caller.post("/v2/documents", {
    title: "Contract",
    content: pdfOfSize(BYTES).toString("base64"),
  })
  const sessions: Signer[] = []
  await closedLoop(count, 4, async () => {
    const email = newAddress("bench")
    const signatures = [{ account_email: email }]
    await service.caller.post("/v2/signature-requests", {
      title: "Contract",
      document_id: body.id,
      signatures,
    })
    sessions.push(await openSession(service.url, await linkMailedTo(email)))
  })
  return sessions
}

/** So many, each held to a share of a core, or to none. */
type Workers = { readonly count: number; readonly share: number | null }
/** Those who press first, and those who are measured. */
type Pressing = { readonly warming: readonly Signer[]; readonly pressed: readonly Signer[] }
/** Milliseconds of the processors for each signature, by whoever they were spent. */
type Spent = Readonly<Record<string, number>>
type Measured = { readonly clockMs: number; readonly processorMs: number; readonly spent: Spent }

/** Pressed while nobody works; so what is measured is the work alone. */
export async function signBy(
  { stack }: Pick<Bench, "stack">,
  service: Pick<Service, "env" | "startWorker">,
  { count, share }: Workers,
  { warming, pressed }: Pressing,
): Promise<Measured> {
  const press = (all: readonly Signer[]) => closedLoop(all.length, 4, (n) => mustPress(all[n]))
  const workers = await Promise.all(Array.from({ length: count }, () => service.startWorker()))
  await press(warming)
  await allSigned(service)
  const letGo = share === null ? [] : workers.map(({ pid }) => holdTo(share, pid))
  // Frozen, so that none of them begins before all are pressed, and none has to start again.
  for (const { pid } of workers) process.kill(pid, "SIGSTOP")
  await press(pressed)
  const { postgres, s3, trust } = stack.services
  const programs = { database: [postgres.process.pid], bucket: [s3.process.pid], trust: [trust.process.pid] }
  const times = () =>
    processorTimes(
      programs,
      workers.map(({ pid }) => pid),
    )
  const before = times()
  const started = performance.now()
  for (const { pid } of workers) process.kill(pid, "SIGCONT")
  await allSigned(service)
  const clockMs = (performance.now() - started) / pressed.length
  const after = times()
  const spent = Object.fromEntries(
    Object.entries(after).map(([name, ms]) => [name, (ms - (before[name] ?? 0)) / pressed.length]),
  )
  if (process.env.BENCH_DETAIL) tell(count, clockMs, spent)
  for (const worker of workers) await worker.stop()
  for (const go of letGo) go()
  return { clockMs, processorMs: Object.values(spent).reduce((sum, ms) => sum + ms, 0), spent }
}

/** Whose each part is, for who wants to make it less. */
const WHOSE: Readonly<Record<string, string>> = {
  "worker, main thread": "ours",
  "worker, other threads": "ours: compiling, collecting, files",
  "key processes": "ours, with the token's module in it",
  "PDF processes": "ours",
  database: "PostgreSQL, for what we ask",
  bucket: "the server of the bucket, for what we ask",
  trust: "somebody else's: two time-stamps, and answers about whoever gave them",
}

function tell(workers: number, clockMs: number, spent: Spent): void {
  console.log(`${workers} at work: ${clockMs.toFixed(0)} ms by the clock for each; of the processors:`)
  console.table(
    Object.entries(spent).map(([part, ms]) => ({ part, ms: Number(ms.toFixed(1)), whose: WHOSE[part] })),
  )
}

async function mustPress(signer: Signer | undefined): Promise<void> {
  const answer = await signer?.press("Ada Lovelace")
  if (answer?.status !== 202) throw new Error(`The press answered ${answer?.status}: ${answer?.bytes}`)
}

/**
 * By one connection: to open one for each look would cost PostgreSQL as much as some signatures. And by their jobs, which are few in
 * every database.
 */
async function allSigned({ env }: Pick<Service, "env">): Promise<void> {
  const client = new pg.Client({ connectionString: env.DATABASE_OWNER_URL })
  await client.connect()
  const left = "select from jobs.job where name = 'sign-document' and state < 'completed' limit 1"
  while ((await client.query({ name: "left", text: left })).rowCount !== 0) await pause(100)
  await client.end()
}
