import { deflateSync } from "node:zlib"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { PdfRefused } from "../refused.ts"
import { samplePdf, writeSample } from "../sample.ts"
import type { Source } from "../source.ts"
import { describePdf } from "./describe.ts"

const CATALOG = "<< /Type /Catalog /Pages 2 0 R >>"
const PAGES = "<< /Type /Pages /Kids [3 0 R] /Count 1 >>"
const onePage = (entries: string) =>
  writeSample([CATALOG, PAGES, `<< /Type /Page /Parent 2 0 R ${entries} >>`])
const withForm = (form: string, ...more: string[]) =>
  writeSample([
    `<< /Type /Catalog /Pages 2 0 R /AcroForm ${form} >>`,
    PAGES,
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 10 10] >>",
    ...more,
  ])

describe("the first page as a person sees it", () => {
  it.each([
    ["in whole points", "/MediaBox [0 0 595.28 841.89]", 595, 842],
    ["with corners in any order", "/MediaBox [100 300 0 100]", 100, 200],
    ["cropped", "/MediaBox [0 0 600 800] /CropBox [10 10 110 210]", 100, 200],
    ["cropped no further than the paper", "/MediaBox [0 0 600 800] /CropBox [-50 -50 300 9000]", 300, 800],
    ["turned", "/MediaBox [0 0 600 800] /Rotate 90", 800, 600],
    ["turned backwards", "/MediaBox [0 0 600 800] /Rotate -90", 800, 600],
    ["turned over", "/MediaBox [0 0 600 800] /Rotate 180", 600, 800],
    ["in a larger unit", "/MediaBox [0 0 600 800] /UserUnit 2", 1200, 1600],
  ])("%s", (_, entries, width, height) => {
    expect(describePdf(onePage(entries))).toMatchObject({
      pageCount: 1,
      pageWidth: width,
      pageHeight: height,
    })
  })

  it("inherits its size, and all pages are counted", () => {
    expect(describePdf(samplePdf({ pages: 70 }))).toEqual({
      pageCount: 70,
      pageWidth: 595,
      pageHeight: 842,
      pageSizes: [{ count: 70, width: 595.28, height: 841.89 }],
      signatureFields: [],
      pdfa: null,
      locked: false,
      active: [],
      conditional: [],
      hasLayers: false,
      imagePixels: { total: 0, largest: 0, largestObject: 0 },
      shownFields: [],
    })
  })
})

describe("the sizes of all pages, as a person sees them", () => {
  const sizes = (...pages: readonly string[]) => {
    const kids = pages.map((_, i) => `${i + 3} 0 R`).join(" ")
    const root = `<< /Type /Pages /Kids [${kids}] /Count ${pages.length} /MediaBox [0 0 600 800] >>`
    const each = pages.map((entries) => `<< /Type /Page /Parent 2 0 R ${entries} >>`)
    return describePdf(writeSample([CATALOG, root, ...each])).pageSizes
  }
  const A = { width: 600, height: 800 }

  it("are told once for pages that follow each other", () => {
    expect(
      sizes("", "/Rotate 180", "/CropBox [0 0 900 900]", "/Rotate 90", "/MediaBox [5 5 805 605]", ""),
    ).toEqual([
      { count: 3, ...A },
      { count: 2, width: 800, height: 600 },
      { count: 1, ...A },
    ])
  })

  it("are cropped, and in points where the unit is larger", () => {
    expect(sizes("", "/CropBox [10 20 110.12344 220]", "/UserUnit 1.5")).toEqual([
      { count: 1, ...A },
      { count: 1, width: 100.1234, height: 200 },
      { count: 1, width: 900, height: 1200 },
    ])
  })

  it("are nothing for a page that has no sound one", () => {
    expect(sizes("", "/MediaBox [0 0 0 0]", "/Rotate 45", "/UserUnit 1000", "/MediaBox (wide)")).toEqual([
      { count: 1, ...A },
      { count: 4, width: 0, height: 0 },
    ])
  })

  it("end where pages have differed too often, so that no row grows without an end", () => {
    const differing = Array.from({ length: 1_010 }, (_, i) => `/MediaBox [0 0 ${100 + i} 50]`)
    const told = sizes(...differing, "", "")
    expect(told).toHaveLength(1_000)
    expect(told.at(-1)).toEqual({ count: 1, width: 1_099, height: 50 })
  })
})

