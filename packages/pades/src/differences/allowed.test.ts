import { describe, expect, it } from "vitest"
import {
  appendSigned,
  bodies,
  type ContractOptions,
  change,
  contract,
  differencesIn,
  type Edit,
  FREE,
  metadata,
  signAgain,
  signatureDict,
  TIMESTAMP,
  undefinedIn,
} from "../testing/contract.ts"

const is = bodies()
const look = "<< /Type /XObject /Subtype /Form /BBox [0 0 9 9] /Length 8 >>\nstream\n(Bob) Tj\nendstream"
const der = "<< /Length 2 >>\nstream\nxx\nendstream"
const fieldsWith = (more: string) => is.acroForm.replace("25 0 R]", `25 0 R ${more}]`)
const annotsWith = (more: string) => is.page.replace("25 0 R]", `25 0 R ${more}]`)
const widget = (more: string) => `<< /Type /Annot /Subtype /Widget /FT /Sig ${more} >>`
const rewritten = (text: string) => text.replace("<< ", "<<\n  ")

const fill: readonly Edit[] = [
  [14, is.text.replace("(Ada)", "(Bob)").replace("19 0 R", "31 0 R")],
  [31, look],
]
const signWaiting: readonly Edit[] = [
  [16, is.waiting.replace(" >>", " /V 31 0 R /AP << /N 32 0 R >> >>")],
  [31, signatureDict()],
  [32, look],
]
const addField: readonly Edit[] = [
  [13, fieldsWith("31 0 R")],
  [3, annotsWith("31 0 R")],
  [31, widget("/T (second) /V 32 0 R /P 3 0 R /Rect [300 300 400 350] /F 132 /AP << /N 33 0 R >>")],
  [32, signatureDict()],
  [33, look],
]
const store: readonly Edit[] = [
  [
    1,
    is.catalog.replace(
      " >>",
      " /DSS 31 0 R /Extensions << /ESIC << /BaseVersion /1.7 /ExtensionLevel 2 >> >> /Version /2.0 >>",
    ),
  ],
  [
    31,
    `<< /Type /DSS /Certs [32 0 R] /OCSPs [32 0 R] /VRI << /${"A".repeat(40)} << /Cert [32 0 R] /TU (D:2026) >> >> >>`,
  ],
  [32, der],
]
const timestamp: readonly Edit[] = [
  [13, fieldsWith("31 0 R")],
  [31, widget("/T (clock) /V 32 0 R /Rect [0 0 0 0] /F 132")],
  [32, TIMESTAMP],
]

function kinds(file: Uint8Array): readonly string[] {
  expect(undefinedIn(file)).toEqual([])
  return [...new Set(differencesIn(file).changes.map(({ kind }) => kind))].sort()
}

