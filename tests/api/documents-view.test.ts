import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { VERSIONS } from "../service/api.ts"
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
  "flate2.pdf": [NOT_RENDERABLE, ""],
  "form_field.pdf": null,
  "form_needappearances.pdf": [AMBIGUOUS, "NeedAppearances"],
  "form_v_ap_mismatch.pdf": [AMBIGUOUS, 'shows "100", and its value is "100000"'],
  "image_alternates.pdf": [AMBIGUOUS, "/Alternates"],
  "img_huge.pdf": [NOT_RENDERABLE, ""],
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
})
