import type { Document } from "@paraph/core/document/model"
import type { Evidence } from "@paraph/core/evidence/model"
import type { Used, UsedWithin } from "@paraph/core/usage/model"
import { sql } from "kysely"
import type { Trx } from "./database.ts"
import { later } from "./later.ts"

/** Those who act for one business at once each have a row of their own, most of the time, and do not wait for each other. */
const SLOTS = 16

/** A document that somebody uploaded, or that was copied from a template; what a signature or a watermark makes of it is no other. */
export async function countDocument(trx: Trx, timeZone: string, document: Document): Promise<void> {
  const { businessId, kind, parentId, createdAt } = document
  if (parentId !== null) return
  await sql`
    insert into usage_day (business_id, day, kind, what, slot, count)
      values (${businessId}, ${day(createdAt, timeZone)}, ${kind}, ${"documents" satisfies Used}, ${slot}, 1)
      ${addUp} ${later}`.execute(trx)
}

export async function countSeal(
  trx: Trx,
  timeZone: string,
  { businessId, kind }: Pick<Document, "businessId" | "kind">,
  at: Date,
): Promise<void> {
  await sql`
    insert into usage_day (business_id, day, kind, what, slot, count)
      values (${businessId}, ${day(at, timeZone)}, ${kind}, ${"seals" satisfies Used}, ${slot}, 1)
      ${addUp} ${later}`.execute(trx)
}

/** What the evidence tells of; the quality of a signature is that of its request. */
const COUNTED: Readonly<Partial<Record<Evidence["type"], "requests" | "signatures" | "declined" | "mails">>> =
  {
    "request.started": "requests",
    "signature.signed": "signatures",
    "signature.declined": "declined",
    "signature.invited": "mails",
    "mail.sent": "mails",
  }

export async function countEvidence(
  trx: Trx,
  timeZone: string,
  requestId: string,
  evidence: readonly Evidence[],
): Promise<void> {
  const counted = evidence.flatMap(({ type, at }) => {
    const what = COUNTED[type]
    return what === undefined ? [] : [{ what, at }]
  })
  for (const [what, all] of Map.groupBy(counted, (one) => one.what)) {
    const at = all[0]?.at ?? new Date()
    const named = what === "signatures" ? sql`'signatures ' || r.quality` : sql`${what}::text`
    await sql`
      insert into usage_day (business_id, day, kind, what, slot, count)
        select r.business_id, ${day(at, timeZone)}, r.kind, ${named}, ${slot}, ${all.length}::int
          from signature_request r where r.id = ${requestId}
        ${addUp} ${later}`.execute(trx)
  }
}

const slot = sql`pg_backend_pid() % ${sql.lit(SLOTS)}`
const day = (at: Date, timeZone: string) => sql`(${at}::timestamptz at time zone ${timeZone})::date`
const addUp = sql`on conflict (business_id, day, kind, what, slot) do update set count = usage_day.count + excluded.count`

export const usageByDay = (trx: Trx, businessId: string, from: string, to: string) =>
  used(trx, businessId, from, to, sql`to_char(day, 'YYYY-MM-DD')`)

export const usageByMonth = (trx: Trx, businessId: string, from: string, to: string) =>
  used(trx, businessId, from, to, sql`to_char(day, 'YYYY-MM')`)

async function used(
  trx: Trx,
  businessId: string,
  from: string,
  to: string,
  when: ReturnType<typeof sql>,
): Promise<readonly UsedWithin[]> {
  const { rows } = await sql<UsedWithin>`
    select ${when} as "when", kind, what, sum(count)::int as count from usage_day
     where business_id = ${businessId} and day between ${from}::date and ${to}::date
     group by 1, 2, 3`.execute(trx)
  return rows
}
