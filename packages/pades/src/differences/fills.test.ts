import { describe, expect, it } from "vitest"
import { writeSample } from "../sample.ts"
import {
  appendSigned,
  bodies,
  change,
  contract,
  differencesIn,
  type Edit,
  signAgain,
  signatureDict,
  TIMESTAMP,
} from "../testing/contract.ts"
import { signOnto } from "../testing/signer.ts"

const is = bodies()
const look = "<< /Type /XObject /Subtype /Form /BBox [0 0 9 9] /Length 8 >>\nstream\n(Bob) Tj\nendstream"
const EMPTY = is.text.replace("/V (Ada) ", "")
const fillsIn = (file: Uint8Array, field?: string) =>
  differencesIn(file, field).changes.filter(({ kind }) => kind === "form-fill")

const fill: readonly Edit[] = [
  [14, is.text.replace("(Ada)", "(Bob)").replace("19 0 R", "31 0 R")],
  [31, look],
]
const signWaiting: readonly Edit[] = [
  [16, is.waiting.replace(" >>", " /V 32 0 R >>")],
  [32, signatureDict()],
]

describe("[B1] a value that changed after a signature", () => {
  it("is listed with the name of its field and the page, and is no value that was signed", () => {
    expect(fillsIn(change(contract(), fill))).toEqual([
      {
        path: "/AcroForm/Fields[0]/V of name",
        kind: "form-fill",
        page: 1,
        undefined: false,
        field: "name",
        fill: "replaced",
      },
    ])
  })

  it("is one that replaces what was signed, whoever signs it later", () => {
    const file = signAgain(contract(), [...fill, ...signWaiting])
    expect(fillsIn(file)).toMatchObject([{ field: "name", fill: "replaced" }])
    // The later signer has seen the value that is there now.
    expect(fillsIn(file, "waiting")).toEqual([])
    expect(differencesIn(file).pages[0]?.allowed).toContainEqual({
      rect: [10, 10, 110, 30],
      why: "changed-value",
      says: "Bob",
    })
  })

  it("of an empty field is unsigned, unless a later signature covers it", () => {
    const box: Edit = [15, is.checkBox.replaceAll("/Off /AS /Off", "/Yes /AS /Yes")]
    expect(fillsIn(change(contract(), [box]))).toMatchObject([{ field: "agreed", fill: "unsigned" }])
    const signed = signAgain(contract(), [box, ...signWaiting])
    expect(fillsIn(signed)).toMatchObject([{ field: "agreed", fill: "later" }])
    const apart = signAgain(change(contract(), [box]), signWaiting)
    expect(fillsIn(apart)).toMatchObject([{ field: "agreed", fill: "later" }])
    expect(differencesIn(signed).pages[0]?.allowed).toContainEqual({
      rect: [10, 40, 30, 60],
      why: "form-fill",
    })
  })

  it("that a time-stamp alone covers is unsigned", () => {
    const box: Edit = [15, is.checkBox.replaceAll("/Off /AS /Off", "/Yes /AS /Yes")]
    const clock: readonly Edit[] = [
      [13, is.acroForm.replace("25 0 R]", "25 0 R 33 0 R]")],
      [33, "<< /Type /Annot /Subtype /Widget /FT /Sig /T (clock) /V 34 0 R /Rect [0 0 0 0] /F 132 >>"],
      [34, TIMESTAMP],
    ]
    expect(fillsIn(signAgain(contract(), [box, ...clock]))).toMatchObject([{ fill: "unsigned" }])
  })

  it("and again after a later signature concerns both signatures, each by what it saw", () => {
    const box = (to: string): Edit => [15, is.checkBox.replaceAll("/Off /AS /Off", to)]
    const signed = signAgain(contract(), [box("/Yes /AS /Yes"), ...signWaiting])
    const file = change(signed, [[15, is.checkBox]])
    expect(fillsIn(file).map((one) => one.fill)).toEqual(["later", "unsigned"])
    expect(fillsIn(file, "waiting").map((one) => one.fill)).toEqual(["replaced"])
  })

  it("that was emptied is replaced, and a flag alone is no value", () => {
    expect(fillsIn(change(contract(), [[14, EMPTY]]))).toMatchObject([{ fill: "replaced" }])
    const [flagged] = fillsIn(change(contract(), [[14, is.text.replace(/ >>$/, " /Ff 1 >>")]]))
    expect(flagged).toMatchObject({ kind: "form-fill", undefined: false })
    expect(flagged?.fill).toBeUndefined()
  })

  it("of a parent is that of its fields", () => {
    const objects = (value: string) => [
      "<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [4 0 R] >> >>",
      "<< /Type /Pages /Kids [3 0 R] >>",
      "<< /Type /Page /MediaBox [0 0 300 300] >>",
      "<< /T (a) /V (100) /Kids [5 0 R] >>",
      `<< /T (b) /FT /Tx /Parent 4 0 R ${value} >>`,
    ]
    const base = signOnto(writeSample(objects("")), "signed", { fieldsFilledLater: ["a.b"] })
    const file = change(base, [[5, objects("/V (7)")[4] ?? ""]])
    expect(fillsIn(file)).toMatchObject([{ field: "a.b", fill: "replaced" }])
  })
})

