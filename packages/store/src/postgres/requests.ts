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
  await trx
    .insertInto("request_document")
    .values(toDocumentRows(request))
    .onConflict((known) =>
      known
        .columns(["request_id", "document_id"])
        .doUpdateSet((e) => ({ newest_id: e.ref("excluded.newest_id") })),
    )
    .execute()
  if (request.signatures.length > 0) await saveSignatures(trx, request)
}

async function saveSignatures(trx: Trx, request: SignatureRequest): Promise<void> {
  await trx
    .insertInto("signature")
    .values(toSignatureRows(request))
    .onConflict((known) =>
      known.column("id").doUpdateSet((e) => ({
        state: e.ref("excluded.state"),
        consent: e.ref("excluded.consent"),
        signed_at: e.ref("excluded.signed_at"),
        decline_reason: e.ref("excluded.decline_reason"),
      })),
    )
    .execute()
  await trx
    .insertInto("mark")
    .values(toMarkRows(request))
    .onConflict((known) =>
      known
        .columns(["signature_id", "document_id"])
        .doUpdateSet((e) => ({ version_id: e.ref("excluded.version_id") }))
        // A mark that is made is never made again.
        .where("mark.version_id", "is", null),
    )
    .execute()
}
