import { queryOptions } from "@tanstack/react-query"
import { api, must } from "./client.ts"
import { pages } from "./pages.ts"
import type { components } from "./v3.d.ts"

export type Mail = components["schemas"]["Mail"]
export type MailWithContent = components["schemas"]["MailWithContent"]

export const mailList = (requestId: string | undefined) =>
  pages(["mails", requestId ?? null], ({ query, signal }) =>
    api.GET("/mails", {
      params: { query: { ...query, ...(requestId !== undefined && { signature_request_id: requestId }) } },
      signal,
    }),
  )

export const oneMail = (id: string) =>
  queryOptions({
    queryKey: ["mail", id],
    queryFn: async ({ signal }) => must(await api.GET("/mails/{id}", { params: { path: { id } }, signal })),
  })
