import * as v from "@paraph/contract/validation-v1/credits"
import { readCreditInfos, readCreditUsage, readInvoiced } from "@paraph/core/credits/read"
import type { FastifyInstance } from "fastify"
import type { Parts } from "../../parts.ts"

/** Part 4.6, billing; decisions, "credits". */
export function credits(app: FastifyInstance, parts: Parts): void {
  app.get(
    "/billing/credits/infos",
    {
      schema: {
        operationId: "getCreditInfos",
        summary: "Read what each endpoint costs",
        response: { 200: v.CreditInfos },
      },
    },
    async ({ caller }) => v.writeCreditInfos(await readCreditInfos(parts, caller)),
  )

  app.get(
    "/billing/credits/usage",
    {
      schema: {
        operationId: "getCreditUsage",
        summary: "Read what was used this month",
        response: { 200: v.CreditUsage },
      },
    },
    async ({ caller }) => v.writeCreditUsage(await readCreditUsage(parts, caller)),
  )

  app.get<{ Querystring: v.InvoicedQuery }>(
    "/billing/credits/invoiced",
    {
      schema: {
        operationId: "getInvoicedCredits",
        summary: "Read what was invoiced",
        querystring: v.InvoicedQuery,
        response: { 200: v.CreditUsage },
      },
    },
    async ({ caller, query }) => v.writeCreditUsage(await readInvoiced(parts, caller, v.readInvoiced(query))),
  )
}
