import { createHash, randomUUID } from "node:crypto"
import { type Job, jobOf, orderKeyOf } from "@paraph/core/jobs"
import type { Effect } from "@paraph/core/signature-request/machine"
import type { SignatureRequest } from "@paraph/core/signature-request/model"
import { CompiledQuery } from "kysely"
import type { PgBoss } from "pg-boss"
import type { Trx } from "../postgres/database.ts"

export type Enqueue = (trx: Trx, request: SignatureRequest, effects: readonly Effect[]) => Promise<void>

/** Effects become jobs in the caller's own transaction: either both are there afterwards, or neither. */
export const createEnqueue =
  (boss: PgBoss): Enqueue =>
  async (trx, request, effects) => {
    const db = { executeSql: (text: string, values?: unknown[]) => run(trx, text, values ?? []) }
    for (const effect of effects) {
      const job = jobOf(request, effect)
      if (job === null) continue
      const id = randomUUID()
      if (job.task === "deliver-callback") await insertCallback(trx, id, job, request.updatedAt)
      const key = orderKeyOf(job)
      await boss.send(job.task, job, { id, db, ...(key !== null && { singletonKey: hashOf(key) }) })
    }
  }

/** A key may hold a URL of 2048 characters; an index entry may not. */
const hashOf = (key: string): string => createHash("sha256").update(key).digest("base64url")

const run = async (trx: Trx, text: string, values: unknown[]) => {
  const { rows } = await trx.executeQuery(CompiledQuery.raw(text, values))
  return { rows }
}

/** The job and the row that people read have one id. */
async function insertCallback(
  trx: Trx,
  id: string,
  job: Extract<Job, { task: "deliver-callback" }>,
  at: Date,
) {
  const { businessId, requestId, type, url } = job
  await trx
    .insertInto("callback")
    .values({
      id,
      business_id: businessId,
      request_id: requestId,
      type,
      url,
      state: "OPEN",
      created_at: at,
      updated_at: at,
    })
    .execute()
}
