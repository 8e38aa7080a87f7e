import type { Document } from "@paraph/core/document/model"
import type { Trx } from "./database.ts"
import type { DocumentRow } from "./tables.ts"

export async function insertDocument(trx: Trx, document: Document): Promise<void> {
  await trx.insertInto("document").values(toRow(document)).execute()
}

export async function findDocument(trx: Trx, businessId: string, id: string): Promise<Document | null> {
  const [document] = await findDocuments(trx, businessId, [id])
  return document ?? null
}

export async function findDocuments(
  trx: Trx,
  businessId: string,
  ids: readonly string[],
): Promise<readonly Document[]> {
  const rows = await trx
    .selectFrom("document")
    .innerJoin("api_user", "api_user.id", "document.owner_id")
    .selectAll("document")
    .select("api_user.username as owner")
    .where("document.id", "in", ids)
    .where("document.business_id", "=", businessId)
    .execute()
  return rows.map(fromRow).sort((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id))
}

const toRow = (d: Document): DocumentRow => ({
  id: d.id,
  business_id: d.businessId,
  kind: d.kind,
  owner_id: d.ownerId,
  title: d.title,
  content_type: d.contentType,
  size_bytes: d.sizeBytes,
  sha256: Buffer.from(d.sha256, "hex"),
  page_count: d.pageCount,
  page_width: d.pageWidth,
  page_height: d.pageHeight,
  parent_id: d.parentId,
  blob_name: d.blob.name,
  wrapped_key: Buffer.from(d.blob.wrappedKey),
  read_access: [...d.readAccess],
  write_access: [...d.writeAccess],
  created_at: d.createdAt,
  updated_at: d.updatedAt,
})

const fromRow = (row: DocumentRow & { owner: string }): Document => ({
  id: row.id,
  businessId: row.business_id,
  kind: row.kind,
  ownerId: row.owner_id,
  owner: row.owner,
  title: row.title,
  contentType: row.content_type,
  sizeBytes: row.size_bytes,
  sha256: row.sha256.toString("hex"),
  pageCount: row.page_count,
  pageWidth: row.page_width,
  pageHeight: row.page_height,
  parentId: row.parent_id,
  blob: { name: row.blob_name, wrappedKey: row.wrapped_key },
  readAccess: row.read_access,
  writeAccess: row.write_access,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})
