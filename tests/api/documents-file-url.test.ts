import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { VERSIONS } from "../service/api.ts"
import { contractPdf } from "../service/pdf.ts"
import { type Received, type Receiver, type Reply, startReceiver } from "../service/receiver.ts"
import { type Service, startService } from "../service/service.ts"
import { documentCount } from "../service/stored.ts"

const pdf = contractPdf("From elsewhere.", 2)
const content = pdf.toString("base64")

const TYPES: Readonly<Record<string, string>> = {
  "/page": "text/html",
  "/octets": "application/octet-stream",
  "/shouting": "APPLICATION/PDF; charset=binary",
}

const answer = ({ path }: Received): Reply => ({
  status: path === "/missing" ? 404 : 200,
  contentType: TYPES[path] ?? "application/pdf",
  body: path === "/not-a-pdf" ? Buffer.from("hello") : pdf,
})

describe("documents by file_url", () => {
  let service: Service
  let receiver: Receiver
  beforeAll(async () => {
    service = await startService({ worker: false })
    receiver = await startReceiver(answer)
  })
  afterAll(async () => {
    await receiver?.close()
    await service?.close()
  })

  const upload = (v: string, more: object) =>
    service.caller.post(`/${v}/documents`, { title: "Contract", ...more })

  it.each(VERSIONS)("[DOC-02] %s: downloads it, and takes the type from the header", async (v) => {
    const { status, body } = await upload(v, { file_url: `${receiver.url}/a` })
    expect([status, body.size, body.page_count]).toEqual([200, pdf.length, 2])
    const { bytes } = await service.caller.get(`/${v}/documents/${body.id}/content`)
    expect(bytes.equals(pdf)).toBe(true)
    expect((await upload(v, { file_url: `${receiver.url}/shouting` })).status).toBe(200)
    // The header decides, whatever the caller or the bytes say.
    for (const path of ["/page", "/octets"]) {
      const refused = await upload(v, { file_url: receiver.url + path, content_type: "application/pdf" })
      expect([path, refused.status, refused.body.key]).toEqual([path, 400, "file.pdf.general_error"])
    }
    const lied = await upload(v, { file_url: `${receiver.url}/not-a-pdf` })
    expect([lied.status, lied.body.key]).toEqual([400, "file.pdf.corrupt"])
  })

  it.each(VERSIONS)("[R09] [DOC-03] %s: refuses content together with file_url, and neither", async (v) => {
    const before = await documentCount(service)
    const asked = receiver.received.length
    expect((await upload(v, { content, file_url: `${receiver.url}/a` })).status).toBe(400)
    expect((await upload(v, { content: "", file_url: `${receiver.url}/a` })).status).toBe(400)
    expect((await upload(v, {})).status).toBe(400)
    expect(await documentCount(service)).toBe(before)
    expect(receiver.received).toHaveLength(asked)
  })

  it("says why a download failed, without what stood there", async () => {
    const { status, body } = await upload("v2", { file_url: `${receiver.url}/missing` })
    expect([status, body.title]).toEqual([400, "The download failed"])
    expect(body.message).toMatch(/^file_url: /)
    expect(receiver.received.at(-1)).toMatchObject({ method: "GET", path: "/missing" })
  })

  it("[R13] reaches nothing inside the operator's network", async () => {
    for (const url of [
      "https://127.0.0.1:1/",
      "https://[::1]/",
      "https://169.254.169.254/latest",
      "https://0/",
      "http://localhost/",
      "file:///etc/passwd",
      "not a url",
      "https://user:password@localhost/",
      `https://localhost/${"x".repeat(2048)}`,
    ])
      expect([url, (await upload("v2", { file_url: url })).status]).toEqual([url, 400])
  })
})
