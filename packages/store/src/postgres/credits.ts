import type { Booked, Booking, CreditAgreement, UsualCredits } from "@paraph/core/credits/model"
import type { CreditsReading, CreditsTx, Days } from "@paraph/core/credits/ports"
import type { Kind } from "@paraph/core/signature-request/model"
import { sql } from "kysely"
import type { ServiceDatabase, Trx } from "./database.ts"

export const readingCredits = (trx: Trx, businessId: string): CreditsReading => ({
  creditAgreement: (usual) => creditAgreement(trx, businessId, usual),
  creditsBooked: (kind, days) => creditsBooked(trx, businessId, kind, days),
})

export const changingCredits = (trx: Trx, businessId: string, timeZone: string): CreditsTx => ({
  ...readingCredits(trx, businessId),
  lockCredits: () => lockCredits(trx, businessId),
  bookCredits: (booking) => bookCredits(trx, businessId, timeZone, booking),
  saveCreditAgreement: (agreement) => saveCreditAgreement(trx, businessId, agreement),
})

/** Of a business that is known to be there. */
export async function creditAgreement(
  db: ServiceDatabase | Trx,
  businessId: string,
  usual: UsualCredits,
): Promise<CreditAgreement> {
  const { rows } = await sql<Row>`
    select b.created_at, a.business_id is not null as agreed, a.price, a.included, a.valid_from
      from business b left join credit_agreement a on a.business_id = b.id
     where b.id = ${businessId}`.execute(db)
  const [row] = rows
  if (row === undefined) throw new Error("The business is not there.")
  if (!row.agreed || row.price === null || row.valid_from === null)
    return { ...usual, validFrom: row.created_at }
  return { price: row.price, included: row.included, validFrom: row.valid_from }
}

type Row = {
  created_at: Date
  agreed: boolean
  price: number | null
  included: number | null
  valid_from: Date | null
}

/** What was committed before is seen by whoever gets the lock: each statement reads anew. */
export async function lockCredits(trx: Trx, businessId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`credits of ${businessId}`}, 0))`.execute(trx)
}

/** The sums are exact: a business would have to use a thousand million credits a day for years to leave the whole numbers. */
async function creditsBooked(
  trx: Trx,
  businessId: string,
  kind: Kind,
  { from, to }: Days,
): Promise<readonly Booked[]> {
  const { rows } = await sql<{ sku: string; requests: string; credits: string }>`
    select sku, sum(requests)::text as requests, sum(credits)::text as credits from credit_day
     where business_id = ${businessId} and kind = ${kind} and day between ${from}::date and ${to}::date
     group by sku order by sku`.execute(trx)
  return rows.map(({ sku, requests, credits }) => ({
    sku,
    requests: Number(requests),
    credits: Number(credits),
  }))
}

/** Those who act for one business at once each have a row of their own, most of the time, and do not wait for each other. */
const SLOTS = 16

async function bookCredits(
  trx: Trx,
  businessId: string,
  timeZone: string,
  { kind, sku, credits, at }: Booking,
): Promise<void> {
  await sql`
    insert into credit_day (business_id, day, kind, sku, slot, requests, credits)
      values (${businessId}, (${at}::timestamptz at time zone ${timeZone})::date, ${kind}, ${sku},
        pg_backend_pid() % ${sql.lit(SLOTS)}, 1, ${credits})
      on conflict (business_id, day, kind, sku, slot) do update
         set requests = credit_day.requests + 1, credits = credit_day.credits + excluded.credits`.execute(trx)
}

export async function saveCreditAgreement(
  trx: Trx,
  businessId: string,
  agreement: CreditAgreement | null,
): Promise<void> {
  if (agreement === null) {
    await sql`delete from credit_agreement where business_id = ${businessId}`.execute(trx)
    return
  }
  const { price, included, validFrom } = agreement
  await sql`
    insert into credit_agreement (business_id, price, included, valid_from)
      values (${businessId}, ${price}, ${included}, ${validFrom})
      on conflict (business_id) do update
         set price = excluded.price, included = excluded.included, valid_from = excluded.valid_from`.execute(
    trx,
  )
}
