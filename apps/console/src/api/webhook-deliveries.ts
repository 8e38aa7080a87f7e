import { api, must } from "./client.ts"
import { pages } from "./pages.ts"
import type { components } from "./v3.d.ts"

export type WebhookDelivery = components["schemas"]["WebhookDelivery"]

export const deliveryList = (id: string) =>
  pages(["webhooks", id, "deliveries"], ({ query, signal }) =>
    api.GET("/webhooks/{id}/deliveries", { params: { path: { id }, query }, signal }),
  )

export const replayDelivery = async (id: string, delivery_id: string) =>
  must(
    await api.POST("/webhooks/{id}/deliveries/{delivery_id}/replay", {
      params: { path: { id, delivery_id } },
    }),
  )
