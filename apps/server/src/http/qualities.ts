import { Qualities, type QualitiesQuery, writeQualities } from "@paraph/contract/shared/qualities"
import { readQualities } from "@paraph/core/business/qualities"
import type { FastifyInstance } from "fastify"
import type { TSchema } from "typebox"
import type { Parts } from "../parts.ts"

/** Decisions, "user qualities". */
export function qualities(app: FastifyInstance, parts: Parts, querystring: TSchema): void {
  app.get<{ Querystring: QualitiesQuery }>(
    "/user/signature-qualities",
    {
      schema: {
        operationId: "readSignatureQualities",
        summary: "Read which qualities may be asked for",
        querystring,
        response: { 200: Qualities },
        problems: [404],
      },
    },
    async ({ caller, query }) => writeQualities(await readQualities(parts, caller, query.username ?? null)),
  )
}
