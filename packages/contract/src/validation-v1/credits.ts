import type { CreditInfos as InfosModel, CreditUsage as UsageModel } from "@paraph/core/credits/read"
import { Type } from "typebox"
import { closed, DateTime, Day, orNull } from "../shared/fields.ts"

/** Decisions, "credits". */

const Amount = Type.Integer({ minimum: 0 })

export const CreditInfos = Type.Object({
  validFrom: Type.String({ ...DateTime, description: "Since when these prices hold." }),
  consumptions: Type.Array(
    Type.Object({
      sku: Type.String(),
      endpoint: Type.String(),
      credits: Type.Integer({ minimum: 0, description: "What one use costs with the key that asks." }),
    }),
  ),
  included: orNull(
    Type.Integer({ minimum: 0, description: "How many may be used within this month; null: no limit." }),
  ),
  left: orNull(
    Type.Integer({ minimum: 0, description: "How many of them are left of this month; null: no limit." }),
  ),
})
export type CreditInfos = Type.Static<typeof CreditInfos>

const Consumption = Type.Object({ endpoint: Type.String(), requests: Amount, credits: Amount })

export const CreditUsage = Type.Object({
  period: Type.String({ pattern: "^[0-9]{6}$", description: "YYYYMM; of a year, its last invoiced month." }),
  from: Type.String({ ...Day, description: "The first day that counts." }),
  to: Type.String({ ...Day, description: "The last day that counts." }),
  consumptions: Type.Array(Consumption),
  usage: Type.Array(Consumption, { description: "The same as `consumptions`." }),
  requests: Type.Integer({ minimum: 0, description: "All of them." }),
  credits: Type.Integer({ minimum: 0, description: "All of them." }),
})
export type CreditUsage = Type.Static<typeof CreditUsage>

export const InvoicedQuery = Type.Object(
  {
    period: Type.Optional(
      Type.String({
        pattern: "^[0-9]{4}(?:[0-9]{2}(?:[0-9]{2})?)?$",
        description: "YYYY, YYYYMM or YYYYMMDD; the last invoiced month unless given.",
      }),
    ),
  },
  closed,
)
export type InvoicedQuery = Type.Static<typeof InvoicedQuery>

export const readInvoiced = ({ period }: InvoicedQuery): string | null => period ?? null

export const writeCreditInfos = ({ validFrom, consumptions, included, left }: InfosModel): CreditInfos => ({
  validFrom: validFrom.toISOString(),
  consumptions: consumptions.map(({ sku, endpoint, credits }) => ({ sku, endpoint, credits })),
  included,
  left,
})

export function writeCreditUsage({ period, from, to, requests, credits, ...model }: UsageModel): CreditUsage {
  const consumptions = model.consumptions.map((each) => ({
    endpoint: each.endpoint,
    requests: each.requests,
    credits: each.credits,
  }))
  return { period, from, to, consumptions, usage: consumptions, requests, credits }
}
