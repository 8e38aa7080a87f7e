import { queryOptions } from "@tanstack/react-query"
import createClient from "openapi-fetch"
import type { Language } from "../language.ts"
import { fetchAt, must, withToken } from "./client.ts"
import { hasStatus, ProblemError } from "./problem.ts"
import { handOver } from "./save-file.ts"
import { postWithProgress } from "./upload.ts"
import type { components, paths } from "./validation-v1.d.ts"

type Schemas = components["schemas"]

export type Validation = Schemas["Validation"]
export type SignerInfo = Schemas["SignerInfo"]
export type ValidationInfo = Schemas["ValidationInfo"]
export type CreditInfos = Schemas["CreditInfos"]
export type Indication = ValidationInfo["indication"]
export type View = "before" | "after" | "difference"

/** The validation interface below our own address, where it is in any case. */
const AT = "/validation/v1"
const validation = createClient<paths>({ baseUrl: AT })
validation.use(withToken)

/** Part 8: the file and the whole request. */
export const MAX_BYTES = 50_000_000

/** What it costs and what is left; null where this service does not have the role. */
export const creditInfos = queryOptions({
  queryKey: ["validation", "credits"],
  queryFn: async ({ signal }) => {
    const answer = await validation.GET("/billing/credits/infos", { signal })
    return answer.response.status === 404 ? null : must(answer)
  },
})

type Watched = { readonly onProgress: (share: number) => void; readonly signal: AbortSignal }

export function validatePdf(file: File, language: Language, watched: Watched): Promise<Validation> {
  const form = new FormData()
  form.append("content", file)
  const query = new URLSearchParams({ lang: language })
  for (const info of ["validation", "signer", "format"]) query.append("infos", info)
  return postWithProgress(`${AT}/validate/document?${query}`, form, watched)
}

/** Nothing of it outlives the screen. */
const NOT_KEPT = { staleTime: Number.POSITIVE_INFINITY, gcTime: 0, retry: 1 } as const

/** The same signers in another language. */
export const signersIn = (id: string, language: Language) =>
  queryOptions({
    queryKey: ["validation", id, "signers", language],
    queryFn: async ({ signal }) => {
      const params = { path: { id }, query: { lang: language } }
      return must(await validation.GET("/infos/{id}/signers", { params, signal }))
    },
    ...NOT_KEPT,
  })

/** Null where there was no such page. */
export const differencePicture = (id: string, n: number, view: View) =>
  queryOptions({
    queryKey: ["validation", id, "picture", n, view],
    queryFn: async ({ signal }) => {
      try {
        const address = `${AT}/infos/${id}/differences/${n}?view=${view}`
        return await (await fetchAt(address, "image/png", signal)).blob()
      } catch (error) {
        if (hasStatus(error, 404)) return null
        throw error
      }
    },
    ...NOT_KEPT,
  })

export const deleteValidation = async (id: string) =>
  must(await validation.DELETE("/validate/{id}", { params: { path: { id } } }))

export type ReportKind = "pdf" | "etsi"
const REPORTS = { pdf: ["application/pdf", "pdf"], etsi: ["application/xml", "xml"] } as const

/** The list of prices names every address that there is. */
export const writesPdfReports = ({ consumptions }: CreditInfos): boolean =>
  consumptions.some(({ endpoint }) => endpoint.endsWith("/reports/{id}/pdf"))

export async function saveReport(id: string, kind: ReportKind, language: Language, name: string) {
  const [type, ending] = REPORTS[kind]
  const address = `${AT}/reports/${id}/${kind}${kind === "pdf" ? `?lang=${language}` : ""}`
  handOver(await (await patiently(() => fetchAt(address, type))).blob(), `${name}.${ending}`)
}

const MOST_ATTEMPTS = 4

/** A report may have to be sealed first, which takes a moment; the service says when to ask again. */
async function patiently<T>(ask: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await ask()
    } catch (error) {
      const seconds = hasStatus(error, 503) && error instanceof ProblemError && error.retryAfterSeconds
      if (!seconds || attempt === MOST_ATTEMPTS) throw error
      await new Promise((resolve) => setTimeout(resolve, seconds * 1000))
    }
  }
}

export function saveAnswer(answer: Validation, name: string): void {
  const text = `${JSON.stringify(answer, null, 2)}\n`
  handOver(new Blob([text], { type: "application/json" }), `${name}.json`)
}
