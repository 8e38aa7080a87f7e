import { randomUUID } from "node:crypto"
import { readPng } from "@paraph/pades/png"
import { writeSample } from "@paraph/pades/sample"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { Json } from "../service/api.ts"
import { judge, pdfsigOf } from "../service/judges.ts"
import { inkOf, pictureOf, qpdfFaults, textOf } from "../service/looks.ts"
import { linkMailedTo } from "../service/mailbox.ts"
import { stream } from "../service/odd-pdfs.ts"
import { block } from "../service/pictures.ts"
import { type Service, startService } from "../service/service.ts"
import { openSession, type Signer } from "../service/signer.ts"
import { until } from "../service/until.ts"

const FONT = "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"
/** Two empty pages: one of A4, and one that is turned and shown in part, 550 × 800. */
const empty = writeSample([
  "<< /Type /Catalog /Pages 2 0 R >>",
  "<< /Type /Pages /Kids [3 0 R 4 0 R] /Count 2 >>",
  "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] >>",
  "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 842 595] /CropBox [20 30 820 580] /Rotate 90 >>",
])
/** In German, with a field that nobody has signed, and a line to sign on. */
const form = writeSample([
  "<< /Type /Catalog /Pages 2 0 R /Lang (de) /AcroForm << /Fields [6 0 R] >> >>",
  "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
  "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> /Annots [6 0 R] >>",
  stream(
    "",
    "BT /F1 12 Tf 72 760 Td (Vertrag der Firma Muster, die eine Unterschrift verlangt, wenn beide einig sind.) Tj 0 -460 Td (Unterschrift: ) Tj ET",
  ),
  FONT,
  "<< /Type /Annot /Subtype /Widget /FT /Sig /T (Buyer) /Rect [320 100 520 160] /P 3 0 R /F 4 >>",
])
const BUYER = { page: 0, x: 320, y: 100, width: 200, height: 60 }
const SIZES = [
  { width: 595, height: 842 },
  { width: 550, height: 800 },
]

const drawing = {
  type: "drawn",
  width: 600,
  height: 220,
  strokes: [
    Array.from({ length: 120 }, (_, i) => [40 + 4 * i, Math.round(110 + 90 * Math.sin(i / 8))]).flat(),
    [560, 30],
  ],
}
/** A bar on white, as somebody could have drawn it. */
const picture = block(300, 100, [30, 30, 30], { left: 20, top: 40 })

