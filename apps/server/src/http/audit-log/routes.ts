import * as v from "@paraph/contract/v3/audit-log"
import { readAuditLog } from "@paraph/core/business/audit-log"
import type { FastifyInstance } from "fastify"
import { Type } from "typebox"
import type { Parts } from "../../parts.ts"

/** Decisions, "roles": the audit log, as far as it is about the business; an addition of ours to v3 (ADR 0034). */
export function auditLog(app: FastifyInstance, parts: Parts): void {
  const schema = {
    operationId: "readAuditLog",
    summary: "Read the audit log",
    description: "What was done to the business, by its people and by the operator; the newest first.",
    querystring: v.AuditQuery,
    response: { 200: Type.Array(v.AuditEntry) },
    answerHeaders: ["link"],
    problems: [403],
  }
  app.get<{ Querystring: v.AuditQuery }>("/audit-log", { schema }, async (request, reply) => {
    const asked = v.readAuditQuery(request.query)
    const page = await readAuditLog(parts, request.caller, asked)
    const link = v.writeAuditLink(`${parts.publicUrl}${request.routeOptions.url}`, asked, page)
    if (link !== null) reply.header("link", link)
    return page.entries.map(v.writeAuditEntry)
  })
}
