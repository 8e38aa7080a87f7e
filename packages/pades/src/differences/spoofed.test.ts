import { describe, expect, it } from "vitest"
import {
  appendSigned,
  bodies,
  change,
  contract,
  differencesIn,
  type Edit,
  signAgain,
  signatureDict,
  undefinedIn,
} from "../testing/contract.ts"

const is = bodies()
const look = "<< /Type /XObject /Subtype /Form /BBox [0 0 9 9] /Length 8 >>\nstream\n(Bob) Tj\nendstream"
const fieldsWith = (more: string) => is.acroForm.replace("25 0 R]", `25 0 R ${more}]`)
const annotsWith = (more: string) => is.page.replace("25 0 R]", `25 0 R ${more}]`)
const widget = (more: string) => `<< /Type /Annot /Subtype /Widget /FT /Sig ${more} >>`
const catalogWith = (more: string) => is.catalog.replace(/ >>$/, ` ${more} >>`)
const also = (body: string, more: string) => body.replace(/ >>$/, ` ${more} >>`)

describe("a spoofed signature is", () => {
  const signed = (edits: readonly Edit[]) => undefinedIn(signAgain(contract(), edits))

  it("an earlier one in a new field", () => {
    const edits: readonly Edit[] = [
      [13, fieldsWith("31 0 R")],
      [31, widget("/T (again) /V 29 0 R /Rect [0 0 0 0]")],
    ]
    expect(undefinedIn(change(contract(), edits))).toEqual(["/AcroForm/Fields[6]/V"])
  })

  it("an earlier one in a field that waited", () => {
    const edit: Edit = [16, is.waiting.replace(/ >>$/, " /V 29 0 R >>")]
    // It counts for the first field that shows it.
    expect(undefinedIn(change(contract(), [edit]), "waiting")).toEqual(["/AcroForm/Fields[2]/V"])
  })

  it("one that is written again, for whoever signed before and after it", () => {
    const twice = signAgain(contract(), [
      [16, is.waiting.replace(/ >>$/, " /V 31 0 R >>")],
      [31, signatureDict()],
    ])
    const written = /29 0 obj\n(<<.*?)\nendobj/s.exec(contract().toString("latin1"))?.[1] ?? ""
    for (const body of [also(written, "/Reason (Another)"), signatureDict()]) {
      const file = change(twice, [[29, body]])
      expect(undefinedIn(file)).toEqual(["/ByteRange of signed"])
      expect(undefinedIn(file, "waiting")).toEqual(["/AcroForm/Fields[3]/V"])
    }
    const other = change(twice, [
      [17, is.signed.replace("29 0 R", "32 0 R")],
      [32, signatureDict()],
    ])
    expect(undefinedIn(other, "waiting")).toEqual(["/AcroForm/Fields[3]/V"])
    expect(
      undefinedIn(
        change(twice, [[1, is.catalog.replace("/AcroForm 13 0 R", "/AcroForm << /Fields [16 0 R] >>")]]),
        "waiting",
      ),
    ).toContain("/AcroForm/Fields")
  })

  it("one that does not cover its own revision", () => {
    const edits: readonly Edit[] = [
      [16, is.waiting.replace(/ >>$/, " /V 31 0 R >>")],
      [31, "<< /Type /Sig /ByteRange [0 10 20 30] /Contents <300406022a03000000> >>"],
    ]
    expect(undefinedIn(change(contract(), edits))).toEqual(["/AcroForm/Fields[2]/V"])
    expect(undefinedIn(change(contract(), edits), "waiting")).toEqual(["/ByteRange of waiting"])
  })

  it.each([
    ["with a name that another field has", widget("/T (name) /V 32 0 R /Rect [0 0 0 0]")],
    ["without a name", widget("/V 32 0 R /Rect [0 0 0 0]")],
    ["that acts", widget("/T (new) /V 32 0 R /Rect [0 0 0 0] /A << /S /JavaScript >>")],
    ["that is shown now and then", widget("/T (new) /V 32 0 R /Rect [0 0 9 9] /OC << /Type /OCG >>")],
    ["that is another annotation", "<< /Subtype /Stamp /FT /Sig /T (new) /V 32 0 R /Rect [0 0 9 9] >>"],
    ["below another field", widget("/T (new) /V 32 0 R /Rect [0 0 0 0] /Parent 14 0 R")],
    ["whose place nobody can read", widget("/T (new) /V 32 0 R /Rect [0 0 9]")],
    ["whose look comes from elsewhere", widget("/T (new) /V 32 0 R /Rect [0 0 9 9] /AP << /N 33 0 R >>")],
    ["that nobody signed and that shows something", widget("/T (new) /Rect [0 0 9 9] /AP << /N 34 0 R >>")],
    ["whose look is none", widget("/T (new) /V 32 0 R /Rect [0 0 9 9] /AP << /N 6 0 R >>")],
  ])("a new field %s", (_, field) => {
    expect(
      signed([
        [13, fieldsWith("31 0 R")],
        [31, field],
        [32, signatureDict()],
        [33, look.replace("/BBox", "/Ref << /F (x.pdf) >> /BBox")],
        [34, look],
      ]),
    ).not.toEqual([])
  })

  it("one with something else beside it", () => {
    const edits: readonly Edit[] = [
      [13, fieldsWith("31 0 R")],
      [3, annotsWith("31 0 R 33 0 R")],
      [31, widget("/T (new) /V 32 0 R /Rect [0 0 9 9]")],
      [32, signatureDict()],
      [33, "<< /Type /Annot /Subtype /FreeText /Rect [0 0 500 500] >>"],
    ]
    expect(signed(edits)).toEqual(["/Pages/Kids[0]/Annots[8]"])
  })

  it("a certification of what was signed before", () => {
    const reference = "/Reference [<< /TransformMethod /DocMDP /TransformParams << /P 3 >> >>]"
    const edits: readonly Edit[] = [
      [1, catalogWith("/Perms << /DocMDP 31 0 R >>")],
      [16, is.waiting.replace(/ >>$/, " /V 31 0 R >>")],
      [31, signatureDict(reference)],
    ]
    expect(signed(edits)).toEqual(["/Perms"])
  })
})

