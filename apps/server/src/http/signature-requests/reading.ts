import { IdParams } from "@paraph/contract/shared/fields"
import { BulkBody, readBulk } from "@paraph/contract/shared/request-actions"
import type { Caller } from "@paraph/core/access/caller"
import type { SignatureRequest } from "@paraph/core/signature-request/model"
import {
  listSignatureRequests,
  readSignatureRequest,
  readSignatureRequests,
} from "@paraph/core/signature-request/read"
import type { FastifyInstance } from "fastify"
import { Type } from "typebox"
import type { Parts } from "../../parts.ts"
import { accepted } from "../documents/accept.ts"
import { addressesFor } from "./addresses.ts"
import { entityTag, meetsIfNoneMatch } from "./entity-tag.ts"
import type { RequestWire } from "./wire.ts"

type Reading<Query> = Pick<
  RequestWire<never, never, never, Query>,
  "SignatureRequest" | "ListQuery" | "readList" | "writeLinks" | "writeSignatureRequest"
>

/** Parts 4.3 and decisions, "list", "bulk read". `negotiated`: whether an Accept that fits nothing is answered with 406 (SR-15). */
export function readingRequests<Query>(
  app: FastifyInstance,
  parts: Parts,
  v: Reading<Query>,
  { negotiated }: { readonly negotiated: boolean },
): void {
  const answerTo = (caller: Caller) => (request: SignatureRequest) =>
    v.writeSignatureRequest(request, addressesFor(parts, caller, request))

  app.get<{ Params: { id: string } }>(
    "/signature-requests/:id",
    {
      schema: {
        operationId: "getSignatureRequest",
        summary: "Read a signature request",
        params: IdParams,
        response: { 200: v.SignatureRequest, 304: Type.Null() },
        problems: negotiated ? [406] : [],
        answerHeaders: ["etag"],
      },
    },
    async (request, reply) => {
      if (negotiated) accepted(request, reply, ["application/json"])
      const found = await readSignatureRequest(parts, request.caller, request.params.id)
      const answer = answerTo(request.caller)(found)
      const tag = entityTag(answer)
      reply.header("etag", tag)
      const known = request.headers["if-none-match"]
      return known !== undefined && meetsIfNoneMatch(known, tag) ? reply.code(304).send() : answer
    },
  )

  app.get(
    "/signature-requests",
    {
      schema: {
        operationId: "listSignatureRequests",
        summary: "List signature requests, the newest first",
        querystring: v.ListQuery,
        response: { 200: Type.Array(v.SignatureRequest) },
        answerHeaders: ["link"],
      },
    },
    async (request, reply) => {
      const asked = v.readList(request.query as Query)
      const page = await listSignatureRequests(parts, request.caller, asked)
      const links = v.writeLinks(`${parts.publicUrl}${request.routeOptions.url}`, asked, page)
      if (links !== null) reply.header("link", links)
      return page.requests.map(answerTo(request.caller))
    },
  )

  app.post<{ Body: BulkBody }>(
    "/signature-requests/bulk",
    {
      config: { changesNothing: true },
      schema: {
        operationId: "getSignatureRequests",
        summary: "Read up to 100 signature requests",
        description: "In the order asked for; those that the caller cannot read are left out.",
        body: BulkBody,
        response: { 200: Type.Array(v.SignatureRequest) },
      },
    },
    async ({ caller, body }) => {
      const found = await readSignatureRequests(parts, caller, readBulk(body))
      return found.map(answerTo(caller))
    },
  )
}
