import { setTimeout as pause } from "node:timers/promises"
import type { QueuedJob as Job, QueuedTask as Task } from "@paraph/core/jobs"
import { createFairShare, type FairShare, type Places, type Ready } from "./fair-share.ts"
import type { Lane } from "./lane.ts"
import { LANES_AT_ONCE, readyLanes } from "./ready-lanes.ts"
import { type Fetched, type Running, runJob } from "./run-job.ts"

export type Dispatcher = {
  /** Something may be ready. */
  readonly ring: () => void
  /** Starts no more jobs; lets those that run end within the time given, and fails the others. */
  readonly stop: (timeoutMs: number) => Promise<void>
}

/**
 * Starts the jobs of one queue while places are free: asks which lanes have a job ready, chooses by fair share, and has pg-boss fetch
 * the oldest jobs of each lane chosen.
 */
export function createDispatcher(running: Running, task: Task, places: Places): Dispatcher {
  const share = createFairShare(places)
  const jobs = new Map<string, { readonly job: Fetched; readonly ended: Promise<void> }>()
  let isStopping = false
  let isRung = false
  /** Lanes were left that may start a job as soon as a place is given back. */
  let isMore = false
  let dispatching = Promise.resolve()
  let isDispatching = false
  const start = (job: Fetched, lane: Lane) => {
    const ended = runJob(running, task, job).then(() => {
      jobs.delete(job.id)
      share.end(lane)
      if (isMore) ring()
    })
    jobs.set(job.id, { job, ended })
  }
  const dispatch = async () => {
    while (isRung && !isStopping) {
      isRung = false
      if (share.running() >= places.total) {
        isMore = true
        continue
      }
      const ready = await readyLanes(running.boss, task, share.served)
      const left = await startJobs(running, task, share, ready, start)
      isMore = left > 0
      if (left === 0 && isCutOff(ready)) isRung = true
    }
  }
  const ring = () => {
    isRung = true
    if (isDispatching || isStopping) return
    isDispatching = true
    dispatching = dispatch()
      .catch((error: unknown) => running.onError(error as Error))
      .finally(() => {
        isDispatching = false
        if (isRung) ring()
      })
  }
  return {
    ring,
    stop: async (timeoutMs) => {
      isStopping = true
      await dispatching
      const ends = Promise.all([...jobs.values()].map(({ ended }) => ended))
      const waiting = new AbortController()
      await Promise.race([ends, pause(timeoutMs, undefined, { signal: waiting.signal })])
      waiting.abort()
      const stopped = new Error("The worker was stopped while the job ran.")
      for (const { job } of jobs.values())
        await running.boss.fail(task, job, stopped).catch((error: unknown) => running.onError(error as Error))
    },
  }
}

const isCutOff = ({ production, demo }: Ready): boolean =>
  production.length >= LANES_AT_ONCE || demo.length >= LANES_AT_ONCE

/** Answers how many lanes are left that have more than could be started. */
async function startJobs(
  { boss, onError }: Running,
  task: Task,
  share: FairShare,
  ready: Ready,
  start: (job: Fetched, lane: Lane) => void,
): Promise<number> {
  const empty = new Set<Lane>()
  const rest = (lanes: readonly Lane[]) => lanes.filter((lane) => !empty.has(lane))
  const fetchFrom = async (lane: Lane, count: number) => {
    const of = { minPriority: lane, maxPriority: lane, batchSize: count, includeMetadata: true } as const
    const found = await boss.fetch<Job>(task, of).catch((error: unknown) => {
      onError(error as Error)
      return []
    })
    for (const job of found) start(job, lane)
    for (let n = found.length; n < count; n += 1) share.end(lane)
    if (found.length < count) empty.add(lane)
  }
  for (;;) {
    const left = { production: rest(ready.production), demo: rest(ready.demo) }
    const chosen = chooseAll(share, left)
    if (chosen.size === 0) return left.production.length + left.demo.length
    await Promise.all([...chosen].map(([lane, count]) => fetchFrom(lane, count)))
  }
}

/** As many as have a place, by lane. */
function chooseAll(share: FairShare, ready: Ready): ReadonlyMap<Lane, number> {
  const chosen = new Map<Lane, number>()
  for (let lane = share.next(ready); lane !== null; lane = share.next(ready))
    chosen.set(lane, (chosen.get(lane) ?? 0) + 1)
  return chosen
}
