import { IdParams } from "@paraph/contract/shared/fields"
import { RequestPlan, writePlan } from "@paraph/contract/v3/request-plan"
import * as v from "@paraph/contract/v3/signature-request"
import { addDocument, clearExpiry, initiate, removeDocument } from "@paraph/core/signature-request/change"
import { createSignatureRequest, planRequest } from "@paraph/core/signature-request/create"
import type { FastifyInstance } from "fastify"
import { Type } from "typebox"
import type { Parts } from "../../parts.ts"

type ById = { Params: { id: string } }

/** What v3 alone has (SR-35): a request is made as a DRAFT of documents that are there, and is initiated. */
export function drafts(app: FastifyInstance, parts: Parts): void {
  creating(app, parts)
  initiating(app, parts)
  documentsOfDraft(app, parts)
}

function creating(app: FastifyInstance, parts: Parts): void {
  app.post<{ Body: v.CreateBody; Querystring: v.CreateQuery }>(
    "/signature-requests",
    {
      schema: {
        operationId: "createSignatureRequest",
        summary: "Create a signature request as a draft",
        description: "With dry_run=true nothing is stored, and the answer is what would happen.",
        querystring: v.CreateQuery,
        body: v.CreateBody,
        response: { 200: Type.Union([v.SignatureRequest, RequestPlan]) },
        // Of a document or a group that is named.
        problems: [404],
      },
    },
    async (request) => {
      const command = v.readCreate(request.body)
      if (request.query.dry_run === "true")
        return writePlan(await planRequest(parts, request.caller, command))
      const created = await createSignatureRequest(parts, request.caller, command)
      request.log = request.log.child({ signatureRequest: created.id })
      return v.writeSignatureRequest(created, parts.addresses)
    },
  )
}

function initiating(app: FastifyInstance, parts: Parts): void {
  app.post<ById>(
    "/signature-requests/:id/initiate",
    {
      schema: {
        operationId: "initiateSignatureRequest",
        summary: "Open a draft and invite its signers",
        params: IdParams,
        response: { 200: v.SignatureRequest },
      },
    },
    async ({ caller, params }) =>
      v.writeSignatureRequest(await initiate(parts, caller, params.id), parts.addresses),
  )

  app.delete<ById>(
    "/signature-requests/:id/expires-at",
    {
      schema: {
        operationId: "removeExpiresAt",
        summary: "Remove the expiry date of a draft",
        params: IdParams,
        response: { 204: Type.Null() },
      },
    },
    async ({ caller, params }, reply) => {
      await clearExpiry(parts, caller, params.id)
      return reply.code(204).send()
    },
  )
}

/** Decisions, "v3 draft documents". */
function documentsOfDraft(app: FastifyInstance, parts: Parts): void {
  app.post<ById & { Body: v.AddDocumentBody }>(
    "/signature-requests/:id/documents",
    {
      schema: {
        operationId: "addRequestDocument",
        summary: "Add a document to a draft",
        params: IdParams,
        body: v.AddDocumentBody,
        response: { 200: v.SignatureRequest },
      },
    },
    async ({ caller, params, body }) =>
      v.writeSignatureRequest(
        await addDocument(parts, caller, params.id, body.document_id.toLowerCase()),
        parts.addresses,
      ),
  )

  app.delete<{ Params: v.DocumentParams }>(
    "/signature-requests/:id/documents/:document_id",
    {
      schema: {
        operationId: "removeRequestDocument",
        summary: "Remove a document from a draft",
        params: v.DocumentParams,
        response: { 204: Type.Null() },
      },
    },
    async ({ caller, params }, reply) => {
      await removeDocument(parts, caller, params.id, params.document_id.toLowerCase())
      return reply.code(204).send()
    },
  )
}
