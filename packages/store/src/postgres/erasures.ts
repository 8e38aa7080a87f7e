import { randomUUID } from "node:crypto"
import type { Caller } from "@paraph/core/access/caller"
import {
  type About,
  type Erasure,
  evidenceOfErasure,
  type ListReceipts,
  type Receipt,
  type ReceiptPage,
} from "@paraph/core/evidence/erase"
import type { KeptHold, StoriesReading, StoriesTx } from "@paraph/core/evidence/ports"
import type { Kind } from "@paraph/core/signature-request/model"
import { sql } from "kysely"
import type { Trx } from "./database.ts"
import { erasedRows } from "./erased-rows.ts"
import { appendEvidence, openedStoryKey, type StoryOwner, type StorySealer } from "./evidence.ts"
import { forgetAnswers } from "./idempotency.ts"
import { pageOf, shownOf } from "./newest-first.ts"

export const changingStories = (trx: Trx, sealer: StorySealer, businessId: string): StoriesTx => ({
  holdOf: (id) => holdOf(trx, sealer, { businessId, id }),
  holdStory: (id, hold) => holdStory(trx, sealer, { businessId, id }, hold),
  eraseStory: (erasure) => eraseStory(trx, sealer, businessId, erasure),
})

export const readingStories = (trx: Trx, sealer: StorySealer, businessId: string): StoriesReading => ({
  holdOf: (id) => holdOf(trx, sealer, { businessId, id }),
  listReceipts: (caller, asked) => listReceipts(trx, caller, asked),
  findReceipt: (id) => findReceipt(trx, businessId, id),
})

const HOLD_REASON = "reason of the hold"

async function holdOf(trx: Trx, sealer: StorySealer, of: StoryOwner): Promise<KeptHold | null> {
  const row = await trx
    .selectFrom("story")
    .select(["held_since as since", "hold_reason as reason"])
    .where("id", "=", of.id)
    .where("business_id", "=", of.businessId)
    .executeTakeFirst()
  if (row?.since == null || row.reason === null) return null
  const key = await openedStoryKey(trx, sealer, of)
  return key && { since: row.since, reason: key.open(HOLD_REASON, row.reason).toString("utf8") }
}

/** The reason is sealed as the story is, and gone with it. */
async function holdStory(
  trx: Trx,
  sealer: StorySealer,
  of: StoryOwner,
  hold: KeptHold | null,
): Promise<void> {
  const key = await openedStoryKey(trx, sealer, of)
  const reason = hold && key?.seal(HOLD_REASON, Buffer.from(hold.reason, "utf8"))
  const { numUpdatedRows } = await trx
    .updateTable("story")
    .set({ held_since: hold?.since ?? null, hold_reason: reason })
    .where("id", "=", of.id)
    .where("business_id", "=", of.businessId)
    .where("erased_at", "is", null)
    .executeTakeFirst()
  if (numUpdatedRows !== 1n) throw new Error(`There is no story ${of.id} to be held.`)
}

/**
 * Without its key nobody opens the story any more; its entries stay, and the tree is whole. The receipt is a story of its own, in
 * the same transaction. One that is held is never erased: the table itself says so.
 */
async function eraseStory(
  trx: Trx,
  sealer: StorySealer,
  businessId: string,
  erasure: Erasure,
): Promise<void> {
  const { id, about, reason, by, at } = erasure
  const { rows } = await sql<{ kind: Kind }>`
    with gone as (delete from story_key where story_id = ${id} and business_id = ${businessId} returning story_id)
    update story set erased_at = ${at} from gone where story.id = gone.story_id
    returning kind`.execute(trx)
  const [row] = rows
  await forgetAnswers(trx, [`${RESOURCES[about]}/${id}`])
  if (row === undefined) return
  const erased = await erasedRows(trx, id)
  const receipt = { businessId, id: randomUUID() }
  await trx
    .insertInto("erasure")
    .values({
      id: receipt.id,
      story_id: id,
      business_id: businessId,
      kind: row.kind,
      about,
      reason,
      erased_by: by,
      events: erased.events,
      erased_at: at,
      tidy_at: at,
    })
    .execute()
  await appendEvidence(trx, sealer, receipt, [evidenceOfErasure(erasure, erased)])
}

const RESOURCES = {
  "signature-request": "signature-requests",
  seal: "seals",
  validation: "validations",
} as const satisfies Record<About, string>

/** Of many at once, in the sweeps; those without a story, or whose story is erased already, are passed by. */
export async function eraseStories(
  trx: Trx,
  sealer: StorySealer,
  which: readonly { readonly businessId: string; readonly id: string }[],
  how: Omit<Erasure, "id">,
): Promise<void> {
  if (which.length === 0) return
  const ids = which.map(({ id }) => id)
  await forgetAnswers(
    trx,
    ids.map((id) => `${RESOURCES[how.about]}/${id}`),
  )
  const { rows } = await sql<{ businessId: string; id: string }>`
    select business_id as "businessId", story_id as id from story_key where story_id = any (${ids})`.execute(
    trx,
  )
  for (const { businessId, id } of rows) await eraseStory(trx, sealer, businessId, { id, ...how })
}

async function listReceipts(trx: Trx, caller: Caller, asked: ListReceipts): Promise<ReceiptPage> {
  const { place, rest } = pageOf(asked, sql`erased_at`, sql`id`)
  const ofStory = asked.storyId === null ? sql`true` : sql`story_id = ${asked.storyId}`
  const { rows } = await sql<Receipt>`
    select ${COLUMNS} from erasure
     where business_id = ${caller.businessId} and kind = ${caller.kind} and ${ofStory} and ${place} ${rest}`.execute(
    trx,
  )
  const { entries: receipts, ...beside } = shownOf(asked, rows)
  return { receipts, ...beside }
}

async function findReceipt(trx: Trx, businessId: string, id: string): Promise<Receipt | null> {
  const { rows } = await sql<Receipt>`
    select ${COLUMNS} from erasure where id = ${id} and business_id = ${businessId}`.execute(trx)
  return rows[0] ?? null
}

const COLUMNS = sql`id, story_id as "storyId", kind, about, reason, erased_by as by, events, erased_at as at`
