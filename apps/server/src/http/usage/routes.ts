import * as v from "@paraph/contract/v3/usage"
import { readUsage } from "@paraph/core/usage/read"
import type { FastifyInstance } from "fastify"
import type { Parts } from "../../parts.ts"

/** A documented addition to v3: what a business has used (ADR 0035). */
export function usage(app: FastifyInstance, parts: Parts): void {
  const schema = {
    operationId: "getUsage",
    summary: "Read what the business has used",
    description:
      "For owners, admins and developers. The twelve months that end now, unless others are asked for.",
    querystring: v.UsageQuery,
    response: { 200: v.Usage },
  }
  app.get<{ Querystring: v.UsageQuery }>("/usage", { schema }, async ({ caller, query }) =>
    v.writeUsage(await readUsage(parts, caller, v.readUsage(query))),
  )
}
