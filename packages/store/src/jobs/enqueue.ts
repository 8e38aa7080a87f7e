import { randomUUID } from "node:crypto"
import { jobOf } from "@paraph/core/jobs"
import { requestReadersOf } from "@paraph/core/journal/of-change"
import type { Effect } from "@paraph/core/signature-request/event"
import type { SignatureRequest } from "@paraph/core/signature-request/model"
import { CompiledQuery } from "kysely"
import type { PgBoss } from "pg-boss"
import type { Trx } from "../postgres/database.ts"
import { insertCallback } from "../postgres/deliveries.ts"

export type Enqueue = (trx: Trx, request: SignatureRequest, effects: readonly Effect[]) => Promise<void>

/**
 * Effects become jobs, or callbacks that are owed, in the caller's own transaction: either both are there afterwards, or
 * neither.
 */
export const createEnqueue =
  (boss: PgBoss): Enqueue =>
  async (trx, request, effects) => {
    const db = { executeSql: (text: string, values?: unknown[]) => run(trx, text, values ?? []) }
    const { kind, updatedAt: at } = request
    for (const effect of effects) {
      const job = jobOf(request, effect)
      if (job === null) continue
      const id = randomUUID()
      if (job.task === "deliver-callback")
        await insertCallback(trx, { ...job, id, kind, readers: requestReadersOf(request), at })
      else await boss.send(job.task, job, { id, db })
    }
  }

const run = async (trx: Trx, text: string, values: unknown[]) => {
  const { rows } = await trx.executeQuery(CompiledQuery.raw(text, values))
  return { rows }
}
