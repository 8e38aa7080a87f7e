import type { Document } from "@paraph/core/document/model"
import type { Trx } from "./database.ts"
import type { DocumentRow } from "./tables.ts"

/** What the PDF itself says is as secret as its bytes: it is sealed with the document's own key. */
type Said = Pick<Document, "signatureFields" | "pdfa" | "pageSizes" | "viewChecked" | "flattened">
/**
 * Beside it stands what the row says of the bytes. The bytes are bound to their object's name, and the details to the
 * document's id: so a row that was given the object of another one is noticed.
 */
export type Details = Said &
  Pick<Document, "sha256" | "sizeBytes" | "pageCount"> & { readonly blobName: string }
/** Within a transaction, by whose connection a key is looked up. */
export type DetailsSealer = {
  readonly seal: (document: Document, trx: Trx) => Promise<Buffer>
  readonly open: (row: DocumentRow, sealed: Buffer, trx: Trx) => Promise<Details>
}

/** Rows of the time before the second migration have no details; those of some time after it, no sizes. */
const NONE: Said = {
  signatureFields: [],
  pdfa: null,
  pageSizes: null,
  viewChecked: false,
  flattened: null,
}

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
  details: await sealer.seal(d, trx),
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
  ...(row.details === null ? NONE : said(row, await sealer.open(row, row.details, trx))),
  parentId: row.parent_id,
  blob: { name: row.blob_name, wrappedKey: row.wrapped_key, keyVersion: row.key_version },
  readAccess: row.read_access,
  writeAccess: row.write_access,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
  removingSince: row.removing_since,
})

export const detailsOf = ({
  signatureFields,
  pdfa,
  pageSizes,
  viewChecked,
  flattened,
  sha256,
  sizeBytes,
  pageCount,
  blob,
}: Document): Details => ({
  signatureFields,
  pdfa,
  pageSizes,
  viewChecked,
  flattened,
  sha256,
  sizeBytes,
  pageCount,
  blobName: blob.name,
})

function said(row: DocumentRow, details: Details): Said {
  const { signatureFields, pdfa, pageSizes, viewChecked, flattened, ...of } = { ...NONE, ...details }
  const isOfThisRow =
    of.sha256 === row.sha256.toString("hex") &&
    of.sizeBytes === row.size_bytes &&
    of.pageCount === row.page_count &&
    of.blobName === row.blob_name
  if (!isOfThisRow) throw new Error("The row is not that of its document.")
  return { signatureFields, pdfa, pageSizes, viewChecked, flattened }
}
