import { journalOfDocument } from "@paraph/core/journal/of-change"
import { sql } from "kysely"
import type { ServiceDatabase, Trx } from "./database.ts"
import type { StorySealer } from "./evidence.ts"
import { forgetAnswersAbout } from "./idempotency.ts"
import { appendJournal } from "./journal.ts"
import { eraseSeals, sealsOf } from "./sealed-documents.ts"

/**
 * Objects that no document owns: not yet, or no more. A name is here before its object is in the bucket, and leaves in
 * the transaction that inserts its document; so whatever dies in between, the sweep finds it.
 */
export async function insertLoose(db: ServiceDatabase, name: string, dueAt: Date): Promise<void> {
  await db.insertInto("loose_blob").values({ name, due_at: dueAt }).execute()
}

export async function makeDue(db: ServiceDatabase, name: string, at: Date): Promise<void> {
  await db.updateTable("loose_blob").set({ due_at: at }).where("name", "=", name).execute()
}

/** What the sweep has claimed may be gone from the bucket already. */
export async function own(trx: Trx, name: string): Promise<void> {
  const { numDeletedRows } = await trx
    .deleteFrom("loose_blob")
    .where("name", "=", name)
    .where("claimed", "=", false)
    .executeTakeFirst()
  if (numDeletedRows !== 1n) throw new Error(`The object ${name} is not there to be owned.`)
}

/**
 * Names whose objects may be deleted now. They stay claimed: whoever claims may die, so what is still here after a
 * while is given out again.
 */
export async function claimDue(
  db: ServiceDatabase,
  now: Date,
  options: { readonly limit: number; readonly againAt: Date },
): Promise<readonly string[]> {
  const { rows } = await sql<{ name: string }>`
    with due as materialized (
      select name from loose_blob where due_at <= ${now}
       order by due_at limit ${options.limit} for update skip locked)
    update loose_blob set claimed = true, due_at = ${options.againAt}
     where name in (select name from due)
    returning name`.execute(db)
  return rows.map(({ name }) => name)
}

export async function forgetLoose(db: ServiceDatabase, names: readonly string[]): Promise<void> {
  if (names.length === 0) return
  await db.deleteFrom("loose_blob").where("name", "in", names).where("claimed", "=", true).execute()
}

/**
 * The cascade (part 4.2): documents whose request was deleted go, and their objects become due. One that something still
 * names waits until that is gone, and holds up no other.
 */
export function removeMarked(
  db: ServiceDatabase,
  sealer: StorySealer,
  now: Date,
  limit: number,
): Promise<number> {
  return db.transaction().execute(async (trx) => {
    const { rows: marked } = await sql<{ id: string }>`
        select id from document d where removing_since is not null
           and not exists (select from request_document where document_id = d.id)
           and not exists (select from request_document where newest_id = d.id)
           and not exists (select from mark where document_id = d.id)
           and not exists (select from mark where version_id = d.id)
           and not exists (select from signing_intent where document_id = d.id)
           and not exists (select from signing_intent where base_id = d.id)
           and not exists (select from template_document where document_id = d.id)
         order by removing_since limit ${limit} for update skip locked`.execute(trx)
    if (marked.length === 0) return 0
    const ids = marked.map(({ id }) => id)
    const seals = await sealsOf(trx, ids)
    const { rows } = await sql<Gone>`
      with gone as (delete from document where id = any (${ids}) returning *),
      loose as (insert into loose_blob (name, due_at) select blob_name, ${now} from gone)
      select gone.id, gone.business_id, gone.kind, gone.read_access as "readAccess", gone.write_access as "writeAccess",
             api_user.username as owner
        from gone join api_user on api_user.id = gone.owner_id`.execute(trx)
    for (const [businessId, documents] of Map.groupBy(rows, (row) => row.business_id)) {
      const entries = documents.flatMap((document) => journalOfDocument("document.deleted", document, now))
      await appendJournal(trx, businessId, entries)
    }
    await forgetAnswersAbout(trx, ids)
    await eraseSeals(trx, sealer, seals, { reason: "deleted", by: "cascade", at: now })
    return rows.length
  })
}

type Gone = Parameters<typeof journalOfDocument>[1] & { readonly business_id: string }
