import { queryOptions } from "@tanstack/react-query"
import { api, must } from "./client.ts"
import type { components } from "./v3.d.ts"

type Schemas = components["schemas"]

export type Template = Schemas["Template"]
export type TemplateBody = Schemas["TemplateBody"]
export type TemplateSignature = Schemas["TemplateSignature"]
type Filled = Schemas["UseTemplateBody"]

export const templateList = queryOptions({
  queryKey: ["templates"],
  queryFn: async ({ signal }) => must(await api.GET("/templates", { signal })),
})

const at = (id: string) => ({ params: { path: { id } } })

export const oneTemplate = (id: string) =>
  queryOptions({
    queryKey: ["templates", id],
    queryFn: async ({ signal }) => must(await api.GET("/templates/{id}", { ...at(id), signal })),
  })

export const templateActs = {
  create: async (body: TemplateBody) => must(await api.POST("/templates", { body })),
  change: async (id: string, body: TemplateBody) =>
    must(await api.PUT("/templates/{id}", { ...at(id), body })),
  remove: async (id: string) => must(await api.DELETE("/templates/{id}", at(id))),
  use: async (id: string, body: Filled) =>
    must(await api.POST("/templates/{id}/signature-requests", { ...at(id), body })),
}
