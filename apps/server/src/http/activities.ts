import {
  Activities,
  type ActivitiesQuery,
  readActivities,
  writeActivities,
} from "@paraph/contract/shared/activities"
import { listActivities } from "@paraph/core/activity/list"
import type { FastifyInstance } from "fastify"
import type { TSchema } from "typebox"
import type { Parts } from "../parts.ts"

/** Decisions, "activities". */
export function activities(app: FastifyInstance, parts: Parts, querystring: TSchema): void {
  app.get<{ Querystring: ActivitiesQuery }>(
    "/activities/signatures",
    {
      schema: {
        operationId: "listSignatureActivities",
        summary: "List the signatures that were made between two dates",
        querystring,
        response: { 200: Activities },
      },
    },
    async ({ caller, query }) => {
      const asked = readActivities(query)
      return writeActivities(asked, await listActivities(parts, caller, asked))
    },
  )
}