describe("what a signer chooses to show, and where", () => {
  let service: Service
  const documents = new Map<Uint8Array, string>()
  beforeAll(async () => {
    service = await startService()
    for (const pdf of [empty, form]) {
      const content = Buffer.from(pdf).toString("base64")
      documents.set(pdf, (await service.caller.post("/v2/documents", { title: "Contract", content })).body.id)
    }
  })
  afterAll(() => service?.close())

  /** Somebody who may sign a new request, and its id. */
  const asked = async (pdf: Uint8Array, visual_signature?: Json) => {
    const account_email = `signer-${randomUUID()}@example.org`
    const signatures = [{ account_email, ...(visual_signature !== undefined && { visual_signature }) }]
    const request = { title: "Contract", document_id: documents.get(pdf), signatures }
    const { status, body } = await service.caller.post("/v2/signature-requests", request)
    expect(status, JSON.stringify(body)).toBe(200)
    const session = await openSession(service.url, await linkMailedTo(account_email))
    const view = (await session.view()).body
    return { session, requestId: body.id as string, document: view.documents[0] as Json }
  }
  const finished = async (session: Signer, requestId: string): Promise<Buffer> => {
    await until("the signature is made", async () => (await session.view()).body.screen === "done")
    const { body } = await service.caller.get(`/v2/signature-requests/${requestId}`)
    return (await service.caller.get(`/v2/documents/${body.document_id}/content`)).bytes
  }
  const lookOf = async (session: Signer, type: string, font: string | undefined) => {
    if (type === "drawn") return drawing
    if (type !== "picture") return { type, ...(font !== undefined && { font }) }
    const { status, body } = await session.picture(picture)
    expect(status, JSON.stringify(body)).toBe(201)
    return { type, id: body.id }
  }

  it.each([
    ["plain", undefined, "Ann Example", { page: 0, x: 60, y: 500, width: 180, height: 54 }],
    ["typed", "caveat", "François Müller", { page: 0, x: 300, y: 90, width: 240, height: 80 }],
    ["typed", "dancing-script", "Zoë Ćurčić-Łaß", { page: 0, x: 10, y: 780, width: 60, height: 20 }],
    ["typed", "allura", "Łukasz Řehoř Şahin Țăranu ß", { page: 1, x: 300, y: 40, width: 200, height: 70 }],
    ["drawn", undefined, "Ann Example", { page: 1, x: 20, y: 700, width: 160, height: 60 }],
    ["drawn", undefined, "Ann Example", { page: 0, x: 500, y: 20, width: 60, height: 20 }],
    ["picture", undefined, "Ann Example", { page: 1, x: 200, y: 300, width: 180, height: 80 }],
  ] as const)(
    "[VIS-01] %s %s, %s: is where the signer put it, and valid",
    async (type, font, name, position) => {
      const { session, requestId, document } = await asked(empty)
      expect(document.place.type).toBe("free")
      const look = await lookOf(session, type, font)
      const pressed = await session.press(name, { look, places: [{ documentId: document.id, position }] })
      expect(pressed.status, JSON.stringify(pressed.body)).toBe(202)
      const bytes = await finished(session, requestId)

      expect(await pdfsigOf(bytes)).toEqual(["Signature is Valid."])
      expect(await qpdfFaults(bytes)).toBe("")
      const text = (await textOf(bytes))[position.page] ?? ""
      expect(text).toContain("TEST – no legal effect")
      if (type === "typed") expect(text.replace(/\s+/g, " ")).toContain(name)

      const ink = await inkOf(bytes, position.page)
      const { width, height } = SIZES[position.page] ?? { width: 0, height: 0 }
      const seen = [ink.left * width, ink.right * width, (1 - ink.bottom) * height, (1 - ink.top) * height]
      const [left = 0, right = 0, bottom = 0, top = 0] = seen
      // One dot of the picture is 1.44 points.
      expect(left).toBeGreaterThanOrEqual(position.x - 1.5)
      expect(right).toBeLessThanOrEqual(position.x + position.width + 1.5)
      expect(bottom).toBeGreaterThanOrEqual(position.y - 1.5)
      expect(top).toBeLessThanOrEqual(position.y + position.height + 1.5)
      expect(right - left).toBeGreaterThan(0.4 * position.width)
      expect((await inkOf(bytes, 1 - position.page)).share).toBe(0)
    },
  )

  it("[VIS-07] a fixed place is where it is, and what is shown there is the signer's choice", async () => {
    const { session, requestId, document } = await asked(form, { form_field: "Buyer" })
    expect(document.place).toEqual({ type: "fixed", positions: [BUYER] })
    const look = { type: "typed", font: "allura" }
    const position = { page: 0, x: 10, y: 10, width: 100, height: 40 }
    const moved = await session.press("Ann Example", {
      look,
      places: [{ documentId: document.id, position }],
    })
    expect([moved.status, moved.body.detail]).toEqual([400, expect.stringContaining("fixed")])
    expect((await session.press("Ann Example", { look })).status).toBe(202)
    const bytes = await finished(session, requestId)
    const { pdfsig, pyhanko } = await judge(bytes)
    expect(pdfsig).toEqual(["Signature is Valid."])
    expect(pyhanko).toEqual([expect.objectContaining({ valid: true, intact: true, trusted: true })])
    expect(bytes.toString("latin1")).toMatch(/\+Allura-Regular/)
    expect((await textOf(bytes))[0]).toContain("Ann Example")
  })

  it("[VIS-01] a signature without a place is not seen; one with several is seen at each", async () => {
    const unseen = await asked(empty)
    expect((await unseen.session.press("Ann", { look: { type: "typed", font: "caveat" } })).status).toBe(202)
    const several = await asked(empty)
    const position = { page: 0, x: 60, y: 60, width: 150, height: 50 }
    const places = [position, { ...position, page: 1 }].map((each) => ({
      documentId: several.document.id,
      position: each,
    }))
    expect((await several.session.press("Ann", { look: drawing, places })).status).toBe(202)
    const nowhere = await finished(unseen.session, unseen.requestId)
    expect((await inkOf(nowhere, 0)).share + (await inkOf(nowhere, 1)).share).toBe(0)
    const both = await finished(several.session, several.requestId)
    expect(Math.min((await inkOf(both, 0)).share, (await inkOf(both, 1)).share)).toBeGreaterThan(0)
  })

  it("refuses what is not in the page, not this person's, or more than allowed; and changes nothing by it", async () => {
    const { session, document } = await asked(empty)
    const position = { page: 0, x: 60, y: 60, width: 150, height: 50 }
    const at = (more: object, documentId = document.id) => [
      { documentId, position: { ...position, ...more } },
    ]
    const stroke = drawing.strokes
    const bad: { look?: object; places?: readonly object[] }[] = [
      { places: at({ page: 2 }) },
      { places: at({ x: 500 }) },
      { places: at({ page: 1, x: 401 }) },
      { places: at({ width: 0 }) },
      { places: at({}, randomUUID()) },
      { places: at({}, documents.get(form)) },
      { places: Array.from({ length: 51 }, () => at({})[0] ?? {}) },
      { places: Array.from({ length: 201 }, () => at({})[0] ?? {}) },
      { look: { type: "typed", font: "comic-sans" } },
      { look: { type: "picture", id: randomUUID() } },
      { look: { ...drawing, strokes: [] } },
      { look: { ...drawing, strokes: [[1, 2, 3]] } },
      { look: { ...drawing, strokes: [[1, 221]] } },
      { look: { ...drawing, strokes: [[1.5, 2]] } },
      { look: { ...drawing, width: 100_000 } },
      { look: { ...drawing, strokes: Array.from({ length: 301 }, () => [1, 1]) } },
      { look: { ...drawing, strokes: Array.from({ length: 60 }, () => stroke[0]) } },
      { look: { type: "plain", more: 1 } },
    ]
    for (const chosen of bad)
      expect((await session.press("Ann", chosen)).status, JSON.stringify(chosen).slice(0, 200)).toBe(400)
    expect((await session.view()).body.screen).toBe("read")
  })

  it("takes a picture in, cleaned, for this person alone, until the signature is made", async () => {
    const [ann, bob] = [await asked(empty), await asked(empty)]
    const { body: first } = await ann.session.picture(picture)
    const { body: sent } = await ann.session.picture(picture)
    expect(sent).toEqual({ id: expect.any(String), width: expect.any(Number), height: expect.any(Number) })
    // The empty margin is gone.
    expect(sent.width / sent.height).toBeGreaterThan(6)
    const got = await ann.session.get(`/signature/picture/${sent.id}`)
    expect([got.status, got.headers.get("content-type")]).toEqual([200, "image/png"])
    expect(pictureOf(got.bytes)).toEqual({ type: "png", width: sent.width, height: sent.height })
    expect(readPng(got.bytes).width).toBe(sent.width)
    for (const [session, id] of [
      [ann.session, first.id],
      [bob.session, sent.id],
    ] as const)
      expect((await session.get(`/signature/picture/${id}`)).status).toBe(404)
    expect((await bob.session.press("Bob", { look: { type: "picture", id: sent.id } })).status).toBe(400)

    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')
    expect((await ann.session.picture(svg)).status).toBe(400)
    expect((await ann.session.picture(picture, "image/svg+xml")).status).toBe(415)
    expect((await ann.session.picture(Buffer.alloc(5_000_001))).status).toBe(413)
    // What was refused did not take its place.
    expect((await ann.session.press("Ann", { look: { type: "picture", id: sent.id } })).status).toBe(202)
    await finished(ann.session, ann.requestId)
    expect((await ann.session.get(`/signature/picture/${sent.id}`)).status).toBe(404)
    expect((await ann.session.picture(picture)).status).toBe(400)
  })

  it("[VIS-06] offers the fields of the document, words such as Unterschrift, and the end of it", async () => {
    const { session, document } = await asked(form)
    expect(document.place).toEqual({
      type: "free",
      hints: [
        { ...BUYER, why: "field" },
        { page: 0, x: 56, y: 56, width: 180, height: 54, why: "last-page" },
      ],
    })
    const { status, body } = await session.get(`/documents/${document.id}/hints`)
    expect(status).toBe(200)
    const [field, word, last] = body.hints
    expect(body.hints.map(({ why }: Json) => why)).toEqual(["field", "words", "last-page"])
    expect(field).toEqual({ ...BUYER, why: "field" })
    // To the right of "Unterschrift:", which ends at about 143 points, on its line, 300 points above the edge.
    expect(word.x).toBeGreaterThan(140)
    expect(word.x).toBeLessThan(170)
    expect(word.y).toBeGreaterThan(285)
    expect(word.y).toBeLessThan(305)
    expect(last.page).toBe(0)
    const places = [{ documentId: document.id, position: { ...word, why: undefined } }]
    expect((await session.press("Ann", { places })).status).toBe(202)

    const read = await session.get(`/documents/${document.id}/pages/0/text`)
    expect(read.body.language).toBe("de")
    expect(read.body.lines.map(({ text }: Json) => text)).toEqual([
      "Vertrag der Firma Muster, die eine Unterschrift verlangt, wenn beide einig sind.",
      "Unterschrift:",
    ])
    expect((await session.get(`/documents/${document.id}/pages/1/text`)).status).toBe(404)
    const other = documents.get(empty)
    expect((await session.get(`/documents/${other}/pages/0/text`)).status).toBe(404)
    expect((await session.get(`/documents/${other}/hints`)).status).toBe(404)
  })
})
