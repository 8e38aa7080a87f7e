import type { SignatureRequest } from "@paraph/core/signature-request/model"
import { attachmentsOf } from "./attachments.ts"
import type { Trx } from "./database.ts"
import { groupEntriesOf, saveGroupEntries } from "./group-entries.ts"
import { identificationsOf, saveIdentifications } from "./identifications.ts"
import { observersOf, saveObservers } from "./observers.ts"
import { saveReaders } from "./request-readers.ts"
import { fromRows, toDocumentRows, toMarkRows, toRequestRow, toSignatureRows } from "./request-rows.ts"
import { saveSignatures } from "./signatures.ts"

export async function insertRequest(trx: Trx, request: SignatureRequest): Promise<void> {
  await trx.insertInto("signature_request").values(toRequestRow(request)).execute()
  await trx.insertInto("request_document").values(toDocumentRows(request)).execute()
  if (request.signatures.length > 0) {
    await trx.insertInto("signature").values(toSignatureRows(request)).execute()
    await trx.insertInto("mark").values(toMarkRows(request)).execute()
    await saveIdentifications(trx, request)
  }
  if (request.groups.length > 0) await saveGroupEntries(trx, request)
  await saveReaders(trx, request)
}

/** Reads a request whole. With `lock`, others who change it wait until this transaction ends. */
export async function findRequest(
  trx: Trx,
  businessId: string,
  id: string,
  lock: boolean,
): Promise<SignatureRequest | null> {
  const [request] = await findRequests(trx, businessId, [id], lock)
  return request ?? null
}

/** In the order asked for; those that are not there are left out. */
export async function findRequests(
  trx: Trx,
  businessId: string,
  ids: readonly string[],
  lock = false,
): Promise<readonly SignatureRequest[]> {
  if (ids.length === 0) return []
  const rows = await trx
    .selectFrom("signature_request as r")
    .innerJoin("api_user", "api_user.id", "r.owner_id")
    .selectAll("r")
    .select("api_user.username as owner")
    .where("r.id", "in", ids)
    .where("r.business_id", "=", businessId)
    .$if(lock, (query) => query.forUpdate("r"))
    .execute()
  const found = rows.map((row) => row.id)
  if (found.length === 0) return []
  const documents = await trx
    .selectFrom("request_document")
    .selectAll()
    .where("request_id", "in", found)
    .orderBy("position")
    .execute()
  const signatures = await trx
    .selectFrom("signature")
    .selectAll()
    .where("request_id", "in", found)
    .orderBy("position")
    .execute()
  // By their key, not by looking through all for each: a page may have a hundred thousand of them.
  const byRequest = Map.groupBy(signatures, (s) => s.request_id)
  const marks = Map.groupBy(await marksOf(trx, found), (m) => m.signature_id)
  const identifications = await identificationsOf(trx, found)
  const groups = await groupEntriesOf(trx, found)
  const observers = await observersOf(trx, found)
  const attachments = await attachmentsOf(trx, found)
  const requests = rows.map((row) =>
    fromRows({
      row,
      documents: documents.filter((d) => d.request_id === row.id),
      signatures: byRequest.get(row.id) ?? [],
      marks,
      identifications,
      groups: groups.get(row.id) ?? [],
      observers: observers.get(row.id) ?? [],
      attachments: attachments.get(row.id) ?? [],
    }),
  )
  return requests.sort((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id))
}

const marksOf = (trx: Trx, requestIds: readonly string[]) =>
  trx
    .selectFrom("mark")
    .innerJoin("signature", "signature.id", "mark.signature_id")
    .innerJoin("request_document as d", (join) =>
      join.onRef("d.document_id", "=", "mark.document_id").onRef("d.request_id", "=", "signature.request_id"),
    )
    .selectAll("mark")
    .where("signature.request_id", "in", requestIds)
    .orderBy("d.position")
    .execute()

/**
 * Writes what an event of the machine has changed; called by `apply` alone, under the lock. A part that is the very same
 * value as before is left alone: the machine copies what it changes.
 */
export async function saveRequest(
  trx: Trx,
  request: SignatureRequest,
  before: SignatureRequest,
): Promise<void> {
  const { id, business_id: _, created_at: __, ...row } = toRequestRow(request)
  await trx.updateTable("signature_request").set(row).where("id", "=", id).execute()
  const documentsChanged = request.documents !== before.documents
  // Marks refer to documents: those that come, before; those that go, after.
  if (documentsChanged) await upsertDocuments(trx, request)
  if (request.signatures !== before.signatures) await saveSignatures(trx, request, before)
  if (documentsChanged) await removeGoneDocuments(trx, request)
  if (request.groups !== before.groups) await saveGroupEntries(trx, request)
  if (request.observers !== before.observers) await saveObservers(trx, request)
  await saveReaders(trx, request)
}

async function upsertDocuments(trx: Trx, request: SignatureRequest): Promise<void> {
  await trx
    .insertInto("request_document")
    .values(toDocumentRows(request))
    .onConflict((known) =>
      known.columns(["request_id", "document_id"]).doUpdateSet((e) => ({
        newest_id: e.ref("excluded.newest_id"),
        renew_at: e.ref("excluded.renew_at"),
        position: e.ref("excluded.position"),
      })),
    )
    .execute()
}

async function removeGoneDocuments(trx: Trx, request: SignatureRequest): Promise<void> {
  await trx
    .deleteFrom("request_document")
    .where("request_id", "=", request.id)
    .where(
      "document_id",
      "not in",
      request.documents.map((d) => d.id),
    )
    .execute()
}
