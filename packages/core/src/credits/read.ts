import type { Caller } from "../access/caller.ts"
import { mustHaveRole } from "../access/may.ts"
import { DEVELOPERS } from "../business/model.ts"
import { dateIn } from "../dates.ts"
import type { Read } from "../ports.ts"
import type { CreditParts } from "./book.ts"
import { priceOf, SKUS, type Sku } from "./model.ts"
import { compact, invoicedPeriod, monthOf } from "./period.ts"
import type { Days } from "./ports.ts"

/** What was used and invoiced: for keys of the business, and of its people those who may read its usage (ADR 0035). */
function mustReadBilling(caller: Caller): void {
  if (caller.via === "session") mustHaveRole(caller, DEVELOPERS)
}

type Parts = CreditParts & { readonly read: Read }

export type CreditInfos = {
  readonly validFrom: Date
  readonly consumptions: readonly {
    readonly sku: string
    readonly endpoint: string
    readonly credits: number
  }[]
  /** How many may be used within this month with such a key, and how many of them are left; null: as many as one likes. */
  readonly included: number | null
  readonly left: number | null
}

export type Consumption = { readonly endpoint: string; readonly requests: number; readonly credits: number }

export type CreditUsage = Days & {
  readonly period: string
  readonly consumptions: readonly Consumption[]
  readonly requests: number
  readonly credits: number
}

/**
 * VAL-05: what a use of each endpoint costs with the key that asks, and what is left of this month. Whoever may use credits up
 * is told, members too (choice 435).
 */
export async function readCreditInfos(parts: Parts, caller: Caller): Promise<CreditInfos> {
  const { businessId, kind } = caller
  const days = monthOf(dateIn(parts.timeZone, parts.now()))
  const { agreement, booked } = await parts.read(businessId, async (reading) => ({
    agreement: await reading.creditAgreement(parts.usualCredits),
    booked: await reading.creditsBooked(kind, days),
  }))
  // A demo key never is without.
  const included = kind === "production" ? agreement.included : null
  const used = booked.reduce((sum, { credits }) => sum + credits, 0)
  const consumptions = Object.entries(SKUS).map(([sku, { endpoint }]) => ({
    sku,
    endpoint,
    credits: priceOf(sku as Sku, kind, agreement),
  }))
  const left = included === null ? null : Math.max(0, included - used)
  return { validFrom: agreement.validFrom, consumptions, included, left }
}

/** VAL-05: of the month that runs. */
export function readCreditUsage(parts: Parts, caller: Caller): Promise<CreditUsage> {
  const days = monthOf(dateIn(parts.timeZone, parts.now()))
  return usageWithin(parts, caller, { ...days, period: compact(days.from) })
}

/** VAL-06. */
export const readInvoiced = async (
  parts: Parts,
  caller: Caller,
  asked: string | null,
): Promise<CreditUsage> =>
  usageWithin(parts, caller, invoicedPeriod(asked, dateIn(parts.timeZone, parts.now())))

async function usageWithin(
  { read }: Parts,
  caller: Caller,
  within: Days & { readonly period: string },
): Promise<CreditUsage> {
  mustReadBilling(caller)
  const { businessId, kind } = caller
  const booked = await read(businessId, (reading) => reading.creditsBooked(kind, within))
  const consumptions = booked.map(({ sku, requests, credits }) => ({
    endpoint: Object.hasOwn(SKUS, sku) ? SKUS[sku as Sku].endpoint : sku,
    requests,
    credits,
  }))
  return {
    ...within,
    consumptions,
    requests: consumptions.reduce((sum, { requests }) => sum + requests, 0),
    credits: consumptions.reduce((sum, { credits }) => sum + credits, 0),
  }
}
