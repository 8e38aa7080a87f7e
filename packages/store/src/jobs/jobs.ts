import { setTimeout as pause } from "node:timers/promises"
import type { QueuedJob as Job, QueuedTask as Task } from "@paraph/core/jobs"
import { PgBoss } from "pg-boss"
import { connectionTo } from "../postgres/database.ts"
import { createDispatcher, type Dispatcher } from "./dispatch.ts"
import type { Places } from "./fair-share.ts"
import { type QueueState, queueStates } from "./queue-states.ts"
import { CHANNEL, QUEUES, SCHEMA } from "./queues.ts"

/** One attempt at a job: `id` stays the same over all attempts, `attempt` counts from 1. */
export type Attempt<T extends Task> = {
  readonly id: string
  readonly attempt: number
  readonly job: Extract<Job, { task: T }>
  /** When the job was made; the same over all attempts. */
  readonly createdAt: Date
}

export type Handlers = { readonly [T in Task]: (attempt: Attempt<T>) => Promise<void> }

export type Jobs = {
  readonly boss: PgBoss
  /** Begins to work on every queue; a handler that throws is tried again as its queue says. */
  readonly work: (
    handlers: Handlers,
    onError: (task: Task, id: string, error: unknown) => void,
  ) => Promise<void>
  /** Per queue and mode: how many jobs are ready, and how old the oldest of them is. */
  readonly stats: () => Promise<readonly QueueState[]>
  /** Has every job of the queue that failed tried again now, whatever its pause; answers how many there were. */
  readonly wake: (task: Task) => Promise<number>
  /** Lets what runs come to its end, within the time given. */
  readonly stop: (timeoutMs: number) => Promise<void>
}

type Options = {
  readonly worker: boolean
  /** No production keys work here: demo jobs may have all places. */
  readonly isDemoOnly?: boolean
  readonly onError: (error: Error) => void
}

/** The queue of this process; only a worker supervises it (heartbeats, retries). */
export async function openJobs(databaseUrl: string, options: Options): Promise<Jobs> {
  const boss = new PgBoss({
    ...connectionTo(databaseUrl),
    schema: SCHEMA,
    application_name: "paraph-jobs",
    max: options.worker ? 6 : 2,
    migrate: false,
    createSchema: false,
    schedule: false,
    supervise: options.worker,
    superviseIntervalSeconds: 2,
    monitorIntervalSeconds: 2,
    // The dispatchers listen; pg-boss does so only for its own workers.
    useListenNotify: false,
  })
  boss.on("error", options.onError)
  await boss.start()
  let working: Working | undefined
  return {
    boss,
    work: async (handlers, onFailed) => {
      working = await work(boss, options, handlers, onFailed)
    },
    stats: () => queueStates(boss),
    wake: (task) => wake(boss, task),
    stop: async (timeoutMs) => {
      await working?.stop(timeoutMs)
      await boss.stop({ graceful: true, timeout: timeoutMs })
    },
  }
}

/** For one owner, and for all of demo. */
const SHARES: Readonly<Record<Task, Omit<Places, "total">>> = {
  "invite-signer": { owner: 4, demo: 2 },
  "send-mail": { owner: 4, demo: 2 },
  "send-code": { owner: 2, demo: 1 },
  "ask-identity-provider": { owner: 2, demo: 1 },
  "prepare-release": { owner: 4, demo: 2 },
  "sign-remotely": { owner: 4, demo: 2 },
  "sign-document": { owner: 2, demo: 1 },
  "seal-document": { owner: 4, demo: 2 },
  "seal-batch": { owner: 1, demo: 1 },
  "seal-report": { owner: 2, demo: 1 },
  "seal-protocol": { owner: 2, demo: 1 },
  "write-to-account": { owner: 2, demo: 1 },
}

/**
 * When one owner and demo have all that they may have, one place is left for production jobs of other owners. Where there is no
 * production, demo may have all.
 */
function placesOf(task: Task, isDemoOnly: boolean): Places {
  const { owner, demo } = SHARES[task]
  const total = owner + demo + 1
  return { total, owner, demo: isDemoOnly ? total : demo }
}

type Working = { readonly stop: (timeoutMs: number) => Promise<void> }

/**
 * A notification says which queue has a new job. Jobs whose pause is over, or whose worker died, are found by a query once a second
 * for all queues together.
 */
async function work(
  boss: PgBoss,
  { onError, isDemoOnly = false }: Options,
  handlers: Handlers,
  onFailed: (task: Task, id: string, error: unknown) => void,
): Promise<Working> {
  const dispatchers = new Map<string, Dispatcher>()
  for (const task of Object.keys(QUEUES) as Task[]) {
    const handle = handlers[task] as (attempt: Attempt<Task>) => Promise<void>
    const running = { boss, handle, onFailed, onError }
    dispatchers.set(task, createDispatcher(running, task, placesOf(task, isDemoOnly)))
  }
  const ring = (task: string) => dispatchers.get(task)?.ring()
  const ringAll = () => [...dispatchers.keys()].forEach(ring)
  // Without notifications jobs start up to a second later.
  const listening = await boss
    .getDb()
    .listen?.(CHANNEL, ring, ringAll)
    .catch((error: unknown) => onError(error as Error))
  ringAll()
  const looking = startLooking(boss, ring)
  return {
    stop: async (timeoutMs) => {
      looking.stop()
      await listening?.close()
      await Promise.all([...dispatchers.values()].map((dispatcher) => dispatcher.stop(timeoutMs)))
    },
  }
}

const LOOK_MS = 1000

function startLooking(boss: PgBoss, found: (task: string) => void): { readonly stop: () => void } {
  const ending = new AbortController()
  const { signal } = ending
  void (async () => {
    for (let looks = 0; !signal.aborted; looks += 1) {
      await pause(LOOK_MS, undefined, { signal }).catch(() => undefined)
      if (signal.aborted) return
      // A database that is away is reported by the dispatchers.
      if (looks % 5 === 0) await shortenPauses(boss).catch(() => undefined)
      for (const task of await dueQueues(boss).catch(() => [])) found(task)
    }
  })()
  return { stop: () => ending.abort() }
}

/**
 * Pauses grow with each failure. A job whose worker died, or lost the database, has not failed: after some fail-overs it would wait
 * for minutes for nothing. Not at once, though: it may be the job that ends workers.
 */
async function shortenPauses(boss: PgBoss): Promise<void> {
  await boss.getDb().executeSql(
    `update ${SCHEMA}.job set start_after = now() + interval '10 seconds'
      where state = 'retry' and start_after > now() + interval '10 seconds'
        and output -> 'value' ->> 'message' = 'job heartbeat timeout'`,
  )
}

/** By the index that fetching goes by. */
async function dueQueues(boss: PgBoss): Promise<readonly string[]> {
  const { rows } = await boss.getDb().executeSql(
    `select name from ${SCHEMA}.queue
      where exists (select from ${SCHEMA}.job
                     where job.name = queue.name and state < 'active' and not blocked and start_after <= now())`,
  )
  return rows.map(({ name }: { name: string }) => name)
}

async function wake(boss: PgBoss, task: Task): Promise<number> {
  const { rows } = await boss.getDb().executeSql(
    `with woken as (
       update ${SCHEMA}.job set start_after = now()
        where name = $1 and state = 'retry' and start_after > now() returning 1
     ) select count(*)::int as woken from woken`,
    [task],
  )
  return rows[0]?.woken ?? 0
}
