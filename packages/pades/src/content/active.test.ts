import { describe, expect, it } from "vitest"
import { samplePdf, writeSample } from "../sample.ts"
import { appendRevision } from "../testing/by-hand.ts"
import { PAGE, PAGES, withCatalog } from "../testing/hostile.ts"
import type { ActiveKind } from "./active.ts"
import { describePdf } from "./describe.ts"

const SCRIPT = "<< /S /JavaScript /JS (app.alert\\(1\\)) >>"
const LINK = "<< /S /URI /URI (https://example.com) >>"
const stream = (entries: string) => `<< ${entries} /Length 0 >>\nstream\n\nendstream`
const withPage = (entries: string, ...more: string[]) =>
  writeSample([
    "<< /Type /Catalog /Pages 2 0 R >>",
    PAGES,
    `<< /Type /Page /Parent 2 0 R ${entries} >>`,
    ...more,
  ])
const kinds = (file: Uint8Array): ActiveKind[] => describePdf(file).active.map(({ kind }) => kind)

describe("JavaScript is found", () => {
  it.each([
    ["in the name tree", withCatalog(`/Names << /JavaScript << /Names [(a) ${SCRIPT}] >> >>`)],
    [
      "below kids of the name tree",
      withCatalog(
        "/Names 4 0 R",
        "<< /JavaScript << /Kids [5 0 R] >> >>",
        `<< /Names [(a) 6 0 R] >>`,
        SCRIPT,
      ),
    ],
    ["when the document is opened", withCatalog(`/OpenAction ${SCRIPT}`)],
    ["when the document is closed", withCatalog(`/AA << /WC ${SCRIPT} >>`)],
    ["on a page", withPage(`/AA << /O 4 0 R >>`, SCRIPT)],
    ["behind a link", withPage(`/Annots [<< /Type /Annot /Subtype /Link /Rect [0 0 1 1] /A ${SCRIPT} >>]`)],
    [
      "in a field that formats a number",
      withCatalog("/AcroForm << /Fields [4 0 R] >>", `<< /T (a) /FT /Tx /AA << /F ${SCRIPT} >> >>`),
    ],
    [
      "in an outline",
      withCatalog(
        "/Outlines 4 0 R",
        "<< /First 5 0 R >>",
        `<< /Title (a) /Next 6 0 R >>`,
        `<< /Title (b) /A ${SCRIPT} >>`,
      ),
    ],
    ["in a stream", withCatalog("/OpenAction << /S /JavaScript /JS 4 0 R >>", stream(""))],
    ["of a rendition", withPage(`/Annots [<< /Subtype /Screen /A << /S /Rendition /JS (a) >> >>]`)],
    [
      "of a 3D picture",
      withPage(
        "/Annots [<< /Subtype /3D /3DD 4 0 R >>]",
        stream("/Type /3D /OnInstantiate 5 0 R"),
        stream(""),
      ),
    ],
    [
      "of rich media",
      withPage("/Annots [<< /Subtype /RichMedia /RichMediaSettings << /Activation << /Scripts [] >> >> >>]"),
    ],
    [
      "in a chain of harmless actions",
      withPage(
        `/Annots [<< /Subtype /Link /A << /S /GoTo /D [3 0 R /Fit] /Next [${LINK} << /S /Named /N /NextPage /Next 4 0 R >>] >> >>]`,
        SCRIPT,
      ),
    ],
    ["in a place that nobody has heard of", withCatalog("/Later [[<< /A 4 0 R >>]]", `[null ${SCRIPT}]`)],
    ["where the names are escaped", withCatalog("/Open#41ction << /#53 /J#61vaScrip#74 /J#53 (a) >>")],
    [
      "where the type is an object of its own",
      withCatalog("/OpenAction << /S 4 0 R /JS (a) >>", "/JavaScript"),
    ],
    ["where the type is a string", withCatalog("/OpenAction << /S (Java\\123cript) /JS (a) >>")],
    ["where the generation is wrong", withCatalog("/OpenAction 4 3 R", SCRIPT)],
    [
      "in an object that says it is something else",
      withCatalog("/OpenAction 4 0 R", `<< /Type /Font /S /JavaScript /JS (a) >>`),
    ],
    ["in the dictionary of a stream", withPage("/Contents 4 0 R", stream(`/X ${SCRIPT}`))],
    ["in an object stream", packed(SCRIPT)],
    [
      "in an incremental update",
      appendRevision(withCatalog("/OpenAction 4 0 R", "null"), { objects: [[4, SCRIPT]], size: 5 }),
    ],
  ])("%s", (_, file) => {
    expect(kinds(file)).toContain("javascript")
  })

  it("with the lowest number of an object that holds it, in a sentence", () => {
    const file = withPage("/AA << /O 5 0 R >> /Annots [4 0 R]", `<< /Subtype /Link /A ${SCRIPT} >>`, SCRIPT)
    expect(describePdf(file).active).toEqual([
      { kind: "javascript", detail: "The PDF holds JavaScript (object 4)." },
    ])
  })

  it("but not where a later revision has removed it, or where nothing leads to it", () => {
    const file = withCatalog("/OpenAction 4 0 R", SCRIPT)
    expect(kinds(appendRevision(file, { objects: [[4, "null"]], size: 5 }))).toEqual([])
    expect(kinds(withCatalog("", SCRIPT))).toEqual([])
  })
})

