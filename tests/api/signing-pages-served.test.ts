import { createHash } from "node:crypto"
import { afterAll, beforeAll, expect, it } from "vitest"
import { call } from "../service/api.ts"
import { linkMailedTo } from "../service/mailbox.ts"
import { contractPdf } from "../service/pdf.ts"
import { newAddress } from "../service/requests.ts"
import { type Service, startService } from "../service/service.ts"
import { toldBy } from "../service/stories.ts"
import { enter, isDone, signAs, type Visitor } from "../service/visitor.ts"

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service?.close())

const PAGES = 12
const pdf = contractPdf("A contract of twelve pages.", PAGES)
const sha256 = createHash("sha256").update(pdf).digest("hex")

/** A request of twelve pages, with one signer who has opened it. */
async function opened() {
  const { body: document } = await service.caller.post("/v3/documents", {
    title: "Contract",
    content: pdf.toString("base64"),
  })
  const email = newAddress("served")
  const { body: request } = await service.caller.post("/v2/signature-requests", {
    title: "Contract",
    document_id: document.id,
    signatures: [{ account_email: email }],
  })
  const link = await linkMailedTo(email)
  return { documentId: document.id, requestId: request.id, link, person: await enter(service, link) }
}

const fetchPage = async (person: Visitor, documentId: string, page: number) =>
  expect((await person.get(`/documents/${documentId}/pages/${page}`)).status).toBe(200)

const servedOf = (requestId: string) => toldBy(service, requestId, "signature.consented", "served")

it("[B9] the consent says which pages the signer was served, over all of the signer's sessions", async () => {
  const { documentId, requestId, link, person } = await opened()
  for (const page of [0, 1, 1, 4]) await fetchPage(person, documentId, page)
  const again = await enter(service, link)
  await fetchPage(again, documentId, 2)
  expect((await signAs(again)).status).toBe(202)
  expect(await servedOf(requestId)).toEqual([`${documentId} 1-3,5 of ${PAGES} sha256 ${sha256}`])
  await isDone(again)
  const { body } = await service.caller.get(`/v3/signature-requests/${requestId}/report?type=JSON`)
  expect(body.protocol.people[0].pages_served).toEqual([
    { document_id: documentId, pages: "1-3,5", page_count: PAGES },
  ])
})

it("[B9] and all pages where the whole file was fetched, and none where only HEAD was asked for", async () => {
  const whole = await opened()
  await whole.person.get(`/documents/${whole.documentId}/content`)
  await signAs(whole.person)
  expect(await servedOf(whole.requestId)).toEqual([
    `${whole.documentId} 1-${PAGES} of ${PAGES} sha256 ${sha256}`,
  ])
  const nothing = await opened()
  const { cookie } = nothing.person
  for (const path of ["/pages/0", "/pages/1/text", "/content"]) {
    const address = `/app/api/documents/${nothing.documentId}${path}`
    expect((await call(service.url, "HEAD", address, undefined, { cookie })).status, path).toBe(200)
  }
  expect((await signAs(nothing.person)).status).toBe(202)
  expect(await servedOf(nothing.requestId)).toEqual([`${nothing.documentId} none`])
})
