import { IdParams } from "@paraph/contract/shared/fields"
import { type ReportQuery, SignatureReport, writeReport } from "@paraph/contract/shared/report"
import { readProtocol, readSealedProtocol } from "@paraph/core/report/read"
import type { FastifyInstance, FastifyReply } from "fastify"
import { type TSchema, Type } from "typebox"
import type { Parts } from "../../parts.ts"
import { protocolPolicy, writeProtocolPage } from "../../protocol/page.ts"
import { storyFileOf } from "../../story-file.ts"
import { accepted } from "../app/language.ts"
import { spendOfKey } from "../rate-limits.ts"

type Asked = { Params: { id: string }; Querystring: ReportQuery }

/** Decisions, "report": the signature protocol, written from the evidence (ADR 0053). */
export function report(app: FastifyInstance, parts: Parts, querystring: TSchema): void {
  app.get<Asked>(
    "/signature-requests/:id/report",
    {
      schema: {
        operationId: "getSignatureReport",
        summary: "Read the signature protocol",
        description:
          "Who was asked to sign what, and what happened, step by step, for whoever may read the request. The PDF (PDF/A-3a) carries the seal of the service, and `story.json`: every event with the proof that it is in the log of evidence. The first time it is made, and the call waits for that; if it takes too long, 503 says when to ask again. Afterwards the answer is the same until something happens. How many a key may have made in a minute is limited (429); reading what is made counts as any other read.",
        params: IdParams,
        querystring,
        response: {
          200: {
            content: {
              "application/pdf": { schema: Type.Any() },
              "application/json": { schema: SignatureReport },
              "text/html": { schema: Type.Any() },
            },
          },
        },
        answerHeaders: ["content-disposition"],
      },
    },
    async (request, reply) => {
      const { caller, params, query, headers } = request
      const id = params.id.toLowerCase()
      const language = query.lang ?? accepted(headers["accept-language"]) ?? "en"
      reply.header("cache-control", "private, no-store").header("vary", "accept-language")
      if (query.type === undefined || query.type === "PDF") {
        const mayOrderProtocol = () => spendOfKey(parts, request, reply, "orderProtocol")
        const pdf = await readSealedProtocol({ ...parts, mayOrderProtocol }, caller, {
          requestId: id,
          language,
        })
        return named(reply, "pdf").type("application/pdf").send(Buffer.from(pdf))
      }
      const { protocol, story } = await readProtocol(parts, caller, id)
      if (query.type === "JSON")
        return named(reply, "json").send(writeReport(protocol, storyFileOf(id, story)))
      const shown = { protocol, log: story.log, language, sealer: null, publicUrl: parts.publicUrl }
      return named(reply, "html")
        .type("text/html; charset=utf-8")
        .header("content-security-policy", protocolPolicy())
        .send(writeProtocolPage(shown))
    },
  )
}

/** Never shown as a part of a page of ours. */
const named = (reply: FastifyReply, ending: string): FastifyReply =>
  reply.header("content-disposition", `attachment; filename="signature-protocol.${ending}"`)
