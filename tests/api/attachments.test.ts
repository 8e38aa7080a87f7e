import { createHash } from "node:crypto"
import { SAMPLES, UNSUPPORTED } from "@paraph/core/testing/office-files"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { plantedText } from "../../scripts/stack/clamd.ts"
import type { Api } from "../service/api.ts"
import { digestOf, send } from "../service/large.ts"
import { contractPdf } from "../service/pdf.ts"
import { type Service, startService } from "../service/service.ts"
import { isInBucket } from "../service/stored.ts"
import { until } from "../service/until.ts"
import { addUser } from "../service/users.ts"

const MOST = 40_000_000
/** What lies in the buffers between the two when the answer comes. */
const SLACK = 20_000_000

describe("attachments", () => {
  let service: Service
  let documentId: string
  let reader: Api
  let stranger: Api
  beforeAll(async () => {
    service = await startService()
    ;[reader, stranger] = await Promise.all([
      addUser(service, "reader@acme.example"),
      addUser(service, "stranger@acme.example"),
    ])
    const content = contractPdf().toString("base64")
    documentId = (await service.caller.post("/v2/documents", { title: "Lease", content })).body.id
  })
  afterAll(() => service?.close())

  const newRequest = async (v: string, more: object = {}) => {
    const body = { title: "Lease", document_id: documentId, read_access: ["reader@acme.example"], ...more }
    return (await service.caller.post(`/${v}/signature-requests`, body)).body.id as string
  }
  const place = (v: string, id: string) => `/${v}/signature-requests/${id}/attachments`
  const attach = (v: string, id: string, contentType: string, bytes: Uint8Array, filename = "file") =>
    service.caller.post(place(v, id), {
      filename,
      content_type: contentType,
      content: Buffer.from(bytes).toString("base64"),
    })
  const objects = async (id: string) =>
    (await service.sql(`select blob_name from attachment where request_id = '${id}'`)).split("\n")

  it.each(["v2", "v3"])(
    "[SR-28 v2] [SR-28 v3] %s: of every kind are added, shown, read back and removed",
    async (v) => {
      const id = await newRequest(v)
      const sent = await Promise.all(
        Object.entries(SAMPLES).map(([type, bytes], n) => attach(v, id, type, bytes, `Beilage ${n}`)),
      )
      // Adding one answers the whole request.
      expect(sent.map(({ status, body }) => [status, body.id])).toEqual(sent.map(() => [200, id]))
      const { attachments } = (await service.caller.get(`/${v}/signature-requests/${id}`)).body
      expect(attachments.map((one: { filename: string }) => one.filename).sort()).toEqual(
        sent.map((_, n) => `Beilage ${n}`).sort(),
      )
      for (const [n, [type, bytes]] of Object.entries(SAMPLES).entries()) {
        const { attachment_id } = attachments.find(
          (one: { filename: string }) => one.filename === `Beilage ${n}`,
        )
        const read = await reader.get(`${place(v, id)}/${attachment_id}/content`)
        expect([type, read.status, read.bytes.equals(bytes)]).toEqual([type, 200, true])
        expect(read.headers.get("content-type")?.split(";")[0]).toBe(type)
        expect(read.headers.get("content-disposition")).toMatch(/^attachment; filename="Beilage \d+\.\w+";/)
        expect(read.headers.get("x-content-type-options")).toBe("nosniff")
        expect(read.headers.get("content-security-policy")).toContain("sandbox")
      }
      const [first, ...others] = attachments
      const name = await service.sql(`select blob_name from attachment where id = '${first.attachment_id}'`)
      expect(isInBucket(service, name)).toBe(true)
      expect((await service.caller.delete(`${place(v, id)}/${first.attachment_id}`)).status).toBe(204)
      expect((await service.caller.delete(`${place(v, id)}/${first.attachment_id}`)).status).toBe(404)
      expect((await reader.get(`${place(v, id)}/${first.attachment_id}/content`)).status).toBe(404)
      expect((await service.caller.get(`/${v}/signature-requests/${id}`)).body.attachments).toEqual(others)
      await until("its object is swept", () => !isInBucket(service, name))
    },
  )

  it("[DOC-14 v2] [DOC-14 v3] what is of another type, or not what it says, is refused, and nothing is kept", async () => {
    for (const v of ["v2", "v3"]) {
      const id = await newRequest(v)
      for (const [what, [type, bytes]] of Object.entries(UNSUPPORTED)) {
        const { status, body } = await attach(v, id, type, bytes)
        expect([what, status, body.key]).toEqual([what, 400, "file.attachment.unsupported"])
      }
      const malware = await attach(v, id, "text/plain", Buffer.from(plantedText))
      expect([malware.status, malware.body.key]).toEqual([400, "file.malware.detected"])
      expect(await objects(id)).toEqual([""])
    }
    // v1 has none at all.
    const id = await newRequest("v1")
    expect((await attach("v1", id, "text/plain", Buffer.from("a"))).status).toBe(404)
  })

  it("a name that would be run is not handed out as one", async () => {
    const id = await newRequest("v2")
    const { body } = await attach(
      "v2",
      id,
      "text/plain",
      Buffer.from("del *.*"),
      "../../Start\r\nme\u202e.bat",
    )
    const [{ attachment_id }] = body.attachments
    const { headers } = await reader.get(`${place("v2", id)}/${attachment_id}/content`)
    expect(headers.get("content-type")).toBe("text/plain; charset=utf-8")
    expect(headers.get("content-disposition")).toContain('filename="Start me .bat.txt"')
  })

  it("are read by who may read the request, and added and removed by who may write it", async () => {
    const id = await newRequest("v2")
    const { body } = await attach("v2", id, "text/plain", Buffer.from("a"))
    const one = `${place("v2", id)}/${body.attachments[0].attachment_id}`
    const file = { filename: "b", content_type: "text/plain", content: "Yg==" }
    const asked = async (api: Api) => [
      (await api.get(`${one}/content`)).status,
      (await api.post(place("v2", id), file)).status,
      (await api.delete(one)).status,
    ]
    expect(await asked(stranger)).toEqual([404, 404, 404])
    expect(await asked(reader)).toEqual([200, 403, 403])
    expect(await asked(service.caller)).toEqual([200, 200, 204])
    const other = await newRequest("v2")
    expect((await reader.get(`${one.replace(id, other)}/content`)).status).toBe(404)
  })

  it("come to an end with the request, and at fifty", async () => {
    const id = await newRequest("v2")
    const ten = Array.from({ length: 10 }, (_, n) => Buffer.from(`${n}`))
    // Not all at once: a business has so many uploads at a time.
    for (let tens = 0; tens < 5; tens++)
      for (const { status } of await Promise.all(ten.map((text) => attach("v2", id, "text/plain", text))))
        expect(status).toBe(200)
    expect((await attach("v2", id, "text/plain", Buffer.from("one more"))).status).toBe(400)
    const names = await objects(id)
    await service.caller.post(`/v2/signature-requests/${id}/withdraw`, {})
    const after = await attach("v2", id, "text/plain", Buffer.from("too late"))
    expect([after.status, after.body.key]).toEqual([400, "error.sr.invalid_state"])
    expect((await service.caller.delete(`/v2/signature-requests/${id}`)).status).toBe(204)
    await until("their objects are swept", () => names.every((name) => !isInBucket(service, name)))
  })

  it("of 40 MB exactly are taken; one byte more is refused before the rest of the body is read", async () => {
    const id = await newRequest("v2")
    const largest = Buffer.alloc(MOST, "GIF89a")
    const sent = (bytes: Buffer, more = 0) =>
      send(service.url, service.caller.token, place("v2", id), {
        contentType: "application/json",
        parts: [
          Buffer.from('{"filename":"large.gif","content_type":"image/gif","content":"'),
          Buffer.from(bytes.toString("base64"), "latin1"),
          Buffer.alloc(more, "A"),
          Buffer.from('"}'),
        ],
      })
    const { status, body } = await sent(largest)
    expect(status).toBe(200)
    const path = `${place("v2", id)}/${body.attachments[0].attachment_id}/content`
    const { sha256 } = await digestOf(service.url, service.caller.token, path)
    expect(sha256).toBe(createHash("sha256").update(largest).digest("hex"))
    const longer = Buffer.concat([largest, Buffer.from("G")])
    for (const refused of [await sent(longer), await sent(longer.subarray(0, MOST - 1), 45_000_000)]) {
      expect([refused.status, refused.body.key]).toEqual([413, "file.pdf.too_large"])
      expect(refused.sentBytes).toBeLessThan((4 / 3) * MOST + SLACK)
    }
  }, 300_000)
})
