import { jobOf, type QueuedJob } from "@paraph/core/jobs"
import type { JournalEntry } from "@paraph/core/journal/model"
import { LIMITS } from "@paraph/core/limits"
import type { Effect } from "@paraph/core/signature-request/event"
import type { SignatureRequest } from "@paraph/core/signature-request/model"
import type { World } from "../world.ts"
import { lock } from "./database.ts"
import type { DeliveryRow, JobRow, Table } from "./tables.ts"
import { put, rows, type Transaction } from "./transaction.ts"

export const WEBHOOK = { id: "webhook-1", url: "https://hooks.example/events" } as const

/** As `store/jobs/enqueue`: effects become jobs, or callbacks that are owed, in the transaction of the change. */
export async function enqueue(
  world: World,
  tx: Transaction,
  request: SignatureRequest,
  effects: readonly Effect[],
): Promise<void> {
  for (const effect of effects) {
    const job = jobOf(request, effect)
    if (job === null) continue
    if (job.task === "deliver-callback") {
      const { businessId, requestId: subjectId, url, type, template } = job
      const line = `${subjectId} ${template}`
      const at = request.updatedAt.getTime()
      await owe(world, tx, { businessId, subjectId, line, url, type, eventId: null, at })
    } else send(world, tx, job)
  }
}

function send(world: World, tx: Transaction, job: QueuedJob): void {
  const now = world.schedule.now()
  const id = world.newId("job")
  const row: JobRow = {
    id,
    job,
    state: "created",
    startAfter: now,
    retryCount: 0,
    createdAt: now,
    startedAt: 0,
    heartbeatAt: 0,
    endedAt: 0,
  }
  const { jobs } = world.state
  if (world.plant === "jobs are sent before the commit") {
    jobs.set(id, row)
    world.wake(job.task, now)
    return
  }
  if (world.plant === "jobs are sent after the commit") {
    tx.afterCommit.push(() => {
      const late = () => {
        jobs.set(id, row)
        world.wake(job.task, now)
      }
      world.schedule.at(world.schedule.now() + 5, tx.process, "jobs are sent", late)
    })
    return
  }
  put(tx, jobs, id, row)
  tx.afterCommit.push(() => world.wake(job.task, now))
}

type Owed = Pick<DeliveryRow, "businessId" | "subjectId" | "line" | "url" | "type" | "eventId"> & {
  readonly at: number
}

/** As `store/postgres/deliveries`: one that another of its line is before waits for it. */
async function owe(world: World, tx: Transaction, { at, ...owed }: Owed): Promise<void> {
  await lock(world, tx, `lines ${owed.subjectId}`)
  const { deliveries } = world.state
  const id = world.newId("call")
  const isFirst = !rows(tx, deliveries).some((row) => row.line === owed.line && row.state === "OPEN")
  const goes = isFirst || world.plant === "calls of a line go out at once"
  put(tx, deliveries, id, {
    ...owed,
    id,
    place: Number(world.newId("place").slice("place-".length)),
    state: "OPEN",
    retry: false,
    dueAt: goes ? at : Number.POSITIVE_INFINITY,
    claim: null,
    attempts: 0,
    giveUpAt: at + LIMITS.callbackRetryMs,
    createdAt: world.schedule.now(),
    endedAt: 0,
  })
  if (goes) tx.afterCommit.push(() => world.wake("deliveries", at))
}

/** As `store/postgres/journal`: entries, and what is owed to the webhook, in the transaction of the change. */
export async function appendJournal(
  world: World,
  tx: Transaction,
  entries: readonly JournalEntry[],
): Promise<void> {
  for (const entry of entries) {
    const id = world.newId("event")
    put(tx, world.state.journal, id, { ...entry, id })
    if (!world.listens) continue
    const subjectId = entry.requestId ?? entry.documentId ?? id
    const line = `webhook ${WEBHOOK.id} ${subjectId}`
    const of = { businessId: "business", subjectId, line, url: WEBHOOK.url, type: "webhook", eventId: id }
    await owe(world, tx, { ...of, at: entry.at.getTime() })
  }
}

/** The next of the line may go. */
export function letNextGo(world: World, tx: Transaction, line: string): void {
  const { deliveries } = world.state
  const open = rows(tx, deliveries).filter((row) => row.line === line && row.state === "OPEN")
  const [next] = open.sort((a, b) => a.place - b.place)
  if (next === undefined || next.dueAt !== Number.POSITIVE_INFINITY) return
  const dueAt = world.schedule.now()
  put(tx, deliveries, next.id, { ...next, dueAt })
  tx.afterCommit.push(() => world.wake("deliveries", dueAt))
}

/** Rows of what is still open, for those who look what is due. */
export const openRows = (table: Table<DeliveryRow>): readonly DeliveryRow[] =>
  [...table.values()].filter((row) => row.state === "OPEN")