describe("after a signature there may be", () => {
  it("nothing", () => {
    expect(differencesIn(contract())).toEqual({ changes: [], pages: [] })
  })

  it("objects that are only written anew, and blank lines and a comment between them", () => {
    const file = change(contract(), [
      [3, rewritten(is.page)],
      [5, is.content],
      [8, `% made by somebody\n\n${rewritten(is.font)}`],
    ])
    expect(differencesIn(file)).toEqual({ changes: [], pages: [] })
  })

  it("objects that nothing leads to", () => {
    expect(kinds(change(contract(), [[FREE, "<< /S /JavaScript /JS (app.alert(1)) >>"]]))).toEqual([])
  })

  it("a signature in a field that waited for it, which is drawn there", () => {
    const file = signAgain(contract(), signWaiting)
    expect(kinds(file)).toEqual(["signature"])
    expect(differencesIn(file)).toEqual({
      changes: [{ path: "/AcroForm/Fields[2]/V", kind: "signature", page: 1, undefined: false }],
      pages: [{ page: 0, allowed: [{ rect: [10, 70, 110, 90], why: "signature" }] }],
    })
    expect(differencesIn(file, "waiting")).toEqual({ changes: [], pages: [] })
  })

  it("a signature in a new field on a page", () => {
    const file = signAgain(contract(), addField)
    expect(kinds(file)).toEqual(["signature"])
    expect(differencesIn(file).pages).toEqual([
      { page: 0, allowed: [{ rect: [300, 300, 400, 350], why: "signature" }] },
    ])
  })

  it("a signature that several new fields show, on a page whose annotations are an object of its own", () => {
    const file = signAgain(contract(), [
      [13, fieldsWith("31 0 R 34 0 R")],
      [24, "[31 0 R 34 0 R]"],
      [31, widget("/T (second) /V 32 0 R /Rect [300 300 400 350] /AP << /N 33 0 R >>")],
      [34, widget("/T (second-2) /V 32 0 R /Rect [300 400 400 450] /AP << /N 33 0 R >>")],
      [32, signatureDict()],
      [33, look],
    ])
    expect(kinds(file)).toEqual(["signature"])
    expect(differencesIn(file).pages).toEqual([
      {
        page: 1,
        allowed: [
          { rect: [300, 300, 400, 350], why: "signature" },
          { rect: [300, 400, 400, 450], why: "signature" },
        ],
      },
    ])
  })

  it("a new field whose widgets are its kids, and one that waits for a signature", () => {
    const file = signAgain(contract(), [
      [13, fieldsWith("31 0 R 35 0 R")],
      [3, annotsWith("34 0 R 35 0 R")],
      [31, "<< /FT /Sig /T (second) /V 32 0 R /Kids [34 0 R] >>"],
      [34, "<< /Subtype /Widget /Parent 31 0 R /Rect [0 0 0 0] >>"],
      [32, signatureDict()],
      [35, widget("/T (third) /Rect [1 1 2 2]")],
    ])
    expect(kinds(file)).toEqual(["signature"])
  })

  it("an element for a new field in the structure of a tagged document", () => {
    const file = signAgain(contract(), [
      ...addField,
      [27, is.structure.replace("[28 0 R]]", "[28 0 R] 1 34 0 R]").replace("NextKey 1", "NextKey 2")],
      [28, is.element.replace("[0]", "[0 34 0 R]")],
      [34, "<< /Type /StructElem /S /Form /P 28 0 R /Pg 3 0 R /K << /Type /OBJR /Obj 31 0 R /Pg 3 0 R >> >>"],
    ])
    expect(kinds(file)).toEqual(["signature"])
  })

  it("a field that is filled: text, choice, check box", () => {
    const file = change(contract(), [
      ...fill,
      [15, is.checkBox.replaceAll("/Off /AS /Off", "/Yes /AS /Yes")],
      [25, is.choice.replace("/V (CH)", "/V (AT) /I [1]").replace("26 0 R", "31 0 R")],
    ])
    expect(kinds(file)).toEqual(["form-fill"])
    expect(differencesIn(file).pages).toEqual([
      {
        page: 0,
        allowed: [
          { rect: [10, 10, 110, 30], why: "changed-value", says: "Bob" },
          { rect: [10, 40, 30, 60], why: "changed-value" },
          { rect: [10, 130, 110, 150], why: "changed-value" },
        ],
      },
    ])
  })

  it("a field that is filled twice, and has to show the last of its values", () => {
    const rich = is.text.replace("(Ada)", "(Bob & Eve) /RV (<body><p>Bob &amp; Eve</p></body>)")
    const file = change(change(contract(), fill), [[14, rich.replace("19 0 R", "31 0 R")]])
    expect(kinds(file)).toEqual(["form-fill"])
    const said = differencesIn(file).pages.flatMap(({ allowed }) => allowed.map(({ says }) => says))
    expect(said).toEqual([undefined, "Bob & Eve"])
  })

  it("a field whose appearance is drawn anew in its place", () => {
    const file = change(contract(), [
      [14, is.text.replace("(Ada)", "(Bob)")],
      [19, look],
    ])
    expect(kinds(file)).toEqual(["form-fill"])
  })

  it("a field that is shown at two places, which both may look different", () => {
    const kids = "<< /FT /Tx /T (name) /V (Ada) /Kids [31 0 R 32 0 R] >>"
    const kid = (at: number) =>
      `<< /Subtype /Widget /Parent 14 0 R /Rect [${at} 10 99 30] /AP << /N 19 0 R >> >>`
    const before = change(contract(), [
      [14, kids],
      [31, kid(10)],
      [32, kid(20)],
      [24, "[31 0 R 32 0 R]"],
    ])
    const signed = signAgain(before, [
      [16, is.waiting.replace(" >>", " /V 33 0 R >>")],
      [33, signatureDict()],
    ])
    const file = change(signed, [[14, kids.replace("Ada", "Bob")]])
    expect(undefinedIn(file, "waiting")).toEqual([])
    expect(differencesIn(file, "waiting").pages).toContainEqual({
      page: 1,
      allowed: [
        { rect: [10, 10, 99, 30], why: "changed-value", says: "Bob" },
        { rect: [20, 10, 99, 30], why: "changed-value", says: "Bob" },
      ],
    })
  })

  it("a font for a new default appearance", () => {
    const more = "/Font << /F1 8 0 R /F2 31 0 R >>"
    expect(
      kinds(
        change(contract(), [
          [13, is.acroForm.replace("/Font << /F1 8 0 R >>", more)],
          [31, is.font],
        ]),
      ),
    ).toEqual([])
  })

  it("validation data, and they may be replaced", () => {
    const file = change(contract(), store)
    expect(kinds(file)).toEqual(["validation-data"])
    const again = change(file, [
      [31, "<< /Certs 33 0 R >>"],
      [32, "<< /Length 3 >>\nstream\nyyy\nendstream"],
      [33, "[32 0 R]"],
    ])
    expect(kinds(again)).toEqual(["validation-data"])
  })

  it("a time-stamp over the document", () => {
    const file = signAgain(contract(), timestamp)
    expect(kinds(file)).toEqual(["timestamp"])
    expect(differencesIn(file).pages).toEqual([])
  })

  it("a note of when and with what it was saved", () => {
    const file = change(contract(), [
      [10, is.information.replace("20261105", "20261106").replace("Somebody", "Somebody else")],
      [11, metadata("<pdfaid:part>2</pdfaid:part><xmp:ModifyDate>2026-11-06</xmp:ModifyDate><!-- later -->")],
    ])
    expect(kinds(file)).toEqual(["metadata"])
  })

  it("another catalog, if it says the same", () => {
    const file = change(contract(), [[31, is.catalog]], { trailer: "/Info 10 0 R /Root 31 0 R" })
    expect(
      kinds(
        Buffer.from(
          file.toString("latin1").replace(/\/Root 1 0 R (\/Prev \d+ \/Info 10 0 R \/Root 31)/, "$1"),
          "latin1",
        ),
      ),
    ).toEqual([])
  })

  it("revision upon revision", () => {
    let file = contract()
    file = signAgain(file, addField)
    file = change(file, [[14, is.text.replace("(Ada)", "(Eve)")]])
    file = appendSigned(file, {
      objects: [
        [13, fieldsWith("31 0 R 41 0 R")],
        [41, widget("/T (clock) /V 42 0 R /Rect [0 0 0 0]")],
        [42, TIMESTAMP],
      ],
      size: 60,
    })
    expect(kinds(file)).toEqual(["form-fill", "signature", "timestamp"])
    expect(differencesIn(file, "second").changes.map(({ kind }) => kind)).toEqual(["form-fill", "timestamp"])
    expect(differencesIn(file, "clock").changes).toEqual([])
  })
})

