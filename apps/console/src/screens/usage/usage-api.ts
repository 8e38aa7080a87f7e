import { queryOptions } from "@tanstack/react-query"
import { api, must } from "../../api/client.ts"
import type { components } from "../../api/v3.d.ts"

export type Counts = components["schemas"]["Counts"]
export type UsageAnswer = components["schemas"]["Usage"]

export const usageOf = (from: string, to: string) =>
  queryOptions({
    queryKey: ["usage", from, to],
    queryFn: async ({ signal }) => must(await api.GET("/usage", { params: { query: { from, to } }, signal })),
    placeholderData: (before) => before,
    staleTime: 60_000,
  })