describe("a program is started", () => {
  it.each([
    ["on opening", withCatalog("/OpenAction << /S /Launch /F (calc.exe) >>")],
    ["by a click", withPage("/Annots [<< /Subtype /Link /A << /S /Launch /Win << /F (calc.exe) >> >> >>]")],
    [
      "at the end of a chain that is a loop",
      withCatalog(
        "/OpenAction 4 0 R",
        "<< /S /GoTo /Next 5 0 R >>",
        "<< /S /GoTo /Next [4 0 R 6 0 R] >>",
        "<< /S /Launch /Next 5 0 R >>",
      ),
    ],
  ])("%s", (_, file) => {
    expect(kinds(file)).toEqual(["launch"])
  })
})

describe("what happens without a click is found", () => {
  it.each([
    "URI",
    "GoToR",
    "GoToE",
    "SubmitForm",
    "ImportData",
    "Thread",
    "Movie",
    "Sound",
    "Rendition",
    "Hide",
    "SetOCGState",
    "ResetForm",
    "RichMediaExecute",
  ])("where opening does %s", (type) =>
    expect(kinds(withCatalog(`/OpenAction << /S /${type} >>`))).toEqual(["action-on-open"]),
  )

  it.each([
    ["on a page", withPage(`/AA << /O ${LINK} >>`)],
    ["when a page is left", withPage(`/AA 4 0 R`, `<< /C 5 0 R >>`, LINK)],
    [
      "where an annotation comes into view",
      withPage(`/Annots [<< /Subtype /Widget /AA << /PV ${LINK} >> >>]`),
    ],
    ["where a mouse passes", withPage(`/Annots [<< /Subtype /Link /AA << /E ${LINK} >> >>]`)],
    [
      "behind a harmless action",
      withCatalog(`/OpenAction << /S /GoTo /D [3 0 R /Fit] /Next 4 0 R >>`, `[<< /S /Trans >> ${LINK}]`),
    ],
    ["by the name of a command", withCatalog("/OpenAction << /S /Named /N /SaveAs >>")],
    ["in the steps of a presentation", withPage("/PresSteps 4 0 R", `<< /Type /NavNode /NA ${LINK} >>`)],
    [
      "of rich media",
      withPage(
        "/Annots [<< /Subtype /RichMedia /RichMediaSettings << /Activation << /Condition /PV >> >> >>]",
      ),
    ],
    ["where the generation is wrong", withPage(`/AA << /O 4 9 R >>`, LINK)],
  ])("%s", (_, file) => {
    expect(kinds(file)).toEqual(["action-on-open"])
  })
})

describe("what stands in another file is found", () => {
  it.each([
    ["as the data of a stream", stream("/F (other.pdf)")],
    ["as the data of a stream, with a filter of its own", stream("/FFilter /FlateDecode")],
    [
      "as a page of another PDF",
      stream("/Type /XObject /Subtype /Form /BBox [0 0 1 1] /Ref << /F (other.pdf) /Page 0 >>"),
    ],
    ["for the printer", stream("/Type /XObject /Subtype /Image /OPI << /1.3 << /F (other.tif) >> >>")],
  ])("%s", (_, xobject) => {
    expect(kinds(withPage("/Resources << /XObject << /X 4 0 R >> >>", xobject))).toEqual(["external-stream"])
  })
})

