import type { QueuedTask } from "@paraph/core/jobs"
import { QUEUES } from "@paraph/store/jobs/queues"
import type { Process } from "../schedule.ts"
import { call, type World } from "../world.ts"
import type { JobRow } from "./tables.ts"

/** As often as somebody looks after those that have died. */
const SUPERVISED_MS = 2_000

/** As pg-boss: whoever takes a job has it until it is over, or until no sign of life came for as long as its queue says. */
export const fetchJob = (world: World, process: Process, task: QueuedTask): Promise<JobRow | null> =>
  call(world, process, "database", `fetch ${task}`, () => {
    const now = world.schedule.now()
    const row = dueJob(world, task)
    if (row === undefined) return null
    const isOver = world.plant === "a job is over when it begins"
    const state = isOver ? ("completed" as const) : ("active" as const)
    const taken: JobRow = { ...row, state, startedAt: now, heartbeatAt: now }
    world.state.jobs.set(row.id, taken)
    if (isOver || world.plant === "a dead worker keeps its jobs") return taken
    if (world.faults.twice(now)) giveAway(world, taken)
    else supervise(world, taken)
    return taken
  })

function dueJob({ state, schedule }: World, task: QueuedTask): JobRow | undefined {
  for (const row of state.jobs.values())
    if (
      row.job.task === task &&
      (row.state === "created" || row.state === "retry") &&
      row.startAfter <= schedule.now()
    )
      return row
  return undefined
}

/** Whether a look would find something. */
export const isJobDue = (world: World, task: QueuedTask): boolean => dueJob(world, task) !== undefined

function supervise(world: World, taken: JobRow): void {
  const { id, startedAt, heartbeatAt } = taken
  const { heartbeatMs, expireMs } = lifeOf(world, id)
  const look = Math.min(heartbeatAt + heartbeatMs, startedAt + expireMs) + SUPERVISED_MS * world.random.next()
  world.schedule.at(look, null, `look after ${id}`, () => {
    const row = world.state.jobs.get(id)
    if (!isSame(row, taken)) return
    const now = world.schedule.now()
    if (now - row.heartbeatAt >= heartbeatMs || now - startedAt >= expireMs) retry(world, row)
    else supervise(world, row)
  })
}

function lifeOf(world: World, id: string) {
  const task = world.state.jobs.get(id)?.job.task ?? "sign-document"
  const { heartbeatSeconds = 60, expireInSeconds = 900 } = QUEUES[task]
  return { heartbeatMs: heartbeatSeconds * 1000, expireMs: expireInSeconds * 1000 }
}

/** No sign of life has come, as far as the queue knows: somebody else gets it at once. */
function giveAway(world: World, taken: JobRow): void {
  const startAfter = world.schedule.now() + world.random.pick([20, 500, 5000]) * world.random.next()
  world.state.jobs.set(taken.id, { ...taken, state: "retry", startAfter, retryCount: taken.retryCount + 1 })
  world.wake(taken.job.task, startAfter)
}

/** A pause that doubles, up to the longest of its queue. */
function retry(world: World, row: JobRow): void {
  const { retryDelay = 1, retryDelayMax = 900 } = QUEUES[row.job.task]
  const seconds = Math.min(retryDelayMax, retryDelay * 2 ** Math.min(row.retryCount, 16))
  const startAfter = world.schedule.now() + seconds * 1000 * (0.5 + world.random.next() / 2)
  world.state.jobs.set(row.id, { ...row, state: "retry", startAfter, retryCount: row.retryCount + 1 })
  world.wake(row.job.task, startAfter)
}

/** Whether it is still the attempt that this worker took: pg-boss ends, fails and keeps alive nothing else. */
const isSame = (row: JobRow | undefined, taken: JobRow): row is JobRow =>
  row?.state === "active" && row.retryCount === taken.retryCount

export const completeJob = (world: World, process: Process, taken: JobRow): Promise<void> =>
  call(world, process, "database", `complete ${taken.id}`, () => {
    const row = world.state.jobs.get(taken.id)
    if (isSame(row, taken))
      world.state.jobs.set(row.id, { ...row, state: "completed", endedAt: world.schedule.now() })
  })

export const failJob = (world: World, process: Process, taken: JobRow): Promise<void> =>
  call(world, process, "database", `fail ${taken.id}`, () => {
    const row = world.state.jobs.get(taken.id)
    if (isSame(row, taken)) retry(world, row)
  })

/** While the process lives, and the work goes on. */
export function keepAlive(world: World, process: Process, taken: JobRow): { stop: () => void } {
  let isOn = true
  const { id } = taken
  const everyMs = lifeOf(world, id).heartbeatMs / 2
  const beat = () =>
    world.schedule.at(world.schedule.now() + everyMs, process, `heartbeat of ${id}`, () => {
      if (!isOn) return
      call(world, process, "database", "heartbeat", () => {
        const row = world.state.jobs.get(id)
        if (isSame(row, taken)) world.state.jobs.set(id, { ...row, heartbeatAt: world.schedule.now() })
      }).catch(() => undefined)
      beat()
    })
  beat()
  return {
    stop: () => {
      isOn = false
    },
  }
}
