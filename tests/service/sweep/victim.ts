import { type Answer, type Api, call, type Json } from "../api.ts"
import type { MemberApi } from "../members.ts"
import { contractPdf } from "../pdf.ts"
import { FIVE, newAddress } from "../requests.ts"
import type { Things } from "../things.ts"
import type { CanaryKind, CanaryMaker } from "./canaries.ts"

export const STATES = ["draft", "open", "ended"] as const
export type State = (typeof STATES)[number]

/** The names of API users of the victim business, and the address of a signer. */
export type Insiders = {
  readonly reader: string
  readonly writer: string
  readonly observer: string
  readonly signer: string
}

/** Ids that operations are about, over those of `Things`. */
export type VictimThings = Things & {
  readonly validationId: string
  readonly receiptId: string
  readonly sealId: string
  readonly batchId: string
  readonly mailId: string
  readonly memberId: string
  readonly keyId: string
  /** A login of the person who owns the business. */
  readonly sessionId: string
  readonly secondSigner: string
  /** The address of a preview page, of the signer without an account. */
  readonly previewUrl: string
}

export type Victim = Readonly<Record<State, VictimThings>>

type Making = {
  readonly api: Api
  readonly url: string
  /** A person who owns the business. */
  readonly person: MemberApi
  readonly owner: string
  readonly insiders: Insiders
  readonly canaries: CanaryMaker
}

/** Objects of every kind in one mode of the victim business, each with canaries of its own. */
export async function makeVictim(making: Making): Promise<Victim> {
  const { api, person, canaries, owner } = making
  // Callers send it, so it has no canary.
  const pdf = contractPdf().toString("base64")
  const looseId = await newDocument(making, "loose document")
  const group = { name: canaries.new("group"), members: [{ email: `${canaries.new("group")}@example.org` }] }
  const url = `https://${canaries.new("webhook")}.example.org/hook`
  const webhookId = good(await api.post("/v3/webhooks", { url })).id
  const groupId = good(await api.post("/v3/groups", group)).id
  const request = { signatures: [], message: canaries.new("template") }
  const template = { name: canaries.new("template"), request, document_ids: [] }
  const templateId = good(await person.post("/v3/templates", template)).id
  const requests = await Promise.all(STATES.map((state) => newRequest(making, state)))
  const [delivery] = good(await api.get(`/v3/webhooks/${webhookId}/deliveries`))
  const validated = pdfWith(canaries.new("validated document"))
  const validationId = good(await api.post("/validation/v1/validate/document", { content: validated })).id
  const batch = good(await api.post("/v3/seal-batches", { document_ids: [looseId] }))
  const shared = {
    ...{ pdf, owner, looseId, groupId, templateId },
    webhookId: canaries.id("webhook", webhookId),
    validationId: canaries.id("validated document", validationId),
    deliveryId: canaries.id("webhook", delivery.id),
    batchId: canaries.id("loose document", batch.id),
    receiptId: canaries.id("deletion receipt", await newReceipt(making)),
    ...{ sealId: good(await person.get("/v3/seals"))[0].id, mailId: await someMail(api) },
    memberId: await newMember(making),
    sessionId: await someSession(making),
    keyId: good(await person.post("/v3/api-keys", { name: canaries.new("api key"), kind: "demo" })).id,
  }
  const [draft, open, ended] = requests.map((each) => ({ ...shared, ...each }))
  if (draft === undefined || open === undefined || ended === undefined)
    throw new Error("Three requests are made.")
  return { draft, open, ended }
}

