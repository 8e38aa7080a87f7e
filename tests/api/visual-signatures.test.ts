import { randomUUID } from "node:crypto"
import { writeSample } from "@paraph/pades/sample"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Json, VERSIONS, type Version } from "../service/api.ts"
import { judge } from "../service/judges.ts"
import { inkOf, qpdfFaults, textOf } from "../service/looks.ts"
import { linkMailedTo } from "../service/mailbox.ts"
import { stream } from "../service/odd-pdfs.ts"
import { type Service, startService } from "../service/service.ts"
import { openSession } from "../service/signer.ts"
import { until } from "../service/until.ts"

/** Two signature fields and a field for text on the first page; the second is turned, and shown in part: 550 × 800. */
const form = Buffer.from(
  writeSample([
    "<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [7 0 R 8 0 R 9 0 R] >> >>",
    "<< /Type /Pages /Kids [3 0 R 4 0 R] /Count 2 >>",
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 5 0 R /Resources << /Font << /F1 6 0 R >> >> /Annots [7 0 R 8 0 R 9 0 R] >>",
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 842 595] /CropBox [20 30 820 580] /Rotate 90 >>",
    stream("", "BT /F1 18 Tf 72 720 Td (A contract.) Tj ET"),
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    "<< /Type /Annot /Subtype /Widget /FT /Sig /T (Buyer) /Rect [72 100 272 160] /P 3 0 R /F 4 >>",
    "<< /Type /Annot /Subtype /Widget /FT /Sig /T (Seller) /Rect [320 100 520 160] /P 3 0 R /F 4 >>",
    "<< /Type /Annot /Subtype /Widget /FT /Tx /T (Remark) /Rect [72 200 272 230] /P 3 0 R /F 4 >>",
  ]),
)
const BUYER = { page: "0", x: 72, y: 100, width: 200, height: 60 }
const AT = { page: "1", x: 20, y: 30, width: 200, height: 60 }

