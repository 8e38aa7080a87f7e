import { type QueryClient, queryOptions, useMutation, useQueryClient } from "@tanstack/react-query"
import type { Filters } from "../screens/requests/filters.ts"
import { api, must } from "./client.ts"
import { cursorsIn } from "./link-header.ts"
import type { NewSignature, Signature, SignatureRequest } from "./types.ts"
import type { components, paths } from "./v3.d.ts"

const PAGE_SIZE = "20"
const LOOKS_AGAIN_MS = 15_000

export const requestList = (filters: Filters) =>
  queryOptions({
    queryKey: ["requests", filters],
    queryFn: async ({ signal }) => {
      const query = { ...filters, page_size: PAGE_SIZE }
      const answer = await api.GET("/signature-requests", { params: { query }, signal })
      return { requests: must(answer), ...cursorsIn(answer.response.headers.get("link")) }
    },
    placeholderData: (before) => before,
    refetchInterval: LOOKS_AGAIN_MS,
  })

/** Open, and mine to sign now: whoever waits for others has nothing to do yet. */
export const toSign = (email: string) =>
  queryOptions({
    queryKey: ["requests", "to sign", email],
    queryFn: async ({ signal }) => {
      const query = { status_overall: "OPEN", signature_status: "open", account_email: email } as const
      const requests = must(await api.GET("/signature-requests", { params: { query }, signal }))
      return requests.filter(({ signatures }) => isTurnOf(email, signatures))
    },
    refetchInterval: LOOKS_AGAIN_MS,
  })

function isTurnOf(email: string, signatures: readonly Signature[]): boolean {
  const open = signatures.filter(({ status_code }) => status_code === "OPEN")
  const mine = open.find(({ account_email }) => account_email === email)
  if (mine === undefined) return false
  return !open.some(({ sequence }) => sequence > 0 && (mine.sequence < 0 || sequence < mine.sequence))
}

export const oneRequest = (id: string) =>
  queryOptions({
    queryKey: ["request", id],
    queryFn: async ({ signal }) =>
      must(await api.GET("/signature-requests/{id}", { params: { path: { id } }, signal })),
    refetchInterval: ({ state }) => (state.data?.status_overall === "OPEN" ? LOOKS_AGAIN_MS / 3 : false),
  })

export const oneDocument = (id: string) =>
  queryOptions({
    queryKey: ["document", id],
    queryFn: async ({ signal }) =>
      must(await api.GET("/documents/{id}", { params: { path: { id } }, signal })),
    staleTime: 60_000,
  })

export type Vouch =
  paths["/signature-requests/{id}/signatures/{sid}/vouch"]["put"]["requestBody"]["content"]["application/json"]
export type RequestChange = components["schemas"]["SignatureRequestPatchBody"]

/** What can be done to a request. Each answers the request as it is then, which is what is shown from then on. */
export const actions = {
  change: async (id: string, body: RequestChange) =>
    must(await api.PATCH("/signature-requests/{id}", { params: { path: { id } }, body })),
  remind: async (id: string, sids: readonly string[] | null) =>
    must(
      await api.POST("/signature-requests/{id}/remind", {
        params: { path: { id } },
        body: sids === null ? {} : { sids: [...sids] },
      }),
    ),
  withdraw: async (id: string, message: string) =>
    must(
      await api.POST("/signature-requests/{id}/withdraw", {
        params: { path: { id } },
        body: message === "" ? {} : { message },
      }),
    ),
  addSigner: async (id: string, body: NewSignature) =>
    must(await api.POST("/signature-requests/{id}/signatures", { params: { path: { id } }, body })),
  vouch: async (id: string, sid: string, body: Vouch) =>
    must(
      await api.PUT("/signature-requests/{id}/signatures/{sid}/vouch", {
        params: { path: { id, sid } },
        // An empty field is no number.
        body: { ...body, mobile_number: body.mobile_number?.trim() || null },
      }),
    ),
  removeSigner: async (id: string, sid: string) =>
    must(await api.DELETE("/signature-requests/{id}/signatures/{sid}", { params: { path: { id, sid } } })),
  remove: async (id: string) =>
    must(await api.DELETE("/signature-requests/{id}", { params: { path: { id } } })),
  initiate: async (id: string) =>
    must(await api.POST("/signature-requests/{id}/initiate", { params: { path: { id } } })),
}

export function keepRequest(client: QueryClient, request: SignatureRequest): void {
  client.setQueryData(oneRequest(request.id).queryKey, request)
  client.invalidateQueries({ queryKey: ["requests"] })
}

/**
 * An action on one request; what it brings is shown at once. `onDone` is called even when what was pressed is gone by
 * then, such as the line of a signer who was removed.
 */
export function useAction<Args extends readonly unknown[], Answer>(
  id: string,
  action: (...args: Args) => Promise<Answer>,
  onDone?: (...args: Args) => void,
) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (args: Args) => action(...args),
    onSuccess: (_, args) => {
      onDone?.(...args)
      return Promise.all([
        client.invalidateQueries({ queryKey: ["request", id] }),
        client.invalidateQueries({ queryKey: ["requests"] }),
      ])
    },
  })
}
