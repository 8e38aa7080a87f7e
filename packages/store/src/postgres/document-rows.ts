import type { Document } from "@paraph/core/document/model"
import type { Trx } from "./database.ts"
import type { DocumentRow } from "./tables.ts"

/** What the PDF itself says is as secret as its bytes: it is sealed with the document's own key. */
export type Details = Pick<Document, "signatureFields" | "pdfa">
/** Within a transaction, by whose connection a key is looked up. */
export type DetailsSealer = {
  readonly seal: (document: Document, trx: Trx) => Promise<Buffer>
  readonly open: (row: DocumentRow, sealed: Buffer, trx: Trx) => Promise<Details>
}

const NONE: Details = { signatureFields: [], pdfa: null }

export const toRow = async (trx: Trx, sealer: DetailsSealer, d: Document): Promise<DocumentRow> => ({
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
  key_version: d.blob.keyVersion,
  details: d.signatureFields.length === 0 && d.pdfa === null ? null : await sealer.seal(d, trx),
  read_access: [...d.readAccess],
  write_access: [...d.writeAccess],
  created_at: d.createdAt,
  updated_at: d.updatedAt,
  removing_since: d.removingSince,
})

export const fromRow = async (
  trx: Trx,
  sealer: DetailsSealer,
  row: DocumentRow & { owner: string },
): Promise<Document> => ({
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
  ...(row.details === null ? NONE : await sealer.open(row, row.details, trx)),
  parentId: row.parent_id,
  blob: { name: row.blob_name, wrappedKey: row.wrapped_key, keyVersion: row.key_version },
  readAccess: row.read_access,
  writeAccess: row.write_access,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
  removingSince: row.removing_since,
})
