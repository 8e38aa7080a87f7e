import { createHash } from "node:crypto"
import { once } from "node:events"
import { type IncomingMessage, request } from "node:http"
import { afterAll, beforeAll, expect, it } from "vitest"
import { call } from "../service/api.ts"
import { linkMailedTo } from "../service/mailbox.ts"
import { contractPdf, pdfOfSize } from "../service/pdf.ts"
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

/** A request of one document, of twelve pages unless given, with one signer who has opened it. */
async function opened(content: Buffer = pdf) {
  const { body: document } = await service.caller.post("/v3/documents", {
    title: "Contract",
    content: content.toString("base64"),
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

it("[B9] a 304 serves no page, and takes none away", async () => {
  const unread = await opened()
  const content = `/documents/${unread.documentId}/content`
  for (const known of ["*", `"${sha256}"`]) {
    const { status, body } = await unread.person.get(content, { "if-none-match": known })
    expect([status, body], known).toEqual([304, null])
  }
  expect((await signAs(unread.person)).status).toBe(202)
  expect(await servedOf(unread.requestId)).toEqual([`${unread.documentId} none`])

  const read = await opened()
  const again = `/documents/${read.documentId}/content`
  expect((await read.person.get(again)).status).toBe(200)
  expect((await read.person.get(again, { "if-none-match": `"${sha256}"` })).status).toBe(304)
  expect((await signAs(read.person)).status).toBe(202)
  expect(await servedOf(read.requestId)).toEqual([
    `${read.documentId} 1-${PAGES} of ${PAGES} sha256 ${sha256}`,
  ])
})

it("[B9] a file whose connection ends before its last byte serves no page", async () => {
  // More than the buffers of both sockets hold, so the server cannot have sent all of it.
  const { documentId, requestId, person } = await opened(pdfOfSize(40_000_000))
  const asked = request(`${service.url}/app/api/documents/${documentId}/content`, {
    headers: { cookie: person.cookie },
  }).end()
  const [response] = (await once(asked, "response")) as [IncomingMessage]
  expect(response.statusCode).toBe(200)
  await once(response, "readable")
  asked.on("error", () => undefined)
  response.on("error", () => undefined)
  const closed = new Promise<void>((resolve) => response.once("close", () => resolve()))
  asked.destroy()
  await closed
  expect((await signAs(person)).status).toBe(202)
  expect(await servedOf(requestId)).toEqual([`${documentId} none`])
})
