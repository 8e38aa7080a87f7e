import { createHash } from "node:crypto"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { VERSIONS } from "../service/api.ts"
import { signedElsewhere } from "../service/odd-pdfs.ts"
import { type Service, startService } from "../service/service.ts"
import { documentCount } from "../service/stored.ts"

const AMBIGUOUS = "file.pdf.ambiguous_view"
const ACTIVE = "file.pdf.active_content"
const NOT_RENDERABLE = "file.pdf.not_renderable"

/** Every file of the folder, with the key of its refusal and words of the reason; null for one that is accepted. */
const EXPECTED: Readonly<Record<string, readonly [key: string, words: string] | null>> = {
  "annot_noview_print.pdf": [AMBIGUOUS, "Page 1 looks different on screen and in print."],
  "annot_screen_only.pdf": [AMBIGUOUS, "Page 1 looks different on screen and in print."],
  "annot_togglenoview.pdf": [AMBIGUOUS, "ToggleNoView"],
  "blend.pdf": [NOT_RENDERABLE, ""],
  "click_gotoe.pdf": [ACTIVE, '"GoToE"'],
  "click_gotor.pdf": [ACTIVE, '"GoToR"'],
  "click_hide.pdf": [ACTIVE, '"Hide"'],
  "click_importdata.pdf": [ACTIVE, '"ImportData"'],
  "click_submit.pdf": [ACTIVE, '"SubmitForm"'],
  "click_uri.pdf": null,
  "embedded_exe.pdf": ["file.pdf.embedded_executable", '"invoice.exe"'],
  "flate2.pdf": ["file.pdf.general_error", "decode to more than"],
  "form_field.pdf": null,
  "form_needappearances.pdf": [AMBIGUOUS, "NeedAppearances"],
  "form_v_ap_mismatch.pdf": [AMBIGUOUS, 'shows "100", and its value is "100000"'],
  "image_alternates.pdf": [AMBIGUOUS, "/Alternates"],
  "img_huge.pdf": [NOT_RENDERABLE, "900 million pixels"],
  "js.pdf": [ACTIVE, "JavaScript"],
  "laughs.pdf": [NOT_RENDERABLE, ""],
  "ocg_click.pdf": [AMBIGUOUS, "hidden in print"],
  "ocg_print.pdf": [AMBIGUOUS, "hidden in print"],
  "ocg_zoom.pdf": [AMBIGUOUS, "zoom levels"],
  "open_uri.pdf": [ACTIVE, "without a click"],
  "plain.pdf": null,
}

const corpora = process.env.PARAPH_CORPORA
const FOLDER = join(corpora ?? "", "attacks/screen-and-print")

