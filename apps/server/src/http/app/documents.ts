import { IdParams } from "@paraph/contract/shared/fields"
import type { Document } from "@paraph/core/document/model"
import { Refusal } from "@paraph/core/refusal"
import { type Hint, hintsWith } from "@paraph/core/signature-request/place"
import {
  placeIn,
  takenFrom,
  type View,
  viewDocument,
  viewSignature,
} from "@paraph/core/signature-request/view"
import type { FastifyInstance, FastifyRequest } from "fastify"
import { Type } from "typebox"
import type { Parts } from "../../parts.ts"
import { DRAWN_SECONDS } from "../../previews.ts"
import { sendPdf } from "../documents/content.ts"
import { mustBeSigner, readerOf } from "./session.ts"

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
      if (sendsBody(request)) parts.servedPages.recordWhenSent(reply.raw, signer, document, page)
      return reply.type(picture.contentType).send(picture.bytes)
    },
  )

  app.get<{ Params: { id: string; page: string } }>(
    "/app/api/documents/:id/pages/:page/text",
    { schema: { params: PageParams } },
    async (request, reply) => {
      const signer = await mustBeSigner(parts, request)
      const document = await viewDocument(parts, signer, request.params.id)
      const page = Number(request.params.page)
      if (page >= document.pageCount) throw new Refusal("not-found", "There is no such page.")
      const read = await parts.pageTexts(document, { textOf: [page] })
      if (read === null) throw BUSY()
      if (sendsBody(request)) parts.servedPages.recordWhenSent(reply.raw, signer, document, page)
      return { language: read.language, lines: read.pages[0]?.lines ?? [] }
    },
  )

  app.get<{ Params: { id: string } }>(
    "/app/api/documents/:id/hints",
    { schema: { params: IdParams } },
    async (request) => {
      const signer = await mustBeSigner(parts, request)
      const document = await viewDocument(parts, signer, request.params.id)
      return { hints: await hintsFor(parts, await viewSignature(parts, signer), document) }
    },
  )

  app.get<{ Params: { id: string } }>(
    "/app/api/documents/:id/content",
    { schema: { params: IdParams } },
    async (request, reply) => {
      const signer = await mustBeSigner(parts, request)
      const document = await viewDocument(parts, signer, request.params.id)
      parts.reads.begin(readerOf(signer), request, reply)
      // A 206 with a part of the file and a 304 without a body serve no page.
      if (sendsBody(request)) parts.servedPages.recordWhenSent(reply.raw, signer, document)
      return sendPdf(parts, request, reply, document)
    },
  )
}

/** Fastify answers HEAD with the handler of GET, and drops the body: nothing was served then. */
const sendsBody = ({ method }: FastifyRequest): boolean => method === "GET"

/** How many pages from the end are looked at for words. */
const HINTED_PAGES = 5

/** VIS-06: with what the last pages say; where they cannot be read, without. */
async function hintsFor(parts: Parts, view: View, document: Document): Promise<readonly Hint[]> {
  const place = placeIn(view, document)
  if (place.type === "fixed") return []
  const first = Math.max(0, document.pageCount - HINTED_PAGES)
  const textOf = Array.from({ length: document.pageCount - first }, (_, i) => first + i)
  const read = await parts.pageTexts(document, { textOf }).catch((error: unknown) => {
    if (error instanceof Refusal && error.code === "cannot-render") return NOTHING_READ
    throw error
  })
  if (read === null) throw BUSY()
  const pages = read.pages.flatMap((page, i) => (page === null ? [] : [{ page: first + i, ...page }]))
  return hintsWith(place.hints, pages, read.language, takenFrom(view, document))
}

const NOTHING_READ = { language: null, pages: [] }

const BUSY = () =>
  new Refusal("rate-limited", "Many pages are being drawn.", { retryAfterSeconds: DRAWN_SECONDS })
