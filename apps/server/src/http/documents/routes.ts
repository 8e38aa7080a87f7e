import { IdParams } from "@paraph/contract/shared/fields"
import type * as wire from "@paraph/contract/v2/document"
import { changeAccess } from "@paraph/core/document/access"
import { createDocument } from "@paraph/core/document/create"
import { listDocuments } from "@paraph/core/document/list"
import { readDocument } from "@paraph/core/document/read"
import { removeDocument } from "@paraph/core/document/remove"
import { addWatermark } from "@paraph/core/document/watermark"
import type { FastifyInstance } from "fastify"
import { Type } from "typebox"
import type { Parts } from "../../parts.ts"
import { contentAnswers, sendContent } from "./content.ts"
import { pages } from "./pages.ts"
import { takesUploads } from "./upload.ts"
import type { DocumentWire } from "./wire.ts"

type ById = { Params: { id: string } }

/** Part 4.2; decisions, "documents", "document access", "watermark". */
export function documents(app: FastifyInstance, parts: Parts, v: DocumentWire): void {
  uploads(app, parts, v)
  reading(app, parts, v)
  changing(app, parts, v)
  pages(app, parts, v)
}

function uploads(app: FastifyInstance, parts: Parts, v: DocumentWire): void {
  // In a scope of its own: only here is a body a document.
  app.register(async (scope) => {
    takesUploads(scope, parts, ["json", "multipart", "pdf"])
    scope.post<{ Body: wire.CreateBody }>(
      "/documents",
      {
        schema: {
          operationId: "createDocument",
          summary: "Upload a document",
          body: v.CreateBody,
          response: { 200: v.Document },
        },
      },
      async (request) => {
        const command = v.readCreate(request.body, request.received)
        return v.writeDocument(await createDocument(parts, request.caller, command))
      },
    )
  })
}

function reading(app: FastifyInstance, parts: Parts, v: DocumentWire): void {
  app.get<{ Querystring: wire.ListQuery }>(
    "/documents",
    {
      schema: {
        operationId: "listDocuments",
        summary: "List documents",
        querystring: v.ListQuery,
        response: { 200: Type.Array(v.Document) },
        answerHeaders: ["link"],
      },
    },
    async (request, reply) => {
      const asked = v.readList(request.query)
      const page = await listDocuments(parts, request.caller, asked)
      const links = v.writeLinks(`${parts.publicUrl}${request.routeOptions.url}`, asked, page)
      if (links !== null) reply.header("link", links)
      return page.documents.map(v.writeDocument)
    },
  )

  app.get<ById>(
    "/documents/:id",
    {
      schema: {
        operationId: "getDocument",
        summary: "Read a document's data",
        params: IdParams,
        response: { 200: v.Document },
      },
    },
    async (request) => v.writeDocument(await readDocument(parts, request.caller, request.params.id)),
  )

  app.get<ById>(
    "/documents/:id/content",
    {
      schema: {
        operationId: "getDocumentContent",
        summary: "Download a document",
        params: IdParams,
        response: contentAnswers(v.DocumentContent),
        problems: [406, 416],
        answerHeaders: ["etag", "accept-ranges", "content-range", "content-disposition"],
      },
    },
    async (request, reply) => {
      const document = await readDocument(parts, request.caller, request.params.id)
      const { userId: id, businessId, kind } = request.caller
      parts.reads.begin({ id, businessId, kind }, request, reply)
      return sendContent(parts, request, reply, document)
    },
  )
}

function changing(app: FastifyInstance, parts: Parts, v: DocumentWire): void {
  app.delete<ById>(
    "/documents/:id",
    {
      schema: {
        operationId: "deleteDocument",
        summary: "Delete a document",
        params: IdParams,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      await removeDocument(parts, request.caller, request.params.id)
      return reply.code(204).send()
    },
  )

  app.put<ById & { Body: wire.AccessBody }>(
    "/documents/:id/access",
    {
      schema: {
        operationId: "changeDocumentAccess",
        summary: "Change who may read and write a document",
        params: IdParams,
        body: v.AccessBody,
        response: { 200: v.Document },
      },
    },
    async ({ caller, params, body }) =>
      v.writeDocument(await changeAccess(parts, caller, params.id, v.readAccess(body))),
  )

  app.post<ById & { Body: wire.WatermarkBody }>(
    "/documents/:id/watermark",
    {
      schema: {
        operationId: "addWatermark",
        summary: "Make a new document with a watermark",
        params: IdParams,
        body: v.WatermarkBody,
        response: { 200: v.Document },
      },
    },
    async ({ caller, params, body }) =>
      v.writeDocument(await addWatermark(parts, caller, params.id, v.readWatermark(body))),
  )
}
