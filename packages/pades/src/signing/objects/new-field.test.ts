import { describe, expect, it } from "vitest"
import { makeAppearance } from "../../appearance/appearance.ts"
import { describePdf } from "../../content/describe.ts"
import { PdfRefused } from "../../refused.ts"
import { samplePdf, writeSample } from "../../sample.ts"
import { readSignatures } from "../../signed/signatures.ts"
import { entry } from "../../syntax/value.ts"
import { dictAt, formWith, open, options, signOnto, valueAt, written } from "../../testing/signer.ts"
import { prepare } from "../prepare.ts"

const BOX = { x: 20, y: 30, width: 100, height: 40 }
const appearance = await makeAppearance({ width: 100, height: 40, lines: ["Ada"] })
const at = (page: number, more: Partial<typeof BOX> = {}) => ({ page, ...BOX, ...more })

describe("a signature that is shown at several places", () => {
  const places = [at(2), at(0), at(2, { y: 200 }), at(1, { width: 200 })] as const
  const signed = signOnto(samplePdf({ pages: 3 }), "Paraph-1", {
    place: places[0],
    alsoAt: places.slice(1),
    appearance,
  })
  const pdf = open(signed)

  it("is the value of a field for each place, since a field has one annotation", () => {
    expect(describePdf(signed).signatureFields).toEqual([
      { name: "Paraph-1", signed: true, positions: [places[0]] },
      { name: "Paraph-1-2", signed: true, positions: [places[1]] },
      { name: "Paraph-1-3", signed: true, positions: [places[2]] },
      { name: "Paraph-1-4", signed: true, positions: [places[3]] },
    ])
    const fields = [0, 1, 2, 3].map((i) => dictAt(pdf, "AcroForm", "Fields", i))
    expect(new Set(fields.map((field) => written(entry(field, "V")))).size).toBe(1)
    expect(fields.some((field) => field.entries.has("Kids"))).toBe(false)
    expect(
      Buffer.from(signed)
        .toString("latin1")
        .match(/\/ByteRange/g),
    ).toHaveLength(1)
  })

  it("counts once among the signatures of the file", () => {
    expect(readSignatures(pdf)).toMatchObject([{ fieldName: "Paraph-1", coverage: "whole-file" }])
  })

  it("is listed by each page that shows it", () => {
    const listed = [0, 1, 2].map((page) => {
      const annotations = [0, 1].map((i) => valueAt(pdf, "Pages", "Kids", page, "Annots", i))
      return annotations.filter((annotation) => annotation !== null).length
    })
    expect(listed).toEqual([1, 1, 2])
  })

  it("has one appearance for all places of one size", () => {
    const looks = [0, 1, 2, 3].map((i) => written(entry(dictAt(pdf, "AcroForm", "Fields", i, "AP"), "N")))
    expect(looks[1]).toBe(looks[0])
    expect(looks[2]).toBe(looks[0])
    expect(looks[3]).not.toBe(looks[0])
  })

  it("is refused where there is a field of such a name, no first place, or a page that is not there", () => {
    const base = formWith("<< /T (Paraph-1-2) /FT /Tx >>")
    const asked = { ...options("Paraph-1"), place: at(0), alsoAt: [at(0)] }
    expect(() => prepare(base, asked)).toThrow("There is a field of the name")
    expect(() => prepare(samplePdf(), { ...options("Paraph-1"), alsoAt: [at(0)] })).toThrow(TypeError)
    expect(() => prepare(samplePdf(), { ...asked, alsoAt: [at(1)] })).toThrow(RangeError)
    expect(() => prepare(samplePdf(), { ...asked, alsoAt: [at(0, { x: 600 })] })).toThrow(RangeError)
  })

  it("is refused where an earlier signature forbids one of its fields", () => {
    const lock = "<< /Type /SigFieldLock /Action /Include /Fields [(Paraph-1-2)] >>"
    const base = signOnto(formWith(`<< /T (author) /FT /Sig /Lock ${lock} >>`), "author")
    const asked = { ...options("Paraph-1"), place: at(0) }
    expect(() => prepare(base, asked)).not.toThrow()
    expect(() => prepare(base, { ...asked, alsoAt: [at(0)] })).toThrow(PdfRefused)
  })

  it("is refused where two of its pages share one list of annotations", () => {
    const page = "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 300] /Annots 5 0 R >>"
    const catalog = "<< /Type /Catalog /Pages 2 0 R >>"
    const base = writeSample([catalog, "<< /Type /Pages /Kids [3 0 R 4 0 R] >>", page, page, "[]"])
    const asked = { ...options("Paraph-1"), place: at(0) }
    expect(() => prepare(base, { ...asked, alsoAt: [at(0)] })).not.toThrow()
    expect(() => prepare(base, { ...asked, alsoAt: [at(1)] })).toThrow("Two pages share their annotations")
  })
})