describe("a certification", () => {
  const certified = (docMdp: 1 | 2 | 3) => contract({ docMdp })
  const comment: readonly Edit[] = [
    [3, annotsWith("31 0 R")],
    [
      31,
      "<< /Type /Annot /Subtype /Highlight /Rect [50 50 60 60] /QuadPoints [1 1 2 1 1 2 2 2] /AP << /N 32 0 R >> >>",
    ],
    [32, look],
  ]

  it.each([1, 2, 3] as const)("with P %i allows validation data and time-stamps", (docMdp) => {
    const file = change(certified(docMdp), [
      [1, bodies({ docMdp }).catalog.replace(" >>\n", "").replace(/ >>$/, " /DSS 31 0 R >>")],
      [31, "<< /Certs [32 0 R] >>"],
      [32, der],
    ])
    expect(undefinedIn(file)).toEqual([])
    expect(undefinedIn(signAgain(certified(docMdp), timestamp))).toEqual([])
    const onPage = signAgain(certified(docMdp), [...timestamp, [3, annotsWith("31 0 R")]])
    expect(undefinedIn(onPage)).toEqual([])
  })

  it.each([2, 3] as const)("with P %i allows to fill and to sign", (docMdp) => {
    expect(undefinedIn(change(certified(docMdp), fill))).toEqual([])
    expect(undefinedIn(signAgain(certified(docMdp), signWaiting))).toEqual([])
  })

  it("with P 1 forbids to fill and to sign, and time-stamps that are seen", () => {
    expect(undefinedIn(change(certified(1), fill))).toEqual(["/AcroForm/Fields[0]/V of name"])
    expect(undefinedIn(signAgain(certified(1), signWaiting))).toEqual(["/AcroForm/Fields[2]/V"])
    const seen = timestamp.map(([number, body]): Edit => [number, body.replace("[0 0 0 0]", "[0 0 9 9]")])
    expect(undefinedIn(signAgain(certified(1), seen))).not.toEqual([])
  })

  it("with P 3 allows comments: new, changed and gone", () => {
    const file = change(certified(3), comment)
    expect(undefinedIn(file)).toEqual([])
    expect(differencesIn(file)).toEqual({
      changes: [{ path: "/Pages/Kids[0]/Annots[7]", kind: "annotation", page: 1, undefined: false }],
      pages: [{ page: 0, allowed: [{ rect: [50, 50, 60, 60], why: "annotation" }] }],
    })
    expect(undefinedIn(change(certified(3), [[22, is.comment.replace("A remark", "Another")]]))).toEqual([])
    expect(undefinedIn(change(certified(3), [[3, is.page.replace("22 0 R", "")]]))).toEqual([])
  })

  it.each([undefined, 1, 2] as const)("with P %s forbids comments", (docMdp) => {
    const base = contract(docMdp === undefined ? {} : { docMdp })
    expect(undefinedIn(change(base, comment))).toEqual(["/Pages/Kids[0]/Annots[7]"])
    expect(undefinedIn(change(base, [[22, is.comment.replace("A remark", "Another")]]))).not.toEqual([])
    expect(undefinedIn(change(base, [[3, is.page.replace("22 0 R", "")]]))).toEqual([
      "/Pages/Kids[0]/Annots[5]",
    ])
  })

  it.each([
    ["that is a window of no comment", "/Subtype /Popup /Open true /Contents (9000)"],
    ["that acts", "/Subtype /Text /A << /S /URI /URI (http://x.example) >>"],
    ["that acts by itself", "/Subtype /Text /AA << /E << /S /JavaScript /JS (x) >> >>"],
    ["with a file", "/Subtype /FileAttachment /FS << >>"],
    ["that plays", "/Subtype /Screen"],
    ["that blackens", "/Subtype /Redact"],
    ["that leads elsewhere", "/Subtype /Link /Dest [3 0 R /Fit]"],
    ["of a field that is none", "/Subtype /Widget /FT /Tx /T (x)"],
    ["that is shown now and then", "/Subtype /Stamp /OC << /Type /OCG /Name (x) >>"],
    ["whose place nobody can read", "/Subtype /Stamp /Rect [1 2]"],
  ])("with P 3 forbids a comment %s", (_, more) => {
    const body = `<< /Type /Annot ${more} ${more.includes("/Rect") ? "" : "/Rect [1 1 2 2]"} >>`
    expect(
      undefinedIn(
        change(certified(3), [
          [3, annotsWith("31 0 R")],
          [31, body],
        ]),
      ),
    ).toEqual(["/Pages/Kids[0]/Annots[7]"])
  })
})

