import { describe, expect, it } from "vitest"
import { makeAppearance } from "../../appearance/appearance.ts"
import { describePdf } from "../../content/describe.ts"
import { PdfRefused } from "../../refused.ts"
import { readSignatures } from "../../signed/signatures.ts"
import { entry, isDict } from "../../syntax/value.ts"
import { dictAt, formWith, open, options, signOnto, valueAt, written } from "../../testing/signer.ts"
import { prepare } from "../prepare.ts"

const WIDGET = "/Type /Annot /Subtype /Widget /Rect [10 20 110 60] /P 3 0 R /F 4 /MK << /BG [1 1 1] >>"

describe("an empty signature field of the document", () => {
  it("is filled: it keeps its rectangle, page, flags and look, and no second field is made", () => {
    const signed = signOnto(formWith(`<< /T (author) /FT /Sig ${WIDGET} >>`), "author")
    const pdf = open(signed)
    const field = dictAt(pdf, "AcroForm", "Fields", 0)
    expect(valueAt(pdf, "AcroForm", "Fields", 1)).toBeNull()
    const kept = ["Rect", "P", "F", "MK"].map((key) => written(entry(field, key)))
    expect(kept).toEqual(["[10 20 110 60]", "3 0 R", "4", "<< /BG [1 1 1] >>"])
    expect(valueAt(pdf, "AcroForm", "SigFlags")).toBe(3)
    expect(readSignatures(pdf)).toMatchObject([{ fieldName: "author", coverage: "whole-file" }])
  })

  it("gets a picture in its own rectangle where one is given, and nothing in writing where none is", async () => {
    const base = formWith(`<< /T (author) /FT /Sig ${WIDGET} >>`)
    const bboxOf = (signed: Uint8Array) =>
      written(entry(dictAt(open(signed), "AcroForm", "Fields", 0, "AP", "N"), "BBox"))
    expect(bboxOf(signOnto(base, "author"))).toBe("[0 0 0 0]")
    const appearance = await makeAppearance({ width: 100, height: 40, lines: ["Ada"] })
    expect(bboxOf(signOnto(base, "author", { appearance }))).toBe("[0 0 100 40]")
  })

  it("keeps what its author drew where no picture is given", () => {
    const base = formWith(
      `<< /T (author) /FT /Sig ${WIDGET} /AP << /N 7 0 R >> >>`,
      "[6 0 R]",
      "[]",
      "<< /Type /XObject /Subtype /Form /BBox [0 0 1 1] /Length 0 >>\nstream\n\nendstream",
    )
    expect(written(valueAt(open(signOnto(base, "author")), "AcroForm", "Fields", 0, "AP"))).toBe(
      "<< /N 7 0 R >>",
    )
  })

  it("keeps its kids, which are its widgets, and only they are drawn upon", async () => {
    const base = formWith(
      "<< /T (author) /FT /Sig /Kids [7 0 R] >>",
      "[6 0 R]",
      "[]",
      `<< /Parent 6 0 R ${WIDGET} >>`,
    )
    const appearance = await makeAppearance({ width: 100, height: 40, lines: ["Ada"] })
    const pdf = open(signOnto(base, "author", { appearance }))
    const field = dictAt(pdf, "AcroForm", "Fields", 0)
    expect(written(entry(field, "Kids"))).toBe("[7 0 R]")
    expect(isDict(entry(field, "AP"))).toBe(false)
    expect(dictAt(pdf, "AcroForm", "Fields", 0, "Kids", 0, "AP", "N").entries.has("BBox")).toBe(true)
  })

  it("is found by its whole name, below a parent", () => {
    const base = formWith(
      "<< /T (page) /Kids [7 0 R] >>",
      "[6 0 R]",
      "[]",
      `<< /T (author) /FT /Sig /Parent 6 0 R ${WIDGET} >>`,
    )
    expect(readSignatures(open(signOnto(base, "page.author")))).toMatchObject([{ fieldName: "page.author" }])
  })

  it("takes no place: it has one", () => {
    const base = formWith(`<< /T (author) /FT /Sig ${WIDGET} >>`)
    const place = { page: 0, x: 0, y: 0, width: 10, height: 10 }
    expect(() => prepare(base, { ...options("author"), place })).toThrow("has its place already")
  })
})

