import { globSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describePdf } from "@paraph/pades/describe"
import { PdfRefused } from "@paraph/pades/refused"
import { asSource } from "@paraph/pades/source"
import fc from "fast-check"
import { afterAll, describe, expect, it } from "vitest"
import { handMadePdf } from "../testing/hand-made-pdf.ts"
import { sealedFileOf } from "../testing/sealed-file.ts"
import { TENANT } from "../testing/tenant.ts"
import { startPdfium } from "./pdfium.ts"
import { createPdfRooms } from "./rooms.ts"
import { checkView } from "./view-check.ts"

// biome-ignore lint/style/noProcessEnv: the corpora are found by it.
const corpora = process.env.PARAPH_CORPORA
const LIMITS = { maxPixels: 100_000_000, budgetMs: 20_000 }

const folder = mkdtempSync(join(tmpdir(), "paraph-view-"))
const rooms = createPdfRooms({ folder, warm: 0 })
const pdfium = await startPdfium()

afterAll(async () => {
  await rooms.close()
  rmSync(folder, { recursive: true })
})

/** As the service does; `always` compares pages that have nothing to compare, too. */
function check(file: Uint8Array, { always = false } = {}) {
  const source = asSource(file)
  const { pageCount, shownFields, hasLayers } = describePdf(source)
  return checkView(pdfium, source, { pageCount, shownFields, hasLayers: hasLayers || always, ...LIMITS })
}

const reasons = (file: Uint8Array) => check(file).map(({ reason }) => reason)

type Parts = {
  readonly content?: string
  readonly catalog?: string
  readonly annotations?: readonly string[]
  readonly appearance?: string
}

