import { queryOptions } from "@tanstack/react-query"
import type { Role } from "../session/roles.ts"
import { api, must } from "./client.ts"
import type { components } from "./v3.d.ts"

export type Member = components["schemas"]["Member"]
export type NewMember = components["schemas"]["NewMemberBody"]

export const memberList = queryOptions({
  queryKey: ["members"],
  queryFn: async () => must(await api.GET("/members", {})),
})

const at = (id: string) => ({ params: { path: { id } } })

export const memberActs = {
  add: async (body: NewMember) => must(await api.POST("/members", { body })),
  change: async (id: string, role: Role) =>
    must(await api.PUT("/members/{id}", { ...at(id), body: { role } })),
  remove: async (id: string) => must(await api.DELETE("/members/{id}", at(id))),
}

/** By name, where one is known. */
export const calledOfColleague = ({ name, email }: Member): string => (name === "" ? email : name)
