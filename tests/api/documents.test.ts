import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest"
import { type Api, createApi } from "../service/api.ts"
import { contractPdf } from "../service/pdf.ts"
import { type Receiver, startReceiver } from "../service/receiver.ts"
import { type Service, startService } from "../service/service.ts"

describe("documents", () => {
  const pdf = contractPdf("Three pages.", 3)
  let service: Service
  let receiver: Receiver
  beforeAll(async () => {
    service = await startService({ worker: false })
    receiver = await startReceiver(({ path }) => ({
      status: path === "/missing" ? 404 : 200,
      contentType: path === "/page" ? "text/html" : "application/pdf; charset=binary",
      body: pdf,
    }))
  })
  afterAll(async () => {
    await receiver?.close()
    await service?.close()
  })

  const upload = (more: object) =>
    service.caller.post("/v2/documents", {
      title: "Contract",
      content: pdf.toString("base64"),
      content_type: "application/pdf",
      ...more,
    })

  it("[DOC-01 v2] takes a PDF in Base64 and answers the document object", async () => {
    const { status, body } = await upload({})
    expect(status).toBe(200)
    expect(body).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      title: "Contract",
      content_type: "application/pdf",
      size: pdf.length,
      page_count: 3,
      page_width: 595,
      page_height: 842,
      owner: service.username,
      read_access: [],
      write_access: [],
      signature_fields: [],
      created_at: expect.stringMatching(/Z$/),
      updated_at: expect.stringMatching(/Z$/),
    })
    expect((await service.caller.get(`/v2/documents/${body.id}`)).body).toEqual(body)
  })

  it("[DOC-06 v2] gives back the very bytes, named after the title, never to be run in our name", async () => {
    const { body } = await upload({ title: 'Über/uns: "Vertrag"\r\n.pdf' })
    const content = await service.caller.get(`/v2/documents/${body.id}/content`)
    expect(content.bytes.equals(pdf)).toBe(true)
    expect(content.headers.get("content-length")).toBe(String(pdf.length))
    expect(content.headers.get("content-disposition")).toBe(
      `attachment; filename="_ber uns Vertrag.pdf"; filename*=UTF-8''%C3%9Cber%20uns%20Vertrag.pdf`,
    )
    expect(content.headers.get("content-security-policy")).toContain("sandbox")
    expect(content.headers.get("x-content-type-options")).toBe("nosniff")
  })

  it("[DOC-02 v2] downloads a file_url, whose type is taken from the header", async () => {
    const { status, body } = await upload({
      content: undefined,
      content_type: undefined,
      file_url: `${receiver.url}/a`,
    })
    expect(status).toBe(200)
    expect((await service.caller.get(`/v2/documents/${body.id}/content`)).bytes.equals(pdf)).toBe(true)
    const page = await upload({ content: undefined, file_url: `${receiver.url}/page` })
    expect([page.status, page.body.key]).toEqual([400, "file.pdf.general_error"])
    expect((await upload({ content: undefined, file_url: `${receiver.url}/missing` })).status).toBe(400)
  })

  it("[DOC-03 v2] refuses content together with file_url, and neither", async () => {
    expect((await upload({ file_url: `${receiver.url}/a` })).status).toBe(400)
    expect((await upload({ content: undefined })).status).toBe(400)
  })

  it("refuses what is not a sound PDF with its own key, and what is not Base64", async () => {
    const cases = [
      [Buffer.from("hello").toString("base64"), "file.pdf.corrupt"],
      [pdf.subarray(0, 300).toString("base64"), "file.pdf.corrupt"],
      ["", "file.pdf.corrupt"],
      ["@@@@", undefined],
      ["QUJD=", undefined],
    ]
    for (const [content, key] of cases) {
      const { status, body } = await upload({ content })
      expect([content, status, body.key]).toEqual([content, 400, key])
    }
  })

  it("reaches nothing inside the operator's network by file_url", async () => {
    for (const url of [
      "https://127.0.0.1:1/",
      "https://[::1]/",
      "https://169.254.169.254/latest",
      "http://localhost/",
      "file:///etc/passwd",
    ])
      expect([url, (await upload({ content: undefined, file_url: url })).status]).toEqual([url, 400])
  })

  it("stores only sealed bytes, and two equal documents never as equal ones", async () => {
    const stored = async () => {
      const { body } = await upload({})
      const row = await service.sql(
        `select blob_name, encode(wrapped_key, 'hex') from document where id = '${body.id}'`,
      )
      const [name = "", wrappedKey] = row.split("|")
      // The S3 server of the stack keeps an object as a file.
      const bytes = await readFile(join(inject("stackDir"), "s3/objects", service.env.S3_BUCKET ?? "", name))
      return { bytes, wrappedKey }
    }
    const [one, two] = [await stored(), await stored()]
    for (const { bytes } of [one, two]) {
      expect(bytes.length).toBeGreaterThan(pdf.length)
      for (const plain of ["%PDF", "Three pages.", "endobj", "/Catalog"]) {
        expect(pdf.includes(plain)).toBe(true)
        expect(bytes.includes(plain)).toBe(false)
      }
    }
    expect(sharedBytes(one.bytes, two.bytes)).toBeLessThan(one.bytes.length / 8)
    expect(one.wrappedKey).not.toBe(two.wrappedKey)
  })

  it("answers the same 404 for another business's document, another kind's, and one that does not exist", async () => {
    const { body } = await upload({})
    const { business = "" } = await service.paraph("admin", "create-business", "--name", "Other AG")
    await service.paraph("admin", "create-user", "--business", business, "--username", "other")
    const made = await service.paraph("admin", "create-key", "--user", "other", "--kind", "demo")
    const foreign = await createApi(service.url, "other", made["api-key"] ?? "")
    const production = await createApi(service.url, service.username, service.productionKey)
    const ask = async (api: Api, id: string) => {
      const { status, body: problem } = await api.get(`/v2/documents/${id}`)
      return { status, title: problem.title, detail: problem.detail }
    }
    const missing = await ask(service.caller, crypto.randomUUID())
    expect(missing.status).toBe(404)
    expect(await ask(foreign, body.id)).toEqual(missing)
    expect(await ask(production, body.id)).toEqual(missing)
  })
})

/** In how many places two byte strings agree: about 1 in 256 when neither says anything about the other. */
const sharedBytes = (a: Buffer, b: Buffer): number => a.filter((byte, index) => byte === b[index]).length