/** One page of 200 by 200 points; the annotations are objects from 6 on, and object 5 is the appearance of all. */
function pageWith({ content = "", catalog = "", annotations = [], appearance = "" }: Parts): Uint8Array {
  const stream = (entries: string, data: string) =>
    `<< ${entries} /Length ${data.length} >>\nstream\n${data}\nendstream`
  const font = "/Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >>"
  const refs = annotations.map((_, i) => `${i + 6} 0 R`).join(" ")
  const objects = [
    `<< /Type /Catalog /Pages 2 0 R ${catalog} >>`,
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] /Contents 4 0 R /Resources << ${font} >> /Annots [${refs}] >>`,
    stream("", content),
    stream(`/Type /XObject /Subtype /Form /BBox [0 0 100 20] /Resources << ${font} >>`, appearance),
    ...annotations,
  ]
  let file = "%PDF-1.7\n"
  const offsets = objects.map((body, i) => {
    const at = file.length
    file += `${i + 1} 0 obj\n${body}\nendobj\n`
    return at
  })
  const rows = offsets.map((at) => `${String(at).padStart(10, "0")} 00000 n \n`).join("")
  const size = objects.length + 1
  return Buffer.from(
    `${file}xref\n0 ${size}\n0000000000 65535 f \n${rows}trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${file.length}\n%%EOF\n`,
    "latin1",
  )
}

const FORM = "/AcroForm << /Fields [6 0 R] /DA (/F 12 Tf) >>"
const TEXT = "BT /F 12 Tf 20 100 Td (Price: 100000) Tj ET"
const SHOWS_100 = "1 g 0 0 100 20 re f 0 g BT /F 12 Tf 2 5 Td (100) Tj ET"
const field = (flags: number, value = "100") =>
  `<< /Type /Annot /Subtype /Widget /FT /Tx /T (price) /V (${value}) /Rect [20 95 120 115] /F ${flags} /AP << /N 5 0 R >> >>`
const stamp = (flags: number) =>
  `<< /Type /Annot /Subtype /Stamp /Rect [20 95 120 115] /F ${flags} /AP << /N 5 0 R >> >>`

describe("[B2] a page that is not the same on screen and in print", () => {
  it.each([
    ["a stamp for print alone", { content: TEXT, annotations: [stamp(36)], appearance: SHOWS_100 }],
    ["a stamp for the screen alone", { content: TEXT, annotations: [stamp(0)], appearance: SHOWS_100 }],
    ["a field for print alone", { catalog: FORM, annotations: [field(36)], appearance: SHOWS_100 }],
    [
      "a field for the screen that covers text",
      { content: TEXT, catalog: FORM, annotations: [field(0)], appearance: SHOWS_100 },
    ],
  ])("is found: %s", (_, parts) => {
    expect(reasons(pageWith(parts))).toContain("screen-print-difference")
  })

  const box = (rect: string, more = "/V /Yes /AS /Yes /AP << /N << /Yes 5 0 R >> >>") =>
    `<< /Type /Annot /Subtype /Widget /FT /Btn /T (box) /Rect [${rect}] /F 0 ${more} >>`
  const LIABLE = "BT /F 12 Tf 20 100 Td (is) Tj 120 0 Td (liable) Tj ET"
  const NOT = "BT /F 12 Tf 2 5 Td (not) Tj ET"

  it.each([
    ["a check box that shows words", box("40 95 140 115"), NOT],
    ["a small check box that shows words", box("40 95 63 118"), NOT],
    ["a radio button that shows words", box("40 95 140 115").replace("/Btn", "/Btn /Ff 32768"), NOT],
    ["a text field near words, whose value is what it shows", field(0, "not"), NOT],
  ])("is found where print leaves out %s", (_, annotation, appearance) => {
    const file = pageWith({ content: LIABLE, catalog: FORM, annotations: [annotation], appearance })
    expect(reasons(file)).toContain("screen-print-difference")
  })

  it.each([
    ["a tick", "2 2 10 10 re f"],
    ["a tick that is a character", "BT /F 12 Tf 2 5 Td (X) Tj ET"],
  ])("is accepted where print leaves out %s", (_, appearance) => {
    const annotations = [box("40 95 56 111")]
    expect(check(pageWith({ content: LIABLE, catalog: FORM, annotations, appearance }))).toEqual([])
  })

  it("is accepted where print leaves out the frame of an empty field", () => {
    const appearance = "0 0 100 20 re S"
    const content = "BT /F 12 Tf 20 140 Td (Name) Tj ET"
    const file = pageWith({ content, catalog: FORM, annotations: [field(0, "")], appearance })
    expect(check(file)).toEqual([])
  })

  it("is found where the value of a field that is not printed was not compared", () => {
    const password = field(0).replace("/FT /Tx", "/FT /Tx /Ff 8192")
    expect(reasons(pageWith({ catalog: FORM, annotations: [password], appearance: SHOWS_100 }))).toContain(
      "screen-print-difference",
    )
  })

  it("is accepted where a field that is not printed leaves a blank area", () => {
    expect(check(pageWith({ catalog: FORM, annotations: [field(0)], appearance: SHOWS_100 }))).toEqual([])
  })

  it("is not found where both show the stamp, or neither", () => {
    for (const flags of [4, 2, 38])
      expect(check(pageWith({ content: TEXT, annotations: [stamp(flags)], appearance: SHOWS_100 }))).toEqual(
        [],
      )
  })
})

describe("[B2] a field that shows another text than its value", () => {
  it("is found, with both texts", () => {
    const file = pageWith({ catalog: FORM, annotations: [field(4, "100000")], appearance: SHOWS_100 })
    expect(check(file)).toEqual([
      {
        reason: "field-value",
        detail: 'The field "price" on page 1 shows "100", and its value is "100000".',
      },
    ])
  })

  const WHOLE = "BT /F 12 Tf 2 5 Td (100000) Tj ET"
  it.each([
    ["white", `1 g ${WHOLE}`],
    ["clipped", `0 0 22 20 re W n ${WHOLE}`],
    ["covered", `${WHOLE} 1 g 22 0 78 20 re f`],
  ])("is found where a part of its text is %s", (_, appearance) => {
    const file = pageWith({ catalog: FORM, annotations: [field(4, "100000")], appearance })
    expect(reasons(file)).toEqual(["field-value"])
  })

  it("is found where its text has the place of white text of the page", () => {
    const content = "1 g BT /F 12 Tf 1 0 0 1 42.016 100 Tm (000) Tj ET"
    const file = pageWith({ content, catalog: FORM, annotations: [field(4)], appearance: WHOLE })
    expect(reasons(file)).toEqual(["field-value"])
  })

  it("is found where the origin of its text is outside of the field", () => {
    const appearance = "BT /F 12 Tf 2 5 Td (100) Tj 20 -5.3 Td (000) Tj ET"
    const file = pageWith({ catalog: FORM, annotations: [field(4)], appearance })
    expect(reasons(file)).toEqual(["field-value"])
  })

  it("is not confused by the text of the page below it", () => {
    const file = pageWith({ content: TEXT, catalog: FORM, annotations: [field(4)], appearance: SHOWS_100 })
    expect(check(file)).toEqual([])
  })
})

describe("PDFium draws a page without annotations and layers the same for screen and print", () => {
  const number = fc.integer({ min: 0, max: 200 })
  const color = fc
    .tuple(fc.integer({ min: 0, max: 9 }), fc.constantFrom("g", "G"))
    .map(([n, op]) => `0.${n} ${op}`)
  const operator = fc.oneof(
    color,
    fc
      .tuple(number, number, number, number, fc.constantFrom("f", "S", "B*", "W n"))
      .map(([x, y, w, h, op]) => `${x} ${y} ${w} ${h} re ${op}`),
    fc.tuple(number, number, number, number).map(([a, b, c, d]) => `${a} ${b} m ${c} ${d} l S`),
    fc
      .tuple(number, number, fc.integer({ min: 0, max: 7 }), fc.stringMatching(/^[A-Za-z0-9 ]{1,20}$/))
      .map(([x, y, mode, text]) => `BT ${mode} Tr /F 9 Tf ${x} ${y} Td (${text}) Tj ET`),
    fc.integer({ min: 0, max: 12 }).map((width) => `${width} w`),
  )

  it("whatever it draws", () => {
    fc.assert(
      fc.property(fc.array(operator, { maxLength: 30 }), (drawn) => {
        expect(check(pageWith({ content: drawn.join("\n") }), { always: true })).toEqual([])
      }),
      { numRuns: 200 },
    )
  })

  it.skipIf(corpora === undefined)("in each PDF/A file of the corpora", () => {
    const files = globSync("pdfa/**/*.pdf", { cwd: corpora ?? "" })
    expect(files.length).toBeGreaterThan(100)
    for (const name of files)
      expect([name, check(readFileSync(join(corpora ?? "", name)), { always: true })]).toEqual([name, []])
  })
})

describe("[B9] a document that cannot be rendered", () => {
  const inProcess = async (file: Uint8Array, budgetMs = 3_000) => {
    const options = { pageCount: 1, shownFields: [], hasLayers: false, maxPixels: LIMITS.maxPixels, budgetMs }
    return rooms.checkView(await sealedFileOf(file, folder), TENANT, options)
  }

  it("is answered in a process of its own when it can", async () => {
    expect(await inProcess(handMadePdf(["0 0 10 10 re f"]))).toEqual([])
  })

  it("is found where the renderer counts other pages", async () => {
    const file = await sealedFileOf(handMadePdf(["", ""]), folder)
    const options = { pageCount: 3, shownFields: [], hasLayers: false, ...LIMITS }
    expect(await rooms.checkView(file, TENANT, options)).toEqual([
      { reason: "page-not-renderable", detail: "The renderer finds 2 pages, the parser 3." },
    ])
  })

  it("is found where its pages are more than the budget", async () => {
    const file = await sealedFileOf(handMadePdf(["", ""]), folder)
    const options = { pageCount: 2, shownFields: [], hasLayers: false, maxPixels: 90_000, budgetMs: 3_000 }
    expect((await rooms.checkView(file, TENANT, options)).map(({ reason }) => reason)).toEqual([
      "render-budget",
    ])
  })

  it.skipIf(corpora === undefined).each(["blend", "flate2", "laughs"])(
    "is refused within its budget: %s",
    async (name) => {
      const file = readFileSync(join(corpora ?? "", `attacks/screen-and-print/${name}.pdf`))
      await expect(inProcess(file)).rejects.toBeInstanceOf(PdfRefused)
    },
  )
})