describe("an object that is used at two places", () => {
  it("must be allowed to change at both", () => {
    const shared = (page: string): Buffer => {
      const base = contract().toString("latin1").replace("/XObject << /Later 40 0 R >> >>", page)
      // The first revision is unsigned here, so that bytes may move; it is signed by the second.
      return Buffer.from(base, "latin1")
    }
    const before = "/XObject << /Later 19 0 R >> >>"
    expect(before.length).toBe("/XObject << /Later 40 0 R >> >>".length)
    const edits: readonly Edit[] = [
      [14, is.text.replace("(Ada)", "(Bob)")],
      [19, look],
    ]
    expect(undefinedIn(change(contract(), edits))).toEqual([])
    expect(undefinedIn(change(shared(before), edits))).toEqual(["/Pages/Kids[1]/Resources/XObject/Later"])
  })

  it("must not be left by a field that is drawn anew, for somebody else shows it still", () => {
    const shared = change(contract(), [
      [1, catalogWith("/Foo 31 0 R")],
      [14, is.text.replace("<< /N 19 0 R >>", "31 0 R")],
      [31, "<< /N 19 0 R >>"],
    ])
    const fill: Edit = [14, is.text.replace("(Ada)", "(Bob)").replace("19 0 R", "33 0 R")]
    const signed = signAgain(shared, [
      [16, is.waiting.replace(/ >>$/, " /V 32 0 R >>")],
      [32, signatureDict()],
    ])
    expect(undefinedIn(change(signed, [fill, [33, look]]), "waiting")).toEqual(["/Foo"])
  })

  it.each([
    [
      "a page's content",
      3,
      is.page.replace("/Contents 5 0 R", "/Contents 31 0 R"),
      is.content,
      "/Pages/Kids[0]/Contents",
    ],
    [
      "a page's resources",
      3,
      is.page.replace("/Resources 6 0 R", "/Resources 31 0 R"),
      is.resources,
      "/Pages/Kids[0]/Resources",
    ],
    ["a font", 6, is.resources.replace("8 0 R", "31 0 R"), is.font, "/Pages/Kids[0]/Resources/Font/F1"],
    ["the page tree", 1, is.catalog.replace("/Pages 2 0 R", "/Pages 31 0 R"), is.pages, "/Pages/Count"],
    ["the outline", 1, is.catalog.replace("/Outlines 12 0 R", "/Outlines 31 0 R"), is.outline, "/Outlines"],
  ])("is followed to a copy that means the same, and changes later: %s", (_, number, body, copy, path) => {
    const copied = change(contract(), [
      [number, body],
      [31, copy],
    ])
    expect(undefinedIn(copied)).toEqual([])
    const other = copy
      .replace("A contract", "A contrast")
      .replace("F1 8", "F1 9")
      .replace("Helvetica", "Courier")
      .replace("/Count 2", "/Count 3")
      .replace("The", "Any")
    expect(other).not.toBe(copy)
    expect(undefinedIn(change(copied, [[31, other]]))).toContain(path)
  })

  it("is not explained by a part of it: validation data that are a page's content too", () => {
    const edits: readonly Edit[] = [
      [1, catalogWith("/DSS << /Certs [7 0 R] >>")],
      [7, is.secondContent.replace("Later", "Never")],
    ]
    expect(undefinedIn(change(contract(), edits))).toEqual(["/Pages/Kids[1]/Contents"])
  })
})

