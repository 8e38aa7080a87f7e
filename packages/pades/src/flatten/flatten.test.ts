import { describe, expect, it } from "vitest"
import { describePdf } from "../content/describe.ts"
import { samplePdf, writeSample } from "../sample.ts"
import { PAGES, streamOf, withCatalog } from "../testing/hostile.ts"
import { signOnto } from "../testing/signer.ts"
import { flatten } from "./flatten.ts"

const FORM = "<< /Type /XObject /Subtype /Form /BBox [0 0 9 9] /Length 0 >>\nstream\n\nendstream"
const text = (file: Uint8Array) => Buffer.from(file).toString("latin1")
const form = (...fields: readonly string[]) => {
  const refs = fields.map((_, i) => `${i + 5} 0 R`).join(" ")
  return writeSample([
    `<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [${refs}] >> >>`,
    PAGES,
    `<< /Type /Page /Parent 2 0 R /Annots [${refs}] >>`,
    FORM,
    ...fields.map((field) => `<< /Type /Annot /Subtype /Widget /Rect [0 0 9 9] ${field} >>`),
  ])
}

describe("[B2] flattening", () => {
  it("keeps the pages, and gives one revision without what was removed", () => {
    const file = withCatalog(
      "/Names << /EmbeddedFiles << /Names [(a) 4 0 R] >> >>",
      "<< /Type /Filespec /F (a.exe) /EF << /F 5 0 R >> >>",
      streamOf("/Type /EmbeddedFile", Buffer.from("MZ this is a program")),
    )
    const { bytes, changes } = flatten(file)
    expect(changes).toEqual(['The embedded file "a.exe" was removed.'])
    expect(text(bytes)).not.toContain("MZ this is a program")
    expect(text(bytes).match(/%%EOF/g)).toHaveLength(1)
    expect(describePdf(bytes)).toMatchObject({ pageCount: 1, conditional: [] })
  })

  it("removes what makes readers show something else than the pages", () => {
    const file = withCatalog(
      "/Collection << /View /T >> /ViewerPreferences << /PrintArea /ArtBox /FitWindow true >>",
    )
    expect(describePdf(file).conditional).toHaveLength(2)
    const { bytes, changes } = flatten(file)
    expect(changes).toEqual([
      "The PDF opens with its pages now, and not as a portfolio.",
      "Readers show and print whole pages now: the area for them (PrintArea) was removed.",
    ])
    expect(text(bytes)).toContain("/FitWindow true")
    expect(describePdf(bytes).conditional).toEqual([])
  })

  it("draws a field that is printed, and removes its value", () => {
    const { bytes, changes } = flatten(form("/FT /Tx /T (price) /V (100000) /F 4 /AP << /N 4 0 R >>"))
    expect(changes).toEqual([
      'The form field "price" on page 1 is now part of the page, as it is printed. Its stored value "100000" was removed.',
    ])
    expect(text(bytes)).not.toContain("100000")
    expect(text(bytes)).toContain("/Flattened Do")
  })

  it("keeps an empty signature field, so that it can be signed", () => {
    const { bytes, changes } = flatten(
      form("/FT /Sig /T (ceo) /F 4", "/FT /Tx /T (a) /F 0 /AP << /N 4 0 R >>"),
    )
    expect(changes).toEqual(['The form field "a" on page 1 was removed: print does not show it.'])
    expect(describePdf(bytes).signatureFields).toMatchObject([{ name: "ceo", signed: false }])
    expect(describePdf(signOnto(bytes, "ceo")).signatureFields).toMatchObject([{ signed: true }])
  })

  it("keeps a signature field of a group, and ends the other fields of it", () => {
    const file = writeSample([
      "<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [5 0 R] >> >>",
      PAGES,
      "<< /Type /Page /Parent 2 0 R /Annots [6 0 R 7 0 R] >>",
      FORM,
      "<< /T (Group) /FT /Sig /Kids [6 0 R 7 0 R] >>",
      "<< /Type /Annot /Subtype /Widget /Rect [0 0 9 9] /F 4 /Parent 5 0 R /T (ceo) >>",
      "<< /Type /Annot /Subtype /Widget /Rect [0 0 9 9] /F 4 /Parent 5 0 R /T (price) /FT /Tx /V (1) /AP << /N 4 0 R >> >>",
    ])
    const { bytes } = flatten(file)
    expect(describePdf(bytes).signatureFields).toMatchObject([{ name: "Group.ceo" }])
    expect(describePdf(bytes).shownFields).toEqual([])
    expect(text(bytes)).not.toContain("(price)")
  })

  it("removes what other objects refer to: tags, popups, replies, destinations, private data", () => {
    const stamp =
      "<< /Type /Annot /Subtype /Stamp /Rect [0 0 9 9] /F 0 /Contents (SECRET) /AP << /N 4 0 R >> >>"
    const file = writeSample([
      "<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [6 0 R] >> /StructTreeRoot 8 0 R /PieceInfo << /X << /Private 5 0 R >> >> /Dests << /d [5 0 R /Fit] >> >>",
      PAGES,
      "<< /Type /Page /Parent 2 0 R /Annots [5 0 R 6 0 R 7 0 R] >>",
      FORM,
      stamp,
      "<< /Type /Annot /Subtype /Widget /Rect [0 0 9 9] /F 4 /FT /Tx /T (price) /V (SECRET) /AP << /N 4 0 R >> >>",
      "<< /Type /Annot /Subtype /Link /Rect [0 0 9 9] /Popup 5 0 R /A << /S /URI /URI (https://a.example) >> >>",
      "<< /Type /StructTreeRoot /K 9 0 R >>",
      "<< /Type /StructElem /S /Form /P 8 0 R /K [0 << /Type /OBJR /Obj 5 0 R >> 10 0 R] >>",
      "<< /Type /OBJR /Obj 6 0 R >>",
    ])
    const { bytes, changes } = flatten(file)
    expect(text(bytes)).not.toContain("SECRET")
    expect(text(bytes)).not.toContain("Stamp")
    expect(text(bytes)).not.toContain("OBJR")
    expect(text(bytes)).toContain("/K [0 10 0 R]")
    expect(text(bytes)).toContain("https://a.example")
    expect(changes).toContain(
      "The tags of these fields and annotations, which describe them to a screen reader, were removed.",
    )
    expect(changes).toContain("Data of the programs that made the document (PieceInfo) were removed.")
  })

  it("removes a field that stands on no page, whatever refers to it", () => {
    const file = writeSample([
      "<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [5 0 R 7 0 R] >> /Threads [7 0 R] >>",
      PAGES,
      "<< /Type /Page /Parent 2 0 R /Annots [6 0 R] >>",
      FORM,
      "<< /T (Group) /Kids [6 0 R] >>",
      "<< /Type /Annot /Subtype /Widget /Rect [0 0 9 9] /F 4 /Parent 5 0 R /T (ceo) /FT /Sig >>",
      "<< /FT /Tx /T (price) /V (SECRET) >>",
    ])
    const { bytes } = flatten(file)
    expect(text(bytes)).not.toContain("SECRET")
    expect(describePdf(bytes).signatureFields).toMatchObject([{ name: "Group.ceo" }])
  })

  it("drops the name of an embedded program, and keeps the other files", () => {
    const spec = (name: string) => `<< /Type /Filespec /F (${name}) /EF << /F 6 0 R >> >>`
    const file = withCatalog(
      "/Names << /EmbeddedFiles << /Names [(a.exe) 4 0 R (b.xml) 5 0 R] /Limits [(a.exe) (b.xml)] >> >> /AF [4 0 R 5 0 R]",
      spec("a.exe"),
      spec("b.xml"),
      streamOf("/Type /EmbeddedFile", Buffer.from("<invoice/>")),
    )
    const { bytes, changes } = flatten(file)
    expect(changes).toEqual(['The embedded file "a.exe" was removed.'])
    expect(text(bytes)).not.toContain("a.exe")
    expect(text(bytes)).toContain("/Names [(b.xml) 5 0 R] /Limits [(b.xml) (b.xml)]")
    expect(text(bytes)).toContain("/AF [5 0 R]")
  })

  it("writes an /ID: the first part of the original, and one that follows from the content", () => {
    const field = form("/FT /Tx /T (a) /F 0")
    const [id] = /\/ID \[.*\]/.exec(text(flatten(field).bytes)) ?? []
    expect(id).toMatch(new RegExp(`^/ID \\[<${"ab".repeat(16)}> <[0-9a-f]{32}>\\]$`))
    expect(text(flatten(field).bytes)).toContain(id)
    expect(text(flatten(form("/FT /Tx /T (a) /F 4 /AP << /N 4 0 R >>")).bytes)).not.toContain(id)
  })

  it("keeps links: direct dictionaries, and those with an appearance, which is drawn", () => {
    const link = "/Type /Annot /Subtype /Link /Rect [0 0 9 9] /A << /S /URI /URI (https://a.example) >>"
    const file = writeSample([
      "<< /Type /Catalog /Pages 2 0 R >>",
      PAGES,
      `<< /Type /Page /Parent 2 0 R /Annots [<< ${link} >> 5 0 R 6 0 R 7 0 R] >>`,
      FORM,
      `<< ${link} >>`,
      `<< ${link} /F 4 /AP << /N 4 0 R >> >>`,
      "<< /Type /Annot /Subtype /Stamp /Rect [0 0 9 9] >>",
    ])
    const { bytes, changes } = flatten(file)
    expect(text(bytes).match(/https:\/\/a\.example/g)).toHaveLength(3)
    expect(text(bytes)).toContain("/Flattened Do")
    expect(text(bytes)).toContain("/Border [0 0 0]")
    expect(changes).toEqual([
      'The "Link" annotation on page 1 is now part of the page, as it is printed. It is still a link.',
      'The "Stamp" annotation on page 1 was removed: print does not show it.',
    ])
  })

  it("says that a printed annotation without an appearance was removed for that", () => {
    const { changes } = flatten(form("/FT /Tx /T (a) /F 4"))
    expect(changes).toEqual([
      'The form field "a" on page 1 was removed: it has no appearance that every reader draws alike.',
    ])
  })

  it("refuses an annotation that stays upright on a turned page", () => {
    const file = (rotate: number) =>
      writeSample([
        "<< /Type /Catalog /Pages 2 0 R >>",
        PAGES,
        `<< /Type /Page /Parent 2 0 R /Rotate ${rotate} /Annots [5 0 R] >>`,
        FORM,
        "<< /Type /Annot /Subtype /Stamp /Rect [0 0 9 9] /F 20 /AP << /N 4 0 R >> >>",
      ])
    expect(flatten(file(0)).changes).toHaveLength(1)
    expect(() => flatten(file(90))).toThrow(/^The "Stamp" annotation on page 1 stays upright/)
  })

  it("says of layers whether they are shown now, and that the content of a hidden one is still there", () => {
    const file = withCatalog(
      "/OCProperties << /OCGs [4 0 R 5 0 R 6 0 R] /D << /OFF [6 0 R] >> >>",
      "<< /Type /OCG /Name (a) /Usage << /Print << /PrintState /OFF >> >> >>",
      "<< /Type /OCG /Name (b) /Usage << /Print << /PrintState /ON >> >> >>",
      "<< /Type /OCG /Name (c) >>",
    )
    expect(flatten(file).changes).toEqual([
      'The layer "a" is hidden now, as in print. Its content is still in the file.',
      'The layer "b" is always shown now, as in print.',
      'The layer "c" is hidden now, as in print. Its content is still in the file.',
    ])
  })

  it("says how many changes are not listed", () => {
    const fields = Array.from({ length: 60 }, (_, i) => `/FT /Tx /T (f${i}) /F 0`)
    expect(flatten(form(...fields)).changes.slice(49)).toEqual([
      'The form field "f49" on page 1 was removed: print does not show it.',
      "10 more changes of these kinds are not listed.",
    ])
  })

  it("changes nothing of an ordinary document but its form as one revision", () => {
    const { bytes, changes } = flatten(samplePdf({ pages: 3 }))
    expect(changes).toEqual([])
    expect(describePdf(bytes)).toEqual(describePdf(samplePdf({ pages: 3 })))
  })

  it("refuses a signed document", () => {
    expect(() => flatten(signOnto(samplePdf(), "a"))).toThrow("A signed document cannot be flattened.")
  })
})
