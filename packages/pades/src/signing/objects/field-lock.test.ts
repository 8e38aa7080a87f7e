import { describe, expect, it } from "vitest"
import { findDifferences } from "../../differences/differences.ts"
import { PdfRefused } from "../../refused.ts"
import { samplePdf, writeSample } from "../../sample.ts"
import { readSignatures } from "../../signed/signatures.ts"
import { entry } from "../../syntax/value.ts"
import { change } from "../../testing/contract.ts"
import { dictAt, formWith, open, options, signOnto, valueAt, written } from "../../testing/signer.ts"
import { prepare } from "../prepare.ts"
import { MAX_LOCKED_FIELDS } from "./field-lock.ts"

const WIDGET = "/Type /Annot /Subtype /Widget /Rect [10 20 110 60] /P 3 0 R /F 4"
const PRICE = `<< /T (price) /FT /Tx /V (100) ${WIDGET} /AP << /N 7 0 R >> >>`
const LOOK = "<< /Type /XObject /Subtype /Form /BBox [0 0 100 40] /Length 0 >>\nstream\n\nendstream"
const price = (fields = "[6 0 R]", ...more: string[]) => formWith(PRICE, fields, "[]", LOOK, ...more)

const lockOf = (signed: Uint8Array, name: string) =>
  readSignatures(open(signed)).find(({ fieldName }) => fieldName === name)?.fieldMdp
const include = (...fields: string[]) => ({ action: "include", fields })

describe("[B1] the first signature of a document with a form", () => {
  it("locks its fields, by name, in the signature and in its field alike", () => {
    const signed = signOnto(price(), "Paraph-1")
    expect(lockOf(signed, "Paraph-1")).toEqual(include("price"))
    const pdf = open(signed)
    const lock = dictAt(pdf, "AcroForm", "Fields", 1, "Lock")
    expect(written(entry(lock, "Fields"))).toBe("[(price)]")
    expect(written(entry(dictAt(pdf, "AcroForm", "Fields", 1), "Lock"))).toMatch(/^\d+ 0 R$/)
    const reference = dictAt(pdf, "AcroForm", "Fields", 1, "V", "Reference", 0)
    expect(written(entry(reference, "Data"))).toBe("1 0 R")
    const parameters = dictAt(pdf, "AcroForm", "Fields", 1, "V", "Reference", 0, "TransformParams")
    expect(written(entry(parameters, "Action"))).toBe("/Include")
    expect(written(entry(parameters, "Fields"))).toBe("[(price)]")
  })

  it("makes another value an undefined change", () => {
    const signed = signOnto(price(), "Paraph-1")
    const raised =
      signed
        .toString()
        .match(/6 0 obj\n([\s\S]*?)\nendobj\n/g)
        ?.at(-1) ?? ""
    const body = raised.replace(/^6 0 obj\n|\nendobj\n$/g, "").replace("(100)", "(100000)")
    expect(body).toContain("(100000)")
    const file = change(signed, [[6, body]])
    const pdf = open(file)
    const found = findDifferences(pdf, readSignatures(pdf)).get("Paraph-1")
    expect(found?.changes.find(({ kind }) => kind === "form-fill")).toMatchObject({
      undefined: true,
      page: 1,
    })
  })

  it("gives a locked field an appearance state, where its appearance is one stream", () => {
    const pdf = open(signOnto(price("[6 0 R 8 0 R]", "<< /T (bare) /FT /Tx >>"), "Paraph-1"))
    expect(written(valueAt(pdf, "AcroForm", "Fields", 0, "AS"))).toBe("/N")
    expect(valueAt(pdf, "AcroForm", "Fields", 1, "AS")).toBeNull()
  })

  it("leaves the fields open that later signers fill, and nothing else", () => {
    const base = price("[6 0 R 8 0 R]", "<< /T (date) /FT /Tx >>")
    expect(lockOf(signOnto(base, "Paraph-1", { fieldsFilledLater: ["date"] }), "Paraph-1")).toEqual(
      include("price"),
    )
    const all = signOnto(base, "Paraph-1", { fieldsFilledLater: ["date", "price"] })
    expect(lockOf(all, "Paraph-1")).toBeUndefined()
    const asked = { ...options("Paraph-1"), fieldsFilledLater: ["dates"] }
    expect(() => prepare(base, asked)).toThrow("There is no field dates")
  })

  it("names the fields below their parents, and never a parent of a signature field", () => {
    const base = price(
      "[6 0 R 8 0 R 11 0 R 12 0 R]",
      "<< /T (page) /Kids [9 0 R 10 0 R] >>",
      "<< /T (größe) /FT /Tx /Parent 8 0 R >>",
      "<< /T (seller) /FT /Sig /Parent 8 0 R >>",
      "<< /T (page) /FT /Tx >>",
      `<< /T (box) /FT /Btn /Kids [<< /Parent 12 0 R /AS /Off ${WIDGET} >>] >>`,
    )
    const signed = signOnto(base, "Paraph-1")
    expect(lockOf(signed, "Paraph-1")).toEqual(include("price", "page.größe", "box"))
    expect(() => signOnto(signed, "page.seller")).not.toThrow()
  })

  it("locks in the author's signature field too, and at every place where it is shown", () => {
    const waiting = price("[6 0 R 8 0 R]", `<< /T (author) /FT /Sig ${WIDGET} >>`)
    const signed = signOnto(waiting, "author")
    expect(lockOf(signed, "author")).toEqual(include("price"))
    expect(written(entry(dictAt(open(signed), "AcroForm", "Fields", 1, "Lock"), "Fields"))).toBe("[(price)]")
    const place = { page: 0, x: 20, y: 30, width: 50, height: 20 }
    const twice = open(signOnto(price(), "Paraph-1", { place, alsoAt: [place] }))
    const locks = [1, 2].map((i) => written(entry(dictAt(twice, "AcroForm", "Fields", i), "Lock")))
    expect(new Set(locks).size).toBe(1)
  })

  it("locks 2,000 fields, and refuses more than it can check", () => {
    const many = (count: number) =>
      writeSample([
        `<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [${Array.from({ length: count }, (_, i) => `${i + 4} 0 R`).join(" ")}] >> >>`,
        "<< /Type /Pages /Kids [3 0 R] >>",
        "<< /Type /Page /MediaBox [0 0 300 300] >>",
        ...Array.from({ length: count }, (_, i) => `<< /T (field-${i}) /FT /Tx >>`),
      ])
    const fields = lockOf(signOnto(many(2_000), "Paraph-1"), "Paraph-1")?.fields
    expect(fields).toHaveLength(2_000)
    expect(() => signOnto(many(MAX_LOCKED_FIELDS + 1), "Paraph-1")).toThrow(PdfRefused)
  })

  it("certifies and locks where filling stays allowed", () => {
    expect(lockOf(signOnto(price(), "Paraph-1", { certify: 2 }), "Paraph-1")).toEqual(include("price"))
    expect(lockOf(signOnto(price(), "Paraph-1", { certify: 1 }), "Paraph-1")).toBeUndefined()
  })
})

