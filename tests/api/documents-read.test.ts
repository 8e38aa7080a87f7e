import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { VERSIONS, type Version } from "../service/api.ts"
import { contractPdf } from "../service/pdf.ts"
import { type Service, startService } from "../service/service.ts"

const pdf = contractPdf("Something to read.", 30)
const size = pdf.length

describe("reading a document", () => {
  let service: Service
  let id: string
  beforeAll(async () => {
    service = await startService({ worker: false })
    id = (await upload("Contract")).body.id
  })
  afterAll(() => service?.close())

  const upload = (title: string) =>
    service.caller.post("/v2/documents", { title, content: pdf.toString("base64") })
  const read = (v: Version, headers: Record<string, string> = {}) =>
    service.caller.get(`/${v}/documents/${id}/content`, headers)

  it.each(VERSIONS)("[DOC-16] %s: gives the document object, as it was answered on upload", async (v) => {
    const created = await upload("Another")
    const { status, body } = await service.caller.get(`/${v}/documents/${created.body.id}`)
    expect(status).toBe(200)
    expect(body).toEqual(created.body)
  })

  it.each(VERSIONS)("[R24] [DOC-06] %s: gives back the very bytes", async (v) => {
    const { status, headers, bytes } = await read(v)
    expect([status, headers.get("content-type")]).toEqual([200, "application/pdf"])
    expect(bytes.equals(pdf)).toBe(true)
    expect(headers.get("content-length")).toBe(String(size))
    expect(headers.get("accept-ranges")).toBe("bytes")
    expect(headers.get("etag")).toMatch(/^"[0-9a-f]{64}"$/)
    expect(headers.get("content-security-policy")).toMatch(/^sandbox;.*frame-ancestors 'none'$/)
    expect(headers.get("x-content-type-options")).toBe("nosniff")
  })

  it.each(VERSIONS)("[DOC-06] %s: gives any range of them", async (v) => {
    const ranges: readonly (readonly [string, number, number])[] = [
      ["bytes=0-0", 0, 1],
      ["bytes=0-99", 0, 100],
      [`bytes=${size - 1}-`, size - 1, size],
      ["bytes=1000-", 1000, size],
      ["bytes=-5", size - 5, size],
      [`bytes=-${size + 5}`, 0, size],
      [`bytes=100-${size + 100}`, 100, size],
    ]
    for (const [range, start, end] of ranges) {
      const { status, headers, bytes } = await read(v, { range })
      expect([range, status, headers.get("content-range")]).toEqual([
        range,
        206,
        `bytes ${start}-${end - 1}/${size}`,
      ])
      expect(headers.get("content-length")).toBe(String(end - start))
      expect(bytes.equals(pdf.subarray(start, end))).toBe(true)
    }
  })

  it("answers a range outside with 416 and how long the whole is", async () => {
    for (const range of [`bytes=${size}-`, `bytes=${size + 5}-${size + 9}`, "bytes=-0"]) {
      const { status, headers } = await read("v2", { range })
      expect([range, status, headers.get("content-range")]).toEqual([range, 416, `bytes */${size}`])
      expect(headers.get("content-type")).toMatch(/json/)
    }
  })

  it("answers the whole for several ranges, for other units and for what is no range", async () => {
    for (const range of ["bytes=0-9,20-29", "pages=1-2", "bytes=9-5", "bytes=a-b", "bytes", "bytes=1-2-3"]) {
      const { status, headers, bytes } = await read("v2", { range })
      expect([range, status, headers.get("content-range"), bytes.length]).toEqual([range, 200, null, size])
    }
  })

  it("gives a range to who has the same bytes already, and the whole to anybody else (If-Range)", async () => {
    const etag = (await read("v2")).headers.get("etag") ?? ""
    const asked = async (ifRange: string) =>
      (await read("v2", { range: "bytes=0-9", "if-range": ifRange })).status
    expect(await asked(etag)).toBe(206)
    for (const other of ['"another"', `W/${etag}`, "Sun, 15 Nov 2026 00:00:00 GMT"])
      expect([other, await asked(other)]).toEqual([other, 200])
  })

  it("answers 304 to who has the same bytes already (If-None-Match)", async () => {
    const etag = (await read("v2")).headers.get("etag") ?? ""
    for (const known of [etag, `W/${etag}`, `"another", ${etag}`, "*"]) {
      const { status, bytes, headers } = await read("v2", { "if-none-match": known })
      expect([known, status, bytes.length, headers.get("etag")]).toEqual([known, 304, 0, etag])
    }
    expect((await read("v2", { "if-none-match": '"another"' })).status).toBe(200)
  })

  it("answers HEAD like GET, without the bytes", async () => {
    for (const headers of [{}, { range: "bytes=0-9" }, { accept: "application/json" }]) {
      const path = `/v2/documents/${id}/content`
      const [get, head] = [await service.caller.get(path, headers), await service.caller.head(path, headers)]
      expect([head.status, head.bytes.length]).toEqual([get.status, 0])
      for (const name of ["content-length", "content-type", "content-range", "etag", "content-disposition"])
        expect([name, head.headers.get(name)]).toEqual([name, get.headers.get(name)])
    }
  })

  it.each(VERSIONS)(
    "[DOC-06] %s: gives JSON to who would rather have it, and 406 for anything else",
    async (v) => {
      for (const accept of ["application/json", "application/pdf;q=0.1, application/json;q=0.9"]) {
        const { status, headers, body } = await read(v, { accept })
        expect([accept, status, headers.get("vary")]).toEqual([accept, 200, "accept"])
        expect(headers.get("content-type")).toBe("application/json; charset=utf-8")
        expect(body).toEqual({
          content_type: "application/pdf",
          content_size: size,
          content: pdf.toString("base64"),
        })
      }
      for (const accept of ["application/pdf", "*/*", "application/*", "application/json;q=0.5, */*;q=0.9"])
        expect([accept, (await read(v, { accept })).headers.get("content-type")]).toEqual([
          accept,
          "application/pdf",
        ])
      for (const accept of ["image/png", "text/*", "application/pdf;q=0"])
        expect([accept, (await read(v, { accept })).status]).toEqual([accept, 406])
    },
  )

  it("[R24] names the file after the title, whatever characters it holds", async () => {
    const { body } = await upload('Über/uns: "Vertrag"\r\n.pdf')
    const { headers } = await service.caller.get(`/v2/documents/${body.id}/content`)
    expect(headers.get("content-disposition")).toBe(
      `attachment; filename="_ber uns Vertrag.pdf"; filename*=UTF-8''%C3%9Cber%20uns%20Vertrag.pdf`,
    )
  })
})
