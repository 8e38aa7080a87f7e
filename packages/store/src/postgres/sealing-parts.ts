import type { SealsReading, SealsTx } from "@paraph/core/seal/ports"
import type { PgBoss } from "pg-boss"
import { sendWithin } from "../jobs/enqueue.ts"
import { laneOf } from "../jobs/lane.ts"
import type { Trx } from "./database.ts"
import type { IntentSealer } from "./intents.ts"
import * as sealedDocuments from "./sealed-documents.ts"
import * as rows from "./sealings.ts"
import * as seals from "./seals.ts"
import { countSeal } from "./usage.ts"

export type EnqueueSealing = (trx: Trx, ...of: Parameters<SealsTx["enqueueSealing"]>) => Promise<void>

export const createEnqueueSealing =
  (boss: PgBoss): EnqueueSealing =>
  (trx, job, kind) =>
    sendWithin(boss, trx, job, laneOf({ businessId: job.businessId, kind }))

/** Where nobody seals, nobody has to be able to order it. */
const noQueue: EnqueueSealing = async () => {
  throw new Error("Nobody seals here.")
}

export const changingSeals = (
  trx: Trx,
  sealer: IntentSealer,
  businessId: string,
  timeZone: string,
  enqueue: EnqueueSealing = noQueue,
): SealsTx => ({
  listSeals: (kind) => seals.listSeals(trx, businessId, kind),
  findSeal: (id) => seals.findSeal(trx, businessId, id),
  insertSeal: (seal) => seals.insertSeal(trx, seal),
  saveSealImage: (sealId, image, at) => seals.saveSealImage(trx, businessId, sealId, image, at),
  keepOrderedImage: (of, image, at) => seals.keepImage(trx, of, image, at),
  insertBatch: (batch) => rows.insertBatch(trx, batch),
  insertSealings: (sealings) => rows.insertSealings(trx, sealings),
  lockSealing: (id) => rows.findSealing(trx, businessId, id, true),
  keepSealIntent: (sealing, prepared) => rows.keepIntent(trx, sealer, sealing, prepared),
  keepSealValue: (sealing, value) => rows.keepValue(trx, sealer, sealing, { value }),
  keepSealStamp: (sealing, stamp) => rows.keepValue(trx, sealer, sealing, { stamp }),
  insertSealed: (sealed) => sealedDocuments.insertSealed(trx, businessId, sealed),
  lockSealed: (documentId) => sealedDocuments.findSealed(trx, businessId, documentId, true),
  succeedSealed: (documentId) => sealedDocuments.succeedSealed(trx, documentId),
  renewedFrom: (documentId) => sealedDocuments.renewedFrom(trx, businessId, documentId),
  isSealLeft: (sealed) => sealedDocuments.isSealLeft(trx, sealed),
  noteSealWaits: (id, lack, at) => rows.noteWaits(trx, id, lack, at),
  endSealing: async (sealing, end, at) => {
    await rows.endSealing(trx, sealing, end, at)
    if (end.state === "done") await countSeal(trx, timeZone, sealing, at)
  },
  countRunningBatches: (kind) => rows.countRunningBatches(trx, businessId, kind),
  cancelBatch: (batchId, at) => rows.cancelBatch(trx, businessId, batchId, at),
  endBatch: (batchId, at) => rows.endBatch(trx, batchId, at),
  enqueueSealing: (job, kind) => enqueue(trx, job, kind),
})

export const readingSeals = (trx: Trx, sealer: IntentSealer, businessId: string): SealsReading => ({
  listSeals: (kind) => seals.listSeals(trx, businessId, kind),
  findSeal: (id) => seals.findSeal(trx, businessId, id),
  findSealing: (id) => rows.findSealing(trx, businessId, id),
  findSealIntent: (sealing) => rows.findIntent(trx, sealer, sealing),
  findSealImage: (id) => seals.findSealImage(trx, businessId, id),
  findSealed: (documentId) => sealedDocuments.findSealed(trx, businessId, documentId),
  findBatch: (id) => rows.findBatch(trx, businessId, id),
  listBatches: (caller, limit) => rows.listBatches(trx, caller, limit),
  sealingsOf: (batchId) => rows.sealingsOf(trx, businessId, batchId),
})
