import type { Caller } from "@paraph/core/access/caller"
import { OUT_OF_TIME } from "@paraph/core/evidence/erase"
import type {
  SealBatch,
  SealIntent,
  Sealing,
  SealingState,
  SealLack,
  TitledSealing,
} from "@paraph/core/seal/model"
import type { NewBatch, NewSealing, SealingEnd } from "@paraph/core/seal/ports"
import type { PreparedMark } from "@paraph/core/signature-request/intent"
import type { Kind } from "@paraph/core/signature-request/model"
import { type Selectable, sql } from "kysely"
import type { ServiceDatabase, Trx } from "./database.ts"
import type { StorySealer } from "./evidence.ts"
import { baseOf, type IntentSealer } from "./intents.ts"
import type { SealTables } from "./seal-tables.ts"
import { eraseSeals, type SealStory } from "./sealed-documents.ts"

type Row = Selectable<SealTables["sealing"]>

export async function insertSealings(trx: Trx, sealings: readonly NewSealing[]): Promise<void> {
  const rows = sealings.map((one, place) => ({
    id: one.id,
    business_id: one.businessId,
    kind: one.kind,
    seal_id: one.sealId,
    batch_id: one.batchId,
    place,
    base_id: one.baseId,
    is_upload: one.isUpload,
    version_id: one.versionId,
    position: one.position === null ? null : JSON.stringify(one.position),
    image_id: one.imageId,
    ordered_by: one.orderedBy,
    state: "waiting" as const,
    created_at: one.createdAt,
    updated_at: one.createdAt,
  }))
  await trx
    .insertInto("sealing")
    .values(rows as never)
    .execute()
}

export async function findSealing(
  trx: Trx,
  businessId: string,
  id: string,
  lock = false,
): Promise<Sealing | null> {
  const row = await trx
    .selectFrom("sealing")
    .selectAll()
    .where("id", "=", id)
    .where("business_id", "=", businessId)
    .$if(lock, (query) => query.forUpdate())
    .executeTakeFirst()
  return row === undefined ? null : fromRow(row)
}

export async function sealingsOf(
  trx: Trx,
  businessId: string,
  batchId: string,
): Promise<readonly TitledSealing[]> {
  const rows = await trx
    .selectFrom("sealing as s")
    .leftJoin("document as v", "v.id", "s.version_id")
    .leftJoin("document as b", "b.id", "s.base_id")
    .selectAll("s")
    .select(({ fn }) => fn.coalesce("v.title", "b.title").as("title"))
    .where("s.batch_id", "=", batchId)
    .where("s.business_id", "=", businessId)
    .orderBy("s.place")
    .execute()
  return rows.map((row) => ({ ...fromRow(row), title: row.title }))
}

/** Which of these are over, asked by everybody who waits in one process at once. */
export async function statesOf(
  db: ServiceDatabase,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map()
  const rows = await db.selectFrom("sealing").select(["id", "state"]).where("id", "in", ids).execute()
  return new Map(rows.map(({ id, state }) => [id, state]))
}

const fromRow = (row: Row): Sealing => ({
  id: row.id,
  businessId: row.business_id,
  kind: row.kind,
  sealId: row.seal_id,
  batchId: row.batch_id,
  baseId: row.base_id,
  isUpload: row.is_upload,
  versionId: row.version_id,
  position: row.position as Sealing["position"],
  imageId: row.image_id,
  orderedBy: row.ordered_by,
  state: row.state,
  waitingFor: row.waiting_for,
  fault: row.fault as Sealing["fault"],
  createdAt: row.created_at,
})

/** Bound to the order and to the document, as an intent is to its signature. */
const keyOf = ({ id, baseId }: Sealing) => ({ signatureId: id, documentId: baseId, baseId })

type Kept = Pick<PreparedMark, "certificateSha256"> & { readonly sealed: string }

export async function findIntent(
  trx: Trx,
  sealer: IntentSealer,
  sealing: Sealing,
): Promise<SealIntent | null> {
  const row = await trx
    .selectFrom("sealing")
    .select(["prepared", "value", "stamp"])
    .where("id", "=", sealing.id)
    .executeTakeFirst()
  if (row === undefined || row.prepared === null) return null
  const sealed = Buffer.from((row.prepared as Kept).sealed, "base64")
  const base = await baseOf(trx, sealing.baseId)
  const prepared = await sealer.openPrepared(base, keyOf(sealing), sealed, trx)
  return { prepared, value: row.value, stamp: row.stamp }
}

