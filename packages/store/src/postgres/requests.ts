import type { SignatureRequest } from "@paraph/core/signature-request/model"
import { sql } from "kysely"
import type { Trx } from "./database.ts"
import { saveGroupEntries } from "./group-entries.ts"
import { saveIdentifications } from "./identifications.ts"
import { removeOverIntents } from "./intents.ts"
import { later } from "./later.ts"
import { isOfBusiness, named } from "./named.ts"
import { saveObservers } from "./observers.ts"
import { saveReaders } from "./request-readers.ts"
import { toDocumentRows, toMarkRows, toRequestRow, toSignatureRows } from "./request-rows.ts"
import { saveSignatures } from "./signatures.ts"
import { readWhole } from "./whole-requests.ts"
import { fromWritten } from "./written-requests.ts"

export async function insertRequest(trx: Trx, request: SignatureRequest): Promise<void> {
  await trx.insertInto("signature_request").values(toRequestRow(request)).modifyEnd(later).execute()
  await trx.insertInto("request_document").values(toDocumentRows(request)).modifyEnd(later).execute()
  if (request.signatures.length > 0) {
    await trx.insertInto("signature").values(toSignatureRows(request)).modifyEnd(later).execute()
    await trx.insertInto("mark").values(toMarkRows(request)).modifyEnd(later).execute()
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
  // By itself: a statement that waits for a lock has looked at the other tables before it had it. In the same message, but a statement of its own.
  if (lock) await lockRow(trx, businessId, id)
  const [request] = await findRequests(trx, businessId, [id])
  return request ?? null
}

const lockRow = (trx: Trx, businessId: string, id: string) =>
  named(
    "lock-request",
    sql`select id from signature_request
         where id = ${id} and ${isOfBusiness("business_id", businessId)} for update ${later}`,
  ).execute(trx)

/** In the order asked for; those that are not there are left out. */
export async function findRequests(
  trx: Trx,
  businessId: string,
  ids: readonly string[],
): Promise<readonly SignatureRequest[]> {
  if (ids.length === 0) return []
  const requests = (await readWhole(trx, businessId, ids)).map(fromWritten)
  return requests.sort((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id))
}

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
  await trx.updateTable("signature_request").set(row).where("id", "=", id).modifyEnd(later).execute()
  const documentsChanged = request.documents !== before.documents
  // Marks refer to documents: those that come, before; those that go, after.
  if (documentsChanged) await upsertDocuments(trx, request)
  if (request.signatures !== before.signatures) await saveSignatures(trx, request, before)
  if (documentsChanged) await removeGoneDocuments(trx, request)
  if (request.groups !== before.groups) await saveGroupEntries(trx, request)
  if (request.observers !== before.observers) await saveObservers(trx, request)
  await removeOverIntents(trx, request, before)
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
    .modifyEnd(later)
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
    .modifyEnd(later)
    .execute()
}
