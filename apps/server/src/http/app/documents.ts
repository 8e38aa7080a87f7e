import { IdParams } from "@paraph/contract/shared/fields"
import { Refusal } from "@paraph/core/refusal"
import { viewDocument } from "@paraph/core/signature-request/view"
import type { FastifyInstance } from "fastify"
import { Type } from "typebox"
import type { Parts } from "../../parts.ts"
import { sendPdf } from "../documents/content.ts"
import { mustBeSigner } from "./session.ts"

const PageParams = Type.Object({ ...IdParams.properties, page: Type.String({ pattern: "^\\d{1,5}$" }) })
const PageQuery = Type.Object({ width: Type.Optional(Type.String({ pattern: "^\\d{2,4}$" })) })
const WIDTH_PX = { least: 200, usual: 780, most: 2000 }

/** The pages a person reads, as pictures; and the very bytes, for whoever wants to be sure. */
export function documents(app: FastifyInstance, parts: Parts): void {
  app.get<{ Params: { id: string; page: string }; Querystring: { width?: string } }>(
    "/app/api/documents/:id/pages/:page",
    { schema: { params: PageParams, querystring: PageQuery } },
    async (request, reply) => {
      const signer = await mustBeSigner(parts, request)
      const document = await viewDocument(parts, signer, request.params.id)
      const page = Number(request.params.page)
      if (page >= document.pageCount) throw new Refusal("not-found", "There is no such page.")
      const asked = Number(request.query.width ?? WIDTH_PX.usual)
      const widthPx = Math.min(WIDTH_PX.most, Math.max(WIDTH_PX.least, asked))
      const picture = await parts.previews.picture(document, { page, widthPx, format: "webp" })
      return reply.type(picture.contentType).send(picture.bytes)
    },
  )

  app.get<{ Params: { id: string } }>(
    "/app/api/documents/:id/content",
    { schema: { params: IdParams } },
    async (request, reply) => {
      const signer = await mustBeSigner(parts, request)
      return sendPdf(parts, request, reply, await viewDocument(parts, signer, request.params.id))
    },
  )
}