describe("visual signatures", () => {
  let service: Service
  const forms = new Map<Version, string>()
  beforeAll(async () => {
    service = await startService()
    for (const v of VERSIONS) forms.set(v, await upload(v, form))
  })
  afterAll(() => service?.close())

  const upload = async (v: Version, pdf: Buffer): Promise<string> =>
    (await service.caller.post(`/${v}/documents`, { title: "Contract", content: pdf.toString("base64") }))
      .body.id
  const entry = (v: Version, email: string, visual_signature?: Json) => ({
    [v === "v1" ? "signer_email_address" : "account_email"]: email,
    ...(visual_signature !== undefined && { visual_signature }),
  })
  const create = (v: Version, signatures: readonly object[], document_id = forms.get(v)) =>
    service.caller.post(`/${v}/signature-requests`, { title: "Contract", document_id, signatures })
  /** The places that a request answers, one for each entry. */
  const placesOf = (v: Version, { signatures }: Json) =>
    signatures.map((s: Json) => (v === "v3" ? s.document_signatures[0] : s).visual_signature)

  /** Creates, and lets everybody sign; answers the signed document and its bytes. */
  const signedWith = async (v: Version, visuals: readonly Json[], documentId = forms.get(v)) => {
    const people = visuals.map((_, i) => `signer-${i}-${randomUUID()}@example.org`)
    const entries = people.map((email, i) => entry(v, email, visuals[i]))
    const created = await create(v, entries, documentId)
    expect(created.status, JSON.stringify(created.body)).toBe(200)
    if (v === "v3") await service.caller.post(`/v3/signature-requests/${created.body.id}/initiate`, {})
    for (const [i, email] of people.entries()) {
      const session = await openSession(service.url, await linkMailedTo(email))
      expect((await session.press(`${["Ann", "Bob", "Cem"][i]} Example`)).status).toBe(202)
      await until("the signature is made", async () => (await session.view()).body.screen === "done")
    }
    const { body } = await service.caller.get(`/v2/signature-requests/${created.body.id}`)
    const document = (await service.caller.get(`/v2/documents/${body.document_id}`)).body
    const bytes = (await service.caller.get(`/v2/documents/${body.document_id}/content`)).bytes
    return { created: created.body, document, bytes }
  }

  it.each(VERSIONS)(
    "[VIS-02] [VIS-03] [VIS-05] %s: each signs in the form field or at the place that was asked for, and one nowhere",
    async (v) => {
      const visuals = [{ form_field: "Buyer" }, { position: AT }, undefined]
      const { created, document, bytes } = await signedWith(v, visuals)
      expect(placesOf(v, created)).toEqual([{ form_field: "Buyer" }, { position: AT }, null])

      // VIS-06, the API's side: the other field is offered to whoever reads the document, and nobody took it.
      const [, , newest, unseen] = document.signature_fields
      expect(document.signature_fields).toEqual([
        { name: "Buyer", signed: true, positions: [BUYER] },
        { name: "Seller", signed: false, positions: [{ ...BUYER, x: 320 }] },
        { name: newest.name, signed: true, positions: [AT] },
        { name: unseen.name, signed: true, positions: [] },
      ])

      expect(await qpdfFaults(bytes)).toBe("")

      const [first, second] = await textOf(bytes)
      const shown = (name: string) =>
        new RegExp(`TEST – no legal effect\\n${name} Example\\n[\\d-]{10} [\\d:]{5} UTC`)
      expect(first).toMatch(shown("Ann"))
      expect(second).toMatch(shown("Bob"))
      expect(first + String(second)).not.toContain("Cem")
      // Upright, and in its place on the page as a person sees it; there is nothing else on this page.
      const ink = await inkOf(bytes, 1)
      const [left, right, bottom, top] = [
        ink.left * 550,
        ink.right * 550,
        (1 - ink.bottom) * 800,
        (1 - ink.top) * 800,
      ]
      expect([left >= AT.x, right <= AT.x + AT.width, bottom >= AT.y, top <= AT.y + AT.height]).toEqual(
        Array(4).fill(true),
      )
      expect(right - left).toBeGreaterThan(2 * (top - bottom))
    },
  )

  const place = (more: Json) => ({ position: { ...AT, ...more } })

  it.each(VERSIONS)("[VIS-02] %s: a name that is no signature field answers 400", async (v) => {
    for (const form_field of ["Nobody", "Remark", "buyer", "", 7, "x".repeat(5_000)])
      expect((await create(v, [entry(v, "a@example.org", { form_field })])).status, `${form_field}`).toBe(400)
    const taken = [
      entry(v, "a@example.org", { form_field: "Buyer" }),
      entry(v, "b@example.org", { form_field: "Buyer" }),
    ]
    const { status, body } = await create(v, taken)
    expect([status, body.message ?? body.detail]).toEqual([400, expect.stringContaining("Buyer")])
  })

  it.each(VERSIONS)("[VIS-03] %s: a place that is not in its page answers 400", async (v) => {
    const bad = [
      { page: "2" },
      { page: "-1" },
      { page: 0 },
      { page: "first" },
      { page: "1e0" },
      { x: -0.01 },
      { y: -1 },
      // In the paper, but not in what is shown of it; and where the page were not turned.
      { x: 351 },
      { y: 741 },
      { x: 600, y: 100 },
      { width: 0 },
      { height: -60 },
      { width: 0.001 },
      { x: 1e308, width: 1e308 },
      { height: 1e300 },
      { x: "20" },
      { x: null },
      { y: undefined },
    ]
    for (const more of bad)
      expect((await create(v, [entry(v, "a@example.org", place(more))])).status, JSON.stringify(more)).toBe(
        400,
      )
    // The edges themselves are in the page.
    for (const more of [{ x: 350 }, { y: 740 }, { x: 0, y: 0, width: 550, height: 800 }])
      expect((await create(v, [entry(v, "a@example.org", place(more))])).status, JSON.stringify(more)).toBe(
        200,
      )
  })

  it.each(VERSIONS)(
    "[VIS-04] %s: a form field and a position together answer 400, and so does neither",
    async (v) => {
      for (const visual of [{ form_field: "Buyer", position: AT }, {}])
        expect((await create(v, [entry(v, "a@example.org", visual)])).status, JSON.stringify(visual)).toBe(
          400,
        )
    },
  )

  it.each(VERSIONS)(
    "%s: who is added later has a place of their own too, and it is judged the same",
    async (v) => {
      const { body } = await create(v, [entry(v, `a-${randomUUID()}@example.org`, { form_field: "Buyer" })])
      const add = (visual: Json) =>
        service.caller.post(
          `/${v}/signature-requests/${body.id}/signatures`,
          entry(v, "b@example.org", visual),
        )
      for (const visual of [{ form_field: "Buyer" }, { form_field: "Remark" }, place({ y: 741 })])
        expect((await add(visual)).status, JSON.stringify(visual)).toBe(400)
      expect((await add({ form_field: "Seller" })).status).toBe(200)
      expect((await add({ position: AT })).status).toBe(200)
      const read = await service.caller.get(`/${v}/signature-requests/${body.id}`)
      expect(placesOf(v, read.body)).toEqual([
        { form_field: "Buyer" },
        { form_field: "Seller" },
        { position: AT },
      ])
    },
  )

  it("v3: one signature is shown at several positions, and is one to whoever asks for signatures", async () => {
    const positions = [AT, { ...AT, y: 300 }, { ...AT, page: "0", x: 350, y: 400 }]
    const { created, document, bytes } = await signedWith("v3", [
      { positions },
      { position: { ...AT, y: 600 } },
    ])
    expect(placesOf("v3", created)[0]).toEqual({ positions })
    const fields = document.signature_fields.filter(({ name }: Json) => name.startsWith("Paraph-"))
    expect(fields.map(({ positions: [at] }: Json) => at)).toEqual([...positions, { ...AT, y: 600 }])
    const [first = "", second = ""] = await textOf(bytes)
    expect([first.match(/Ann Example/g)?.length, second.match(/Ann Example/g)?.length]).toEqual([1, 2])
    const { pyhanko, pdfsig, documentTimestamps } = await judge(bytes)
    expect(new Set(pdfsig)).toEqual(new Set(["Signature is Valid."]))
    expect(pyhanko).toMatchObject(Array(4).fill({ valid: true, trusted: true, bottomLine: true }))
    expect(documentTimestamps).toBe(1)
    expect(bytes.toString("latin1").match(/\/ByteRange/g)).toHaveLength(2 + documentTimestamps)
    const many = Array.from({ length: 51 }, () => AT)
    for (const visual of [{ positions: many }, { positions: [] }, { positions, position: AT }])
      expect((await create("v3", [entry("v3", "a@example.org", visual)])).status).toBe(400)
  })

  it("v3: a signer may have another place in each document", async () => {
    const other = await upload("v3", form)
    const document_signatures = [
      { document_id: forms.get("v3"), visual_signature: { form_field: "Seller" } },
      { document_id: other, visual_signature: { position: AT } },
    ]
    const documents = document_signatures.map(({ document_id: id }) => ({ id }))
    const signatures = [{ account_email: "a@example.org", document_signatures }]
    const { status, body } = await service.caller.post("/v3/signature-requests", {
      title: "Contract",
      documents,
      signatures,
    })
    expect(status).toBe(200)
    expect(body.signatures[0].document_signatures).toMatchObject(document_signatures)
  })
})
