import type { Caller } from "../access/caller.ts"
import { mustWrite } from "../access/may.ts"
import { visualFault } from "../document/visual.ts"
import { LIMITS } from "../limits.ts"
import type { Clock, NewId, Read, Transact } from "../ports.ts"
import { Refusal } from "../refusal.ts"
import { maySeal } from "./choose.ts"
import type { SealingParts } from "./make-seal.ts"
import type { SealBatch, TitledSealing } from "./model.ts"
import { sealOf } from "./order.ts"
import { performSealing } from "./perform.ts"
import type { OrderedVisual } from "./ports.ts"

export type OrderBatch = {
  readonly documentIds: readonly string[]
  readonly accountName: string | null
  readonly visual: OrderedVisual
}

type Parts = {
  readonly read: Read
  readonly transact: Transact
  readonly now: Clock
  readonly newId: NewId
}

/** Documents that are here already, sealed by one job: either all of them can be ordered, or none is. */
export async function orderBatch(parts: Parts, caller: Caller, order: OrderBatch): Promise<SealBatch> {
  const { businessId, kind } = caller
  const { position, image } = order.visual
  const id = parts.newId()
  const found = await parts.read(businessId, (reading) => reading.findDocuments(order.documentIds))
  const known = new Map(found.map((document) => [document.id, document]))
  for (const documentId of order.documentIds) {
    const document = mustWrite(caller, known.get(documentId) ?? null)
    if (document.removingSince !== null) throw new Refusal("being-removed", "A document is being removed.")
    const fault = visualFault(document, position && { type: "positions", positions: [position] })
    if (fault !== null) throw new Refusal("constraint-violated", `${documentId}: ${fault}`)
  }
  await parts.transact(businessId, async (tx) => {
    await maySeal(tx, caller)
    if ((await tx.countRunningBatches(kind)) >= LIMITS.batchesPerBusiness)
      throw new Refusal("rate-limited", `At most ${LIMITS.batchesPerBusiness} batches run at a time.`, {
        retryAfterSeconds: 30,
      })
    const seal = await sealOf(tx, parts, caller, order.accountName)
    const createdAt = parts.now()
    const imageId = image === null ? null : parts.newId()
    if (image !== null && imageId !== null)
      await tx.keepOrderedImage(businessId, { id: imageId, png: image }, createdAt)
    const batch = { id, businessId, kind, ownerId: caller.userId, sealId: seal.id, createdAt }
    await tx.insertBatch(batch)
    const of = {
      businessId,
      kind,
      sealId: seal.id,
      batchId: id,
      isUpload: false,
      position,
      imageId,
      createdAt,
    }
    const orderedBy = caller.username
    await tx.insertSealings(
      order.documentIds.map((baseId) => ({
        ...of,
        id: parts.newId(),
        baseId,
        versionId: parts.newId(),
        orderedBy,
      })),
    )
    await tx.enqueueSealing({ task: "seal-batch", businessId, batchId: id }, kind)
  })
  return readBatch(parts, caller, id)
}

/** Whoever ordered it sees it, and nobody else: it names documents. */
export async function readBatch(
  parts: { readonly read: Read },
  caller: Caller,
  id: string,
): Promise<SealBatch> {
  return own(caller, await parts.read(caller.businessId, (reading) => reading.findBatch(id)))
}

export async function readBatchWhole(
  parts: { readonly read: Read },
  caller: Caller,
  id: string,
): Promise<SealBatch & { readonly sealings: readonly TitledSealing[] }> {
  return parts.read(caller.businessId, async (reading) => {
    const batch = own(caller, await reading.findBatch(id))
    return { ...batch, sealings: await reading.sealingsOf(id) }
  })
}

export const listBatches = (parts: { readonly read: Read }, caller: Caller): Promise<readonly SealBatch[]> =>
  parts.read(caller.businessId, (reading) => reading.listBatches(caller, LIMITS.batchesListed))

/** What is sealed stays sealed; the rest is left as it is. */
export async function cancelBatch(
  parts: Pick<Parts, "read" | "transact" | "now">,
  caller: Caller,
  id: string,
): Promise<SealBatch> {
  await readBatch(parts, caller, id)
  await parts.transact(caller.businessId, (tx) => tx.cancelBatch(id, parts.now()))
  return readBatch(parts, caller, id)
}

function own(caller: Caller, batch: SealBatch | null): SealBatch {
  if (batch === null || batch.ownerId !== caller.userId || batch.kind !== caller.kind)
    throw new Refusal("not-found", "There is no such object.")
  return batch
}

/** One turn of the queue: a batch must not keep the others from theirs, nor outlive what the queue allows a job. */
const TURN_MS = 60_000
/** PDF processes and keys work side by side. */
const AT_ONCE = 2

export type BatchTask = { readonly businessId: string; readonly batchId: string }

/**
 * Seals what waits still, until the batch or the turn is over; then another job goes on. One document that cannot be sealed is
 * a line of the result; a part that is down stops the turn, which is tried again later.
 */
export async function performBatch(
  parts: SealingParts,
  { businessId, batchId }: BatchTask,
  attempt = 1,
): Promise<void> {
  const until = parts.now().getTime() + TURN_MS
  const all = await parts.read(businessId, (reading) => reading.sealingsOf(batchId))
  const waiting = all.filter(({ state }) => state === "waiting").values()
  const faults: unknown[] = []
  const work = async () => {
    for (const { id: sealingId } of waiting) {
      await performSealing(parts, { businessId, sealingId }, attempt).catch((error: unknown) => {
        // Without keys or authorities none of the others would fare better; anything else is this document's own.
        if (error instanceof Refusal && error.code === "part-down") throw error
        faults.push(error)
      })
      if (parts.now().getTime() > until) return
    }
  }
  const ends = await Promise.allSettled(Array.from({ length: AT_ONCE }, work))
  for (const end of ends) if (end.status === "rejected") throw end.reason
  if (faults.length > 0) throw faults[0]
  const isOver = waiting.next().done === true
  await parts.transact(businessId, async (tx) => {
    if (isOver) await tx.endBatch(batchId, parts.now())
    else await tx.enqueueSealing({ task: "seal-batch", businessId, batchId }, all[0]?.kind ?? "demo")
  })
}
