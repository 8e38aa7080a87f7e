import * as wire from "@paraph/contract/shared/attachment"
import { type Addresses, IdParams } from "@paraph/contract/shared/fields"
import { endingsOf } from "@paraph/core/attachment/types"
import { LIMITS } from "@paraph/core/limits"
import { attach, detach, readAttachment } from "@paraph/core/signature-request/attachments"
import type { SignatureRequest } from "@paraph/core/signature-request/model"
import type { FastifyInstance } from "fastify"
import { Type } from "typebox"
import type { Parts } from "../../parts.ts"
import { sendFile } from "../documents/content.ts"
import { takesUploads } from "../documents/upload.ts"
import { contentDisposition } from "../file-name.ts"

/** How one version speaks of them: adding one answers the whole request. */
export type AttachmentWire = {
  readonly SignatureRequest: Type.TSchema
  readonly writeSignatureRequest: (request: SignatureRequest, addresses: Addresses) => unknown
}

const ALL = "/signature-requests/:id/attachments"
const ONE = `${ALL}/:attachment_id`
type OfOne = { Params: wire.AttachmentParams }

/** Decisions, "attachments"; v2 and v3 (SR-28). */
export function attachments(
  app: FastifyInstance,
  parts: Parts,
  body: typeof wire.AttachmentBody,
  v: AttachmentWire,
): void {
  // In a scope of its own: only here is a body an attachment.
  app.register(async (scope) => {
    takesUploads(scope, parts, ["json"], ATTACHMENTS)
    const add = {
      operationId: "addAttachment",
      summary: "Add an attachment",
      params: IdParams,
      body,
      response: { 200: v.SignatureRequest },
    }
    scope.post<{ Params: { id: string }; Body: wire.AttachmentBody }>(
      ALL,
      { schema: add },
      async ({ caller, params, body, received }) => {
        const changed = await attach(parts, caller, params.id, wire.readAttachment(body, received))
        return v.writeSignatureRequest(changed, parts.addresses)
      },
    )
  })

  const read = {
    operationId: "getAttachmentContent",
    summary: "Download an attachment",
    params: wire.AttachmentParams,
    response: {
      200: { content: { "*/*": { schema: Type.Any() } } },
      206: { content: { "*/*": { schema: Type.Any() } } },
      304: Type.Null(),
    },
    problems: [416],
    answerHeaders: ["etag", "accept-ranges", "content-range", "content-disposition"],
  }
  app.get<OfOne>(`${ONE}/content`, { schema: read }, async (request, reply) => {
    const { caller, params } = request
    const attachment = await readAttachment(parts, caller, params.id, params.attachment_id)
    parts.reads.begin({ ...caller, id: caller.userId }, request, reply)
    const { filename, contentType } = attachment
    const disposition = contentDisposition(filename, "attachment", endingsOf(contentType))
    const charset = contentType.startsWith("text/") ? "; charset=utf-8" : ""
    return sendFile(parts, request, reply, { ...attachment, contentType: contentType + charset }, disposition)
  })

  const remove = {
    operationId: "removeAttachment",
    summary: "Remove an attachment",
    params: wire.AttachmentParams,
    response: { 204: Type.Null() },
  }
  app.delete<OfOne>(ONE, { schema: remove }, async ({ caller, params }, reply) => {
    await detach(parts, caller, params.id, params.attachment_id.toLowerCase())
    return reply.code(204).send()
  })
}

const ATTACHMENTS = {
  maxBytes: LIMITS.attachmentBytes,
  maxBase64Bytes: LIMITS.attachmentBase64Bytes,
  tooLarge: "attachment-too-large",
} as const
