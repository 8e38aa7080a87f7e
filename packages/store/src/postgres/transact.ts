import type { Transact } from "@paraph/core/ports"
import type { Enqueue } from "../jobs/enqueue.ts"
import type { Database } from "./database.ts"
import { findDocument, findDocuments, insertDocument } from "./documents.ts"
import { appendEvidence } from "./evidence.ts"
import { findIntent, keepIntent, keepValue } from "./intents.ts"
import { findRequest, insertRequest, saveRequest } from "./requests.ts"

/** One transaction in the name of one business: it reads and writes that business's rows and no others. */
export const createTransact =
  (db: Database, enqueue: Enqueue): Transact =>
  (businessId, work) =>
    db.transaction().execute((trx) =>
      work({
        insertDocument: (document) => insertDocument(trx, document),
        findDocument: (id) => findDocument(trx, businessId, id),
        findDocuments: (ids) => findDocuments(trx, businessId, ids),
        insertRequest: (request) => insertRequest(trx, request),
        findRequest: (id) => findRequest(trx, businessId, id, false),
        lockRequest: (id) => findRequest(trx, businessId, id, true),
        saveRequest: (request) => saveRequest(trx, request),
        appendEvidence: (requestId, evidence) => appendEvidence(trx, businessId, requestId, evidence),
        enqueue: (request, effects) => enqueue(trx, request, effects),
        findIntent: (signatureId, documentId, baseId) => findIntent(trx, { signatureId, documentId, baseId }),
        keepIntent: (intent) => keepIntent(trx, intent),
        keepValue: (intent, value) => keepValue(trx, intent, value),
      }),
    )
