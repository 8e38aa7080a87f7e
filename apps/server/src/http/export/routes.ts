import * as v from "@paraph/contract/v3/export"
import { beginExport } from "@paraph/core/business/export"
import { createInFlightLimiter } from "@paraph/core/fair-share/in-flight-limiter"
import { ownerOf } from "@paraph/core/fair-share/owner"
import { Refusal } from "@paraph/core/refusal"
import type { FastifyInstance } from "fastify"
import { Type } from "typebox"
import type { Parts } from "../../parts.ts"
import { onceOver, untilOver } from "../documents/reads-under-way.ts"
import { contentDisposition, FILE_POLICY } from "../file-name.ts"
import { archiveOf } from "./archive.ts"
import { filesOf, manifestOf } from "./files.ts"

/** Of this process: each reads one document after the other, for as long as its reader takes. */
const EXPORTS = { perOwner: 1, total: 4 }
const RETRY_SECONDS = 60

/** An addition to v3: all that a business has, as one archive that can be checked without the service (ADR 0055). */
export function exportOfAll(app: FastifyInstance, parts: Parts): void {
  const places = createInFlightLimiter(EXPORTS)
  const schema = {
    operationId: "exportAll",
    summary: "Export all signature requests, documents and evidence",
    description:
      "For owners and admins of the business, as people; one at a time. A ZIP archive: `manifest.json` lists every file with its SHA-256; each request has its answer, its documents (`.original.pdf` as uploaded, where they were signed since), its attachments and its story (`paraph-story/1`); `documents` are those of no request, with the story of their seal; `receipts` are the stories of what was deleted. Requests come first, then documents, then receipts, of each the oldest first; where there is more than one archive holds, `Link` has the address of the next.",
    querystring: v.ExportQuery,
    response: { 200: { content: { "application/zip": { schema: Type.Any() } } } },
    answerHeaders: ["link"],
    problems: [403, 429, 503],
  }
  app.get<{ Querystring: v.ExportQuery }>(
    "/export",
    { schema, exposeHeadRoute: false },
    async (request, reply) => {
      const { caller } = request
      const end = places.begin(ownerOf(caller))
      if (end === "owner") throw refused("rate-limited", "An export of this business is under way.")
      if (end === "total") throw refused("part-down", "Too many exports are under way.")
      try {
        const begun = await beginExport(parts, caller, v.readExportQuery(request.query))
        onceOver({ request, reply }, end)
        const link = v.writeExportLink(`${parts.publicUrl}${request.routeOptions.url}`, begun)
        if (link !== null) reply.header("link", link)
        const archive = archiveOf(filesOf(parts, caller, begun), (listed) =>
          manifestOf(caller, begun, listed),
        )
        archive.once("error", (error) => request.log.warn({ error }, "an export broke off"))
        return reply
          .type("application/zip")
          .header("content-disposition", contentDisposition(v.nameOf(begun), "attachment", ["zip"]))
          .header("content-security-policy", FILE_POLICY)
          .header("cache-control", "private, no-store")
          .send(untilOver(archive, request, reply))
      } catch (error) {
        end()
        throw error
      }
    },
  )
}

const refused = (code: "rate-limited" | "part-down", detail: string): Refusal =>
  new Refusal(code, detail, { retryAfterSeconds: RETRY_SECONDS })