/** One that is there stays, unless it has no value and was prepared for another certificate. */
export async function keepIntent(
  trx: Trx,
  sealer: IntentSealer,
  sealing: Sealing,
  prepared: PreparedMark,
): Promise<SealIntent> {
  const base = await baseOf(trx, sealing.baseId)
  const sealed = await sealer.sealPrepared(base, keyOf(sealing), prepared, trx)
  const kept: Kept = {
    certificateSha256: prepared.certificateSha256,
    sealed: sealed.toString("base64"),
  }
  await sql`
    update sealing set prepared = ${JSON.stringify(kept)}::jsonb
     where id = ${sealing.id} and state = 'waiting' and value is null
       and (prepared is null or prepared->>'certificateSha256' <> ${kept.certificateSha256})`.execute(trx)
  return mustFind(trx, sealer, sealing)
}

export async function keepValue(
  trx: Trx,
  sealer: IntentSealer,
  sealing: Sealing,
  kept: { readonly value: Uint8Array } | { readonly stamp: Uint8Array },
): Promise<SealIntent> {
  const [column, bytes] =
    "value" in kept ? (["value", kept.value] as const) : (["stamp", kept.stamp] as const)
  await trx
    .updateTable("sealing")
    .set({ [column]: Buffer.from(bytes) })
    .where("id", "=", sealing.id)
    .where("state", "=", "waiting")
    .where("prepared", "is not", null)
    .where(column, "is", null)
    .execute()
  return mustFind(trx, sealer, sealing)
}

/** Where the order is over meanwhile there is none, and no value: whoever asks sees that. */
async function mustFind(trx: Trx, sealer: IntentSealer, sealing: Sealing): Promise<SealIntent> {
  const found = await findIntent(trx, sealer, sealing)
  if (found === null) throw new Error("The order to seal has no intent any more.")
  return found
}

export async function noteWaits(trx: Trx, id: string, lack: SealLack, at: Date): Promise<void> {
  await trx
    .updateTable("sealing")
    .set({ waiting_for: lack, updated_at: at })
    .where("id", "=", id)
    .where("state", "=", "waiting")
    .execute()
}

export async function endSealing(trx: Trx, sealing: Sealing, end: SealingEnd, at: Date): Promise<void> {
  await trx
    .updateTable("sealing")
    .set({
      ...OVER,
      state: end.state,
      fault: end.state === "failed" ? JSON.stringify(end.fault) : null,
      updated_at: at,
    })
    .where("id", "=", sealing.id)
    .execute()
  // Of a batch the picture serves all, and goes with the last.
  if (sealing.imageId !== null && sealing.batchId === null)
    await trx.deleteFrom("seal_image").where("id", "=", sealing.imageId).execute()
}

const OVER = { prepared: null, value: null, stamp: null, waiting_for: null } as const

export async function insertBatch(trx: Trx, batch: NewBatch): Promise<void> {
  await trx
    .insertInto("seal_batch")
    .values({
      id: batch.id,
      business_id: batch.businessId,
      kind: batch.kind,
      owner_id: batch.ownerId,
      seal_id: batch.sealId,
      cancelled_at: null,
      ended_at: null,
      created_at: batch.createdAt,
      updated_at: batch.createdAt,
    })
    .execute()
}

export async function countRunningBatches(trx: Trx, businessId: string, kind: Kind): Promise<number> {
  const { count } = await trx
    .selectFrom("seal_batch")
    .select((e) => e.fn.countAll<string>().as("count"))
    .where("business_id", "=", businessId)
    .where("kind", "=", kind)
    .where("ended_at", "is", null)
    .executeTakeFirstOrThrow()
  return Number(count)
}

export async function cancelBatch(trx: Trx, businessId: string, batchId: string, at: Date): Promise<void> {
  await trx
    .updateTable("sealing")
    .set({ ...OVER, state: "cancelled", updated_at: at })
    .where("batch_id", "=", batchId)
    .where("business_id", "=", businessId)
    .where("state", "=", "waiting")
    .execute()
  await trx
    .updateTable("seal_batch")
    .set({ cancelled_at: at, updated_at: at })
    .where("id", "=", batchId)
    .where("cancelled_at", "is", null)
    .where("ended_at", "is", null)
    .execute()
  await endBatch(trx, batchId, at)
}

