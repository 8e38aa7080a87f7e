import { IdParams } from "@paraph/contract/shared/fields"
import { NewSignature, readSignature } from "@paraph/contract/v2/signature"
import {
  CreateBody,
  readCreate,
  SignatureRequest,
  writeSignatureRequest,
} from "@paraph/contract/v2/signature-request"
import { addSigner } from "@paraph/core/signature-request/add-signer"
import { createSignatureRequest } from "@paraph/core/signature-request/create"
import { readSignatureRequest } from "@paraph/core/signature-request/read"
import type { FastifyInstance } from "fastify"
import type { Parts } from "../../parts.ts"
import { takesUploads } from "../documents/upload.ts"

/** Part 4.3. */
export function signatureRequests(app: FastifyInstance, parts: Parts): void {
  const addresses = { signingAppUrl: parts.publicUrl }

  // In a scope of its own: its body may hold a document.
  app.register(async (scope) => {
    takesUploads(scope, parts, ["json"])
    scope.post<{ Body: CreateBody }>(
      "/signature-requests",
      { schema: { body: CreateBody, response: { 200: SignatureRequest } } },
      async (request) => {
        const command = readCreate(request.body, request.received)
        const created = await createSignatureRequest(parts, request.caller, command)
        request.log = request.log.child({ signatureRequest: created.id })
        return writeSignatureRequest(created, addresses)
      },
    )
  })

  app.get<{ Params: { id: string } }>(
    "/signature-requests/:id",
    { schema: { params: IdParams, response: { 200: SignatureRequest } } },
    async (request) => {
      const found = await readSignatureRequest(parts, request.caller, request.params.id)
      return writeSignatureRequest(found, addresses)
    },
  )

  app.post<{ Params: { id: string }; Body: NewSignature }>(
    "/signature-requests/:id/signatures",
    { schema: { params: IdParams, body: NewSignature, response: { 200: SignatureRequest } } },
    async (request) => {
      const { caller, params, body } = request
      const changed = await addSigner(parts, caller, params.id, readSignature(body))
      return writeSignatureRequest(changed, addresses)
    },
  )
}