async function newRequest(making: Making, state: State) {
  const { api, canaries, insiders } = making
  const one = (what: string) => canaries.new(`${state} ${what}` as CanaryKind)
  const documentId = await newDocument(making, `${state} documents`)
  const secondId = await newDocument(making, `${state} documents`)
  const secondSigner = `${one("second signer")}@example.org`
  const request = good(
    await api.post("/v3/signature-requests", {
      title: one("request"),
      message: one("request"),
      documents: [{ id: documentId }, { id: secondId }],
      signatures: [
        // One link alone is mailed to the signer: that of the open request.
        { account_email: state === "open" ? insiders.signer : newAddress("signer") },
        { account_email: secondSigner },
        { signer_identity_data: { ...FIVE, identification_require_evidence: true } },
      ],
      callback_error_url: `https://${one("callback")}.example.org/error`,
      ...(state === "draft" && { expires_at: inAMonth() }),
      ...accessOf(insiders),
    }),
  )
  const at = `/v3/signature-requests/${request.id}`
  const observer = good(await api.post(`${at}/observers`, { type: "USER", email: insiders.observer }))
  good(await api.post(`${at}/observers`, { type: "USER", email: `${one("observer")}@example.org` }))
  const content = Buffer.from(one("attachment")).toString("base64")
  const file = { filename: `${one("attachment")}.txt`, content_type: "text/plain", content }
  const attached = good(await api.post(`${at}/attachments`, file))
  if (state !== "draft") good(await api.post(`${at}/initiate`, undefined))
  if (state === "ended") good(await api.post(`${at}/withdraw`, undefined))
  const callbacks = state === "ended" ? good(await api.get(`${at}/callbacks`)) : []
  const id = (what: string, value: string) => canaries.id(`${state} ${what}` as CanaryKind, value)
  const [, second, identified] = request.signatures
  return {
    ...{ requestId: id("request", request.id), documentId, secondId, secondSigner },
    signatureId: id("second signer", second.sid),
    evidenceId: id("second signer", identified.signer_identity_data.evidence_id),
    previewUrl: identified.signing_url as string,
    callbackId: state === "ended" ? id("callback", callbacks[0].id) : NONE,
    attachmentId: id("attachment", attached.attachments[0].attachment_id),
    observerId: id("observer", observer.id),
  }
}

/** An id that no object has: only a request that ended has callbacks. */
const NONE = "00000000-0000-4000-8000-00000000dead"

async function newDocument({ api, canaries, insiders }: Making, kind: CanaryKind): Promise<string> {
  const document = { title: canaries.new(kind), content: pdfWith(canaries.new(kind)) }
  const { id } = good(await api.post("/v3/documents", document))
  good(await api.put(`/v3/documents/${id}/access`, accessOf(insiders)))
  return canaries.id(kind, id)
}

async function newReceipt(making: Making): Promise<string> {
  const { api, canaries } = making
  const document_id = await newDocument(making, "deleted request")
  const { id } = good(
    await api.post("/v3/signature-requests", { title: canaries.new("deleted request"), document_id }),
  )
  await api.delete(`/v3/signature-requests/${id}`)
  return good(await api.get(`/v3/deletion-receipts?erased_id=${id}`))[0].id
}

async function newMember({ person, canaries }: Making): Promise<string> {
  const member = { email: `${canaries.new("member")}@example.org`, role: "member" }
  return good(await person.post("/v3/members", member)).id
}

const inAMonth = (): string => new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10)

async function someSession({ url, person }: Making): Promise<string> {
  const { cookie } = person
  return good(await call(url, "GET", "/app/api/account/sessions", undefined, { cookie })).sessions[0].id
}

/** Mails are captured in demo mode only. */
const someMail = async (api: Api): Promise<string> => good(await api.get("/v3/mails"))[0]?.id ?? NONE

/** The canary stands in the text of the page, which is not compressed. */
const pdfWith = (canary: string): string => contractPdf(canary).toString("base64")

const accessOf = ({ reader, writer }: Insiders) => ({ read_access: [reader], write_access: [writer] })

function good({ status, body }: Answer): Json {
  if (status >= 300)
    throw new Error(`An object of the victim was not made: ${status} ${JSON.stringify(body)}`)
  return body
}
