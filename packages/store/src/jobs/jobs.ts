import { setTimeout as pause } from "node:timers/promises"
import type { QueuedJob as Job, QueuedTask as Task } from "@paraph/core/jobs"
import { PgBoss } from "pg-boss"
import { connectionTo } from "../postgres/database.ts"
import { QUEUES, SCHEMA } from "./queues.ts"

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
  /** Per queue: how many jobs are ready, and how old the oldest of them is. */
  readonly stats: () => Promise<readonly QueueState[]>
  /** Has every job of the queue that failed tried again now, whatever its pause; answers how many there were. */
  readonly wake: (task: Task) => Promise<number>
  /** Lets what runs come to its end, within the time given. */
  readonly stop: (timeoutMs: number) => Promise<void>
}

export type QueueState = {
  readonly task: Task
  readonly ready: number
  readonly active: number
  readonly oldestReadySeconds: number
}

/** The queue of this process; only a worker supervises it (heartbeats, retries). */
export async function openJobs(
  databaseUrl: string,
  options: { readonly worker: boolean; readonly onError: (error: Error) => void },
): Promise<Jobs> {
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
    useListenNotify: options.worker,
  })
  boss.on("error", options.onError)
  await boss.start()
  let working: { readonly stop: () => void } | undefined
  return {
    boss,
    work: async (handlers, onError) => {
      working = await work(boss, handlers, onError)
    },
    stats: () => stats(boss),
    wake: (task) => wake(boss, task),
    stop: (timeoutMs) => {
      working?.stop()
      return boss.stop({ graceful: true, timeout: timeoutMs })
    },
  }
}

const CONCURRENCY: Readonly<Record<Task, number>> = {
  "invite-signer": 4,
  "send-mail": 4,
  "send-code": 2,
  "ask-identity-provider": 2,
  "prepare-release": 4,
  "sign-remotely": 4,
  "sign-document": 2,
  "seal-document": 4,
  "seal-batch": 1,
  "seal-report": 2,
  "seal-protocol": 2,
  "write-to-account": 2,
}

/**
 * A notification tells every place of a queue of new jobs. Those whose pause is over, or whose worker died, are found by
 * asking: once a second for all queues together, and not by each place for itself. Whoever has a job has somebody look for
 * the next one, and looks again after it, so that what has piled up is worked off without a pause.
 */
async function work(
  boss: PgBoss,
  handlers: Handlers,
  onError: (task: Task, id: string, error: unknown) => void,
): Promise<{ readonly stop: () => void }> {
  const queues = new Map<string, Places>()
  for (const task of Object.keys(QUEUES) as Task[]) {
    const handle = handlers[task] as (attempt: Attempt<Task>) => Promise<void>
    const places = createPlaces(boss)
    queues.set(task, places)
    for (let place = 0; place < CONCURRENCY[task]; place += 1) {
      const id = await boss.work<Job, void, typeof PLACE>(task, PLACE, async (jobs) => {
        await places.taken(id, async () => {
          for (const { id, data, retryCount, createdOn } of jobs)
            try {
              await handle({ id, job: data, attempt: retryCount + 1, createdAt: createdOn } as Attempt<Task>)
            } catch (error) {
              onError(task, id, error)
              throw error
            }
        })
      })
      places.add(id)
    }
  }
  return startLooking(boss, (task) => queues.get(task)?.wakeOne())
}

/** With nobody to notify us each place asks for itself, as often as it may be needed. */
const PLACE = {
  localConcurrency: 1,
  pollingIntervalSeconds: 1,
  notifyPollingIntervalSeconds: 30,
  includeMetadata: true,
  batchSize: 1,
} as const

const LOOK_MS = 1000

type Places = {
  readonly add: (id: string) => void
  readonly wakeOne: () => void
  readonly taken: (id: string, work: () => Promise<void>) => Promise<void>
}

function createPlaces(boss: PgBoss): Places {
  const free = new Set<string>()
  const wakeOne = () => {
    const [id] = free
    if (id !== undefined) boss.notifyWorker(id)
  }
  return {
    add: (id) => void free.add(id),
    wakeOne,
    taken: async (id, work) => {
      free.delete(id)
      wakeOne()
      try {
        await work()
      } finally {
        free.add(id)
        boss.notifyWorker(id)
      }
    },
  }
}

function startLooking(boss: PgBoss, found: (task: string) => void): { readonly stop: () => void } {
  const ending = new AbortController()
  const { signal } = ending
  void (async () => {
    for (let looks = 0; !signal.aborted; looks += 1) {
      await pause(LOOK_MS, undefined, { signal }).catch(() => undefined)
      if (signal.aborted) return
      // A database that is away is told of by those who wait for its notifications.
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

/** Asked of the table itself: what pg-boss counts is up to a minute old, and it does not know ages. */
async function stats(boss: PgBoss): Promise<readonly QueueState[]> {
  const { rows } = await boss.getDb().executeSql(
    `select name,
            count(*) filter (where state in ('created', 'retry') and start_after <= now()) as ready,
            count(*) filter (where state = 'active') as active,
            extract(epoch from now() - min(start_after) filter (where state in ('created', 'retry') and start_after <= now())) as oldest
       from ${SCHEMA}.job where state < 'completed' group by name`,
  )
  return (Object.keys(QUEUES) as Task[]).map((task) => {
    const row = rows.find((r: { name: string }) => r.name === task)
    return {
      task,
      ready: Number(row?.ready ?? 0),
      active: Number(row?.active ?? 0),
      oldestReadySeconds: Number(row?.oldest ?? 0),
    }
  })
}
