import type { Claimed } from "@paraph/core/delivery/model"
import type { QueuedTask } from "@paraph/core/jobs"
import { performSigning } from "@paraph/core/signature-request/sign"
import { createPlaces, EXTEND_MS, LEASE_MS } from "@paraph/server/jobs/deliver"
import { attempt } from "@paraph/server/jobs/deliver-attempt"
import { inviteSigner } from "@paraph/server/jobs/invite-signer"
import { passTime } from "@paraph/server/jobs/pass-time"
import { sendMail } from "@paraph/server/jobs/send-mail"
import { sweepOnce } from "@paraph/server/jobs/sweep"
import type { WorkerParts } from "./outside.ts"
import type { Process } from "./schedule.ts"
import { isSomethingDue } from "./store/dates.ts"
import { isCallDue } from "./store/deliveries.ts"
import { completeJob, failJob, fetchJob, isJobDue, keepAlive } from "./store/jobs.ts"
import type { JobRow } from "./store/tables.ts"
import { pause, type Wakes, type World } from "./world.ts"

export const TASKS = ["sign-document", "invite-signer", "send-mail"] as const satisfies readonly QueuedTask[]

/** As many jobs at a time as `store/jobs` has places. */
const PLACES: Partial<Record<QueuedTask, number>> = { "sign-document": 2, "invite-signer": 4, "send-mail": 4 }

export type Worker = { readonly look: (what: Wakes) => void }

/**
 * A worker as the server starts it, but for its timers: what they would find is told by the store, and whoever would find nothing does
 * not look.
 */
export function startWorker(world: World, process: Process, parts: WorkerParts): Worker {
  const busy = new Map<QueuedTask, number>()
  const deliver = createDelivering(world, process, parts)
  const work = async (task: QueuedTask) => {
    const taken = busy.get(task) ?? 0
    if (taken >= (PLACES[task] ?? 1)) return
    busy.set(task, taken + 1)
    while (isJobDue(world, task)) {
      const row = await fetchJob(world, process, task).catch(async () => {
        await pause(world, process, 1000)
        return "again" as const
      })
      if (row !== "again" && row !== null) await perform(world, process, parts, row)
    }
    busy.set(task, (busy.get(task) ?? 1) - 1)
  }
  let sweeping = false
  const sweep = async () => {
    if (sweeping || !isSomethingDue(world)) return
    sweeping = true
    await sweepOnce(parts).catch(() => undefined)
    await passTime(parts).catch(() => undefined)
    sweeping = false
    if (isSomethingDue(world)) world.wake("dates", world.schedule.now() + 60_000)
  }
  return {
    look: (what) => {
      if (what === "deliveries") void deliver()
      else if (what === "dates") void sweep()
      else void work(what)
    },
  }
}

async function perform(world: World, process: Process, parts: WorkerParts, row: JobRow): Promise<void> {
  const life = keepAlive(world, process, row)
  try {
    await handle(parts, row)
    await completeJob(world, process, row)
  } catch (error) {
    world.schedule.note(`${row.id} failed: ${error instanceof Error ? error.message : error}`, process)
    await failJob(world, process, row).catch(() => undefined)
  } finally {
    life.stop()
  }
}

function handle(parts: WorkerParts, { id, job, retryCount, createdAt }: JobRow): Promise<void> {
  const of = { id, attempt: retryCount + 1, createdAt: new Date(createdAt) }
  switch (job.task) {
    case "sign-document":
      return performSigning(parts, job, of.attempt)
    case "invite-signer":
      return inviteSigner(parts, { ...of, job })
    case "send-mail":
      return sendMail(parts, { ...of, job })
    default:
      throw new Error(`Nobody sends ${job.task} in this world.`)
  }
}

/** As `startDeliveries`, with the leases that it holds and extends. */
function createDelivering(world: World, process: Process, parts: WorkerParts): () => Promise<void> {
  const { schedule } = world
  const claim = world.newId("worker")
  const underWay = new Map<string, Claimed>()
  const places = createPlaces(parts, claim, underWay)
  let isExtending = false
  const extend = () => {
    if (isExtending) return
    isExtending = true
    schedule.at(schedule.now() + EXTEND_MS, process, "extend", () => {
      isExtending = false
      if (underWay.size === 0) return
      const until = new Date(schedule.now() + LEASE_MS)
      parts.extendClaims(claim, [...underWay.keys()], until).catch(() => undefined)
      extend()
    })
  }
  const run = async (claimed: Claimed) => {
    underWay.set(claimed.id, claimed)
    extend()
    await attempt(parts, claimed).catch(() => undefined)
    underWay.delete(claimed.id)
    void look()
  }
  let looking = false
  const look = async () => {
    if (looking) return
    looking = true
    while (isCallDue(world)) {
      const found = await places.fill().catch(async () => {
        await pause(world, process, 1000)
        return null
      })
      for (const claimed of found ?? []) void run(claimed)
      if (found?.length === 0) break
    }
    looking = false
  }
  return look
}
