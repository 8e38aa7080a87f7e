import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { VERSIONS } from "../service/api.ts"
import { ACTIVE, encryptedPdf, oddPdf, signedElsewhere, xfaPdf } from "../service/odd-pdfs.ts"
import { contractPdf } from "../service/pdf.ts"
import { type Service, startService } from "../service/service.ts"
import { documentCount } from "../service/stored.ts"

const pdf = contractPdf()

/** Each kind of file that is not taken, with the key that says why. */
async function kinds(): Promise<Readonly<Record<string, readonly [Buffer, string]>>> {
  const active = Object.entries(ACTIVE).map(([name, file]) => [name, [file, "file.pdf.active_content"]])
  return {
    "a text": [Buffer.from("hello"), "file.pdf.corrupt"],
    nothing: [Buffer.alloc(0), "file.pdf.corrupt"],
    "a PDF that breaks off": [pdf.subarray(0, 300), "file.pdf.corrupt"],
    "a PDF whose table points elsewhere": [
      Buffer.from(pdf.toString("latin1").replaceAll(/(\d{10}) 00000 n/g, "0000000003 00000 n"), "latin1"),
      "file.pdf.corrupt",
    ],
    "one with a password": [await encryptedPdf("secret"), "file.pdf.encrypted"],
    "one with a password for changes alone": [await encryptedPdf(""), "file.pdf.encrypted"],
    "one that its first signer locked": [await signedElsewhere(pdf, 1), "file.pdf.locked"],
    "an XFA form": [xfaPdf, "file.pdf.xfa"],
    "one nested deeper than we follow": [
      oddPdf({ page: `/Deep ${"[".repeat(5_000)}${"]".repeat(5_000)}` }),
      "file.pdf.general_error",
    ],
    ...Object.fromEntries(active),
  }
}

describe("files that are not taken", () => {
  let service: Service
  beforeAll(async () => {
    service = await startService({ worker: false })
  })
  afterAll(() => service?.close())

  const upload = (v: string, file: Buffer, more: object = {}) =>
    service.caller.post(`/${v}/documents`, { title: "Contract", content: file.toString("base64"), ...more })

  it.each(VERSIONS)(
    "[R20] [DOC-04] %s: each kind is told by a key of its own, and nothing is kept",
    async (v) => {
      const before = await documentCount(service)
      for (const [name, [file, key]] of Object.entries(await kinds())) {
        const { status, body } = await upload(v, file)
        expect([name, status, body.key]).toEqual([name, 400, key])
        expect(body.message).not.toBe("")
      }
      const other = await upload(v, pdf, { content_type: "image/png" })
      expect([other.status, other.body.key]).toEqual([400, "file.pdf.general_error"])
      expect(await documentCount(service)).toBe(before)
    },
  )

  it("but a signed one is taken where its signature allows another", async () => {
    for (const certify of [undefined, 2, 3] as const) {
      const { status, body } = await upload("v2", await signedElsewhere(pdf, certify))
      expect([certify, status]).toEqual([certify, 200])
      expect(body.signature_fields).toMatchObject([{ name: "Elsewhere", signed: true }])
    }
  })

  it("and a link, a form and an attachment do nothing by themselves", async () => {
    const link =
      "<< /Type /Annot /Subtype /Link /Rect [0 0 9 9] /A << /S /URI /URI (https://example.org/) >> >>"
    const field = "<< /Type /Annot /Subtype /Widget /FT /Tx /T (name) /Rect [9 9 99 29] /P 3 0 R >>"
    const harmless = oddPdf({
      catalog: "/AcroForm << /Fields [6 0 R] >> /OpenAction [3 0 R /Fit]",
      page: `/Annots [6 0 R ${link}]`,
      objects: [field],
    })
    expect((await upload("v2", harmless)).status).toBe(200)
  })
})