describe("a lock", () => {
  const locks: readonly (readonly [string, ContractOptions, boolean])[] = [
    ["a transform for all fields", { fieldMdp: "/Action /All" }, true],
    ["a transform for this field", { fieldMdp: "/Action /Include /Fields [(name)]" }, true],
    ["a transform for another field", { fieldMdp: "/Action /Include /Fields [(agreed)]" }, false],
    ["a transform for all fields but this one", { fieldMdp: "/Action /Exclude /Fields [(name)]" }, false],
    ["a transform for all fields but another one", { fieldMdp: "/Action /Exclude /Fields [(agreed)]" }, true],
    ["the field's own lock", { lock: "/Action /Include /Fields [(name)]" }, true],
    ["the field's own lock for another one", { lock: "/Action /Include /Fields [(agreed)]" }, false],
    ["the field's own lock that allows nothing", { lock: "/Action /Include /Fields [(x)] /P 1" }, true],
    ["a lock that nobody understands", { lock: "/Action /Sometimes" }, true],
  ]
  it.each(locks)("by %s", (_, options, isLocked) => {
    expect(undefinedIn(change(contract(options), fill))).toEqual(
      isLocked ? ["/AcroForm/Fields[0]/V of name"] : [],
    )
  })

  it("leaves room for validation data and time-stamps", () => {
    expect(undefinedIn(signAgain(contract({ fieldMdp: "/Action /All" }), timestamp))).toEqual([])
  })

  it("of a later signature counts from then on", () => {
    const lock = "/Reference [<< /TransformMethod /FieldMDP /TransformParams << /Action /All >> >>]"
    const filled = change(contract(), fill)
    const locked = signAgain(
      filled,
      signWaiting.map(
        ([number, body]): Edit => [
          number + (number > 30 ? 10 : 0),
          (number === 31 ? signatureDict(lock) : body).replaceAll(/3([12]) 0 R/g, "4$1 0 R"),
        ],
      ),
    )
    expect(undefinedIn(locked)).toEqual([])
    const again = change(locked, [[14, is.text.replace("(Ada)", "(Eve)").replace("19 0 R", "31 0 R")]])
    expect(undefinedIn(again)).toEqual(["/AcroForm/Fields[0]/V of name"])
    expect(undefinedIn(again, "waiting")).toEqual(["/AcroForm/Fields[0]/V of name"])
  })
})
