import { deflateSync } from "node:zlib"
import { describe, expect, it } from "vitest"
import { describePdf } from "../content/describe.ts"
import { samplePdf } from "../sample.ts"
import {
  annotation,
  attachment,
  FORM,
  field,
  layers,
  NOT_PRINTED,
  withPage,
} from "../testing/conditional-files.ts"
import { streamOf, withCatalog } from "../testing/hostile.ts"

const found = (file: Uint8Array) => describePdf(file).conditional
const kinds = (file: Uint8Array) => found(file).map(({ kind }) => kind)

describe("[B2] content that depends on a condition is found", () => {
  it.each<readonly [what: string, kind: string, file: Uint8Array]>([
    [
      "an annotation that the pointer hides",
      "annotation-visibility",
      annotation("/Subtype /Stamp /F 260 /AP << /N 4 0 R >>", FORM),
    ],
    [
      "another appearance under the pointer",
      "annotation-appearance",
      annotation("/Subtype /Stamp /F 4 /AP << /N 4 0 R /R 5 0 R >>", FORM, FORM),
    ],
    [
      "another appearance when clicked",
      "annotation-appearance",
      annotation("/Subtype /Stamp /F 4 /AP << /N 4 0 R /D 5 0 R >>", FORM, FORM),
    ],
    [
      "a layer that is not printed",
      "layer-visibility",
      layers("", "<< /Type /OCG /Name (a) /Usage << /Print << /PrintState /OFF >> >> >>"),
    ],
    [
      "a hidden layer that is exported",
      "layer-visibility",
      layers("/OFF [4 0 R]", "<< /Type /OCG /Name (a) /Usage << /Export << /ExportState /ON >> >> >>"),
    ],
    [
      "a layer of some zoom levels",
      "layer-visibility",
      layers("", "<< /Type /OCG /Name (a) /Usage << /Zoom << /max 2 >> >> >>"),
    ],
    [
      "a layer for some languages",
      "layer-visibility",
      layers(
        "/AS [<< /Event /View /Category [/Language] /OCGs [4 0 R] >>]",
        "<< /Type /OCG /Name (a) /Usage << /Language << /Lang (de) >> >> >>",
      ),
    ],
    [
      "a hidden layer that is not for viewing",
      "layer-visibility",
      layers("/OFF [4 0 R]", "<< /Type /OCG /Name (a) /Intent /Design >>"),
    ],
    [
      "a layer that is not printed, of a document without a list of layers",
      "layer-visibility",
      withPage("/Resources << /Properties << /A 4 0 R >> >>", NOT_PRINTED),
    ],
    [
      "a layer that is not printed, directly in the resources and without a type",
      "layer-visibility",
      withPage("/Resources << /Properties << /A << /Usage << /Print << /PrintState /OFF >> >> >> >> >>"),
    ],
    [
      "a layer that is not printed, of a form XObject",
      "layer-visibility",
      withPage(
        "/Resources << /XObject << /A 5 0 R >> >>",
        NOT_PRINTED,
        streamOf("/Type /XObject /Subtype /Form /OC 4 0 R", Buffer.of()),
      ),
    ],
    [
      "a layer that is not printed, behind a membership dictionary",
      "layer-visibility",
      withPage("/Resources << /Properties << /A 5 0 R >> >>", NOT_PRINTED, "<< /Type /OCMD /OCGs 4 0 R >>"),
    ],
    [
      "an image with a version for print",
      "image-alternates",
      withPage(
        "/Resources << /XObject << /I 4 0 R >> >>",
        streamOf("/Subtype /Image /Alternates [<< /Image 5 0 R /DefaultForPrinting true >>]", Buffer.of(0)),
        streamOf("/Subtype /Image", Buffer.of(0)),
      ),
    ],
    ["a form that readers draw again", "need-appearances", field("/FT /Tx", "/NeedAppearances true")],
    [
      "a box whose value is off",
      "field-value",
      field("/FT /Btn /V /Off /AS /Yes /AP << /N << /Yes 5 0 R >> >>", "", FORM),
    ],
    [
      "a box whose value is on",
      "field-value",
      field("/FT /Btn /V /Yes /AS /Off /AP << /N << /Yes 5 0 R >> >>", "", FORM),
    ],
    ...["Line", "PolyLine", "Polygon", "Stamp", "Caret", "FreeText"].map(
      (type) =>
        [
          `a ${type} annotation without an appearance`,
          "annotation-appearance",
          annotation(`/Subtype /${type} /F 4`),
        ] as const,
    ),
    [
      "a stamp whose appearance has no state",
      "annotation-appearance",
      annotation("/Subtype /Stamp /F 4 /AP << /N << >> >>"),
    ],
    [
      "a link with a border that covers words",
      "annotation-appearance",
      annotation("/Subtype /Link /Border [0 0 30]"),
    ],
    [
      "a link with a border style that covers words",
      "annotation-appearance",
      annotation("/Subtype /Link /BS << /W 4 >>"),
    ],
    [
      "a stamp that only some readers hide",
      "annotation-visibility",
      annotation("/Subtype /Stamp /F 5 /AP << /N 4 0 R >>", FORM),
    ],
    [
      "a push button with other words when clicked",
      "annotation-appearance",
      field("/FT /Btn /Ff 65536 /AP << /N 5 0 R /D 6 0 R >>", "", FORM, FORM),
    ],
    ...["5 0 R", "/100", "100", "[(100)]", "true"].map(
      (value) =>
        [
          `a value of a type that a text field has not, ${value}`,
          "field-value",
          field(`/FT /Tx /V ${value} /AP << /N 5 0 R >>`, "", FORM),
        ] as const,
    ),
    ["a password", "field-value", field("/FT /Tx /Ff 8192 /V (1) /AP << /N 5 0 R >>", "", FORM)],
    [
      "an option that is exported as another one is",
      "field-value",
      field("/FT /Ch /Ff 131072 /V (a) /Opt [[(a) (1)] [(a) (2)]] /AP << /N 5 0 R >>", "", FORM),
    ],
    [
      "a choice whose index is of another option",
      "field-value",
      field("/FT /Ch /V (a) /I [1] /Opt [(a) (b)] /AP << /N 5 0 R >>", "", FORM),
    ],
    ["a value of a field without a type", "field-value", field("/V (1) /AP << /N 5 0 R >>", "", FORM)],
    ["a rich value without an appearance", "field-value", field("/FT /Tx /RV (<body>100</body>)")],
    [
      "a field that is listed under another one than its parent",
      "field-value",
      field("/FT /Tx /Parent 6 0 R /AP << /N 5 0 R >>", "", FORM, "<< /FT /Tx /V (100000) >>"),
    ],
    ...(
      [
        ["/Filter /FlateDecode", "garbage"],
        ["/Filter /Unknown", ""],
        ["/Filter [/ASCII85Decode /FlateDecode]", "garbage~>"],
        ["/Filter /ASCIIHexDecode", "zz>"],
      ] as const
    ).map(
      ([filter, data]) =>
        [
          `a page whose content cannot be decoded, ${filter}`,
          "page-not-renderable",
          withPage("/Contents [4 0 R]", streamOf(filter, Buffer.from(data))),
        ] as const,
    ),
    ["a page whose content is an array in an array", "page-not-renderable", withPage("/Contents [[4 0 R]]")],
    ["a value without an appearance", "field-value", field("/FT /Tx /V (100)")],
    [
      "a link that sends the form",
      "action",
      annotation("/Subtype /Link /A << /S /SubmitForm /F (https://example.com) >>"),
    ],
    [
      "a chained action that hides a field",
      "action",
      annotation("/Subtype /Link /A << /S /URI /URI (https://a.example) /Next << /S /Hide /T (a) >> >>"),
    ],
    [
      "an action in the outline",
      "action",
      withCatalog("/Outlines << /First 4 0 R >>", "<< /Title (a) /A << /S /GoToR /F (b.pdf) >> >>"),
    ],
    ["an unknown action", "action", annotation("/Subtype /Link /A << /S /Vendor >>")],
    [
      "an action of a mouse button",
      "action",
      annotation("/Subtype /Widget /AA << /D << /S /ImportData /F (a) >> >>"),
    ],
    [
      "a link to a file share",
      "action",
      annotation("/Subtype /Link /A << /S /URI /URI (file://host/share) >>"),
    ],
    [
      "a link that runs a script",
      "action",
      annotation("/Subtype /Link /A << /S /URI /URI ( java\\nscript:alert\\(1\\)) >>"),
    ],
    ...[
      ...[
        "ms-msdt:/id",
        "search-ms:query=x",
        "ms-word:ofe",
        "shell:startup",
        "view-source:file:///a",
        "ftp://a.example",
      ],
      ...["C:\\\\Windows", "C:/Windows", "/\\\\srv\\\\share", "evil.exe", "../evil.exe", "f%69le:///etc"],
    ].map(
      (address) =>
        [
          `a link to ${address}`,
          "action",
          annotation(`/Subtype /Link /A << /S /URI /URI (${address}) >>`),
        ] as const,
    ),
    ["a base of links that is a folder", "action", withCatalog("/URI << /Base (file:///C:/) >>")],
    [
      "scripts without a type",
      "action",
      withCatalog("/Names << /JavaScript << /Names [(a) << /JS (app.alert\\(1\\)) >>] >> >>"),
    ],
    ...["Movie", "Sound", "3D"].map(
      (type) => [`a ${type} annotation`, "action", annotation(`/Subtype /${type} /F 4`)] as const,
    ),
    [
      "a watermark with a place for print",
      "annotation-visibility",
      annotation("/Subtype /Watermark /FixedPrint << >>"),
    ],
    [
      "PostScript for printers",
      "image-alternates",
      withPage("/Resources << /XObject << /A 4 0 R >> >>", streamOf("/Subtype /PS", Buffer.of())),
    ],
    [
      "a form XObject with PostScript for printers",
      "image-alternates",
      withPage(
        "/Resources << /XObject << /A 4 0 R >> >>",
        streamOf("/Subtype /Form /Subtype2 /PS /PS 5 0 R", Buffer.of()),
        streamOf("", Buffer.from("showpage")),
      ),
    ],
    ["a portfolio", "reader-dependent", withCatalog("/Collection << /View /H >>")],
    [
      "an area for print",
      "reader-dependent",
      withCatalog("/ViewerPreferences << /PrintClip /MediaBox /PrintArea /CropBox >>"),
    ],
    ["a web page", "embedded-executable", attachment("a.html")],
    ["a name that ends at a zero", "embedded-executable", attachment("a.exe\\000.txt")],
    [
      "a script behind a byte order mark",
      "embedded-executable",
      attachment("a.txt", "\xef\xbb\xbf#!/bin/sh"),
    ],
    [
      "a program among the related files",
      "embedded-executable",
      withCatalog(
        "/Names << /EmbeddedFiles << /Names [(a) 4 0 R] >> >>",
        "<< /Type /Filespec /F (a) /EF << /F 5 0 R >> /RF << /F [(b) 6 0 R] >> >>",
        streamOf("", Buffer.from("a")),
        streamOf("", Buffer.from("MZ")),
      ),
    ],
    [
      "a program by a name in a dictionary",
      "embedded-executable",
      withCatalog(
        "/AF [4 0 R]",
        "<< /F << /F (a.exe) >> /EF << /F 5 0 R >> >>",
        streamOf("", Buffer.from("a")),
      ),
    ],
    [
      "a program that an element of the structure has",
      "embedded-executable",
      withCatalog(
        "/StructTreeRoot 4 0 R",
        "<< /Type /StructTreeRoot /K 5 0 R >>",
        "<< /S /Document /AF [6 0 R] >>",
        "<< /F (a.exe) /EF << /F 7 0 R >> >>",
        streamOf("", Buffer.from("a")),
      ),
    ],
    ["a program by its name", "embedded-executable", attachment("invoice.pdf.EXE. ")],
    ["a program by its content", "embedded-executable", attachment("invoice.xml", "MZ\x90\x00")],
    [
      "a compressed program",
      "embedded-executable",
      attachment("invoice.xml", deflateSync(Buffer.from("\x7fELF", "latin1")), "/Filter /FlateDecode"),
    ],
    ["a script by its content", "embedded-executable", attachment("invoice.txt", "#!/bin/sh")],
    ["a document with macros", "embedded-executable", attachment("invoice.docm")],
    [
      "a file that cannot be read",
      "embedded-executable",
      attachment("invoice.xml", "data", "/Filter /LZWDecode"),
    ],
    [
      "a program in an annotation",
      "embedded-executable",
      annotation("/Subtype /FileAttachment /FS << /F (a.bat) /EF << /F 4 0 R >> >>", FORM),
    ],
  ])("%s: %s", (_, kind, file) => {
    expect(kinds(file)).toContain(kind)
  })

  it("and said with the object that it stands in", () => {
    const [one] = found(
      withCatalog("/Outlines << /First 4 0 R >>", "<< /Title (a) /A 5 0 R >>", "<< /S /Hide >>"),
    )
    expect(one).toEqual({
      kind: "action",
      detail: 'An action of type "Hide" is not allowed, only URI and GoTo are (object 5).',
    })
  })

  it("and named without characters that change how the sentence reads", () => {
    const [one] = found(attachment("gnp\\u202e\\r\\n.exe".replace("\\u202e", "\\342\\200\\256")))
    expect(one?.detail).not.toMatch(/[\p{C}]/u)
  })
})

