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

  it("changes nothing of an ordinary document but its form as one revision", () => {
    const { bytes, changes } = flatten(samplePdf({ pages: 3 }))
    expect(changes).toEqual([])
    expect(describePdf(bytes)).toEqual(describePdf(samplePdf({ pages: 3 })))
  })

  it("refuses a signed document", () => {
    expect(() => flatten(signOnto(samplePdf(), "a"))).toThrow("A signed document cannot be flattened.")
  })
})