describe("no lock of ours is written", () => {
  it("without fields: no reference, and no lock", () => {
    for (const base of [samplePdf(), formWith(`<< /T (author) /FT /Sig ${WIDGET} >>`)]) {
      const signed = Buffer.from(signOnto(base, "Paraph-1")).toString("latin1")
      expect(signed).not.toContain("/Reference")
      expect(signed).not.toContain("/Lock")
    }
  })

  it("where the field has a lock or a seed value of its author's", () => {
    const author = (rule: string) =>
      price("[6 0 R 8 0 R 9 0 R]", `<< /T (author) /FT /Sig ${WIDGET} ${rule} >>`, "<< /T (date) /FT /Tx >>")
    const own = signOnto(author("/Lock << /Action /Include /Fields [(date)] >>"), "author")
    expect(lockOf(own, "author")).toEqual(include("date"))
    const seeded = signOnto(author("/SV << /Type /SV >>"), "author")
    expect(lockOf(seeded, "author")).toBeUndefined()
  })

  it("for the fields that the lock of another, waiting field names", () => {
    const lock = (rule: string) =>
      price(
        "[6 0 R 8 0 R 9 0 R]",
        `<< /T (manager) /FT /Sig /Lock << ${rule} >> >>`,
        "<< /T (date) /FT /Tx >>",
      )
    const signed = (rule: string) => lockOf(signOnto(lock(rule), "Paraph-1"), "Paraph-1")
    expect(signed("/Action /Include /Fields [(date)]")).toEqual(include("price"))
    expect(signed("/Action /Exclude /Fields [(date)]")).toEqual(include("date"))
    expect(signed("/Action /All")).toBeUndefined()
  })

  it("by a later signature: a document that was signed or certified before keeps its rules", () => {
    const first = signOnto(price(), "Paraph-1", { fieldsFilledLater: ["price"] })
    expect(lockOf(signOnto(first, "Paraph-2"), "Paraph-2")).toBeUndefined()
    const certified = signOnto(price(), "Paraph-1", { certify: 3, fieldsFilledLater: ["price"] })
    expect(lockOf(signOnto(certified, "Paraph-2"), "Paraph-2")).toBeUndefined()
  })
})
