import type { SignatureRequest } from "@paraph/core/signature-request/model"
import type { Trx } from "./database.ts"
import { fromRows, toDocumentRows, toMarkRows, toRequestRow, toSignatureRows } from "./request-rows.ts"

export async function insertRequest(trx: Trx, request: SignatureRequest): Promise<void> {
  await trx.insertInto("signature_request").values(toRequestRow(request)).execute()
  await trx.insertInto("request_document").values(toDocumentRows(request)).execute()
  if (request.signatures.length === 0) return
  await trx.insertInto("signature").values(toSignatureRows(request)).execute()
  await trx.insertInto("mark").values(toMarkRows(request)).execute()
}

/** Reads a request whole. With `lock`, others who change it wait until this transaction ends. */
export async function findRequest(
  trx: Trx,
  businessId: string,
  id: string,
  lock: boolean,
): Promise<SignatureRequest | null> {
  const row = await trx
    .selectFrom("signature_request as r")
    .innerJoin("api_user", "api_user.id", "r.owner_id")
    .selectAll("r")
    .select("api_user.username as owner")
    .where("r.id", "=", id)
    .where("r.business_id", "=", businessId)
    .$if(lock, (query) => query.forUpdate("r"))
    .executeTakeFirst()
  if (row === undefined) return null
  const documents = await trx
    .selectFrom("request_document")
    .selectAll()
    .where("request_id", "=", id)
    .orderBy("position")
    .execute()
  const signatures = await trx
    .selectFrom("signature")
    .selectAll()
    .where("request_id", "=", id)
    .orderBy("position")
    .execute()
  const marks = await trx
    .selectFrom("mark")
    .innerJoin("signature", "signature.id", "mark.signature_id")
    .innerJoin("request_document as d", (join) =>
      join.onRef("d.document_id", "=", "mark.document_id").onRef("d.request_id", "=", "signature.request_id"),
    )
    .selectAll("mark")
    .where("signature.request_id", "=", id)
    .orderBy("d.position")
    .execute()
  return fromRows({ row, documents, signatures, marks })
}

/** Writes what an event of the machine can change. Called by `apply` alone, under the lock. */
export async function saveRequest(trx: Trx, request: SignatureRequest): Promise<void> {
  const { lifecycle, status, updated_at } = toRequestRow(request)
  await trx
    .updateTable("signature_request")
    .set({ lifecycle, status, updated_at })
    .where("id", "=", request.id)
    .execute()
  for (const { request_id, document_id, newest_id } of toDocumentRows(request))
    await trx
      .updateTable("request_document")
      .set({ newest_id })
      .where("request_id", "=", request_id)
      .where("document_id", "=", document_id)
      .where("newest_id", "!=", newest_id)
      .execute()
  for (const { id, state, consent, signed_at, decline_reason } of toSignatureRows(request))
    await trx
      .updateTable("signature")
      .set({ state, consent, signed_at, decline_reason })
      .where("id", "=", id)
      .execute()
  for (const { signature_id, document_id, version_id } of toMarkRows(request))
    await trx
      .updateTable("mark")
      .set({ version_id })
      .where("signature_id", "=", signature_id)
      .where("document_id", "=", document_id)
      // A mark that is made is never made again.
      .where("version_id", "is", null)
      .execute()
}
