import { queryOptions } from "@tanstack/react-query"
import { api, must } from "../../api/client.ts"

export const webhookList = queryOptions({
  queryKey: ["webhooks"],
  queryFn: async () => must(await api.GET("/webhooks", {})),
})
