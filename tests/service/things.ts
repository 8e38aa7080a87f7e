import type { Answer, Api, Json } from "./api.ts"
import { contractPdf } from "./pdf.ts"
import { FIVE, newAddress } from "./requests.ts"

/** Everything that an operation can be about, all of it real and of one owner. */
export type Things = {
  readonly pdf: string
  readonly owner: string
  readonly requestId: string
  /** Of the request; the owner, who may write and who may read are the same. */
  readonly documentId: string
  readonly secondId: string
  /** Shared as the others are, but of no request. */
  readonly looseId: string
  readonly signatureId: string
  readonly callbackId: string
  readonly attachmentId: string
  readonly observerId: string
  readonly groupId: string
  readonly webhookId: string
  /** Of an event that the webhook is owed. */
  readonly deliveryId: string
  /** Where somebody is to be identified. */
  readonly evidenceId?: string
  /** Which people alone can make. */
  readonly templateId?: string
}

export type People = {
  readonly writer: string
  readonly reader: string
  readonly signer: string
  readonly observer: string
  /** Whether there is one more signer, who is to be identified. */
  readonly identified?: boolean
}

const pdf = contractPdf().toString("base64")

/** Made through v3, which has all of it; the other versions read the same. */
export async function newThings(
  api: Api,
  owner: string,
  people: People,
  on: "draft" | "open" | "ended",
): Promise<Things> {
  const [request, looseId, groupId, webhook] = await Promise.all([
    newRequest(api, people, on),
    newDocument(api, people),
    newGroup(api),
    newWebhook(api),
  ])
  return { pdf, owner, ...request, looseId, groupId, ...webhook }
}

export async function newRequest(
  api: Api,
  people: People,
  on: "draft" | "open" | "ended",
  documents?: Pick<Things, "documentId" | "secondId">,
): Promise<Omit<Things, "pdf" | "owner" | "looseId" | "groupId" | "webhookId" | "deliveryId">> {
  const documentId = documents?.documentId ?? (await newDocument(api, people))
  const secondId = documents?.secondId ?? (await newDocument(api, people))
  const created = await api.post("/v3/signature-requests", {
    title: "Contract",
    documents: [{ id: documentId }, { id: secondId }],
    signatures: [
      { account_email: people.signer },
      { account_email: newAddress("second") },
      ...(people.identified === true ? [IDENTIFIED] : []),
    ],
    ...(on === "ended" && { callback_error_url: "https://integrator.example/error" }),
    ...(on === "draft" && { expires_at: inAMonth() }),
    ...accessOf(people),
  })
  const request = good(created)
  const at = `/v3/signature-requests/${request.id}`
  const added = good(await api.post(`${at}/observers`, { type: "USER", email: people.observer }))
  const content = Buffer.from("Annex").toString("base64")
  const attached = good(
    await api.post(`${at}/attachments`, { filename: "a.txt", content_type: "text/plain", content }),
  )
  if (on !== "draft") good(await api.post(`${at}/initiate`, undefined))
  if (on === "ended") good(await api.post(`${at}/withdraw`, undefined))
  const callbacks = on === "ended" ? good(await api.get(`${at}/callbacks`)) : []
  return {
    requestId: request.id,
    documentId,
    secondId,
    signatureId: request.signatures[1].sid,
    evidenceId: request.signatures[2]?.signer_identity_data.evidence_id ?? "",
    callbackId: callbacks[0]?.id ?? "",
    attachmentId: attached.attachments[0].attachment_id,
    observerId: added.id,
  }
}

const IDENTIFIED = { signer_identity_data: { ...FIVE, identification_require_evidence: true } }

export async function newDocument(api: Api, people: People): Promise<string> {
  const { id } = good(await api.post("/v3/documents", { title: "Contract", content: pdf }))
  good(await api.put(`/v3/documents/${id}/access`, accessOf(people)))
  return id
}

const inAMonth = (): string => new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10)

const accessOf = ({ reader, writer }: People) => ({ read_access: [reader], write_access: [writer] })

export const newGroup = async (api: Api): Promise<string> =>
  good(await api.post("/v3/groups", { name: "Board", members: [{ email: "board@example.org" }] })).id

export async function newWebhook(api: Api): Promise<Pick<Things, "webhookId" | "deliveryId">> {
  const { id } = good(await api.post("/v3/webhooks", { url: "https://hooks.example.org/things" }))
  good(await api.post("/v3/documents", { title: "Told", content: pdf }))
  const [delivery] = good(await api.get(`/v3/webhooks/${id}/deliveries`))
  return { webhookId: id, deliveryId: delivery.id }
}

/** With a document, so that it can be used; by a person, since no key makes one. */
export async function newTemplate(person: Api): Promise<string> {
  const document = good(await person.post("/v3/documents", { title: "Lease", content: pdf }))
  const template = { name: "Lease", request: { signatures: [] }, document_ids: [document.id] }
  return good(await person.post("/v3/templates", template)).id
}

function good({ status, body }: Answer): Json {
  if (status !== 200) throw new Error(`A thing could not be made: ${status} ${JSON.stringify(body)}`)
  return body
}