describe("the lock of a field", () => {
  const locked = (lock: string) => formWith(`<< /T (author) /FT /Sig ${WIDGET} /Lock ${lock} >>`)

  it("becomes what the signature forbids", () => {
    const signed = signOnto(
      locked("<< /Type /SigFieldLock /Action /Include /Fields [(name) (date)] >>"),
      "author",
    )
    expect(readSignatures(open(signed))).toMatchObject([
      { type: "approval", fieldMdp: { action: "include", fields: ["name", "date"] }, docMdp: undefined },
    ])
    expect(() => signOnto(signed, "name")).toThrow(PdfRefused)
    expect(() => signOnto(signed, "other")).not.toThrow()
  })

  it("by the name of a parent is one of all its fields", () => {
    const kid = (name: string) => `<< /T (${name}) /FT /Sig /Parent 6 0 R ${WIDGET}`
    const form = (lock: string) =>
      formWith(
        "<< /T (page) /Kids [7 0 R 8 0 R] >>",
        "[6 0 R]",
        "[]",
        `${kid("one")} /Lock ${lock} >>`,
        `${kid("two")} >>`,
      )
    const include = signOnto(form("<< /Action /Include /Fields [(page)] >>"), "page.one")
    expect(() => signOnto(include, "page.two")).toThrow(PdfRefused)
    const exclude = signOnto(form("<< /Action /Exclude /Fields [(page)] >>"), "page.one")
    expect(() => signOnto(exclude, "page.two")).not.toThrow()
    expect(describePdf(exclude).locked).toBe(false)
    const closed = signOnto(form("<< /Action /All >>"), "page.one")
    expect(describePdf(closed).locked).toBe(true)
  })

  it("may forbid every later change", () => {
    const signed = signOnto(locked("<< /Action /All /P 1 >>"), "author")
    expect(readSignatures(open(signed))).toMatchObject([{ docMdp: 1, fieldMdp: { action: "all" } }])
    expect(() => signOnto(signed, "other")).toThrow(PdfRefused)
  })

  it("and a certification are one permission, the stricter one; and nothing loosens an earlier certification", () => {
    const both = signOnto(locked("<< /Action /All /P 1 >>"), "author", { certify: 3 })
    expect(both.toString().match(/\/DocMDP \/TransformParams/g)).toHaveLength(1)
    expect(readSignatures(open(both))).toMatchObject([{ type: "certification", docMdp: 1 }])
    const certified = signOnto(locked("<< /Action /Include /Fields [(name)] /P 3 >>"), "first", {
      certify: 2,
    })
    expect(readSignatures(open(signOnto(certified, "author"))).map(({ docMdp }) => docMdp)).toEqual([2, 2])
  })

  it("that says nothing we know is refused", () => {
    expect(() => signOnto(locked("<< /Action /Perhaps >>"), "author")).toThrow("no known action")
    expect(() => signOnto(locked("<< /Action /Include >>"), "author")).toThrow("names no fields")
  })
})

describe("a certification", () => {
  it("is named in the catalog and says what it allows", () => {
    const signed = signOnto(formWith("<< /T (text) /FT /Tx >>"), "Paraph-1", { certify: 2 })
    const pdf = open(signed)
    expect(readSignatures(pdf)).toMatchObject([{ type: "certification", docMdp: 2 }])
    expect(dictAt(pdf, "Perms", "DocMDP").entries.has("ByteRange")).toBe(true)
    expect(() => signOnto(signed, "Paraph-2")).not.toThrow()
  })

  it("with permission 1 is the last signature", () => {
    const signed = signOnto(formWith("<< /T (text) /FT /Tx >>"), "Paraph-1", { certify: 1 })
    expect(() => signOnto(signed, "Paraph-2")).toThrow("forbids any change")
  })

  it("comes first, or not at all", () => {
    const signed = signOnto(formWith("<< /T (text) /FT /Tx >>"), "Paraph-1")
    expect(() => signOnto(signed, "Paraph-2", { certify: 2 })).toThrow("Only the first signature")
  })
})