describe.skipIf(corpora === undefined)("what a signer sees is what is signed", () => {
  let service: Service
  beforeAll(async () => {
    service = await startService({ worker: false })
  })
  afterAll(() => service?.close())

  const upload = (version: string, file: Buffer, more: object = {}) =>
    service.caller.post(`/${version}/documents`, {
      title: "Contract",
      content: file.toString("base64"),
      ...more,
    })

  it("[B2] [B9] the corpus of documents with two views is the one that is expected", () => {
    const files = readdirSync(FOLDER).filter((name) => name.endsWith(".pdf"))
    expect(files.sort()).toEqual(Object.keys(EXPECTED).sort())
  })

  it.each(Object.entries(EXPECTED))("[B2] [B9] %s gets its answer at upload", async (name, expected) => {
    const before = await documentCount(service)
    const { status, body } = await upload("v3", readFileSync(join(FOLDER, name)))
    if (expected === null) return expect([status, body.title]).toEqual([200, "Contract"])
    const [key, words] = expected
    expect([status, body.key, body.message]).toEqual([400, key, expect.stringContaining(words)])
    expect(body.message).toContain(words)
    expect(await documentCount(service)).toBe(before)
  })

  it.each(VERSIONS)("[B2] %s refuses a document with two views", async (version) => {
    const { status, body } = await upload(version, readFileSync(join(FOLDER, "annot_noview_print.pdf")))
    expect([status, body.key]).toEqual([400, AMBIGUOUS])
    expect(body.message).toContain("flatten=true")
  })

  const FLATTENED: Readonly<Record<string, string>> = {
    "annot_noview_print.pdf": 'The "Stamp" annotation on page 1 is now part of the page, as it is printed.',
    "annot_screen_only.pdf": 'The "Stamp" annotation on page 1 was removed: print does not show it.',
    "annot_togglenoview.pdf": 'The "Stamp" annotation on page 1 is now part of the page, as it is printed.',
    "click_submit.pdf": 'An action of type "SubmitForm" was removed.',
    "embedded_exe.pdf": 'The embedded file "invoice.exe" was removed.',
    "form_v_ap_mismatch.pdf":
      'The form field "price" on page 1 is now part of the page, as it is printed. Its stored value "100000" was removed.',
    "image_alternates.pdf": "The version of an image for print was removed.",
    "js.pdf": 'An action of type "JavaScript" was removed.',
    "ocg_print.pdf": 'The layer "b" is always shown now, as in print.',
    "ocg_zoom.pdf": 'The layer "z" is hidden now, as in print. Its content is still in the file.',
  }

  it.each(Object.entries(FLATTENED))(
    "[B2] %s is flattened where the sender asks for it",
    async (name, change) => {
      const file = readFileSync(join(FOLDER, name))
      const { status, body } = await upload("v3", file, { flatten: true })
      expect([status, body.flattened?.changes]).toEqual([200, expect.arrayContaining([change])])
      expect(body.flattened.original_sha256).toBe(createHash("sha256").update(file).digest("hex"))
      const read = await service.caller.get(`/v3/documents/${body.id}`)
      expect(read.body.flattened).toEqual(body.flattened)
    },
  )

  it.each(VERSIONS)("[B2] %s flattens, and leaves alone what needs no flattening", async (version) => {
    const changed = await upload(version, readFileSync(join(FOLDER, "ocg_print.pdf")), { flatten: true })
    expect([changed.status, changed.body.flattened.changes.length]).toEqual([200, 2])
    const plain = await upload(version, readFileSync(join(FOLDER, "form_field.pdf")), { flatten: true })
    expect([plain.status, plain.body.flattened]).toEqual([200, undefined])
  })

  it.each(VERSIONS)("[B2] %s says of active content, too, that flattening removes it", async (version) => {
    const { body } = await upload(version, readFileSync(join(FOLDER, "js.pdf")))
    expect(body.message).toContain("Upload it with flatten=true to remove this")
  })

  it("[B2] a request with content, which is not flattened, names the call that does it", async () => {
    for (const name of ["js.pdf", "ocg_print.pdf"]) {
      const { status, body } = await service.caller.post("/v2/signature-requests", {
        title: "Contract",
        content: readFileSync(join(FOLDER, name)).toString("base64"),
        flatten: true,
        signatures: [{ account_email: "ada@example.com" }],
      })
      expect(status).toBe(400)
      expect(body.message).toContain("Upload it to POST /documents with flatten=true first")
    }
  })

  it("[B2] a signed document is not flattened, and the refusal says so", async () => {
    const signed = await signedElsewhere(readFileSync(join(FOLDER, "annot_screen_only.pdf")))
    const { status, body } = await upload("v3", signed, { flatten: true })
    expect([status, body.key]).toEqual([400, AMBIGUOUS])
    expect(body.message).toContain("The PDF is signed, so it cannot be flattened.")
  })

  it("[B9] a document that cannot be rendered is not flattened either", async () => {
    const { status, body } = await upload("v3", readFileSync(join(FOLDER, "laughs.pdf")), { flatten: true })
    expect([status, body.key]).toEqual([400, NOT_RENDERABLE])
  })

  it("[B2] a form that readers draw again is not flattened where its pages would look different", async () => {
    const file = readFileSync(join(FOLDER, "form_needappearances.pdf"))
    const { status, body } = await upload("v3", file, { flatten: true })
    expect([status, body.key]).toEqual([400, AMBIGUOUS])
    expect(body.message).toContain("Page 1 would not look as it is printed. Print it into a new PDF")
  })

  it("[B9] a request opens with a watermarked document, which is rendered first", async () => {
    const { body: document } = await upload("v3", readFileSync(join(FOLDER, "plain.pdf")))
    const marked = await service.caller.post(`/v3/documents/${document.id}/watermark`, { text: "COPY" })
    const { status } = await service.caller.post("/v2/signature-requests", {
      title: "Contract",
      document_id: marked.body.id,
      signatures: [{ account_email: "ada@example.com" }],
    })
    expect(status).toBe(200)
  })
})
