import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query"
import { managesBusiness } from "../session/roles.ts"
import { useSession } from "../session/session.tsx"
import { api, fetchBytes, must } from "./client.ts"
import { hasStatus } from "./problem.ts"
import type { components } from "./v3.d.ts"

type Schemas = components["schemas"]

export type Settings = Schemas["Settings"]
export type SettingsPatch = Schemas["SettingsBody"]
/** Without an issuer it is not set up. */
export type SingleSignOn = Schemas["SingleSignOn"]
export type SingleSignOnBody = Schemas["SingleSignOnBody"]

export const ownSettings = queryOptions({
  queryKey: ["settings"],
  queryFn: async ({ signal }) => must(await api.GET("/settings", { signal })),
})

/** Decisions, "roles": who looks after a business. The others read. */
export function useMayManage(): boolean {
  return managesBusiness(useSession().membership.role)
}

export function useChangeSettings(onDone: () => void) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (body: SettingsPatch) => must(await api.PATCH("/settings", { body })),
    onSuccess: (changed) => {
      client.setQueryData(ownSettings.queryKey, changed)
      onDone()
    },
  })
}

export const LOGO_TYPES = ["image/png", "image/jpeg"] as const
export const LOGO_MAX_BYTES = 512_000

export const ownLogo = queryOptions({
  queryKey: ["settings", "logo"],
  queryFn: async ({ signal }) => {
    try {
      const response = await fetchBytes("/settings/logo", "image/png", signal)
      return URL.createObjectURL(await response.blob())
    } catch (error) {
      if (hasStatus(error, 404)) return null
      throw error
    }
  },
  staleTime: Number.POSITIVE_INFINITY,
})

/** The very bytes, as they are; the service cleans them. */
export const putLogo = async (file: Blob) =>
  must(
    await api.PUT("/settings/logo", {
      body: file as unknown as string,
      bodySerializer: (body) => body,
      headers: { "content-type": file.type },
    }),
  )
export const deleteLogo = async () => must(await api.DELETE("/settings/logo"))

export const singleSignOn = queryOptions({
  queryKey: ["settings", "single-sign-on"],
  queryFn: async ({ signal }) => must(await api.GET("/settings/single-sign-on", { signal })),
})

export const putSingleSignOn = async (body: SingleSignOnBody) =>
  must(await api.PUT("/settings/single-sign-on", { body }))
export const deleteSingleSignOn = async () => must(await api.DELETE("/settings/single-sign-on"))
