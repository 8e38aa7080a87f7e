import { IdParams } from "@paraph/contract/shared/fields"
import { SignatureParams } from "@paraph/contract/shared/request-actions"
import type { RemindBody, WithdrawBody } from "@paraph/contract/v2/signature-request"
import { addSigner } from "@paraph/core/signature-request/add-signer"
import { remind, removeSignatureRequest, removeSigner, withdraw } from "@paraph/core/signature-request/change"
import type { SignatureRequest } from "@paraph/core/signature-request/model"
import type { UpdateRequest } from "@paraph/core/signature-request/new-request"
import { updateSignatureRequest } from "@paraph/core/signature-request/update"
import type { FastifyInstance, FastifyRequest } from "fastify"
import { Type } from "typebox"
import type { Parts } from "../../parts.ts"
import { entityTag, meetsIfMatch } from "./entity-tag.ts"
import { readingRequests } from "./reading.ts"
import type { RequestWire } from "./wire.ts"

type ById = { Params: { id: string } }

/** Part 4.3; decisions, "Signing interface": what every version has. How a request is made differs. */
export function signatureRequests<Entry, Patch, Update, Query>(
  app: FastifyInstance,
  parts: Parts,
  v: RequestWire<Entry, Patch, Update, Query>,
  options: { readonly negotiated: boolean },
): void {
  readingRequests(app, parts, v, options)
  updating(app, parts, v)
  signers(app, parts, v)
  acting(app, parts, v)
  removing(app, parts)
}

/** Decisions, "update": by PUT with the id in the body, or by PATCH at the address of the request. */
function updating<Patch, Update>(
  app: FastifyInstance,
  parts: Parts,
  v: RequestWire<never, Patch, Update, never>,
): void {
  /** If-Match is about the answer that the caller has seen, as this version writes it. */
  const update = async (request: FastifyRequest, command: UpdateRequest) => {
    const seen = request.headers["if-match"]
    const answer = (model: SignatureRequest) => v.writeSignatureRequest(model, parts.addresses)
    const isSeen = (model: SignatureRequest) =>
      seen === undefined || meetsIfMatch(seen, entityTag(answer(model)))
    return answer(await updateSignatureRequest(parts, request.caller, { ...command, mustBe: isSeen }))
  }
  const said = { response: { 200: v.SignatureRequest }, problems: [404, 412] }

  app.put(
    "/signature-requests",
    {
      schema: {
        operationId: "updateSignatureRequest",
        summary: "Update a signature request",
        description: "What is absent stays as it is.",
        body: v.UpdateBody,
        ...said,
      },
    },
    (request) => update(request, v.readUpdate(request.body as Update)),
  )

  app.patch<ById>(
    "/signature-requests/:id",
    {
      schema: {
        operationId: "patchSignatureRequest",
        summary: "Update a signature request at its address",
        description: "What is absent stays as it is.",
        params: IdParams,
        body: v.PatchBody,
        ...said,
      },
    },
    (request) => update(request, v.readPatch(request.params.id, request.body as Patch)),
  )
}

function signers<Entry>(
  app: FastifyInstance,
  parts: Parts,
  v: Pick<
    RequestWire<Entry, never, never, never>,
    "NewSignature" | "SignatureRequest" | "readSignature" | "writeSignatureRequest"
  >,
): void {
  app.post<ById>(
    "/signature-requests/:id/signatures",
    {
      schema: {
        operationId: "addSignature",
        summary: "Add a signer",
        params: IdParams,
        body: v.NewSignature,
        response: { 200: v.SignatureRequest },
      },
    },
    async ({ caller, params, body }) =>
      v.writeSignatureRequest(
        await addSigner(parts, caller, params.id, v.readSignature(body as Entry)),
        parts.addresses,
      ),
  )

  app.delete<{ Params: SignatureParams }>(
    "/signature-requests/:id/signatures/:sid",
    {
      schema: {
        operationId: "removeSignature",
        summary: "Remove a signer who has not signed",
        params: SignatureParams,
        response: { 204: Type.Null() },
      },
    },
    async ({ caller, params }, reply) => {
      await removeSigner(parts, caller, params.id, params.sid.toLowerCase())
      return reply.code(204).send()
    },
  )
}

/** A body that may be left out is an empty one then. */
const preValidation = async (request: FastifyRequest) => {
  if (request.body === undefined) request.body = {}
}

function acting(
  app: FastifyInstance,
  parts: Parts,
  v: Pick<
    RequestWire<never, never, never, never>,
    | "WithdrawBody"
    | "RemindBody"
    | "SignatureRequest"
    | "readWithdraw"
    | "readRemind"
    | "writeSignatureRequest"
  >,
): void {
  const said = { params: IdParams, response: { 200: v.SignatureRequest }, optionalBody: true }

  app.post<ById & { Body: RemindBody }>(
    "/signature-requests/:id/remind",
    {
      preValidation,
      schema: {
        operationId: "remindSigners",
        summary: "Remind the signers whose turn it is",
        body: v.RemindBody,
        ...said,
      },
    },
    async ({ caller, params, body }) =>
      v.writeSignatureRequest(await remind(parts, caller, params.id, v.readRemind(body)), parts.addresses),
  )

  app.post<ById & { Body: WithdrawBody }>(
    "/signature-requests/:id/withdraw",
    {
      preValidation,
      schema: {
        operationId: "withdrawSignatureRequest",
        summary: "Withdraw a signature request",
        body: v.WithdrawBody,
        ...said,
      },
    },
    async ({ caller, params, body }) =>
      v.writeSignatureRequest(
        await withdraw(parts, caller, params.id, v.readWithdraw(body)),
        parts.addresses,
      ),
  )
}

function removing(app: FastifyInstance, parts: Parts): void {
  app.delete<ById>(
    "/signature-requests/:id",
    {
      schema: {
        operationId: "deleteSignatureRequest",
        summary: "Delete a signature request and its documents",
        params: IdParams,
        response: { 204: Type.Null() },
        problems: [409],
      },
    },
    async ({ caller, params }, reply) => {
      await removeSignatureRequest(parts, caller, params.id)
      return reply.code(204).send()
    },
  )
}
