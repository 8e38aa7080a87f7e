import { queryOptions } from "@tanstack/react-query"
import { api, fetchBytes, must } from "./client.ts"
import type { components } from "./v3.d.ts"

type Schemas = components["schemas"]

export type Seal = Schemas["Seal"]
export type SealBatch = Schemas["SealBatch"]
export type WholeSealBatch = Schemas["WholeSealBatch"]
export type SealBatchBody = Schemas["SealBatchBody"]

const LOOKS_AGAIN_MS = 1_500

export const sealList = queryOptions({
  queryKey: ["seals"],
  queryFn: async ({ signal }) => must(await api.GET("/seals", { signal })),
  // One that was just begun has its certificate in a moment.
  refetchInterval: ({ state }) =>
    state.data?.some(({ status, valid_until }) => status === "ACTIVE" && valid_until === null) === true &&
    LOOKS_AGAIN_MS,
})

/** As an address for `img`; asked for again when another picture was set. */
export const sealImage = (id: string) =>
  queryOptions({
    queryKey: ["seals", id, "image"],
    queryFn: async ({ signal }) => {
      const response = await fetchBytes(`/seals/${id}/image`, "image/png", signal)
      return URL.createObjectURL(await response.blob())
    },
    staleTime: Number.POSITIVE_INFINITY,
  })

/** The very bytes, as they are; the service cleans them. */
export const putSealImage = async (id: string, file: Blob) =>
  must(
    await api.PUT("/seals/{id}/image", {
      params: { path: { id } },
      body: file as unknown as string,
      bodySerializer: (body) => body,
      headers: { "content-type": file.type },
    }),
  )
export const deleteSealImage = async (id: string) =>
  must(await api.DELETE("/seals/{id}/image", { params: { path: { id } } }))

export const batchList = queryOptions({
  queryKey: ["seal-batches"],
  queryFn: async ({ signal }) => must(await api.GET("/seal-batches", { signal })),
  // While something is on its way, one wants to see it go.
  refetchInterval: ({ state }) =>
    state.data?.some(({ status }) => status === "RUNNING") === true && LOOKS_AGAIN_MS,
})

export const wholeBatch = (id: string) =>
  queryOptions({
    queryKey: ["seal-batches", id],
    queryFn: async ({ signal }) =>
      must(await api.GET("/seal-batches/{id}", { params: { path: { id } }, signal })),
    refetchInterval: ({ state }) => state.data?.status === "RUNNING" && LOOKS_AGAIN_MS,
  })

export const orderBatch = async (body: SealBatchBody) => must(await api.POST("/seal-batches", { body }))
export const cancelBatch = async (id: string) =>
  must(await api.POST("/seal-batches/{id}/cancel", { params: { path: { id } } }))
