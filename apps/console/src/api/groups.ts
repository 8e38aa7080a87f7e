import { queryOptions, useQuery } from "@tanstack/react-query"
import { api, must } from "./client.ts"
import type { Group } from "./types.ts"
import type { components } from "./v3.d.ts"

export type GroupBody = components["schemas"]["NewGroupBody"]

/** The groups of the business; as many as one menu can hold. */
export const groupList = queryOptions({
  queryKey: ["groups"],
  queryFn: async () => must(await api.GET("/groups", { params: { query: { page_size: "500" } } })),
  staleTime: 60_000,
})

export const useGroups = () => useQuery(groupList)

export const oneGroup = (id: string) =>
  queryOptions({
    queryKey: ["groups", id],
    queryFn: async ({ signal }) => must(await api.GET("/groups/{id}", { params: { path: { id } }, signal })),
    // What is being typed is not replaced by what somebody else has saved; saving tells of it.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })

export const groupActs = {
  create: async (body: GroupBody) => must(await api.POST("/groups", { body })),
  change: async ({ id, version_id }: Group, body: GroupBody) =>
    must(await api.PUT("/groups/{id}", { params: { path: { id } }, body: { ...body, version_id } })),
  remove: async (id: string) => must(await api.DELETE("/groups/{id}", { params: { path: { id } } })),
}
