import { queryOptions } from "@tanstack/react-query"
import { api, must } from "./client.ts"
import type { components } from "./v3.d.ts"

export type Counts = components["schemas"]["Counts"]
export type UsageAnswer = components["schemas"]["Usage"]

/** Up to the month that it is in the region of the service: only the server knows which that is. */
export const usageSince = (from: string) =>
  queryOptions({
    queryKey: ["usage", from],
    queryFn: async ({ signal }) => must(await api.GET("/usage", { params: { query: { from } }, signal })),
    placeholderData: (before) => before,
    staleTime: 60_000,
  })

/** What was counted in the month of today, in the region of the service. */
export const thisMonth = queryOptions({
  queryKey: ["usage", "this month"],
  queryFn: async ({ signal }) => must(await api.GET("/usage", { signal })).months.at(-1) ?? null,
})
