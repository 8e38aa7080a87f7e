import { useQuery } from "@tanstack/react-query"
import { api, must } from "./client.ts"

/** The groups of the business; as many as one menu can hold. */
export const useGroups = () =>
  useQuery({
    queryKey: ["groups"],
    queryFn: async () => must(await api.GET("/groups", { params: { query: { page_size: "500" } } })),
    staleTime: 60_000,
  })
