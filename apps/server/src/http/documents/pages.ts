import { setTimeout as pause } from "node:timers/promises"
import type { PageParams, PageQuery } from "@paraph/contract/v2/document"
import { readDocument } from "@paraph/core/document/read"
import { Refusal } from "@paraph/core/refusal"
import type { FastifyInstance } from "fastify"
import { Type } from "typebox"
import type { Parts } from "../../parts.ts"
import { DRAWN_SECONDS } from "../../previews.ts"
import { accepted } from "./accept.ts"
import type { DocumentWire } from "./wire.ts"

/** Most pages are drawn within this; who asks for one of the others is told to come back. */
const PATIENCE_MS = 2_500

/** Decisions, "previews": a page as WebP or PNG; 202 while it is drawn, 422 when it cannot be. */
export function pages(app: FastifyInstance, parts: Parts, v: DocumentWire): void {
  app.get<{ Params: PageParams; Querystring: PageQuery }>(
    "/documents/:id/pages/:n",
    {
      schema: {
        operationId: "getDocumentPage",
        summary: "See a page of a document",
        params: v.PageParams,
        querystring: v.PageQuery,
        response: {
          200: { content: { "image/webp": { schema: Type.Any() }, "image/png": { schema: Type.Any() } } },
          202: Type.Null(),
        },
        problems: [406, 422],
      },
    },
    async (request, reply) => {
      const { id, page, scale } = v.readPage(request.params, request.query)
      const document = await readDocument(parts, request.caller, id)
      const type = accepted(request, reply, ["image/webp", "image/png"])
      if (page >= document.pageCount) throw new Refusal("not-found", "There is no such page.")
      const format = type === "image/png" ? "png" : "webp"
      const drawing = parts.previews.picture(document, { page, scale, format })
      const picture = await Promise.race([drawing, pause(PATIENCE_MS, null, { ref: false })])
      if (picture === null) {
        // Where it has begun it goes on, and what it comes to is kept for whoever asks next; nobody waits for it here any more.
        drawing.catch(() => undefined)
        return reply.code(202).header("retry-after", DRAWN_SECONDS).send()
      }
      return reply.type(picture.contentType).send(picture.bytes)
    },
  )
}
