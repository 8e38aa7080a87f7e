import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Json, VERSIONS, type Version } from "../service/api.ts"
import { inkOf, qpdfFaults, textOf } from "../service/looks.ts"
import { oddPdf, signedElsewhere } from "../service/odd-pdfs.ts"
import { contractPdf } from "../service/pdf.ts"
import { type Service, startService } from "../service/service.ts"
import { sendForSignature, signBy } from "../service/signed.ts"
import { documentCount } from "../service/stored.ts"

const pdf = contractPdf("A contract.", 3)
const access = { read_access: ["reader"], write_access: ["writer", "another"] }

describe("new versions of a document", () => {
  let service: Service
  beforeAll(async () => {
    service = await startService()
  })
  afterAll(() => service?.close())

  const upload = async (v: Version, bytes: Buffer = pdf) => {
    const { body } = await service.caller.post(`/${v}/documents`, {
      title: "Contract",
      content: bytes.toString("base64"),
    })
    return (await service.caller.put(`/${v}/documents/${body.id}/access`, access)).body
  }
  const watermark = (v: Version, id: string, body: Json = { text: "DRAFT" }) =>
    service.caller.post(`/${v}/documents/${id}/watermark`, body)
  const contentOf = async (v: Version, id: string) =>
    (await service.caller.get(`/${v}/documents/${id}/content`)).bytes

  it.each(VERSIONS)(
    "[DOC-12] %s: a watermark makes a new document, and keeps the parent as it was",
    async (v) => {
      const parent = await upload(v)
      const { status, body } = await watermark(v, parent.id, { text: "DRAFT Щ", rotation: 30, opacity: 0.4 })
      expect(status).toBe(200)
      const bytes = await contentOf(v, body.id)
      expect(body).toEqual({
        ...parent,
        id: expect.not.stringContaining(parent.id),
        parent_id: parent.id,
        size: bytes.length,
        created_at: expect.any(String),
        updated_at: expect.any(String),
      })
      expect((await service.caller.get(`/${v}/documents/${parent.id}`)).body).toEqual(parent)
      expect((await contentOf(v, parent.id)).equals(pdf)).toBe(true)
      expect(bytes.subarray(0, pdf.length).equals(pdf)).toBe(true)
      expect(await qpdfFaults(bytes)).toBe("")
      const texts = await textOf(bytes)
      expect(texts).toHaveLength(3)
      for (const text of texts) expect(text).toMatch(/A contract\.[\s\S]*DRAFT Щ|DRAFT Щ[\s\S]*A contract\./)
    },
  )

  it("is on the pages that were asked for, as pale and as turned as it was asked for", async () => {
    const { id } = await upload("v2")
    const marked = async (body: object) => contentOf("v2", (await watermark("v2", id, body)).body.id)
    const [plain, one] = [await inkOf(pdf, 0), await marked({ text: "DRAFT", pages: [1] })]
    // A reader of text sees each letter of a slanting word on a line of its own.
    const words = (await textOf(one)).map((text) => text.replaceAll(/\s/g, ""))
    expect(words.map((text) => text.includes("DRAFT"))).toEqual([false, true, false])
    expect(await inkOf(one, 0)).toEqual(plain)
    expect((await inkOf(one, 1)).share).toBeGreaterThan(2 * plain.share)

    const empty = (await upload("v2", oddPdf({ drawing: "" }))).id
    const alone = async (body: object) =>
      inkOf(await contentOf("v2", (await watermark("v2", empty, { text: "DRAFT", ...body })).body.id), 0)
    const [level, upright] = [await alone({ rotation: 0 }), await alone({ rotation: 90 })]
    expect(level.right - level.left).toBeGreaterThan(2 * (level.bottom - level.top))
    expect(upright.bottom - upright.top).toBeGreaterThan(2 * (upright.right - upright.left))
    const [pale, strong] = [await alone({ opacity: 0.1 }), await alone({ opacity: 1 })]
    expect(pale.darkest).toBeGreaterThan(strong.darkest + 50)
    // In the middle of the page, either way.
    for (const { left, right, top, bottom } of [level, upright, pale, strong]) {
      expect((left + right) / 2).toBeCloseTo(0.5, 1)
      expect((top + bottom) / 2).toBeCloseTo(0.5, 1)
    }
  })

  it.each(VERSIONS)(
    "[DOC-09] [DOC-10] %s: watermark and signature each make a new id, which inherits owner and access",
    async (v) => {
      const uploaded = await upload(v)
      const { body: marked } = await watermark(v, uploaded.id)
      const request = await sendForSignature(service, marked.id)
      const { document_id: signedId } = await signBy(service, request.id, request.signer)
      const { body: signed } = await service.caller.get(`/${v}/documents/${signedId}`)
      expect(new Set([uploaded.id, marked.id, signed.id]).size).toBe(3)
      expect([marked.parent_id, signed.parent_id]).toEqual([uploaded.id, marked.id])
      for (const version of [marked, signed])
        expect(version).toMatchObject({ ...access, owner: service.username, title: "Contract" })
      expect(signed.signature_fields).toMatchObject([{ signed: true }])
      // Each is as it was before the next was made.
      const [first, second, third] = await Promise.all(
        [uploaded.id, marked.id, signed.id].map((id) => contentOf(v, id)),
      )
      expect(first?.equals(pdf)).toBe(true)
      expect(second?.subarray(0, pdf.length).equals(pdf)).toBe(true)
      expect(third?.subarray(0, second?.length).equals(second ?? pdf)).toBe(true)
    },
  )

  it.each(VERSIONS)("[DOC-12] %s: is refused for what is signed, or is being signed", async (v) => {
    const uploaded = await upload(v)
    const request = await sendForSignature(service, uploaded.id)
    const before = await documentCount(service)
    const open = await watermark(v, uploaded.id)
    expect([open.status, open.body.key]).toEqual([400, "error.sr.invalid_state"])
    expect(await documentCount(service)).toBe(before)
    const { document_id: signedId } = await signBy(service, request.id, request.signer)
    const signed = await watermark(v, signedId)
    expect([signed.status, signed.body.key]).toEqual([400, "file.pdf.locked"])
    const elsewhere = await watermark(v, (await upload(v, await signedElsewhere(pdf))).id)
    expect([elsewhere.status, elsewhere.body.key]).toEqual([400, "file.pdf.locked"])
    // The request has ended, and what was uploaded for it is still unsigned.
    expect((await watermark(v, uploaded.id)).status).toBe(200)
  })

  it("is refused where it asks for what there is not", async () => {
    const { id } = await upload("v2")
    const before = await documentCount(service)
    for (const body of [
      {},
      { text: "" },
      { text: "x".repeat(201) },
      { text: "\u0000" },
      { text: "DRAFT", opacity: 0 },
      { text: "DRAFT", opacity: 1.1 },
      { text: "DRAFT", opacity: "0.5" },
      { text: "DRAFT", rotation: 361 },
      { text: "DRAFT", pages: [3] },
      { text: "DRAFT", pages: [-1] },
      { text: "DRAFT", pages: [0.5] },
      { text: "DRAFT", pages: "0" },
    ])
      expect([body, (await watermark("v2", id, body)).status]).toEqual([body, 400])
    expect(await documentCount(service)).toBe(before)
  })

  it.each(VERSIONS)("[DOC-18] %s: nothing else changes a document, and nothing makes it PDF/A", async (v) => {
    const { id, ...document } = await upload(v)
    const path = `/${v}/documents/${id}`
    const body = { title: "Other", content: contractPdf("Other.").toString("base64") }
    const headers = { "content-type": "application/json", authorization: `Bearer ${service.caller.token}` }
    for (const method of ["POST", "PUT", "PATCH"])
      for (const rest of ["", "/content", "/title", "/convert", "/pdfa", "/pages/0", "/seal", "/sign"]) {
        const sent = { method, headers, body: JSON.stringify(body) }
        const { status } = await fetch(`${service.url}${path}${rest}`, sent)
        expect([method, rest, status]).toEqual([method, rest, 404])
      }
    expect((await service.caller.get(path)).body).toEqual({ id, ...document })
    expect((await contentOf(v, id)).equals(pdf)).toBe(true)
    expect((await watermark(v, id)).body.pdf_a).toBeUndefined()
  })
})
