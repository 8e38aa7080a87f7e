import { describe, expect, it } from "vitest"
import {
  bodies,
  change,
  contract,
  differencesIn,
  type Edit,
  metadata,
  OBJECTS,
  undefinedIn,
} from "../testing/contract.ts"

const is = bodies()
const look = "<< /Type /XObject /Subtype /Form /BBox [0 0 9 9] /Length 8 >>\nstream\n(Bob) Tj\nendstream"
const fieldsWith = (more: string) => is.acroForm.replace("25 0 R]", `25 0 R ${more}]`)
const catalogWith = (more: string) => is.catalog.replace(/ >>$/, ` ${more} >>`)
const also = (body: string, more: string) => body.replace(/ >>$/, ` ${more} >>`)

type Case = readonly [what: string, edits: readonly Edit[], path: string, kind: string, page?: number]

const cases: readonly Case[] = [
  [
    "the content of a page",
    [[5, is.content.replace("A contract", "A contrast")]],
    "/Pages/Kids[0]/Contents",
    "content",
    1,
  ],
  [
    "which content a page has",
    [[3, is.page.replace("5 0 R", "7 0 R")]],
    "/Pages/Kids[0]/Contents",
    "content",
    1,
  ],
  [
    "the resources of a page",
    [[6, is.resources.replace("/F1 8", "/F1 9")]],
    "/Pages/Kids[0]/Resources",
    "content",
    1,
  ],
  ["a font", [[8, is.font.replace("Helvetica", "Courier")]], "/Pages/Kids[0]/Resources/Font/F1", "font", 1],
  ["an image", [[9, is.image.replace("\nx\n", "\ny\n")]], "/Pages/Kids[0]/Resources/XObject/Im1", "image", 1],
  [
    "what was missing when it was signed",
    [[40, look]],
    "/Pages/Kids[1]/Resources/XObject/Later",
    "content",
    2,
  ],
  [
    "the size of a page",
    [[3, also(is.page, "/MediaBox [0 0 100 100]")]],
    "/Pages/Kids[0]/MediaBox",
    "page",
    1,
  ],
  ["the turn of a page", [[4, also(is.secondPage, "/Rotate 180")]], "/Pages/Kids[1]/Rotate", "page", 2],
  [
    "what a page does",
    [[3, also(is.page, "/AA << /O << /S /Named /N /Print >> >>")]],
    "/Pages/Kids[0]/AA",
    "action",
    1,
  ],
  ["what all pages inherit", [[2, is.pages.replace("595", "500")]], "/Pages/MediaBox", "page"],
  ["the pages: one less", [[2, is.pages.replace("3 0 R ", "")]], "/Pages/Kids", "page"],
  [
    "the pages: one more",
    [
      [2, is.pages.replace("4 0 R", "4 0 R 31 0 R")],
      [31, is.page],
    ],
    "/Pages/Kids",
    "page",
  ],
  ["a page by something else", [[4, "null"]], "/Pages/Kids[1]", "page", 2],
  [
    "what happens on opening",
    [[1, catalogWith("/OpenAction << /S /JavaScript /JS (x) >>")]],
    "/OpenAction",
    "action",
  ],
  ["what the document does", [[1, catalogWith("/AA << >>")]], "/AA", "action"],
  ["names", [[30, is.names.replace("chapter", "part")]], "/Names", "action"],
  ["the outline", [[12, is.outline.replace("The", "Another")]], "/Outlines", "structure"],
  ["which layers are shown", [[1, catalogWith("/OCProperties << >>")]], "/OCProperties", "content"],
  ["the language", [[1, catalogWith("/Lang (de)")]], "/Lang", "structure"],
  [
    "what the structure says",
    [[28, is.element.replace("/S /P", "/S /P /ActualText (x)")]],
    "/StructTreeRoot/K[0]",
    "structure",
  ],
  [
    "the title in the metadata",
    [
      [
        11,
        metadata(
          "<xmp:ModifyDate>2026-11-05</xmp:ModifyDate><pdfaid:part>2</pdfaid:part><dc:title>x</dc:title>",
        ),
      ],
    ],
    "/Metadata: http://purl.org/dc/elements/1.1/title = x",
    "metadata",
  ],
  [
    "what the metadata claim",
    [[11, metadata("<pdfaid:part>3</pdfaid:part>")]],
    "/Metadata: http://www.aiim.org/pdfa/ns/id/part = 3",
    "metadata",
  ],
  [
    "metadata by what is no XML",
    [[11, is.metadata.replace("</rdf:RDF>", "</rdf:RDG>")]],
    "/Metadata",
    "metadata",
  ],
  [
    "metadata by what has entities",
    [[11, metadata('<!DOCTYPE x [<!ENTITY a "b">]>')]],
    "/Metadata",
    "metadata",
  ],
  [
    "the title in the information",
    [[10, is.information.replace("A contract", "Another")]],
    "/Info/Title of the trailer",
    "metadata",
  ],
  [
    "validation data by something else",
    [
      [1, catalogWith("/DSS << /Certs [31 0 R] /JS (x) >>")],
      [31, look],
    ],
    "/DSS/JS",
    "validation-data",
  ],
  [
    "validation data by what is no list of streams",
    [
      [1, catalogWith("/DSS << /Certs [31 0 R] >>")],
      [31, "<< >>"],
    ],
    "/DSS/Certs[0]",
    "validation-data",
  ],
  [
    "extensions by something else",
    [[1, catalogWith("/Extensions << /X << /A << >> >> >>")]],
    "/Extensions",
    "structure",
  ],
  ["the permissions", [[1, catalogWith("/Perms << /DocMDP 29 0 R >>")]], "/Perms", "signature"],
  ["the version to what is none", [[1, catalogWith("/Version /9.9x")]], "/Version", "structure"],
  [
    "the field of the signature",
    [[17, is.signed.replace("[0 0 0 0]", "[0 0 9 9]")]],
    "/AcroForm/Fields[3]/Rect",
    "signature",
  ],
  [
    "the look of the signature",
    [
      [17, also(is.signed, "/AP << /N 31 0 R >>")],
      [31, look],
    ],
    "/AcroForm/Fields[3]/AP",
    "signature",
  ],
  [
    "where a field stands",
    [[14, is.text.replace("[10 10", "[0 0").replace("(Ada)", "(Bob)")]],
    "/AcroForm/Fields[0]/Rect",
    "form-fill",
  ],
  ["what a field does", [[14, also(is.text, "/AA << >>")]], "/AcroForm/Fields[0]/AA", "action"],
  ["what a field shows, and not its value", [[19, look]], "/AcroForm/Fields[0]/AP", "form-fill"],
  [
    "what a field shows, by a new object, and not its value",
    [
      [14, is.text.replace("19 0 R", "31 0 R")],
      [31, look],
    ],
    "/AcroForm/Fields[0]/AP",
    "form-fill",
  ],
  ["how a check box looks", [[20, look]], "/AcroForm/Fields[1]/AP", "form-fill"],
  [
    "which state a check box shows, and not its value",
    [[15, is.checkBox.replace("/AS /Off", "/AS /Yes")]],
    "/AcroForm/Fields[1]/AS",
    "form-fill",
  ],
  [
    "a box to be ticked for programs alone",
    [[15, is.checkBox.replace("/V /Off", "/V /Yes")]],
    "/AcroForm/Fields[1]/V",
    "form-fill",
  ],
  [
    "a text to be another in its rich form",
    [[14, also(is.text.replace("(Ada)", "(Bob)"), "/RV (<body><p>Mallory</p></body>)")]],
    "/AcroForm/Fields[0]/V",
    "form-fill",
  ],
  [
    "a text to have a rich form alone",
    [[14, also(is.text, "/RV (<body><p>Ada</p></body>)")]],
    "/AcroForm/Fields[0]/RV",
    "form-fill",
  ],
  [
    "a check box to a state that it has not",
    [[15, is.checkBox.replace("/V /Off /AS /Off", "/V /Maybe /AS /Maybe")]],
    "/AcroForm/Fields[1]/AS",
    "form-fill",
  ],
  ["how a button looks", [[23, look]], "/AcroForm/Fields[4]/AP", "form-fill"],
  ["the name of a field", [[14, is.text.replace("(name)", "(nome)")]], "/AcroForm/Fields[0]", "form-fill"],
  [
    "the choices of a field",
    [[25, is.choice.replace("(AT)", "(DE)")]],
    "/AcroForm/Fields[5]/Opt",
    "form-fill",
  ],
  [
    "the fonts of the form",
    [
      [13, is.acroForm.replace("/F1 8 0 R", "/F1 31 0 R")],
      [31, is.font.replace("Helvetica", "Courier")],
    ],
    "/AcroForm/DR",
    "font",
  ],
  [
    "the default appearance",
    [[13, is.acroForm.replace("/F1 0 Tf", "/F1 9 Tf")]],
    "/AcroForm/DA",
    "structure",
  ],
  [
    "that fields are drawn anew",
    [[13, also(is.acroForm, "/NeedAppearances true")]],
    "/AcroForm/NeedAppearances",
    "structure",
  ],
  ["the form to one of XML", [[13, also(is.acroForm, "/XFA (x)")]], "/AcroForm/XFA", "structure"],
  [
    "what signatures ask for",
    [[13, is.acroForm.replace("/SigFlags 3", "/SigFlags 0")]],
    "/AcroForm/SigFlags",
    "structure",
  ],
  ["the fields: one less", [[13, is.acroForm.replace("14 0 R ", "")]], "/AcroForm/Fields", "structure"],
  [
    "the fields: in another order",
    [[13, is.acroForm.replace("14 0 R 15 0 R", "15 0 R 14 0 R")]],
    "/AcroForm/Fields",
    "structure",
  ],
  [
    "the fields: a new one to fill",
    [
      [13, fieldsWith("31 0 R")],
      [31, "<< /FT /Tx /T (new) /V (x) >>"],
    ],
    "/AcroForm/Fields[6]",
    "form-fill",
  ],
  [
    "the fields: one that was there already",
    [[13, fieldsWith("22 0 R")]],
    "/AcroForm/Fields[6]",
    "form-fill",
  ],
  ["a comment", [[22, is.comment.replace("A remark", "Another")]], "/Pages/Kids[0]/Annots", "annotation", 1],
  [
    "the order of annotations",
    [[3, is.page.replace("14 0 R 15 0 R", "15 0 R 14 0 R")]],
    "/Pages/Kids[0]/Annots[1]",
    "annotation",
    1,
  ],
  ["a widget to be on another page too", [[24, "[14 0 R]"]], "/Pages/Kids[1]/Annots[0]", "annotation", 2],
]