export async function endBatch(trx: Trx, batchId: string, at: Date): Promise<void> {
  await sql`
    with ended as (
      update seal_batch set ended_at = ${at}, updated_at = ${at}
       where id = ${batchId} and ended_at is null
         and not exists (select from sealing where batch_id = ${batchId} and state = 'waiting')
      returning id)
    delete from seal_image where id in
      (select s.image_id from sealing s join ended e on e.id = s.batch_id where s.image_id is not null)`.execute(
    trx,
  )
}

export async function findBatch(trx: Trx, businessId: string, id: string): Promise<SealBatch | null> {
  const [batch] = await batches(trx, businessId, sql`b.id = ${id}`, 1)
  return batch ?? null
}

/** The newest first. */
export const listBatches = (
  trx: Trx,
  { businessId, userId, kind }: Caller,
  limit: number,
): Promise<readonly SealBatch[]> =>
  batches(trx, businessId, sql`b.owner_id = ${userId} and b.kind = ${kind}`, limit)

type Counts = Record<SealingState, number>

async function batches(
  trx: Trx,
  businessId: string,
  where: ReturnType<typeof sql>,
  limit: number,
): Promise<readonly SealBatch[]> {
  const { rows } = await sql<Omit<SealBatch, "counts"> & Counts>`
    select b.id, b.business_id as "businessId", b.kind, b.owner_id as "ownerId", u.username as owner,
           b.seal_id as "sealId", s.name as "sealName", b.cancelled_at as "cancelledAt",
           b.created_at as "createdAt", greatest(b.updated_at, c.latest) as "updatedAt",
           c.waiting, c.done, c.failed, c.cancelled
      from seal_batch b
      join api_user u on u.id = b.owner_id
      join seal s on s.id = b.seal_id
      cross join lateral (
        select max(updated_at) as latest,
               count(*) filter (where state = 'waiting')::int as waiting,
               count(*) filter (where state = 'done')::int as done,
               count(*) filter (where state = 'failed')::int as failed,
               count(*) filter (where state = 'cancelled')::int as cancelled
          from sealing where batch_id = b.id) c
     where b.business_id = ${businessId} and ${where}
     order by b.created_at desc, b.id limit ${limit}`.execute(trx)
  return rows.map(({ waiting, done, failed, cancelled, ...batch }) => ({
    ...batch,
    counts: { waiting, done, failed, cancelled },
  }))
}

/**
 * What is over, and was for so long; answers how many. The story of a seal is told for as long as what was sealed is there; that of
 * one that was never made goes with its order.
 */
export const removeOldSealings = (
  db: ServiceDatabase,
  sealer: StorySealer,
  { now, before }: Over,
  limit: number,
): Promise<number> =>
  db.transaction().execute(async (trx) => {
    const { rows } = await sql<SealStory>`
      delete from sealing where id = any (array (
        select id from sealing where batch_id is null and state <> 'waiting' and created_at < ${before}
         order by created_at limit ${limit} for update skip locked))
      returning id, business_id as "businessId", version_id as "firstId"`.execute(trx)
    await eraseSeals(trx, sealer, rows, { at: now, ...OUT_OF_TIME })
    return rows.length
  })

export const removeOldBatches = (
  db: ServiceDatabase,
  sealer: StorySealer,
  { now, before }: Over,
  limit: number,
): Promise<number> =>
  db.transaction().execute(async (trx) => {
    const { rows } = await sql<{ id: string }>`
      select id from seal_batch where ended_at is not null and created_at < ${before}
       order by created_at limit ${limit} for update skip locked`.execute(trx)
    const ids = rows.map(({ id }) => id)
    const { rows: orders } = await sql<SealStory>`
      delete from sealing where batch_id = any (${ids}) returning id, business_id as "businessId", version_id as "firstId"`.execute(
      trx,
    )
    await sql`delete from seal_batch where id = any (${ids})`.execute(trx)
    await eraseSeals(trx, sealer, orders, { at: now, ...OUT_OF_TIME })
    return rows.length
  })

type Over = { readonly now: Date; readonly before: Date }
