import { IdParams } from "@paraph/contract/shared/fields"
import * as v from "@paraph/contract/v3/deletion-receipt"
import { listReceipts, readReceipt } from "@paraph/core/evidence/erase"
import { Refusal } from "@paraph/core/refusal"
import type { FastifyInstance } from "fastify"
import { Type } from "typebox"
import type { Parts } from "../../parts.ts"
import { storyFileOf } from "../../story-file.ts"

/** A head of the log is signed about as often. */
const HEAD_SECONDS = 60

type ById = { Params: { id: string } }

/** An addition to v3: what was erased, and the proof of it (ADR 0055). */
export function deletionReceipts(app: FastifyInstance, parts: Parts): void {
  const list = {
    operationId: "listDeletionReceipts",
    summary: "List the receipts of what was deleted",
    description:
      "The newest first. Nothing in them is about a person. `erased_id` finds the one of a signature request.",
    querystring: v.ReceiptListQuery,
    response: { 200: Type.Array(v.DeletionReceipt) },
    answerHeaders: ["link"],
  }
  app.get<{ Querystring: v.ReceiptListQuery }>(
    "/deletion-receipts",
    { schema: list },
    async (request, reply) => {
      const asked = v.readReceiptList(request.query)
      const page = await listReceipts(parts, request.caller, asked)
      const links = v.writeReceiptLinks(`${parts.publicUrl}${request.routeOptions.url}`, asked, page)
      if (links !== null) reply.header("link", links)
      return page.receipts.map(v.writeReceipt)
    },
  )

  const read = {
    operationId: "getDeletionReceipt",
    summary: "Read the receipt of something that was deleted",
    params: IdParams,
    response: { 200: v.DeletionReceipt },
  }
  app.get<ById>("/deletion-receipts/:id", { schema: read }, async ({ caller, params }) =>
    v.writeReceipt((await readReceipt(parts, caller, params.id.toLowerCase())).receipt),
  )

  const prove = {
    operationId: "getDeletionReceiptStory",
    summary: "Read the proof of a receipt",
    description:
      "A file that anybody can check without this service: the event, its place in the log, and the signed head of the log that has it. 503 until the next head is signed, which is a minute at most.",
    params: IdParams,
    response: { 200: v.StoryFile },
    problems: [503],
  }
  app.get<ById>("/deletion-receipts/:id/story", { schema: prove }, async ({ caller, params }) => {
    const { receipt, story } = await readReceipt(parts, caller, params.id.toLowerCase())
    const file = storyFileOf(receipt.id, story)
    if (file === null || file.events.length < story.events.length)
      throw new Refusal("part-down", "The log has not signed it yet.", {
        retryAfterSeconds: HEAD_SECONDS,
      })
    return file
  })
}
