import { IdParams } from "@paraph/contract/shared/fields"
import { Refusal } from "@paraph/core/refusal"
import { viewDocument } from "@paraph/core/signature-request/view"
import type { FastifyInstance } from "fastify"
import { Type } from "typebox"
import type { Parts } from "../../parts.ts"
import { DRAWN_SECONDS } from "../../previews.ts"
import { sendPdf } from "../documents/content.ts"
import { mustBeSigner } from "./session.ts"

const PageParams = Type.Object({ ...IdParams.properties, page: Type.String({ pattern: "^\\d{1,5}$" }) })
const PageQuery = Type.Object({ width: Type.Optional(Type.String({ pattern: "^\\d{2,4}$" })) })

/** A few sizes, so that a page is not drawn anew for each width of a window. */
const WIDTHS_PX = [400, 800, 1200, 1600]
const WIDEST_PX = 2000
const USUAL_PX = 780

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
      const asked = Number(request.query.width ?? USUAL_PX)
      const widthPx = WIDTHS_PX.find((width) => width >= asked) ?? WIDEST_PX
      const picture = await parts.previews.picture(document, { page, widthPx, format: "webp" })
      if (picture === null) throw BUSY()
      return reply.type(picture.contentType).send(picture.bytes)
    },
  )

  app.get<{ Params: { id: string } }>(
    "/app/api/documents/:id/content",
    { schema: { params: IdParams } },
    async (request, reply) => {
      const signer = await mustBeSigner(parts, request)
      const document = await viewDocument(parts, signer, request.params.id)
      parts.reads.begin(signer.signatureId, request, reply)
      return sendPdf(parts, request, reply, document)
    },
  )
}

const BUSY = () =>
  new Refusal("rate-limited", "Many pages are being drawn.", { retryAfterSeconds: DRAWN_SECONDS })
