import type { QueuedJob as Job, QueuedTask as Task } from "@paraph/core/jobs"
import type { JobWithMetadata, PgBoss } from "pg-boss"
import type { Attempt } from "./jobs.ts"

export type Fetched = JobWithMetadata<Job>

export type Running = {
  readonly boss: PgBoss
  readonly handle: (attempt: Attempt<Task>) => Promise<void>
  /** What the handler threw. */
  readonly onFailed: (task: Task, id: string, error: unknown) => void
  /** What the database refused. */
  readonly onError: (error: Error) => void
}

/**
 * Runs a job that was fetched, and settles it. Each write names the attempt, so that a worker whose claim was lost changes nothing. A
 * job that cannot be settled loses its heartbeat, and is tried again.
 */
export async function runJob(
  { boss, handle, onFailed, onError }: Running,
  task: Task,
  job: Fetched,
): Promise<void> {
  const { id, data, retryCount, createdOn } = job
  const beating = startHeartbeat(boss, task, job, onError)
  try {
    const attempt = { id, job: data, attempt: retryCount + 1, createdAt: createdOn } as Attempt<Task>
    await withinSeconds(job.expireInSeconds, handle(attempt))
    await boss.complete(task, job)
  } catch (error) {
    onFailed(task, id, error)
    await boss.fail(task, job, asError(error)).catch((failed: unknown) => onError(asError(failed)))
  } finally {
    clearInterval(beating)
  }
}

function startHeartbeat(boss: PgBoss, task: Task, job: Fetched, onError: (error: Error) => void) {
  const ms = ((job.heartbeatSeconds ?? 60) * 1000) / 2
  return setInterval(() => void boss.touch(task, job).catch((error: unknown) => onError(asError(error))), ms)
}

/** The queue gives the job to another worker then; this one must not keep its place. */
async function withinSeconds(seconds: number, work: Promise<void>): Promise<void> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(
    () => late.reject(new Error(`The job took longer than the ${seconds} seconds of its queue.`)),
    seconds * 1000,
  )
  await Promise.race([work, late.promise]).finally(() => clearTimeout(timer))
}

const asError = (thrown: unknown): Error => (thrown instanceof Error ? thrown : new Error(String(thrown)))
