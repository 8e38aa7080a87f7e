import { IdParams } from "@paraph/contract/shared/fields"
import * as v from "@paraph/contract/v3/webhook-delivery"
import { listDeliveries, replayDelivery } from "@paraph/core/webhook/deliveries"
import type { FastifyInstance } from "fastify"
import { Type } from "typebox"
import type { Parts } from "../../parts.ts"

type ListRoute = { Params: { id: string }; Querystring: v.WebhookDeliveryQuery }

/** An addition to v3: what became of the events that a webhook is owed, and each of them once more. */
export function webhookDeliveries(app: FastifyInstance, parts: Parts): void {
  const list = {
    operationId: "listWebhookDeliveries",
    summary: "List the deliveries of a webhook",
    description: "The newest first.",
    params: IdParams,
    querystring: v.WebhookDeliveryQuery,
    response: { 200: Type.Array(v.WebhookDelivery) },
    answerHeaders: ["link"],
  }
  app.get<ListRoute>("/webhooks/:id/deliveries", { schema: list }, async (request, reply) => {
    const { id } = request.params
    const asked = v.readDeliveryList(request.query)
    const page = await listDeliveries(parts, request.caller, id, asked)
    const address = `${parts.publicUrl}${request.routeOptions.url}`.replace(":id", id)
    const links = v.writeDeliveryLinks(address, asked, page)
    if (links !== null) reply.header("link", links)
    return page.deliveries.map(v.writeDelivery)
  })

  const replay = {
    operationId: "replayWebhookDelivery",
    summary: "Send an event to a webhook once more",
    description: "It is owed for another 72 hours; the receiver sees the same webhook-id.",
    params: v.WebhookDeliveryParams,
    response: { 200: v.WebhookDelivery },
  }
  app.post<{ Params: v.WebhookDeliveryParams }>(
    "/webhooks/:id/deliveries/:delivery_id/replay",
    { schema: replay },
    async ({ caller, params }) =>
      v.writeDelivery(await replayDelivery(parts, caller, params.id, params.delivery_id)),
  )
}
