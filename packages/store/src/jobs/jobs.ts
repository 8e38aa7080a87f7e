import type { QueuedJob as Job, QueuedTask as Task } from "@paraph/core/jobs"
import { PgBoss } from "pg-boss"
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
    connectionString: databaseUrl,
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
  return {
    boss,
    work: (handlers, onError) => work(boss, handlers, onError),
    stats: () => stats(boss),
    wake: (task) => wake(boss, task),
    stop: (timeoutMs) => boss.stop({ graceful: true, timeout: timeoutMs }),
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
  "write-to-account": 2,
}

async function work(
  boss: PgBoss,
  handlers: Handlers,
  onError: (task: Task, id: string, error: unknown) => void,
): Promise<void> {
  for (const task of Object.keys(QUEUES) as Task[]) {
    const handle = handlers[task] as (attempt: Attempt<Task>) => Promise<void>
    const options = {
      localConcurrency: CONCURRENCY[task],
      pollingIntervalSeconds: 1,
      // A notification tells of new jobs; those whose pause is over, or whose worker died, are found by asking.
      notifyPollingIntervalSeconds: 1,
      includeMetadata: true,
      batchSize: 1,
    } as const
    await boss.work<Job, void, typeof options>(task, options, async (jobs) => {
      for (const { id, data, retryCount, createdOn } of jobs)
        try {
          await handle({ id, job: data, attempt: retryCount + 1, createdAt: createdOn } as Attempt<Task>)
        } catch (error) {
          onError(task, id, error)
          throw error
        }
    })
  }
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