function named([what, edits, path, kind, page]: Case) {
  return { what, edits, path, kind, page }
}

const PERMS = "/Perms << /DocMDP 29 0 R >>"
/** What is a rightful change there, or none. */
const ANNOTATIONS = new Set(["/Pages/Kids[0]/Annots", "/Perms"])

describe("after a signature nobody may change", () => {
  it.each(cases.map(named))("$what", ({ edits, path, kind, page }) => {
    const { changes, pages } = differencesIn(change(contract(), edits))
    const found = changes.find((one) => one.undefined && one.path === path)
    expect(found, JSON.stringify(changes)).toEqual({
      path,
      kind,
      ...(page === undefined ? {} : { page }),
      undefined: true,
    })
    if (page !== undefined) expect(pages.map((one) => one.page)).toContain(page - 1)
    if (ANNOTATIONS.has(path)) return
    // Nor where a certification allows as much as one can.
    const certified = edits.map(([number, body]): Edit => [number, number === 1 ? also(body, PERMS) : body])
    expect(undefinedIn(change(contract({ docMdp: 3 }), certified))).not.toEqual([])
  })

  it("any object whose number was free", () => {
    const numbers = Object.values(OBJECTS).filter((number) => number !== 29)
    for (const number of numbers) {
      const file = change(contract(), [])
      const text = file.toString("latin1")
      const at = text.lastIndexOf("xref\n0 1\n") + "xref\n0 1\n0000000000 65535 f \n".length
      const freed = `${text.slice(0, at)}${number} 1\n0000000000 00001 f \n${text.slice(at)}`
      try {
        expect(undefinedIn(Buffer.from(freed, "latin1")), `${number}`).not.toEqual([])
      } catch (error) {
        // Without its catalog or its form there is nothing left to say.
        expect([1, 13, 17]).toContain(number)
        expect(String(error)).toMatch(/catalog|Nobody has signed/)
      }
    }
  })
})
