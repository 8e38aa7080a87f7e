import { createSignatureRequest } from "@paraph/core/signature-request/create"
import type { FastifyInstance } from "fastify"
import type { Parts } from "../../parts.ts"
import { takesUploads } from "../documents/upload.ts"
import type { InlineWire } from "./wire.ts"

/** Part 4.3, v1 and v2: a request may come with its document, and is OPEN at once. */
export function inlineRequests<Create>(app: FastifyInstance, parts: Parts, v: InlineWire<Create>): void {
  // In a scope of its own: only here may a body hold a document.
  app.register(async (scope) => {
    takesUploads(scope, parts, ["json"])
    scope.post(
      "/signature-requests",
      {
        schema: {
          operationId: "createSignatureRequest",
          summary: "Create a signature request",
          body: v.CreateBody,
          response: { 200: v.SignatureRequest },
          // Of the document that is named.
          problems: [404],
        },
      },
      async (request) => {
        const command = v.readCreate(request.body as Create, request.received)
        const created = await createSignatureRequest(parts, request.caller, command)
        request.log = request.log.child({ signatureRequest: created.id })
        return v.writeSignatureRequest(created, parts.addresses)
      },
    )
  })
}
