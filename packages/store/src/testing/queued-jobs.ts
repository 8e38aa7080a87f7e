import { randomUUID } from "node:crypto"
import type { QueuedTask as Task } from "@paraph/core/jobs"
import { type Attempt, type Handlers, type Jobs, openJobs } from "../jobs/jobs.ts"
import { laneOf, type Owner } from "../jobs/lane.ts"
import { QUEUES, SCHEMA } from "../jobs/queues.ts"
import type { OwnDatabase } from "./own-database.ts"

/** For tests: jobs of one owner as `enqueue` inserts them, any number in one statement; workers are notified. */
export async function queueJobs(
  { pool }: OwnDatabase,
  task: Task,
  owner: Owner,
  count = 1,
  data: object = {},
): Promise<void> {
  await pool.query(
    `insert into ${SCHEMA}.job (name, data, policy, priority, heartbeat_seconds, retry_limit, created_on)
     select $1, $2::jsonb || jsonb_build_object('task', $1::text, 'businessId', $3::text, 'signatureId', n), 'standard', $4, 10, 100,
            clock_timestamp() + n * interval '1 microsecond'
       from generate_series(1, $5) as n`,
    [task, data, owner.businessId, laneOf(owner), count],
  )
}

export const owner = (kind: Owner["kind"] = "production"): Owner => ({ businessId: randomUUID(), kind })

export type Started = { readonly businessId: string; readonly end: () => void; readonly job: object }

/** A worker whose jobs of one queue run until the test ends them, in the order in which they started. */
export async function startHeldWorker(
  { url }: OwnDatabase,
  task: Task,
  starts: Started[] = [],
): Promise<{ readonly jobs: Jobs; readonly starts: Started[] }> {
  const handle = async ({ job }: Attempt<Task>) => {
    const { promise, resolve } = Promise.withResolvers<void>()
    starts.push({ businessId: "businessId" in job ? job.businessId : "", end: resolve, job })
    await promise
  }
  const nothing = async () => undefined
  const handlers = Object.fromEntries(
    Object.keys(QUEUES).map((name) => [name, name === task ? handle : nothing]),
  ) as unknown as Handlers
  const jobs = await openJobs(url, { worker: true, onError: () => undefined })
  await jobs.work(handlers, () => undefined)
  return { jobs, starts }
}
