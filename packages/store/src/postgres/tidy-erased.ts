import type { About } from "@paraph/core/evidence/erase"
import { sql } from "kysely"
import type { Mark } from "../blobs/bucket.ts"
import { SCHEMA } from "../jobs/queues.ts"
import type { ServiceDatabase } from "./database.ts"

const JOBS = sql.table(`${SCHEMA}.job`)

/** What is under way when something is erased writes for a moment longer, and mails and calls that are owed are still made. */
const AGAIN_MS = 60_000

/**
 * What is left elsewhere of what was erased: jobs that are over, with the addresses in them; the record of mails; callbacks that
 * were made or given up. Looked at until nothing is left and nothing can come any more; answers how many were looked at. Each is
 * marked in the bucket before, so that it stays erased when the database is set back (ADR 0063).
 */
export const tidyErased = (
  db: ServiceDatabase,
  markErased: (mark: Mark) => Promise<void>,
  now: Date,
  limit: number,
): Promise<number> =>
  db.transaction().execute(async (trx) => {
    const { rows } = await sql<{ id: string; story_id: string; about: About; erased_at: Date }>`
      select id, story_id, about, erased_at from erasure where tidy_at <= ${now}
       order by tidy_at limit ${limit} for update skip locked`.execute(trx)
    if (rows.length === 0) return 0
    for (const { about, story_id: id } of rows) await markErased({ about, id })
    const stories = rows.map((row) => row.story_id)
    await sql`
      delete from ${JOBS} where data ->> 'requestId' = any (${stories}::text[]) and state >= 'completed'`.execute(
      trx,
    )
    await sql`delete from mail_log where request_id = any (${stories}::uuid[])`.execute(trx)
    await sql`
      delete from delivery
       where subject_id = any (${stories}::uuid[]) and webhook_id is null and state <> 'OPEN'`.execute(trx)
    const { rows: waiting } = await sql<{ id: string }>`
      select data ->> 'requestId' as id from ${JOBS} where data ->> 'requestId' = any (${stories}::text[])
      union select subject_id::text from delivery
       where subject_id = any (${stories}::uuid[]) and webhook_id is null`.execute(trx)
    const unfinished = new Set(waiting.map(({ id }) => id))
    const settled = new Date(now.getTime() - AGAIN_MS)
    const done = rows.filter((row) => row.erased_at <= settled && !unfinished.has(row.story_id))
    const again = new Date(now.getTime() + AGAIN_MS)
    await sql`
      update erasure set tidy_at = case when id = any (${done.map(({ id }) => id)}::uuid[]) then null else ${again}::timestamptz end
       where id = any (${rows.map(({ id }) => id)}::uuid[])`.execute(trx)
    return rows.length
  })
