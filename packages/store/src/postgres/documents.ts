import type { Document } from "@paraph/core/document/model"
import type { RequestWithDocument } from "@paraph/core/document/ports"
import { readersOf } from "@paraph/core/journal/of-change"
import { sql } from "kysely"
import type { Trx } from "./database.ts"
import { type DetailsSealer, fromRow, toRow } from "./document-rows.ts"
import { forgetAnswersAbout } from "./idempotency.ts"
import { own } from "./loose-blobs.ts"
import { isOfBusiness, plannedOnce } from "./named.ts"

export async function insertDocument(trx: Trx, sealer: DetailsSealer, document: Document): Promise<void> {
  await own(trx, document.blob.name)
  await trx
    .insertInto("document")
    .values(await toRow(trx, sealer, document))
    .execute()
  await insertReaders(trx, document)
}

/** With `lock`, others who remove ("share") or change ("update") it wait until this transaction ends. */
export async function findDocument(
  trx: Trx,
  sealer: DetailsSealer,
  businessId: string,
  id: string,
  lock?: "share" | "update",
): Promise<Document | null> {
  const [document] = await findDocuments(trx, sealer, businessId, [id], lock)
  return document ?? null
}

export async function findDocuments(
  trx: Trx,
  sealer: DetailsSealer,
  businessId: string,
  ids: readonly string[],
  lock?: "share" | "update",
): Promise<readonly Document[]> {
  if (ids.length === 0) return []
  const rows = await documentRows(trx)
    .where("document.id", "in", ids)
    .where(isOfBusiness("document.business_id", businessId))
    .$if(lock === "share", (query) => query.forKeyShare("document"))
    .$if(lock === "update", (query) => query.forUpdate("document"))
    .modifyEnd(plannedOnce)
    .execute()
  const documents = await Promise.all(rows.map((row) => fromRow(trx, sealer, row)))
  return documents.sort((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id))
}

/** By their names, so that a later version may add to them under whoever keeps the statement. */
const COLUMNS = [
  ...(["id", "business_id", "kind", "owner_id", "title", "content_type", "size_bytes", "sha256"] as const),
  ...(["page_count", "page_width", "page_height", "parent_id", "blob_name", "wrapped_key"] as const),
  ...(["key_version", "details", "read_access", "write_access", "removing_since"] as const),
] as const

export const documentRows = (trx: Trx) =>
  trx
    .selectFrom("document")
    .innerJoin("api_user", "api_user.id", "document.owner_id")
    .select(COLUMNS.map((name) => `document.${name}` as const))
    .select(["document.created_at", "document.updated_at", "api_user.username as owner"])

export async function saveAccess(trx: Trx, document: Document): Promise<void> {
  const { id, readAccess, writeAccess, updatedAt } = document
  await trx
    .updateTable("document")
    .set({ read_access: [...readAccess], write_access: [...writeAccess], updated_at: updatedAt })
    .where("id", "=", id)
    .execute()
  await trx.deleteFrom("document_reader").where("document_id", "=", id).execute()
  await insertReaders(trx, document)
}

/** The wrapped key goes with the row: whatever remains of the object is noise from here on. */
export async function removeDocument(trx: Trx, document: Document, at: Date): Promise<void> {
  await trx.deleteFrom("document").where("id", "=", document.id).execute()
  await trx.insertInto("loose_blob").values({ name: document.blob.name, due_at: at }).execute()
  await forgetAnswersAbout(trx, [document.id])
}

async function insertReaders(trx: Trx, d: Document): Promise<void> {
  const row = { business_id: d.businessId, kind: d.kind, created_at: d.createdAt, document_id: d.id }
  await trx
    .insertInto("document_reader")
    .values(readersOf(d).map((username) => ({ ...row, username })))
    .execute()
}

/** A version is one of a request when it was uploaded for it, or made by a mark. */
export async function requestsWith(
  trx: Trx,
  businessId: string,
  documentId: string,
): Promise<readonly RequestWithDocument[]> {
  const { rows } = await sql<RequestWithDocument>`
    select r.id, r.status,
           (select count(*)::int from request_document d where d.request_id = r.id) as "documentCount"
      from signature_request r
     where r.business_id = ${businessId}
       and r.id in (select request_id from request_document where document_id = ${documentId}
                    union
                    select s.request_id from mark m join signature s on s.id = m.signature_id
                     where m.version_id = ${documentId})`.execute(trx)
  return rows
}
