import type { Read, Transact } from "@paraph/core/ports"
import type { Enqueue } from "../jobs/enqueue.ts"
import type { Database } from "./database.ts"
import { listDocuments } from "./document-list.ts"
import type { DetailsSealer } from "./document-rows.ts"
import * as documents from "./documents.ts"
import { appendEvidence } from "./evidence.ts"
import { findIntent, type IntentSealer, keepIntent, keepValue } from "./intents.ts"
import { findRequest, insertRequest, saveRequest } from "./requests.ts"
import { insertLink, insertSession } from "./signers.ts"

/** Whatever of a document is in a row, but for its title and its numbers, is sealed with the document's key. */
export type RowSealer = DetailsSealer & IntentSealer

/** One transaction in the name of one business: it reads and writes that business's rows and no others. */
export const createTransact =
  (db: Database, enqueue: Enqueue, sealer: RowSealer): Transact =>
  (businessId, work) =>
    db.transaction().execute((trx) =>
      work({
        insertDocument: (document) => documents.insertDocument(trx, sealer, document),
        findDocument: (id) => documents.findDocument(trx, sealer, businessId, id, "share"),
        lockDocument: (id) => documents.findDocument(trx, sealer, businessId, id, "update"),
        saveAccess: (document) => documents.saveAccess(trx, document),
        removeDocument: (document, at) => documents.removeDocument(trx, document, at),
        requestsWith: (documentId) => documents.requestsWith(trx, businessId, documentId),
        insertRequest: (request) => insertRequest(trx, request),
        lockRequest: (id) => findRequest(trx, businessId, id, true),
        saveRequest: (request) => saveRequest(trx, request),
        appendEvidence: (requestId, evidence) => appendEvidence(trx, businessId, requestId, evidence),
        enqueue: (request, effects) => enqueue(trx, request, effects),
        keepIntent: (intent) => keepIntent(trx, sealer, intent),
        keepValue: (intent, value) => keepValue(trx, sealer, intent, value),
        insertLink: (signatureId, tokenHash, at) => insertLink(trx, signatureId, tokenHash, at),
        insertSession: (signatureId, idHash, at) => insertSession(trx, signatureId, idHash, at),
      }),
    )

/** One snapshot: a request lies in four tables, and somebody may sign between two of the reads. */
export const createRead =
  (db: Database, sealer: RowSealer): Read =>
  (businessId, work) =>
    db
      .transaction()
      .setIsolationLevel("repeatable read")
      .setAccessMode("read only")
      .execute((trx) =>
        work({
          findDocument: (id) => documents.findDocument(trx, sealer, businessId, id),
          findDocuments: (ids) => documents.findDocuments(trx, sealer, businessId, ids),
          listDocuments: (caller, asked) => listDocuments(trx, sealer, caller, asked),
          findRequest: (id) => findRequest(trx, businessId, id, false),
          findIntent: (signatureId, documentId, baseId) =>
            findIntent(trx, sealer, { signatureId, documentId, baseId }),
        }),
      )