describe("[B1] a value of a field that several objects describe", () => {
  const owner = (more = "") => `<< /FT /Tx /T (a) /Kids [5 0 R] ${more} >>`
  const widget = (more = "") => `<< /Subtype /Widget /Rect [0 0 0 0] ${more} >>`
  const field = (more = "", name = "a") => `<< /FT /Tx /T (${name}) ${more} >>`

  /** Signed with these as objects 4, 5 and 6, changed by a revision, and covered by a later signature. */
  function filled(fields: string, objects: readonly string[], edits: readonly Edit[]) {
    const base = appendSigned(
      writeSample([
        `<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [${fields} 10 0 R 11 0 R] >> >>`,
        "<< /Type /Pages /Kids [3 0 R] >>",
        "<< /Type /Page /MediaBox [0 0 300 300] >>",
        ...objects,
        ...Array.from({ length: 6 - objects.length }, () => "null"),
        "<< /T (signed) /FT /Sig /V 12 0 R >>",
        "<< /T (waiting) /FT /Sig >>",
      ]),
      { objects: [[12, signatureDict()]], size: 60, trailer: "" },
    )
    const later: readonly Edit[] = [
      [11, "<< /T (waiting) /FT /Sig /V 13 0 R >>"],
      [13, signatureDict()],
    ]
    const { changes } = differencesIn(signAgain(change(base, edits, { trailer: "" }), later))
    return changes.filter((one) => one.kind === "form-fill")
  }

  const replaced = { field: "a", fill: "replaced", undefined: false }
  const isLater = { field: "a", fill: "later", undefined: false }

  it("is replaced where only the widget had one", () => {
    const edits: readonly Edit[] = [[5, widget("/V (900) /Parent 4 0 R")]]
    expect(filled("4 0 R", [owner(), widget("/V (100) /Parent 4 0 R")], edits)).toMatchObject([replaced])
  })

  it("is replaced where only the widget had one and the field gets one too", () => {
    const objects = [owner(), widget("/V (100) /Parent 4 0 R")]
    const both: readonly Edit[] = [
      [4, owner("/V (900)")],
      [5, widget("/V (900) /Parent 4 0 R")],
    ]
    expect(filled("4 0 R", objects, both)).toMatchObject([replaced, replaced])
    expect(filled("4 0 R", objects, both.slice(0, 1))).toMatchObject([replaced])
  })

  it("is replaced where only the field had one, whether its widget names it or not", () => {
    for (const parent of ["", "/Parent 4 0 R"]) {
      const objects = [owner("/V (100)"), widget(parent)]
      const edits: readonly Edit[] = [[5, widget(`/V (900) ${parent}`)]]
      expect(filled("4 0 R", objects, edits)).toMatchObject([replaced])
    }
  })

  it("is replaced where a field inherits it from a parent that it does not name", () => {
    const objects = ["<< /FT /Tx /T (b) /V (100) /Kids [5 0 R] >>", field()]
    expect(filled("4 0 R", objects, [[5, field("/V (900)")]])).toMatchObject([{ ...replaced, field: "b.a" }])
  })

  it("is later where neither the field nor any of its widgets had one", () => {
    const objects = [owner("/V ()"), widget("/Parent 4 0 R")]
    expect(filled("4 0 R", objects, [[4, owner("/V (900)")]])).toMatchObject([isLater])
    expect(filled("4 0 R", objects, [[5, widget("/V (900) /Parent 4 0 R")]])).toMatchObject([isLater])
  })

  it("is replaced where another field has the same name, whichever of them was empty", () => {
    const edits = (value: string): readonly Edit[] => [
      [4, field("/V (900)")],
      [5, field(value)],
    ]
    for (const [a, b] of [
      ["", "/V (100)"],
      ["/V (100)", ""],
      ["", ""],
    ])
      expect(filled("4 0 R 5 0 R", [field(a), field(b)], edits("/V (901)"))).toMatchObject([
        replaced,
        replaced,
      ])
    expect(filled("4 0 R 5 0 R", [field(), field("/V (100)")], edits("/V (100)"))).toMatchObject([replaced])
  })

  it("is replaced where another field has the same full name, written with a dot", () => {
    const objects = ["<< /FT /Tx /T (g) /Kids [5 0 R] >>", field("/Parent 4 0 R"), field("/V (100)", "g.a")]
    const edits: readonly Edit[] = [
      [5, field("/V (900) /Parent 4 0 R")],
      [6, field("/V (900)", "g.a")],
    ]
    const found = { ...replaced, field: "g.a" }
    expect(filled("4 0 R 6 0 R", objects, edits)).toMatchObject([found, found])
  })
})

it("many fields that were filled in alike are folded", () => {
  const count = 500
  const file = { size: 600, trailer: "" }
  const field = (i: number, value = "") => `<< /T (field-${i}) /FT /Tx ${value} >>`
  const fields = Array.from({ length: count }, (_, i) => i)
  const base = appendSigned(
    writeSample([
      `<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [${fields.map((i) => `${i + 4} 0 R`).join(" ")} 504 0 R] >> >>`,
      "<< /Type /Pages /Kids [3 0 R] >>",
      "<< /Type /Page /MediaBox [0 0 300 300] >>",
      ...fields.map((i) => field(i)),
      "<< /T (signed) /FT /Sig /V 505 0 R >>",
      "null",
    ]),
    { objects: [[505, signatureDict()]], ...file },
  )
  const edits = fields.map((i): Edit => [i + 4, field(i, "/V (1)")])
  const found = fillsIn(change(base, edits, file))
  expect(found).toHaveLength(41)
  expect(found.at(-1)).toEqual({
    path: "/AcroForm/Fields: 460 more fields",
    kind: "form-fill",
    undefined: false,
    fill: "unsigned",
  })
})
