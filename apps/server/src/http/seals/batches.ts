import { IdParams } from "@paraph/contract/shared/fields"
import * as v from "@paraph/contract/v3/seal-batch"
import { cancelBatch, listBatches, orderBatch, readBatchWhole } from "@paraph/core/seal/batch"
import { mustSeal } from "@paraph/core/seal/order"
import type { FastifyInstance, FastifyRequest } from "fastify"
import { Type } from "typebox"
import type { Parts } from "../../parts.ts"
import { orderedVisual } from "./visual.ts"

type ById = { Params: { id: string } }

/** An addition to v3: many documents, one job, and how far it is. */
export function sealBatches(app: FastifyInstance, parts: Parts): void {
  const create = {
    operationId: "createSealBatch",
    summary: "Seal many documents",
    description:
      "Up to 1,000 documents that were uploaded before. They are sealed one after the other; each sealed document is a new one, " +
      "with the event document.created. Either all of them can be ordered, or none is.",
    body: v.SealBatchBody,
    response: { 200: v.WholeSealBatch },
    // Sealing is not switched on; a document that the caller does not see.
    problems: [403, 404],
  }
  const preParsing = async (request: FastifyRequest) => mustSeal(parts, request.caller)
  app.post<{ Body: v.SealBatchBody }>(
    "/seal-batches",
    { schema: create, preParsing },
    async ({ caller, body }) => {
      const { visual, ...asked } = v.readBatch(body)
      const order = { ...asked, visual: await orderedVisual(parts, caller, visual) }
      const { id } = await orderBatch(parts, caller, order)
      return v.writeWholeBatch(await readBatchWhole(parts, caller, id))
    },
  )

  const list = {
    operationId: "listSealBatches",
    summary: "List the caller's batches of seals",
    description: "The last 50, the newest first.",
    response: { 200: Type.Array(v.SealBatch) },
  }
  app.get("/seal-batches", { schema: list }, async ({ caller }) =>
    (await listBatches(parts, caller)).map(v.writeBatch),
  )

  const read = {
    operationId: "getSealBatch",
    summary: "Read how far a batch of seals is",
    params: IdParams,
    response: { 200: v.WholeSealBatch },
  }
  app.get<ById>("/seal-batches/:id", { schema: read }, async ({ caller, params }) =>
    v.writeWholeBatch(await readBatchWhole(parts, caller, params.id)),
  )

  const cancel = {
    operationId: "cancelSealBatch",
    summary: "Cancel a batch of seals",
    description: "What is sealed stays sealed; the rest is left as it is. One that is over stays as it is.",
    params: IdParams,
    response: { 200: v.SealBatch },
  }
  app.post<ById>("/seal-batches/:id/cancel", { schema: cancel }, async ({ caller, params }) =>
    v.writeBatch(await cancelBatch(parts, caller, params.id)),
  )
}
