import { journalOfRemoved } from "@paraph/core/journal/of-change"
import { sql } from "kysely"
import type { Mark } from "../blobs/bucket.ts"
import type { ServiceDatabase, Trx } from "./database.ts"
import { eraseStories } from "./erasures.ts"
import { appendEvidence, type StoryOwner, type StorySealer } from "./evidence.ts"
import { appendJournal } from "./journal.ts"
import { removeRequest } from "./request-removal.ts"
import { findRequest } from "./requests.ts"

export type ErasedAgain = {
  readonly stories: number
  readonly objects: number
  /** Stories that were held at the moment to which the database was set back: somebody has to release them first. */
  readonly held: readonly string[]
}

const BY_RESTORE = { reason: "deleted", by: "restore" } as const

/**
 * After the database was set back: what had been erased since is in it again, key and all, until this. Nobody is written to, since
 * everybody was when it went the first time. May be done again.
 */
export async function eraseAgain(
  db: ServiceDatabase,
  sealer: StorySealer,
  marks: readonly Mark[],
  now: Date,
): Promise<ErasedAgain> {
  const idsOf = (about: Mark["about"]) => marks.flatMap((mark) => (mark.about === about ? [mark.id] : []))
  const held: string[] = []
  let stories = 0
  for (const about of ["signature-request", "validation", "seal"] as const)
    for (const story of await storiesAmong(db, idsOf(about))) {
      if (story.held) held.push(story.id)
      else {
        stories += 1
        await db.transaction().execute(async (trx) => {
          if (about === "signature-request") await removeRows(trx, sealer, story, now)
          if (about === "validation") await trx.deleteFrom("validation").where("id", "=", story.id).execute()
          await eraseStories(trx, sealer, [story], { about, at: now, ...BY_RESTORE })
        })
      }
    }
  return { stories, objects: await removeObjects(db, idsOf("object"), now), held }
}

/** Those that have their key, and can be read. */
async function storiesAmong(
  db: ServiceDatabase,
  ids: readonly string[],
): Promise<readonly (StoryOwner & { readonly held: boolean })[]> {
  const { rows } = await sql<StoryOwner & { held: boolean }>`
    select k.story_id as id, k.business_id as "businessId", s.held_since is not null as held
      from story_key k join story s on s.id = k.story_id where k.story_id = any (${ids}::uuid[])`.execute(db)
  return rows
}

async function removeRows(trx: Trx, sealer: StorySealer, story: StoryOwner, at: Date): Promise<void> {
  const request = await findRequest(trx, story.businessId, story.id, true)
  if (request === null) return
  await appendEvidence(trx, sealer, story, [{ type: "request.deleted", at }])
  await appendJournal(trx, story.businessId, journalOfRemoved(request, at))
  await removeRequest(trx, request, at)
}

/**
 * Documents go by the cascade, which waits for what still names them; attachments have no other way than this. What belongs to a
 * held request stays with it.
 */
async function removeObjects(db: ServiceDatabase, ids: readonly string[], at: Date): Promise<number> {
  const names = ids.map((id) => `documents/${id}`)
  const isHeld = (request: string) =>
    sql`exists (select from story where id = ${sql.ref(request)} and held_since is not null)`
  const { rows } = await sql`
    with marked as (
      update document d set removing_since = ${at} where blob_name = any (${names}) and removing_since is null
         and not exists (select from request_document r where d.id in (r.document_id, r.newest_id) and ${isHeld("r.request_id")})
         and not exists (select from mark m join signature s on s.id = m.signature_id
                          where m.version_id = d.id and ${isHeld("s.request_id")})
      returning 1),
    gone as (delete from attachment a where blob_name = any (${names}) and not ${isHeld("a.request_id")} returning blob_name),
    loose as (insert into loose_blob (name, due_at) select blob_name, ${at} from gone)
    select 1 from marked union all select 1 from gone`.execute(db)
  return rows.length
}
