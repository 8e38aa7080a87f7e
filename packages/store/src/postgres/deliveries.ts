import { createHash } from "node:crypto"
import type { Attempted, Claimed, NewCallback } from "@paraph/core/delivery/model"
import { LIMITS } from "@paraph/core/limits"
import type { Kind } from "@paraph/core/signature-request/model"
import { sql } from "kysely"
import type { ServiceDatabase, Trx } from "./database.ts"
import { later } from "./later.ts"
import { named } from "./named.ts"
import { usersAmong } from "./users-among.ts"

/**
 * Decisions, "callback delivery": in order per request and URL. One that another of its line is before waits for it, without
 * end: whoever is done with that one lets it go on.
 */
export async function insertCallback(trx: Trx, c: NewCallback): Promise<void> {
  await lockLines(trx, c.requestId)
  const line = hashOf(`${c.requestId} ${c.template}`)
  const readers = [...(await usersAmong(trx, c.businessId, c.readers))]
  await sql`
    insert into delivery (id, business_id, kind, subject_id, line, type, url, readers, state, due_at, give_up_at,
                          created_at, updated_at)
    select ${c.id}, ${c.businessId}, ${c.kind}, ${c.requestId}, ${line}, ${c.type}, ${c.url}, ${readers}, 'OPEN',
           case when exists (select from delivery where line = ${line} and state = 'OPEN')
                then 'infinity' else ${c.at}::timestamptz end,
           ${giveUpAt(c.at)}, ${c.at}, ${c.at}`.execute(trx)
}

export type NewWebhookCall = {
  readonly id: string
  readonly businessId: string
  readonly kind: Kind
  /** The request or the document that it tells of. */
  readonly subjectId: string
  readonly webhookId: string
  readonly url: string
  readonly eventId: string
  readonly at: Date
}

/** In order per webhook and subject. One statement for all: a change may owe thousands, and holds a connection meanwhile. */
export async function insertWebhookCalls(trx: Trx, calls: readonly NewWebhookCall[]): Promise<void> {
  if (calls.length === 0) return
  // One lock at a time in one order, whoever else sends the same again.
  for (const subjectId of [...new Set(calls.map((call) => call.subjectId))].sort())
    await lockLines(trx, subjectId)
  const rows = calls.map((call, n) => ({
    ...call,
    n,
    line: hashOf(`webhook ${call.webhookId} ${call.subjectId}`).toString("hex"),
    giveUpAt: giveUpAt(call.at),
  }))
  await sql`
    insert into delivery (id, business_id, kind, subject_id, line, type, url, readers, webhook_id, event_id, state,
                          due_at, give_up_at, created_at, updated_at)
    select c.id, c."businessId", c.kind, c."subjectId", decode(c.line, 'hex'), 'webhook', c.url, '{}', c."webhookId",
           c."eventId", 'OPEN',
           case when row_number() over (partition by c.line order by c.n) > 1
                  or exists (select from delivery d where d.line = decode(c.line, 'hex') and d.state = 'OPEN')
                then 'infinity' else c.at end,
           c."giveUpAt", c.at, c.at
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
        as c (n integer, id uuid, "businessId" uuid, kind text, "subjectId" uuid, line text, "webhookId" uuid, url text,
              "eventId" uuid, at timestamptz, "giveUpAt" timestamptz)
     order by c.n`.execute(trx)
}

const giveUpAt = (at: Date): Date => new Date(at.getTime() + LIMITS.callbackRetryMs)

/** Hashed, since it may hold a URL of 2048 characters. */
const hashOf = (line: string): Buffer => createHash("sha256").update(line).digest()

/**
 * Whoever adds to a line of this request or document, and whoever is done with the first of one, do so one after the
 * other. Otherwise a call could be told to wait for one that has just been made, and nobody would let it go on.
 */
