import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { afterEach, describe, expect, it } from "vitest"
import { createParaph } from "./index.ts"
import { jwt, type Reply, startTestService, type TestService } from "./testing/service.ts"

const PDF = new TextEncoder().encode("%PDF-1.7 and more")

let service: TestService
afterEach(() => service?.close())

const said = async (...replies: Reply[]) => {
  service = await startTestService({ answer: (_, count) => replies[count - 1] ?? { body: { id: "d-1" } } })
  return service.connect()
}
const streamOf = (bytes: Uint8Array) => new Blob([new Uint8Array(bytes)]).stream()

describe("a document", () => {
  it.each([
    ["a Blob", () => new Blob([PDF])],
    ["a Blob with a type", () => new Blob([PDF], { type: "text/plain" })],
    ["bytes", () => PDF],
    ["a stream", () => streamOf(PDF)],
    ["a function that opens a stream", () => () => streamOf(PDF)],
    ["a function that promises a Blob", () => async () => new Blob([PDF])],
  ])("goes as it is, from %s", async (_, content) => {
    const { v2 } = await said()
    expect(await v2.uploadDocument({ title: "Lease & more.pdf", content: content() })).toEqual({ id: "d-1" })
    const [{ path = "", method, headers, body } = {}] = service.asked
    expect([method, path]).toEqual(["POST", "/v2/documents?title=Lease+%26+more.pdf"])
    expect(headers).toMatchObject({
      "content-type": "application/pdf",
      "idempotency-key": expect.stringMatching(/.{36}/),
    })
    expect(body).toEqual(Buffer.from(PDF))
  })

  it.each([
    ["a Blob", () => new Blob([PDF])],
    ["a function", () => () => streamOf(PDF)],
  ])("is sent again from %s, whole and with the same key", async (_, content) => {
    const { v3 } = await said("break", { status: 503 })
    await v3.uploadDocument({ title: "Lease", content: content(), idempotencyKey: "order-17" })
    expect(service.asked.map(({ body }) => body)).toEqual(Array(3).fill(Buffer.from(PDF)))
    expect(service.asked.map(({ headers }) => headers["idempotency-key"])).toEqual(Array(3).fill("order-17"))
  })

  it("is not sent again from a stream, which was read", async () => {
    const { v2 } = await said({ status: 503 })
    await expect(v2.uploadDocument({ title: "Lease", content: streamOf(PDF) })).rejects.toMatchObject({
      status: 503,
    })
    expect(service.asked).toHaveLength(1)
  })

  it("leaves while it is read: the first part is there before the last is", async () => {
    let arrived = () => {}
    const first = new Promise<void>((done) => {
      arrived = done
    })
    const server = createServer(async (request, response) => {
      if (request.url?.endsWith("/login")) return void response.end(jwt(1))
      let size = 0
      for await (const chunk of request) {
        size += chunk.length
        arrived()
      }
      response.end(JSON.stringify({ size }))
    })
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done))
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const content = new ReadableStream<Uint8Array>({
      async start(controller) {
        controller.enqueue(PDF)
        await first
        controller.enqueue(PDF)
        controller.close()
      },
    })
    const paraph = createParaph({ url, username: "u", apiKey: "k" })
    expect(await paraph.v2.uploadDocument({ title: "Lease", content })).toEqual({ size: 2 * PDF.length })
    server.closeAllConnections()
    server.close()
  })
})

it("a document to validate goes as a file of a form, with the question in the address, and again if need be", async () => {
  const { validation } = await said("break")
  await validation.validateDocument(new Blob([PDF]), { quality: "QES", lang: "de" })
  expect(service.asked).toHaveLength(2)
  for (const { path, headers, body } of service.asked) {
    expect(path).toBe("/validation/v1/validate/document?quality=QES&lang=de")
    expect(headers["content-type"]).toMatch(/^multipart\/form-data; boundary=/)
    expect(body.toString()).toContain('name="content"; filename="document.pdf"')
    expect(body.toString()).toContain("%PDF-1.7 and more")
  }
})

it("bytes with a type of their own are sent with it", async () => {
  const { v3 } = await said({ status: 204 })
  expect(await v3.put("/settings/logo", { body: new Blob([PDF], { type: "image/png" }) })).toBeUndefined()
  expect(service.asked[0]?.headers["content-type"]).toBe("image/png")
  expect(service.asked[0]?.body).toEqual(Buffer.from(PDF))
})

it("a download streams, may be a part, and is empty where the caller has it already", async () => {
  const { v2 } = await said({ headers: { "content-type": "application/pdf" }, body: PDF }, { status: 304 })
  const path = { id: "d-1" }
  const first = await v2.download("/documents/{id}/content", { path, headers: { Range: "bytes=0-4" } })
  expect(first.bodyUsed).toBe(false)
  expect(await first.text()).toBe("%PDF-1.7 and more")
  expect(service.asked[0]?.headers.range).toBe("bytes=0-4")
  const again = await v2.download("/documents/{id}/content", { path, headers: { "If-None-Match": '"1"' } })
  expect(again.status).toBe(304)
})

it("a refused download is thrown like anything else", async () => {
  const { v2 } = await said({ status: 404, body: { key: "error.not_found", message: "Not there." } })
  const asked = v2.download("/documents/{id}/content", { path: { id: "d-1" } })
  await expect(asked).rejects.toMatchObject({ name: "ProblemError", status: 404, message: "Not there." })
})
