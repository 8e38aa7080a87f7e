import { IdParams } from "@paraph/contract/shared/fields"
import { CreateBody, Document, readCreate, writeDocument } from "@paraph/contract/v2/document"
import { createDocument } from "@paraph/core/document/create"
import { readContent, readDocument } from "@paraph/core/document/read"
import { LIMITS } from "@paraph/core/limits"
import type { FastifyInstance } from "fastify"
import type { Parts } from "../../parts.ts"
import { sendPdf } from "../send-pdf.ts"

type ById = { Params: { id: string } }

/** Part 4.2. */
export function documents(app: FastifyInstance, parts: Parts): void {
  app.post<{ Body: CreateBody }>(
    "/documents",
    {
      bodyLimit: LIMITS.documentBase64Bytes + LIMITS.jsonBytes,
      schema: { body: CreateBody, response: { 200: Document } },
    },
    async (request) => writeDocument(await createDocument(parts, request.caller, readCreate(request.body))),
  )

  app.get<ById>(
    "/documents/:id",
    { schema: { params: IdParams, response: { 200: Document } } },
    async (request) => writeDocument(await readDocument(parts, request.caller, request.params.id)),
  )

  app.get<ById>("/documents/:id/content", { schema: { params: IdParams } }, async (request, reply) => {
    const { document, bytes } = await readContent(parts, request.caller, request.params.id)
    return sendPdf(reply, document, bytes, "attachment")
  })
}
