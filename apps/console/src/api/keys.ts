import { queryOptions } from "@tanstack/react-query"
import { api, must } from "./client.ts"
import type { components } from "./v3.d.ts"

export type ApiKey = components["schemas"]["ApiKey"]
export type ApiKeyWithSecret = components["schemas"]["ApiKeyWithSecret"]
export type NewApiKey = components["schemas"]["NewApiKeyBody"]

export const keyList = queryOptions({
  queryKey: ["api-keys"],
  queryFn: async () => must(await api.GET("/api-keys", {})),
})

const at = (id: string) => ({ params: { path: { id } } })

export const keyActs = {
  create: async (body: NewApiKey) => must(await api.POST("/api-keys", { body })),
  rename: async (id: string, name: string) =>
    must(await api.PATCH("/api-keys/{id}", { ...at(id), body: { name } })),
  reset: async (id: string) => must(await api.POST("/api-keys/{id}/reset", at(id))),
  revoke: async (id: string) => must(await api.DELETE("/api-keys/{id}", at(id))),
}
