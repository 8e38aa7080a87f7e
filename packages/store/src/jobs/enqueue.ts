import { randomUUID } from "node:crypto"
import type { LetterToAccount } from "@paraph/core/account/model"
import type { LetterToMember } from "@paraph/core/business/ports"
import { jobOf, type QueuedJob } from "@paraph/core/jobs"
import { requestReadersOf } from "@paraph/core/journal/of-change"
import type { Effect } from "@paraph/core/signature-request/event"
import type { SignatureRequest } from "@paraph/core/signature-request/model"
import { CompiledQuery } from "kysely"
import type { PgBoss } from "pg-boss"
import type { Trx } from "../postgres/database.ts"
import { insertCallback } from "../postgres/deliveries.ts"
import { saidLater } from "../postgres/later.ts"
import { type Lane, laneOf, laneOfEmail } from "./lane.ts"

export type Enqueue = (trx: Trx, request: SignatureRequest, effects: readonly Effect[]) => Promise<void>

/**
 * Effects become jobs, or callbacks that are owed, in the caller's own transaction: either both are there afterwards, or
 * neither.
 */
export const createEnqueue =
  (boss: PgBoss, mayBeMailed: MayBeMailed = () => undefined): Enqueue =>
  async (trx, request, effects) => {
    mayBeMailed(request, mailsOfCaller(request, effects))
    const { kind, updatedAt: at } = request
    const queued: QueuedJob[] = []
    for (const effect of effects) {
      const job = jobOf(request, effect)
      if (job === null) continue
      if (job.task !== "deliver-callback") queued.push(job)
      else {
        const readers = requestReadersOf(request)
        await insertCallback(trx, { ...job, id: randomUUID(), kind, readers, at })
      }
    }
    for (const [task, jobs] of Map.groupBy(queued, (job) => job.task))
      await boss.insert(
        task,
        jobs.map((data) => ({ id: randomUUID(), data, priority: laneOf(request) })),
        { db: later(trx, task) },
      )
  }

/** The job is there once the transaction has committed, or never. */
export async function sendWithin(boss: PgBoss, trx: Trx, job: QueuedJob, lane: Lane): Promise<void> {
  await boss.send(job.task, job, { id: randomUUID(), db: within(trx), priority: lane })
}

export const sendToAccount = (boss: PgBoss, trx: Trx, letter: LetterToAccount): Promise<void> => {
  const job = { task: "write-to-account", ...letter } as const
  return sendWithin(boss, trx, job, laneOfEmail(job))
}

/** Whose answer nobody looks at, for an insert gives back no ids; one statement for each task, however many jobs there are. */
const later = (trx: Trx, task: string) => ({
  executeSql: (text: string, values?: unknown[]) =>
    run(trx, saidLater(`/* enqueue-${task} */ ${text}`), values ?? []),
})

const within = (trx: Trx) => ({
  executeSql: (text: string, values?: unknown[]) => run(trx, text, values ?? []),
})

export type WriteToMember = (trx: Trx, letter: LetterToMember) => Promise<void>

/** Somebody of a business has us write to whom they name: counted as an invitation is. */
export const createWriteToMember =
  (boss: PgBoss, mayBeMailed: MayBeMailed): WriteToMember =>
  async (trx, letter) => {
    // Owners are told of what opens their business, however many were written to.
    if (letter.letter === "invited")
      mayBeMailed({ businessId: letter.businessId, kind: "production" }, [letter.email])
    await sendToAccount(boss, trx, letter)
  }

/**
 * Refuses when a business would write to too many people at once, or to one person too often, or when all businesses together would
 * write to one person too often in a day (security, T19).
 */
export type MayBeMailed = (
  by: Pick<SignatureRequest, "businessId" | "kind">,
  recipients: readonly string[],
) => void

/**
 * Whom a caller of the interface has us write to. What follows from what a signer does, and from a date, is not the
 * caller's doing, and nobody's signature is refused because others had many mails.
 */
function mailsOfCaller(request: SignatureRequest, effects: readonly Effect[]): readonly string[] {
  if (effects.some(({ type }) => type === "call-back")) return []
  return effects.flatMap((effect) => {
    if (effect.type === "tell") return effect.letter === "observer-added" ? [effect.to.email] : []
    if (effect.type !== "invite" && effect.type !== "remind") return []
    return request.signatures.find(({ id }) => id === effect.signatureId)?.email ?? []
  })
}

const run = async (trx: Trx, text: string, values: unknown[]) => {
  const { rows } = await trx.executeQuery(CompiledQuery.raw(text, values))
  return { rows }
}