export async function lockLines(trx: Trx, subjectId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${subjectId}, 0)) ${later}`.execute(trx)
}

export type Claim = {
  /** First calls, or those that failed before: each has its own places. */
  readonly retry: boolean
  /** Places that are free, and how many of them each mode may take. */
  readonly limit: number
  readonly limits: Readonly<Record<Kind, number>>
  /** How many calls of one business may be under way in this process, and how many are. */
  readonly share: number
  readonly busy: ReadonlyMap<string, number>
  /** Where the round of each mode stands: businesses behind this one come first. */
  readonly after: Readonly<Record<Kind, string | null>>
  readonly claim: string
  readonly leaseUntil: Date
  readonly now: Date
}

/** A business gets so many at a time, then it is the next one's turn. */
const AT_A_TIME = 4

/**
 * Claims calls that are due, one business after the other, by steps in one index: what a business has waiting costs the
 * others nothing, and neither do businesses that have nothing. Never waits for another worker. A business that is being moved is left
 * alone: what it owes is called by the cell that it goes to.
 */
export async function claimDeliveries(db: ServiceDatabase, c: Claim): Promise<readonly Claimed[]> {
  const { production, demo } = c.limits
  const { rows } = await named(
    "claim-deliveries",
    sql<ClaimedRow>`
    with recursive ${lanes(c)},
    busy as (
      select * from unnest(${[...c.busy.keys()]}::uuid[], ${[...c.busy.values()]}::integer[]) as of (business_id, count)),
    production as materialized (
      select d.id from ${dueOf("production", c)} limit least(${production}::integer, ${c.limit}::integer)),
    demo as materialized (
      select d.id from ${dueOf("demo", c)}
       limit greatest(0, least(${demo}::bigint, ${c.limit}::bigint - (select count(*) from production))))
    update delivery set claim = ${c.claim}, due_at = ${c.leaseUntil}
     where id = any (array(select id from production union all select id from demo))
    returning id, business_id, kind, subject_id, type, url, webhook_id, event_id, retry, attempts, give_up_at`,
  ).execute(db)
  return rows.map((row) => fromRow(row, c.claim))
}

const FIRST_ID = "00000000-0000-0000-0000-000000000000"

/** Each business of each mode that has an open call, by a loose index scan. */
const lanes = ({ retry, after }: Claim) => sql`
    lane (kind, business_id) as (
      (select mode.kind, first.business_id
         from (values ('production', ${after.production ?? FIRST_ID}::uuid), ('demo', ${after.demo ?? FIRST_ID}::uuid))
                as mode (kind, after)
        cross join lateral (
          select business_id from delivery
           where state = 'OPEN' and retry = ${retry} and kind = mode.kind and business_id > mode.after
           order by business_id limit 1) as first)
      union all
      select lane.kind, next.business_id from lane cross join lateral (
        select business_id from delivery
         where state = 'OPEN' and retry = ${retry} and kind = lane.kind and business_id > lane.business_id
         order by business_id limit 1) as next)`

/** For each business of a mode some of its calls that are due, up to its share. */
const dueOf = (kind: Kind, { retry, now, share }: Claim) => sql`
    lane join business on business.id = lane.business_id and business.leaving is null and lane.kind = ${kind}
      left join busy on busy.business_id = lane.business_id
     cross join lateral (
       select id from delivery
        where state = 'OPEN' and retry = ${retry} and kind = lane.kind and business_id = lane.business_id
          and due_at <= ${now}
        order by due_at limit least(${AT_A_TIME}::integer, greatest(0, ${share}::integer - coalesce(busy.count, 0)))
          for update skip locked) as d`

type ClaimedRow = {
  id: string
  business_id: string
  kind: Kind
  subject_id: string
  url: string
  webhook_id: string | null
  event_id: string | null
  retry: boolean
  attempts: number
  give_up_at: Date
}

function fromRow(row: ClaimedRow, claim: string): Claimed {
  const { id, retry, attempts, url, kind } = row
  const of = { businessId: row.business_id, subjectId: row.subject_id, giveUpAt: row.give_up_at }
  const claimed = { id, claim, kind, retry, attempts, ...of }
  return row.webhook_id === null || row.event_id === null
    ? { ...claimed, to: "callback", url }
    : { ...claimed, to: "webhook", webhookId: row.webhook_id, eventId: row.event_id }
}

/** A call may take longer than a lease; a worker that is alive says so for all that it holds. */
export async function extendClaims(db: ServiceDatabase, claim: string, ids: readonly string[], until: Date) {
  if (ids.length === 0) return
  await db
    .updateTable("delivery")
    .set({ due_at: until })
    .where("id", "in", ids)
    .where("claim", "=", claim)
    .where("state", "=", "OPEN")
    .execute()
}

/** Nobody puts a call off for longer: not a pause, not a receiver that asks for one, and not a lease. */
const FARTHEST_MS = LIMITS.retryAfterMs + LIMITS.deliveryPauseMs

/**
 * What is due later than any pause lets it was put off by a clock that was wrong for a moment, and would wait for as long as that
 * clock was ahead (security, F13). Those that wait for another of their line are due at no time at all.
 */
export async function bringForward(db: ServiceDatabase, now: Date): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable("delivery")
    .set({ due_at: now })
    .where("state", "=", "OPEN")
    .where("due_at", ">", new Date(now.getTime() + FARTHEST_MS))
    .where("due_at", "<", sql<Date>`'infinity'`)
    .executeTakeFirstOrThrow()
  return Number(numUpdatedRows)
}

/** The last messages are enough to see why; one that fails for days would grow without end. */
const KEPT_MESSAGES = 20

/**
 * Writes down one attempt; false when the lease had ended and somebody else has it. When it is over, the next of its line
 * may go, and `alsoWithin` is told in the same transaction.
 */
export async function recordAttempt(
  db: ServiceDatabase,
  { id, claim, subjectId }: Pick<Claimed, "id" | "claim" | "subjectId">,
  { message, at, next }: Attempted,
  alsoWithin: (trx: Trx) => Promise<void> = async () => undefined,
): Promise<boolean> {
  const messages = sql<
    string[]
  >`(messages || ${message}::text)[greatest(1, cardinality(messages) + 2 - ${KEPT_MESSAGES}::integer):]`
  const noted = sql`attempts = attempts + 1, messages = ${messages}, updated_at = ${at}, claim = null`
  if (next.state === "OPEN") {
    const { numAffectedRows } = await sql`
      update delivery set ${noted}, retry = true, due_at = ${next.dueAt}
       where id = ${id} and claim = ${claim} and state = 'OPEN'`.execute(db)
    return numAffectedRows === 1n
  }
  return db.transaction().execute(async (trx) => {
    await lockLines(trx, subjectId)
    const { rows } = await sql<{ line: Buffer }>`
      update delivery set ${noted}, state = ${next.state}
       where id = ${id} and claim = ${claim} and state = 'OPEN' returning line`.execute(trx)
    const [done] = rows
    if (done === undefined) return false
    await letNextGo(trx, done.line, at)
    await alsoWithin(trx)
    return true
  })
}

async function letNextGo(trx: Trx, line: Buffer, at: Date): Promise<void> {
  await sql`
    update delivery set due_at = ${at}
     where id = (select id from delivery where line = ${line} and state = 'OPEN' order by place limit 1)
       and due_at = 'infinity' ${later}`.execute(trx)
}

/** For the metrics: what could be called now and what is being called, by task and mode. */
export async function deliveryStats(db: ServiceDatabase, now: Date) {
  const { rows } = await sql<{
    webhook: boolean
    mode: Kind
    ready: number
    active: number
    oldest: number | null
  }>`
    select webhook_id is not null as webhook, kind as mode,
           (count(*) filter (where claim is null))::integer as ready,
           (count(*) filter (where claim is not null))::integer as active,
           extract(epoch from ${now} - min(due_at) filter (where claim is null))::float8 as oldest
      from delivery where state = 'OPEN' and (due_at <= ${now} or claim is not null) group by 1, 2`.execute(
    db,
  )
  return (["deliver-callback", "deliver-webhook"] as const).flatMap((task) =>
    (["production", "demo"] as const).map((mode) => {
      const row = rows.find((r) => r.webhook === (task === "deliver-webhook") && r.mode === mode)
      return {
        task,
        mode,
        ready: row?.ready ?? 0,
        active: row?.active ?? 0,
        oldestReadySeconds: row?.oldest ?? 0,
      }
    }),
  )
}
