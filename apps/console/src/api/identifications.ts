import { queryOptions } from "@tanstack/react-query"
import { api, must } from "./client.ts"
import type { components } from "./v3.d.ts"

export type IdentificationStatus = components["schemas"]["IdentificationStatus"]
export type Identification = components["schemas"]["Identification"]

const LOOKS_AGAIN_MS = 5_000
/** From these it does not move on by itself. */
const OVER: readonly IdentificationStatus["status"][] = ["ACCEPTED", "REJECTED", "EXPIRED"]

const at = (id: string, evidenceId: string) => ({ params: { path: { id, evidence_id: evidenceId } } })

/** How far it has come: for everybody who may read the request. */
export const identificationStatus = (id: string, evidenceId: string, isOpen: boolean) =>
  queryOptions({
    queryKey: ["request", id, "identification", evidenceId],
    queryFn: async ({ signal }) =>
      must(
        await api.GET("/signature-requests/{id}/identifications/{evidence_id}/status", {
          ...at(id, evidenceId),
          signal,
        }),
      ),
    refetchInterval: ({ state }) => {
      const isMoving = state.data !== undefined && !OVER.includes(state.data.status)
      return isOpen && isMoving ? LOOKS_AGAIN_MS : false
    },
    // Where express QES was switched off since, nobody is told anything, and asking again helps nobody.
    retry: false,
  })

/** Who the person is: for those who may change the request. */
export const identification = (id: string, evidenceId: string) =>
  queryOptions({
    queryKey: ["request", id, "evidence", evidenceId],
    queryFn: async ({ signal }) =>
      must(
        await api.GET("/signature-requests/{id}/identifications/{evidence_id}", {
          ...at(id, evidenceId),
          signal,
        }),
      ),
  })

export const review = async (id: string, evidenceId: string, decision: "ACCEPTED" | "REJECTED") =>
  must(
    await api.POST("/signature-requests/{id}/identifications/{evidence_id}/review", {
      ...at(id, evidenceId),
      body: { decision },
    }),
  )

/** Which countries issued the papers, as OpenID Connect for Identity Assurance has it; what is said otherwise is passed over. */
export function countriesIn({ verified_claims: claims }: Identification): readonly string[] {
  const codes = listOf(memberOf(memberOf(claims, "verification"), "evidence")).map((evidence) =>
    memberOf(memberOf(memberOf(evidence, "document_details"), "issuer"), "country_code"),
  )
  return [...new Set(codes.filter((code) => typeof code === "string" && /^[A-Z]{2}$/.test(code)))] as string[]
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null ? (value as Record<string, unknown>)[name] : undefined