describe("ordinary content is accepted", () => {
  it.each<readonly [what: string, file: Uint8Array]>([
    ["a contract", samplePdf({ pages: 3 })],
    ["a web link", annotation("/Subtype /Link /F 4 /A << /S /URI /URI (https://example.com) >>")],
    ...["http://a.example", "mailto:a@example.org", "tel:+41790000000", "www.example.org", "a/b?c=d:e#f"].map(
      (address) =>
        [`a link to ${address}`, annotation(`/Subtype /Link /A << /S /URI /URI (${address}) >>`)] as const,
    ),
    ["a web address as the base of links", withCatalog("/URI << /Base (https://example.com/) >>")],
    ["a link to a page", annotation("/Subtype /Link /A << /S /GoTo /D [3 0 R /Fit] >>")],
    ["a link to the next page", annotation("/Subtype /Link /A << /S /Named /N /NextPage >>")],
    [
      "layers with the same state everywhere",
      layers(
        "/ON [4 0 R] /OFF [5 0 R] /AS [<< /Event /Print /Category [/Print] /OCGs [4 0 R 5 0 R] >>]",
        "<< /Type /OCG /Name (a) /Usage << /Print << /PrintState /ON >> /View << /ViewState /ON >> >> >>",
        "<< /Type /OCG /Name (b) >>",
      ),
    ],
    [
      "an annotation that is hidden everywhere",
      annotation("/Subtype /Stamp /F 258 /AP << /N 4 0 R >>", FORM),
    ],
    [
      "a button that looks pressed",
      field("/FT /Btn /V /Yes /AS /Yes /AP << /N << /Yes 5 0 R >> /D << /Yes 6 0 R >> >>", "", FORM, FORM),
    ],
    ...(
      [
        ["/Filter /FlateDecode", deflateSync(Buffer.from("0 0 9 9 re f"))],
        ["/Filter [/ASCII85Decode]", Buffer.from("z87cURD]~>")],
        ["/Filter /ASCIIHexDecode", Buffer.from("30 2>")],
        ["/Filter /LZWDecode", Buffer.of(0x80, 0x0b)],
      ] as const
    ).map(
      ([filter, data]) =>
        [`content with ${filter}`, withPage("/Contents 4 0 R", streamOf(filter, data))] as const,
    ),
    ["an empty field without an appearance", field("/FT /Tx")],
    ["the XML of an invoice", attachment("factur-x.xml", "<?xml version='1.0'?>")],
  ])("%s", (_, file) => {
    expect(found(file)).toEqual([])
  })
})
