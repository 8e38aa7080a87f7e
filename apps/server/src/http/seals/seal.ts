import type * as wire from "@paraph/contract/v2/seal"
import { awaitSeal } from "@paraph/core/seal/await-seal"
import { mustSeal, orderSeal } from "@paraph/core/seal/order"
import type { FastifyInstance, FastifyRequest } from "fastify"
import type { Parts } from "../../parts.ts"
import { takesUploads } from "../documents/upload.ts"
import { orderedVisual } from "./visual.ts"

export type SealWire = Pick<typeof wire, "SealBody" | "SealAnswer" | "readSeal">

/** Part 4.4: the document comes with the call, and the answer waits for a worker, who alone reaches the keys. */
export function seal(app: FastifyInstance, parts: Parts, v: SealWire): void {
  // In a scope of its own: only here is a body a document.
  app.register(async (scope) => {
    takesUploads(scope, parts, ["json"])
    scope.post<{ Body: wire.SealBody }>(
      "/seal",
      {
        schema: {
          operationId: "sealDocument",
          summary: "Seal a document",
          description:
            "A signature whose signer is the company. Answers when the sealed document is there; where that takes too long, 503, " +
            "and with the same Idempotency-Key the next call finds it.",
          body: v.SealBody,
          response: { 200: v.SealAnswer },
          // Sealing is not switched on for the business.
          problems: [403],
        },
        preParsing: async (request: FastifyRequest) => mustSeal(parts, request.caller),
      },
      async (request) => {
        const { caller, body, received, claim } = request
        const { visual, ...asked } = v.readSeal(body, received)
        const order = { ...asked, visual: await orderedVisual(parts, caller, visual) }
        const { sealingId } = await orderSeal(parts, caller, order)
        const { businessId } = caller
        const isRepeatable = claim !== null
        return { document_id: await awaitSeal(parts, { businessId, sealingId, isRepeatable }) }
      },
    )
  })
}
