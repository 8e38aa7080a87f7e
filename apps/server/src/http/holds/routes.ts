import { IdParams } from "@paraph/contract/shared/fields"
import * as v from "@paraph/contract/v3/hold"
import { endHold, holdRequest, readHold } from "@paraph/core/signature-request/hold"
import type { FastifyInstance } from "fastify"
import { Type } from "typebox"
import type { Parts } from "../../parts.ts"

type ById = { Params: { id: string } }
const HOLD = "/signature-requests/:id/hold"

/** An addition to v3: while a request is held nobody deletes it, and neither does its date (ADR 0055). */
export function holds(app: FastifyInstance, parts: Parts): void {
  const read = {
    operationId: "getSignatureRequestHold",
    summary: "Read whether a signature request is held",
    params: IdParams,
    response: { 200: v.Hold },
  }
  app.get<ById>(HOLD, { schema: read }, async ({ caller, params }) =>
    v.writeHold(await readHold(parts, caller, params.id.toLowerCase())),
  )

  const hold = {
    operationId: "holdSignatureRequest",
    summary: "Hold a signature request",
    description:
      "For owners and admins of the business, as people. Until the hold ends the request cannot be deleted, and its date of deletion passes it by. One that is held stays as it is.",
    params: IdParams,
    body: v.HoldBody,
    response: { 200: v.Hold },
    problems: [403],
  }
  app.put<ById & { Body: v.HoldBody }>(HOLD, { schema: hold }, async ({ caller, params, body }) =>
    v.writeHold(await holdRequest(parts, caller, params.id.toLowerCase(), body.reason)),
  )

  const end = {
    operationId: "endSignatureRequestHold",
    summary: "End the hold of a signature request",
    description:
      "For owners and admins of the business, as people. Where its date has passed it is deleted now.",
    params: IdParams,
    response: { 204: Type.Null() },
    problems: [403],
  }
  app.delete<ById>(HOLD, { schema: end }, async ({ caller, params }, reply) => {
    await endHold(parts, caller, params.id.toLowerCase())
    return reply.code(204).send()
  })
}
