import { queryOptions } from "@tanstack/react-query"
import { api, must } from "./client.ts"

/** What was counted in the month of today. */
export const thisMonth = () => {
  const month = new Date().toISOString().slice(0, 7)
  return queryOptions({
    queryKey: ["usage", "this month", month],
    queryFn: async () => {
      const query = { from: month, to: month }
      const { months } = must(await api.GET("/usage", { params: { query } }))
      return months.find((each) => each.month === month) ?? null
    },
  })
}
