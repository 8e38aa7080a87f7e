import { randomUUID } from "node:crypto"
import type { Answer, Api, Json, Version } from "./api.ts"
import { contractPdf } from "./pdf.ts"

/** What the versions call the same things. */
export const NAMES = {
  v1: { email: "signer_email_address", place: "order" },
  v2: { email: "account_email", place: "sequence" },
  v3: { email: "account_email", place: "sequence" },
} as const

/** Part 2.4: the five members that identity data needs. */
export const FIVE = {
  provider: "demo_ident",
  first_name: "Ada",
  last_name: "Lovelace",
  mobile_number: "+41 79 000 00 00",
  issuing_country: "CH",
}

export const newAddress = (who: string): string => `${who}-${randomUUID()}@example.org`

/** An entry of `signatures`. */
export const entry = (v: Version, email: string, more: { place?: number } & Record<string, Json> = {}) => {
  const { place, ...rest } = more
  const { email: emailName, place: placeName } = NAMES[v]
  return { [emailName]: email, ...(place !== undefined && { [placeName]: place }), ...rest }
}

export const emailsOf = (v: Version, request: Json): string[] =>
  request.signatures.map((signature: Json) => signature[NAMES[v].email])

const content = contractPdf().toString("base64")

export async function uploadTo(api: Api, v: Version, title = "Contract"): Promise<string> {
  const { status, body } = await api.post(`/${v}/documents`, { title, content })
  if (status !== 200) throw new Error(`The upload answered ${status}: ${body.message}`)
  return body.id
}

/** A request of a document that is there already; in v3 a DRAFT. */
export const createRequest = (api: Api, v: Version, documentId: string, more: object = {}): Promise<Answer> =>
  api.post(`/${v}/signature-requests`, { title: "Contract", document_id: documentId, ...more })

/** The same, OPEN in every version. Fails where it is not. */
export async function openRequest(
  api: Api,
  v: Version,
  documentId: string,
  more: object = {},
): Promise<Json> {
  const created = await createRequest(api, v, documentId, more)
  if (created.status !== 200)
    throw new Error(`The request answered ${created.status}: ${created.body.message}`)
  if (v !== "v3") return created.body
  const initiated = await api.post(`/v3/signature-requests/${created.body.id}/initiate`, undefined)
  if (initiated.status !== 200) throw new Error(`It was not initiated: ${initiated.body.message}`)
  return initiated.body
}

/** An OPEN request of a document of its own, for these people one after the other. */
export async function sentTo(
  api: Api,
  v: Version,
  emails: readonly string[],
  more: object = {},
): Promise<Json> {
  const signatures = emails.map((email, index) => entry(v, email, { place: index + 1 }))
  return openRequest(api, v, await uploadTo(api, v), { signatures, ...more })
}
