import type { StoredAttachment } from "@paraph/core/attachment/ports"
import { type Selectable, sql } from "kysely"
import type { Trx } from "./database.ts"
import { own } from "./loose-blobs.ts"
import type { Tables } from "./tables.ts"

/**
 * What a row says of its bytes, sealed with the attachment's own key and bound to its id and its request. The bytes are bound to
 * their object's name: so a row that was given the object of another one, or that was moved to another request, is noticed.
 */
export type AttachmentSealer = {
  readonly sealAttachment: (of: StoredAttachment, said: Buffer, trx: Trx) => Promise<Buffer>
  readonly openAttachment: (of: StoredAttachment, sealed: Buffer, trx: Trx) => Promise<Buffer>
}

export async function insertAttachment(
  trx: Trx,
  sealer: AttachmentSealer,
  a: StoredAttachment,
  /** Whose evidence it is, where it is no attachment that people see. */
  identificationId: string | null = null,
): Promise<void> {
  await own(trx, a.blob.name)
  await trx
    .insertInto("attachment")
    .values({
      id: a.id,
      business_id: a.businessId,
      request_id: a.requestId,
      filename: a.filename,
      content_type: a.contentType,
      size_bytes: a.sizeBytes,
      sha256: Buffer.from(a.sha256, "hex"),
      blob_name: a.blob.name,
      wrapped_key: Buffer.from(a.blob.wrappedKey),
      key_version: a.blob.keyVersion,
      details: await sealer.sealAttachment(a, saidOf(a), trx),
      created_at: a.createdAt,
      identification_id: identificationId,
    })
    .execute()
}

/** The wrapped keys go with the rows: whatever remains of the objects is noise from here on. */
export async function removeAttachments(
  trx: Trx,
  requestId: string,
  at: Date,
  id: string | null = null,
): Promise<void> {
  await sql`
    with gone as (
      delete from attachment where request_id = ${requestId} and identification_id is null and (${id}::uuid is null or id = ${id}::uuid)
      returning blob_name)
    insert into loose_blob (name, due_at) select blob_name, ${at} from gone`.execute(trx)
}

const saidOf = ({ filename, contentType, sizeBytes, sha256, blob }: StoredAttachment): Buffer =>
  Buffer.from(JSON.stringify([filename, contentType, sizeBytes, sha256, blob.name]))

export async function findAttachment(
  trx: Trx,
  sealer: AttachmentSealer,
  businessId: string,
  requestId: string,
  id: string,
): Promise<StoredAttachment | null> {
  const [found] = await storedAttachments(trx, sealer, businessId, { requestId, id })
  return found ?? null
}

type Which = { readonly requestId: string; readonly id: string } | { readonly identificationId: string }

/** One of a request, or all that are evidence for one identification. */
export async function storedAttachments(
  trx: Trx,
  sealer: AttachmentSealer,
  businessId: string,
  which: Which,
): Promise<readonly StoredAttachment[]> {
  const all = trx.selectFrom("attachment").selectAll().where("business_id", "=", businessId)
  const asked =
    "id" in which
      ? all
          .where("id", "=", which.id)
          .where("request_id", "=", which.requestId)
          .where("identification_id", "is", null)
      : all.where("identification_id", "=", which.identificationId)
  const rows = await asked.orderBy("filename").execute()
  const opened: StoredAttachment[] = []
  for (const row of rows) opened.push(await openRow(trx, sealer, row))
  return opened
}

async function openRow(
  trx: Trx,
  sealer: AttachmentSealer,
  row: Selectable<Tables["attachment"]>,
): Promise<StoredAttachment> {
  const found: StoredAttachment = {
    id: row.id,
    businessId: row.business_id,
    requestId: row.request_id,
    filename: row.filename,
    contentType: row.content_type,
    sizeBytes: row.size_bytes,
    sha256: row.sha256.toString("hex"),
    blob: { name: row.blob_name, wrappedKey: row.wrapped_key, keyVersion: row.key_version },
    createdAt: row.created_at,
  }
  if (row.unsealed && row.details === null) return found
  const said = row.details === null ? null : await sealer.openAttachment(found, row.details, trx)
  if (said === null || !said.equals(saidOf(found))) throw new Error("The row is not that of its attachment.")
  return found
}