describe("signature fields", () => {
  it("are named with their parents, and said to be signed or not", () => {
    const pdf = withForm(
      "<< /Fields [4 0 R 6 0 R 7 0 R] >>",
      "<< /T (part) /FT /Sig /Kids [5 0 R] >>",
      "<< /T (one) /Parent 4 0 R >>",
      "<< /T <feff007a006f00eb> /FT /Sig /V << /Type /Sig >> >>",
      "<< /T (text) /FT /Tx >>",
    )
    expect(describePdf(pdf).signatureFields).toEqual([
      { name: "part.one", signed: false, positions: [] },
      { name: "zoë", signed: true, positions: [] },
    ])
  })

  it("are those where people sign, and the one of a time-stamp over the document is none of them", () => {
    const pdf = withForm(
      "<< /Fields [4 0 R 5 0 R 6 0 R 7 0 R] >>",
      "<< /T (person) /FT /Sig /V << /Type /Sig /SubFilter /ETSI.CAdES.detached >> >>",
      "<< /T (stamp) /FT /Sig /V << /Type /DocTimeStamp >> >>",
      "<< /T (untyped) /FT /Sig /V << /SubFilter /ETSI.RFC3161 >> >>",
      "<< /T (empty) /FT /Sig >>",
    )
    expect(describePdf(pdf).signatureFields.map(({ name }) => name)).toEqual(["person", "empty"])
  })

  it("of a document whose certification allows no change lock it", () => {
    const certified = (permission: string) =>
      withForm(
        "<< /Fields [4 0 R] >> /Perms << /DocMDP 5 0 R >>",
        "<< /T (c) /FT /Sig /V 5 0 R >>",
        `<< /Type /Sig /Reference [<< /TransformMethod /DocMDP /TransformParams << ${permission} >> >>] >>`,
      )
    expect(describePdf(certified("/P 1")).locked).toBe(true)
    expect(describePdf(certified("/P 2")).locked).toBe(false)
    expect(describePdf(certified("")).locked).toBe(false)
  })
})

it.each([
  ["PDF/A-2B", "2", "B"],
  ["PDF/A-1A", "1", "a"],
  ["PDF/A-4", "4", ""],
])("the part of PDF/A that the metadata claim is spelled %s", (spelled, part, conformance) => {
  const rdf = 'xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"'
  const claim = `xmlns:pdfaid="http://www.aiim.org/pdfa/ns/id/" pdfaid:part="${part}" pdfaid:conformance="${conformance}"`
  const xmp = `<rdf:RDF ${rdf}><rdf:Description ${claim}/></rdf:RDF>`
  const pdf = writeSample([
    "<< /Type /Catalog /Pages 2 0 R /Metadata 4 0 R >>",
    PAGES,
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 10 10] >>",
    `<< /Type /Metadata /Length ${xmp.length} >>\nstream\n${xmp}\nendstream`,
  ])
  expect(describePdf(pdf).pdfa).toBe(spelled)
})

it("reads little of a large file, though every object is looked at", () => {
  const picture = Buffer.alloc(30_000_000)
  const pdf = writeSample([
    CATALOG,
    PAGES,
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Resources << /XObject << /I 4 0 R >> >> >>",
    Buffer.concat([
      Buffer.from(`<< /Subtype /Image /Length ${picture.length} >>\nstream\n`),
      picture,
      Buffer.from("\nendstream"),
    ]),
  ])
  let read = 0
  const counted: Source = {
    length: pdf.length,
    read: (start, end) => {
      const bytes = pdf.subarray(start, end)
      read += bytes.length
      return bytes
    },
  }
  expect(describePdf(counted).active).toEqual([])
  expect(read).toBeLessThan(250_000)
})

describe("a PDF that breaks a rule in a way that everybody takes alike is read:", () => {
  const sample = Buffer.from(samplePdf()).toString("latin1")
  it.each([
    ["bytes behind its end", `${sample}\n\0\0 and more`],
    ["white space before its table", sample.replace("xref\n0", "\n \nxref\n0")],
    ["a previous section at 0", Buffer.from(writeSample(bodiesOf(sample), "/Prev 0")).toString("latin1")],
    ["a table that begins with 1", sample.replace("xref\n0 5\n0000000000 65535 f \n", "xref\n1 4\n")],
    ["records that end with CR LF", sample.replace(/ ([nf]) \n/g, " $1\r\n")],
    ["a comment in its table", sample.replace("xref\n0 5\n", "xref % a table\n0 5\n")],
  ])("%s", (_, text) => {
    expect(text).not.toBe(sample)
    expect(describePdf(Buffer.from(text, "latin1"))).toEqual(describePdf(samplePdf()))
  })
})

function bodiesOf(sample: string): string[] {
  return [...sample.matchAll(/\d+ 0 obj\n(.*?)\nendobj/gs)].map(([, body = ""]) => body)
}

