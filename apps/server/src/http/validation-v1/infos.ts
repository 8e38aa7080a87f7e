import { IdParams } from "@paraph/contract/shared/fields"
import * as v from "@paraph/contract/validation-v1/validation"
import { readDifference, readValidation } from "@paraph/core/validation/read"
import type { FastifyInstance } from "fastify"
import { Type } from "typebox"
import type { Parts } from "../../parts.ts"

type ById = { Params: { id: string } }
type Said = ById & { Querystring: v.InfoQuery }

/** Part 4.6: what a validation says; of whoever made it, for ten minutes (VAL-08). */
export function infos(app: FastifyInstance, parts: Parts): void {
  app.get<Said>(
    "/infos/:id/validation",
    {
      schema: {
        operationId: "getValidationInfo",
        summary: "Read the indication by ETSI EN 319 102-1",
        params: IdParams,
        querystring: v.InfoQuery,
        response: { 200: v.ValidationInfo },
      },
    },
    async ({ caller, params, query }) =>
      v.writeValidationInfo(await readValidation(parts, caller, params.id), query, parts.sayReason),
  )

  app.get<Said>(
    "/infos/:id/signers",
    {
      schema: {
        operationId: "getSignerInfos",
        summary: "Read who signed",
        params: IdParams,
        querystring: v.InfoQuery,
        response: { 200: Type.Array(v.SignerInfo) },
      },
    },
    async ({ caller, params, query }) =>
      v.writeSigners(await readValidation(parts, caller, params.id), query, parts.sayReason),
  )

  app.get<ById>(
    "/infos/:id/format",
    {
      schema: {
        operationId: "getFormatInfo",
        summary: "Read what kind of file it is",
        params: IdParams,
        response: { 200: v.FormatInfo },
      },
    },
    async ({ caller, params }) => v.writeFormat(await readValidation(parts, caller, params.id)),
  )

  app.get<{ Params: v.DifferenceParams; Querystring: v.DifferenceQuery }>(
    "/infos/:id/differences/:n",
    {
      schema: {
        operationId: "getDifference",
        summary: "See a page that looks different",
        params: v.DifferenceParams,
        querystring: v.DifferenceQuery,
        response: { 200: { content: { "image/png": { schema: {} } } } },
      },
    },
    async ({ caller, params, query }, reply) => {
      const png = await readDifference(parts, caller, v.readDifference(params, query))
      return reply.type("image/png").send(Buffer.from(png))
    },
  )
}