describe("bytes that belong to nothing", () => {
  it.each([
    ["an object that no section names", "99 0 obj\n<< >>\nendobj\n"],
    ["an object in a comment", "%99 0 obj << >> endobj\n"],
    ["text", "hello\n"],
  ])("between revisions: %s", (_, stray) => {
    const base = contract()
    const file = change(Buffer.concat([base, Buffer.from(stray)]), [[31, "null"]])
    const previous = /startxref\s+(\d+)/.exec(base.subarray(-100).toString("latin1"))?.[1]
    const mended = file.toString("latin1").replace("/Prev 0", `/Prev ${previous}`)
    expect(undefinedIn(Buffer.from(mended, "latin1"))).toEqual([
      `bytes at ${base.length} that belong to nothing`,
    ])
  })

  it("behind the end of the document", () => {
    const file = Buffer.concat([change(contract(), []), Buffer.from("\n\nhello\n")])
    expect(undefinedIn(file)).toEqual(["bytes behind the end of the document"])
    expect(undefinedIn(Buffer.concat([change(contract(), []), Buffer.from("\n \n")]))).toEqual([])
  })

  it("an object that stood in the signed part already", () => {
    const hidden = "33 0 obj\n<< /Type /Annot >>\nendobj"
    const signed = signAgain(contract(), [
      [16, is.waiting.replace(/ >>$/, " /V 31 0 R >>")],
      [31, signatureDict()],
      [32, `<< /Length ${hidden.length} >>\nstream\n${hidden}\nendstream`],
    ])
    const text = change(signed, []).toString("latin1")
    const table = text.lastIndexOf("xref\n0 1\n") + "xref\n0 1\n0000000000 65535 f \n".length
    const entry = `33 1\n${String(signed.indexOf(hidden)).padStart(10, "0")} 00000 n \n`
    const file = Buffer.from(`${text.slice(0, table)}${entry}${text.slice(table)}`, "latin1")
    expect(undefinedIn(file, "waiting")).toEqual(["Brought back from an earlier revision: object 33"])
  })
})

describe("the answer", () => {
  it("is bounded: two hundred changes, and that there are more", () => {
    const comments = Array.from({ length: 300 }, (_, i) => `<< /Subtype /Text /Rect [${i} 0 9 9] >>`)
    const { changes } = differencesIn(change(contract(), [[24, `[${comments.join(" ")}]`]]))
    expect(changes).toHaveLength(201)
    expect(changes.at(-1)).toEqual({ path: "and more", kind: "other", undefined: true })
  })

  it("is one for those who signed before and another for those who signed later", () => {
    let file = change(contract(), [[5, is.content.replace("A contract", "A contrast")]])
    file = appendSigned(file, {
      objects: [
        [16, is.waiting.replace(/ >>$/, " /V 31 0 R >>")],
        [31, signatureDict()],
      ],
      size: 60,
    })
    expect(undefinedIn(file)).toEqual(["/Pages/Kids[0]/Contents"])
    expect(undefinedIn(file, "waiting")).toEqual([])
  })

  it("goes on behind a revision that cannot be read, and says so", () => {
    let file = change(contract(), [[3, "<< /Type /Page /Type /Page >>"]])
    file = appendSigned(change(file, [[3, is.page]]), {
      objects: [
        [16, is.waiting.replace(/ >>$/, " /V 31 0 R >>")],
        [31, signatureDict()],
      ],
      size: 60,
    })
    file = change(file, [[5, is.content.replace("A contract", "A contrast")]])
    expect(undefinedIn(file)[0]).toMatch(/^could not be followed to its end: /)
    expect(undefinedIn(file, "waiting")).toEqual(["/Pages/Kids[0]/Contents"])
  })
})
