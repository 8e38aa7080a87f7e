import { IdParams } from "@paraph/contract/shared/fields"
import { ReportQuery } from "@paraph/contract/validation-v1/validation"
import { readReported } from "@paraph/core/validation/read"
import { readPdfReport } from "@paraph/core/validation/read-report"
import type { FastifyInstance } from "fastify"
import type { Parts } from "../../parts.ts"

type ById = { Params: { id: string } }

/** Decisions, "reports": for machines and for people, written when they are asked for. */
export function reports(app: FastifyInstance, parts: Parts): void {
  app.get<ById>(
    "/reports/:id/etsi",
    {
      schema: {
        operationId: "getEtsiReport",
        summary: "Read the report by ETSI TS 119 102-2",
        params: IdParams,
        response: { 200: { content: { "application/xml": { schema: {} } } } },
        answerHeaders: ["content-disposition"],
      },
    },
    async ({ caller, params }, reply) => {
      const xml = await parts.writeEtsiReport(await readReported(parts, caller, params.id))
      return reply
        .type("application/xml; charset=utf-8")
        .header("content-disposition", named("validation-report.xml"))
        .send(xml)
    },
  )

  app.get<ById & { Querystring: ReportQuery }>(
    "/reports/:id/pdf",
    {
      schema: {
        operationId: "getPdfReport",
        summary: "Read the report for people, sealed",
        description:
          "A PDF/A-2a with the seal of the service. The first time it is made, and the call waits for that; if it takes too long, 503 says when to ask again. Afterwards the answer is the same.",
        params: IdParams,
        querystring: ReportQuery,
        response: { 200: { content: { "application/pdf": { schema: {} } } } },
        answerHeaders: ["content-disposition"],
      },
    },
    async ({ caller, params, query }, reply) => {
      const of = { validationId: params.id.toLowerCase(), language: query.lang ?? "en" }
      const pdf = await readPdfReport(parts, caller, of)
      return reply
        .type("application/pdf")
        .header("content-disposition", named("validation-report.pdf"))
        .send(Buffer.from(pdf))
    },
  )
}

/** Never shown as a part of a page of ours. */
const named = (file: string): string => `attachment; filename="${file}"`
