// Every story opened and compared with what of it is in the log.

import type { Kind } from "@paraph/core/signature-request/model"
import { type EvidenceBody, readBody } from "@paraph/evidence/body"
import { entryOf, SALT_BYTES } from "@paraph/evidence/leaf"
import { sql } from "kysely"
import type { Trx } from "../postgres/database.ts"
import type { StoryKey, StorySealer } from "../postgres/evidence.ts"
import { isReceiptOf } from "./check-receipt.ts"
import { type Finding, MOST_FINDINGS } from "./finding.ts"

type StoryRow = {
  readonly id: string
  readonly business_id: string
  readonly kind: Kind
  readonly last_seq: number
  readonly erased_at: Date | null
  readonly key_version: number | null
  readonly wrapped_key: Buffer | null
  /** The receipt of its erasure. */
  readonly receipt_id: string | null
  /** With its business, to another cell; on record in the audit log, out of which nobody takes anything (ADR 0066). */
  readonly has_moved: boolean
}
type EventRow = {
  readonly request_id: string
  readonly seq: number
  readonly business_id: string
  readonly type: string
  readonly at: Date
  readonly signature_id: string | null
  readonly position: number
  readonly sealed: Buffer
  readonly entry: Buffer
  readonly index: number | null
  /** Of the logs that have it, or will: that is one. */
  readonly kinds: readonly Kind[]
}

const AT_ONCE = 200

export async function* checkStories(trx: Trx, sealer: StorySealer): AsyncGenerator<Finding> {
  for (let after = "00000000-0000-0000-0000-000000000000"; ; ) {
    const { rows: stories } = await sql<StoryRow>`
      select s.*, k.key_version, k.wrapped_key, x.id as receipt_id,
             exists (select from business b where b.id = s.business_id and b.leaving = 'moved'
                        and exists (select from audit_log where business_id = b.id and act = 'cells move')) as has_moved
        from story s left join story_key k on k.story_id = s.id and k.business_id = s.business_id
             left join erasure x on x.story_id = s.id and x.business_id = s.business_id and x.kind = s.kind
       where s.id > ${after} order by s.id limit ${AT_ONCE}`.execute(trx)
    const events = await eventsOf(
      trx,
      stories.map(({ id }) => id),
    )
    for (const story of stories) yield* checkStory(trx, sealer, story, events.get(story.id) ?? [])
    const last = stories.at(-1)
    if (last === undefined || stories.length < AT_ONCE) break
    after = last.id
  }
  yield* ofNoStory(trx)
}

async function* ofNoStory(trx: Trx): AsyncGenerator<Finding> {
  const { rows } = await sql<{ request_id: string; seq: number }>`
    select request_id, seq from evidence e where not exists (select from story where id = e.request_id)
     order by request_id, seq limit ${MOST_FINDINGS}`.execute(trx)
  for (const { request_id, seq } of rows) yield { found: "story", where: `story ${request_id}, ${seq}` }
}

async function eventsOf(trx: Trx, ids: readonly string[]) {
  const { rows } = await sql<EventRow>`
    select e.*, l.index, array_remove(array[l.kind, w.kind], null) as kinds
      from evidence e left join log_leaf l on l.position = e.position left join log_waiting w on w.position = e.position
     where e.request_id = any (${ids}::uuid[]) order by e.request_id, e.seq`.execute(trx)
  return Map.groupBy(rows, ({ request_id }) => request_id)
}

async function* checkStory(
  trx: Trx,
  sealer: StorySealer,
  story: StoryRow,
  events: readonly EventRow[],
): AsyncGenerator<Finding> {
  const where = `story ${story.id}`
  const isErased = story.erased_at !== null
  // Of one that has moved, what it says and whether it was erased is the other cell's to show; what the log has of it is here.
  const isGone = isErased || story.has_moved
  const hasReceipt = isErased && !story.has_moved
  if ((story.wrapped_key === null) !== isGone || (story.receipt_id !== null) !== hasReceipt)
    yield { found: "story", where }
  if (events.length === 0 || story.last_seq !== events.length || events.some(({ seq }, i) => seq !== i + 1))
    yield { found: "sequence", where }
  const key = await keyOf(trx, sealer, story)
  if (key === "wrong") return yield { found: "story", where }
  let last: EventRow | undefined
  for (const event of events) {
    const at = `${where}, ${event.seq}`
    if (event.kinds.length !== 1 || event.kinds[0] !== story.kind) yield { found: "unlogged", where: at }
    if (last !== undefined && isBefore(event, last)) yield { found: "sequence", where: at }
    // What was erased can be opened by nobody; that it was something is all that the log still says.
    const body = key && opened(story, event, key)
    const isTheirs = event.business_id === story.business_id
    if (!isTheirs || (key !== null && body === null)) yield { found: "event", where: at }
    if (body?.type === "story.erased" && !(await isReceiptOf(trx, story.id, body)))
      yield { found: "receipt", where: at }
    last = event
  }
}

async function keyOf(trx: Trx, sealer: StorySealer, row: StoryRow): Promise<StoryKey | "wrong" | null> {
  const { id, business_id: businessId, key_version: keyVersion, wrapped_key: wrappedKey } = row
  if (keyVersion === null || wrappedKey === null) return null
  try {
    return await sealer.openStoryKey({ businessId, id }, { keyVersion, wrappedKey }, trx)
  } catch {
    return "wrong"
  }
}

const isBefore = (event: EventRow, last: EventRow): boolean =>
  Number(event.position) <= Number(last.position) ||
  (event.index !== null && Number(event.index) <= Number(last.index ?? Number.POSITIVE_INFINITY))

/** Null where it is not what was logged. */
function opened(story: StoryRow, row: EventRow, key: StoryKey): EvidenceBody | null {
  try {
    const plain = key.open(row.seq, row.sealed)
    const bytes = plain.subarray(SALT_BYTES)
    const body = readBody(bytes)
    const isLogged =
      Buffer.compare(entryOf(plain.subarray(0, SALT_BYTES), bytes), row.entry) === 0 &&
      body.request === story.id &&
      body.seq === row.seq &&
      body.type === row.type &&
      body.at === row.at.toISOString() &&
      (body.signature ?? null) === row.signature_id &&
      (body.seq !== 1 || body.data.log === story.kind)
    return isLogged ? body : null
  } catch {
    return null
  }
}