describe("a PDF that we could not sign soundly is refused:", () => {
  const bomb = deflateSync(Buffer.alloc(30_000_000))
  const objectStream = Buffer.concat([
    Buffer.from(`<< /Type /ObjStm /N 1 /First 4 /Filter /FlateDecode /Length ${bomb.length} >>\nstream\n`),
    bomb,
    Buffer.from("\nendstream"),
  ])
  it.each([
    ["no PDF", "corrupt", Buffer.from("Hello")],
    ["nothing", "corrupt", new Uint8Array()],
    ["encryption", "encrypted", writeSample([CATALOG, PAGES, "<< /Type /Page >>"], "/Encrypt << /V 4 >>")],
    ["an XFA form", "xfa", withForm("<< /Fields [] /XFA [] >>")],
    ["a loop in the page tree", "corrupt", writeSample([CATALOG, "<< /Type /Pages /Kids [2 0 R] >>"])],
    [
      "a page with two parents",
      "corrupt",
      writeSample([
        CATALOG,
        "<< /Type /Pages /Kids [3 0 R 3 0 R] >>",
        "<< /Type /Page /MediaBox [0 0 9 9] >>",
      ]),
    ],
    ["a loop in the form", "corrupt", withForm("<< /Fields [4 0 R] >>", "<< /T (a) /Kids [4 0 R] >>")],
    ["no page", "corrupt", writeSample([CATALOG, "<< /Type /Pages /Kids [] >>"])],
    ["no page size", "corrupt", onePage("")],
    ["an empty page", "corrupt", onePage("/MediaBox [0 0 0 100]")],
    ["a page too large", "too-complex", onePage("/MediaBox [0 0 14401 100]")],
    ["nested arrays", "too-complex", onePage(`/A ${"[".repeat(5_000)}${"]".repeat(5_000)}`)],
    ["a key given twice", "corrupt", onePage("/MediaBox [0 0 9 9] /MediaBox [0 0 10 10]")],
    ["a catalog that is none", "corrupt", writeSample(["<< /Type /Pages >>"])],
    ["a catalog in a bomb", "too-complex", withPackedCatalog(objectStream)],
  ])("%s", (_, code, pdf) => {
    expect(refusalOf(pdf)).toBe(code)
  })

  it("a cross-reference chain that bites its tail", () => {
    const bodies = [CATALOG, PAGES, "<< /Type /Page /MediaBox [0 0 9 9] >>"]
    const own = Buffer.from(writeSample(bodies)).indexOf("\nxref\n") + 1
    expect(refusalOf(writeSample(bodies))).toBeUndefined()
    expect(refusalOf(writeSample(bodies, `/Prev ${own}`))).toBe("corrupt")
  })

  it("a field whose name, or whose kids' names together, nobody could write", () => {
    const named = (length: number, kids: number) => {
      const list = Array.from({ length: kids }, (_, i) => `<< /T (${i}) >>`)
      return withForm("<< /Fields [4 0 R] >>", `<< /T (${"x".repeat(length)}) /Kids [${list.join("")}] >>`)
    }
    expect(refusalOf(named(4_000, 50))).toBeUndefined()
    expect(refusalOf(named(5_000, 1))).toBe("too-complex")
    expect(refusalOf(named(4_000, 2_000))).toBe("too-complex")
  })

  it("more objects than anyone needs", () => {
    const text = Buffer.from(samplePdf()).toString("latin1")
    expect(refusalOf(Buffer.from(text.replace("/Size 5", "/Size 2000000"), "latin1"))).toBe("too-complex")
  })

  it("offsets that lead to another object", () => {
    const text = Buffer.from(samplePdf()).toString("latin1")
    expect(refusalOf(Buffer.from(text.replace("4 0 obj", "7 0 obj"), "latin1"))).toBe("corrupt")
  })
})

it("answers damaged files with a description or a refusal", () => {
  const base = withForm("<< /Fields [4 0 R] /SigFlags 1 >>", "<< /T (one) /FT /Sig >>")
  const damage = fc.array(fc.tuple(fc.nat(base.length - 1), fc.nat(255)), { minLength: 1, maxLength: 5 })
  fc.assert(
    fc.property(damage, fc.nat(base.length), (changes, cut) => {
      const bytes = Uint8Array.from(base)
      for (const [at, octet] of changes) bytes[at] = octet
      refusalOf(bytes)
      refusalOf(bytes.subarray(0, cut))
    }),
    { numRuns: 1_000 },
  )
})

/** The code of the refusal, or nothing; any other error is thrown on and fails the test. */
function refusalOf(pdf: Uint8Array): string | undefined {
  try {
    describePdf(pdf)
    return undefined
  } catch (error) {
    if (error instanceof PdfRefused) return error.code
    throw error
  }
}

/** Object 1 lies in object stream 2; the cross-reference stream is object 3. */
function withPackedCatalog(objectStream: Uint8Array): Uint8Array {
  const head = Buffer.from("%PDF-1.7\n2 0 obj\n")
  const body = Buffer.concat([head, objectStream, Buffer.from("\nendobj\n")])
  const record = (type: number, second: number) => [type, second >> 24, second >> 16, second >> 8, second, 0]
  const data = Buffer.from([...record(0, 0), ...record(2, 2), ...record(1, 9), ...record(1, body.length)])
  const xref = `3 0 obj\n<< /Type /XRef /Size 4 /W [1 4 1] /Root 1 0 R /Length ${data.length} >>\nstream\n`
  const foot = `\nendstream\nendobj\nstartxref\n${body.length}\n%%EOF\n`
  return Buffer.concat([body, Buffer.from(xref), data, Buffer.from(foot)])
}
