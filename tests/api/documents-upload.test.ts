import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { VERSIONS } from "../service/api.ts"
import { FORM, filePart, form, titlePart } from "../service/forms.ts"
import { send } from "../service/large.ts"
import { oddPdf } from "../service/odd-pdfs.ts"
import { contractPdf } from "../service/pdf.ts"
import { type Service, startService } from "../service/service.ts"

const pdf = contractPdf("Three pages.", 3)
const content = pdf.toString("base64")

describe("uploading a document", () => {
  let service: Service
  beforeAll(async () => {
    service = await startService({ worker: false })
  })
  afterAll(() => service?.close())

  it.each(VERSIONS)("[DOC-01] %s: takes a PDF in Base64 and answers the document object", async (v) => {
    const { status, headers, body } = await service.caller.post(`/${v}/documents`, {
      title: "Contract",
      content,
      content_type: "application/pdf",
    })
    expect([status, headers.get("content-type")]).toEqual([200, "application/json; charset=utf-8"])
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
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      updated_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    })
  })

  it.each(VERSIONS)("%s: takes the same as a form and as it is, with a said length or without", async (v) => {
    const path = `/${v}/documents`
    const raw = { contentType: "application/pdf", parts: [pdf] }
    const asForm = form([titlePart("Contract"), filePart(pdf)])
    const fileFirst = form([filePart(pdf), titlePart("Contract")])
    const inPieces = { contentType: FORM, parts: [asForm], withLength: false }
    const sent = [
      send(service.url, service.caller.token, `${path}?title=Contract`, raw),
      send(service.url, service.caller.token, `${path}?title=Contract`, { ...raw, withLength: false }),
      send(service.url, service.caller.token, path, { contentType: FORM, parts: [asForm] }),
      send(service.url, service.caller.token, path, { contentType: FORM, parts: [fileFirst] }),
      send(service.url, service.caller.token, path, inPieces),
    ]
    for (const { status, body } of await Promise.all(sent)) {
      expect(status).toBe(200)
      expect(body).toMatchObject({ title: "Contract", size: pdf.length, page_count: 3 })
      const read = await service.caller.get(`${path}/${body.id}/content`)
      expect(read.bytes.equals(pdf)).toBe(true)
    }
  })

  it.each(VERSIONS)("[DOC-17] %s: no answer holds content or file_url", async (v) => {
    const created = await service.caller.post(`/${v}/documents`, { title: "Contract", content })
    const { id } = created.body
    const answers = [
      created.body,
      (await service.caller.get(`/${v}/documents/${id}`)).body,
      ...(await service.caller.get(`/${v}/documents`)).body,
      (await service.caller.put(`/${v}/documents/${id}/access`, { read_access: ["ada"] })).body,
      (await service.caller.post(`/${v}/documents/${id}/watermark`, { text: "DRAFT" })).body,
    ]
    for (const answer of answers) {
      expect(answer).toHaveProperty("id")
      expect(answer).not.toHaveProperty("content")
      expect(answer).not.toHaveProperty("file_url")
    }
  })

  it("takes a title of any characters, in JSON, in a form and in an address", async () => {
    const title = '𝒜 ñ & = % + "\r\n" \u202e rtl 🙂 \u{10ffff}.pdf'
    const asForm = form([titlePart(title), filePart(pdf)])
    const address = `/v2/documents?title=${encodeURIComponent(title)}`
    const answers = [
      await service.caller.post("/v2/documents", { title, content }),
      await service.caller.post("/v2/documents", asForm, { "content-type": FORM }),
      await service.caller.post(address, pdf, { "content-type": "application/pdf" }),
    ]
    expect(answers.map(({ body }) => body.title)).toEqual([title, title, title])
  })

  it("answers the size of a page as it is shown, and the fields for signatures with their places", async () => {
    const turned = oddPdf({
      mediaBox: "[0 0 600 800]",
      page: "/Rotate 90 /CropBox [0 0 500 700] /Annots [6 0 R]",
      catalog: "/AcroForm << /Fields [6 0 R] >>",
      objects: [
        "<< /Type /Annot /Subtype /Widget /FT /Sig /T (Buyer) /Rect [100 230 300 280] /P 3 0 R /F 4 >>",
      ],
    })
    const { body } = await service.caller.post("/v2/documents", {
      title: "Turned",
      content: turned.toString("base64"),
    })
    expect(body).toMatchObject({ page_count: 1, page_width: 700, page_height: 500 })
    // Turned clockwise by a quarter: x is what was y, and y is how far it was from the right edge.
    const position = { page: "0", x: 230, y: 200, width: 50, height: 200 }
    expect(body.signature_fields).toEqual([{ name: "Buyer", signed: false, positions: [position] }])
  })
})