describe("an ordinary document does nothing:", () => {
  it.each([
    ["one without anything", samplePdf()],
    ["one that opens at a place", withCatalog("/OpenAction [3 0 R /XYZ null null 1]")],
    ["one that opens by an action", withCatalog("/OpenAction << /S /GoTo /D (chapter) >>")],
    ["one that turns its page", withPage("/AA << /O << /S /Named /N /NextPage >> >>")],
    ["one that offers to be printed", withCatalog("/OpenAction << /Type /Action /S /Named /N /Print >>")],
    [
      "one with links",
      withPage(
        `/Annots [<< /Subtype /Link /A ${LINK} /PA ${LINK} >> << /Subtype /Widget /AA << /U ${LINK} >> >>]`,
      ),
    ],
    [
      "one with an attachment",
      withCatalog(
        "/Names << /EmbeddedFiles << /Names [(a) << /Type /Filespec /F (a.exe) /EF << /F 4 0 R >> >>] >> >>",
        stream("/Type /EmbeddedFile"),
      ),
    ],
    ["one with a transition", withPage("/Trans << /S /Dissolve >> /Dur 5")],
    [
      "one with resources of strange names",
      withPage("/Resources << /Font << /JS << /Type /Font >> /S 4 0 R /AA 4 0 R >> >>", "<< /Type /Font >>"),
    ],
    [
      "one with references among its tags",
      withCatalog("/StructTreeRoot 4 0 R", "<< /Type /StructTreeRoot /K << /S /Launch /Ref [4 0 R] >> >>"),
    ],
    ["one with an abbreviated filter", withPage("/Contents 4 0 R", stream("/F /Fl"))],
  ])("%s", (_, file) => {
    expect(kinds(file)).toEqual([])
  })
})

describe("readers may differ", () => {
  it.each([
    [
      "on an object that is somewhere else",
      Buffer.from(withPage("/Contents 4 0 R", "null")).toString("latin1").replace("4 0 obj", "5 0 obj"),
    ],
    ["on a key that is given twice", withPage("/Contents 4 0 R", stream("/X 1 /X 2"))],
    [
      "on where a stream begins",
      Buffer.from(withPage("/Contents 4 0 R", stream("")))
        .toString("latin1")
        .replace("stream\n\n", "stream\r\r"),
    ],
    ["on where a stream ends", withPage("/Contents 4 0 R", "<< /Length 1 >>\nstream\nBT ET\nendstream")],
    [
      "on a length that is nowhere",
      withPage("/Contents 4 0 R", "<< /Length 2 0 R >>\nstream\nBT ET\nendstream"),
    ],
    ["on a reference to a reference", withCatalog("/OpenAction 4 0 R", "5 0 R", LINK)],
    ["on an object that the next revision would make", withPage("/Contents 4 0 R")],
    ["on an object that its object stream does not hold", packed(SCRIPT, 7)],
  ])("%s", (_, file) => {
    expect(kinds(typeof file === "string" ? Buffer.from(file, "latin1") : file)).toEqual(["unclear"])
  })
})

it("takes no longer than a file is worth where chains of actions are shared", () => {
  const chain = Array.from({ length: 1_000 }, (_, i) => `<< /S /GoTo /Next ${i + 5} 0 R >>`)
  const triggers = Array.from({ length: 2_000 }, () => "<< /AA << /O 4 0 R >> >>")
  expect(() => describePdf(withCatalog(`/X [${triggers.join("")}]`, ...chain, "null"))).toThrow(
    "takes too long",
  )
  expect(kinds(withCatalog(`/X [${triggers.slice(0, 5).join("")}]`, ...chain, "null"))).toEqual([])
})

/** The catalog opens with object 6, which the cross-reference stream says to lie in object stream 4. */
function packed(body: string, number = 6): Buffer {
  const bodies = [
    "<< /Type /Catalog /Pages 2 0 R /OpenAction 6 0 R >>",
    PAGES,
    PAGE,
    `<< /Type /ObjStm /N 1 /First 4 /Length ${body.length + 4} >>\nstream\n${number} 0 ${body}\nendstream`,
  ]
  let text = "%PDF-1.7\n"
  const records = [[0, 0, 0]]
  for (const [i, one] of bodies.entries()) {
    records.push([1, text.length, 0])
    text += `${i + 1} 0 obj\n${one}\nendobj\n`
  }
  records.push([1, text.length, 0], [2, 4, 0])
  const data = Buffer.from(records.flatMap(([type = 0, second = 0]) => [type, second >> 8, second & 0xff, 0]))
  const keys = `/Type /XRef /Size 7 /W [1 2 1] /Root 1 0 R /Length ${data.length}`
  const head = Buffer.from(`${text}5 0 obj\n<< ${keys} >>\nstream\n`, "latin1")
  return Buffer.concat([head, data, Buffer.from(`\nendstream\nendobj\nstartxref\n${text.length}\n%%EOF\n`)])
}
