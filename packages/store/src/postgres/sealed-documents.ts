import type { Erasure } from "@paraph/core/evidence/erase"
import type { SealedDocument, SealRenewalTask } from "@paraph/core/seal/model"
import { type Selectable, sql } from "kysely"
import type { ServiceDatabase, Trx } from "./database.ts"
import { eraseStories } from "./erasures.ts"
import type { StorySealer } from "./evidence.ts"
import type { SealTables } from "./seal-tables.ts"

/** Sealed documents, and when their time-stamps end (ADR 0043). */

export async function insertSealed(trx: Trx, businessId: string, sealed: SealedDocument): Promise<void> {
  await trx
    .insertInto("sealed_document")
    .values({
      document_id: sealed.documentId,
      business_id: businessId,
      kind: sealed.kind,
      seal_id: sealed.sealId,
      sealing_id: sealed.sealingId,
      first_id: sealed.firstId,
      renew_at: sealed.renewAt,
    })
    .execute()
}

export async function findSealed(
  trx: Trx,
  businessId: string,
  documentId: string,
  lock = false,
): Promise<SealedDocument | null> {
  const row = await trx
    .selectFrom("sealed_document")
    .selectAll()
    .where("document_id", "=", documentId)
    .where("business_id", "=", businessId)
    .$if(lock, (query) => query.forUpdate())
    .executeTakeFirst()
  return row === undefined ? null : fromRow(row)
}

/** A later version has taken its place. */
export async function succeedSealed(trx: Trx, documentId: string): Promise<void> {
  await trx
    .updateTable("sealed_document")
    .set({ renew_at: null })
    .where("document_id", "=", documentId)
    .execute()
}

/** What the service made of it by itself, the oldest first. */
export async function renewedFrom(
  trx: Trx,
  businessId: string,
  documentId: string,
): Promise<readonly string[]> {
  const rows = await trx
    .selectFrom("sealed_document as s")
    .innerJoin("document as d", "d.id", "s.document_id")
    .select("s.document_id as id")
    .where("s.first_id", "=", documentId)
    .where("s.document_id", "!=", documentId)
    .where("s.business_id", "=", businessId)
    .orderBy("d.created_at")
    .execute()
  return rows.map(({ id }) => id)
}

export async function isSealLeft(trx: Trx, { sealingId, firstId }: SealedDocument): Promise<boolean> {
  const row = await trx
    .selectFrom("sealed_document")
    .select("document_id")
    .where("first_id", "=", firstId)
    .where("sealing_id", "=", sealingId)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

export type SealStory = { readonly businessId: string; readonly id: string; readonly firstId: string }

/** The story of a seal is told for as long as something is there that it sealed, or that renewals have made of it (ADR 0055). */
export async function eraseSeals(
  trx: Trx,
  sealer: StorySealer,
  seals: readonly SealStory[],
  how: Omit<Erasure, "id" | "about">,
): Promise<void> {
  if (seals.length === 0) return
  const { rows } = await sql<{ id: string }>`
    select sealing_id as id from sealed_document where first_id = any (${seals.map(({ firstId }) => firstId)})`.execute(
    trx,
  )
  const there = new Set(rows.map(({ id }) => id))
  const gone = seals.filter(({ id }) => !there.has(id))
  await eraseStories(trx, sealer, gone, { about: "seal", ...how })
}

/** Asked before these documents go. */
export async function sealsOf(trx: Trx, documentIds: readonly string[]): Promise<readonly SealStory[]> {
  const { rows } = await sql<SealStory>`
    select distinct sealing_id as id, business_id as "businessId", first_id as "firstId"
      from sealed_document where document_id = any (${documentIds})`.execute(trx)
  return rows
}

/** As with documents of requests: whoever takes one puts its time off. */
export async function claimSealRenewals(
  db: ServiceDatabase,
  now: Date,
  { againAt, limit }: { readonly againAt: Date; readonly limit: number },
): Promise<readonly SealRenewalTask[]> {
  const { rows } = await sql<SealRenewalTask>`
    update sealed_document set renew_at = ${againAt} where document_id = any (array (
      select document_id from sealed_document where renew_at <= ${now}
       order by renew_at limit ${limit} for update skip locked))
    returning business_id as "businessId", document_id as "documentId"`.execute(db)
  return rows
}

const fromRow = (row: Selectable<SealTables["sealed_document"]>): SealedDocument => ({
  documentId: row.document_id,
  kind: row.kind,
  sealId: row.seal_id,
  sealingId: row.sealing_id,
  firstId: row.first_id,
  renewAt: row.renew_at,
})
