import { deflateSync } from "node:zlib"
import { describe, expect, it } from "vitest"
import { writeSample } from "../sample.ts"
import { FORM, layers, withPage } from "../testing/conditional-files.ts"
import { PAGES, streamOf } from "../testing/hostile.ts"
import { accepts, kinds, refuses } from "../testing/view-cases.ts"

const FONT = "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"
const OCG = "<< /Type /OCG /Name (a) >>"
const stream = (content: string, keys = "") => streamOf(keys, Buffer.from(content, "latin1"))
/** Objects from 5 on behind the content, which is object 4. */
const content = (text: string, resources = "", ...more: readonly (string | Uint8Array)[]) =>
  withPage(`/Contents 4 0 R /Resources << ${resources} >>`, stream(text), ...more)

describe("[B2] layers that readers evaluate differently", () => {
  /** One hidden layer, object 4, and one that is shown, 5. Object 6 is the content, and 7 what it names. */
  const layered = (text: string, seven = "", ...more: readonly (string | Uint8Array)[]) =>
    writeSample([
      "<< /Type /Catalog /Pages 2 0 R /OCProperties << /OCGs [4 0 R 5 0 R] /D << /OFF [4 0 R] >> >> >>",
      PAGES,
      "<< /Type /Page /Parent 2 0 R /Contents 6 0 R /Resources << /Properties << /P 7 0 R /L 4 0 R >> /XObject << /X 8 0 R >> >> >>",
      OCG,
      OCG,
      stream(text),
      seven,
      ...more,
    ])
  const member = (entries: string) => layered("/OC /P BDC EMC", `<< /Type /OCMD ${entries} >>`)
  const form = (text: string, resources = "") =>
    stream(text, `/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << ${resources} >>`)

  refuses("layer-visibility", [
    ["a layer without a type", layered("/OC /P BDC EMC", "<< /Name (a) >>")],
    ["a layer with an empty intent", layered("/OC /P BDC EMC", "<< /Type /OCG /Name (a) /Intent [] >>")],
    ["a layer that does not exist", layered("/OC /Q BDC EMC", OCG)],
    ["a layer in the content itself", layered("/OC << /Type /OCG /Name (a) >> BDC EMC", OCG)],
    ["an expression", member("/OCGs [4 0 R] /VE [/Not 4 0 R]")],
    ["an expression that is null", member("/OCGs [4 0 R] /VE null")],
    ["an unknown policy", member("/OCGs [4 0 R] /P /Foo")],
    ["a policy that is no name", member("/OCGs [4 0 R] /P 1")],
    ["a policy for mixed states", member("/OCGs [4 0 R 5 0 R] /P /AllOn")],
    ["a policy for hidden layers", member("/OCGs [4 0 R] /P /AllOff")],
    ["a list of layers with null", member("/OCGs [null 4 0 R]")],
    [
      "a membership dictionary in another",
      layered("/OC /P BDC EMC", "<< /Type /OCMD /OCGs [8 0 R] >>", "<< /Type /OCMD /OCGs [4 0 R] >>"),
    ],
    ["marked content that is left open", layered("/OC /L BDC", OCG)],
    ["marked content that is left open in a form", layered("/OC /L BDC /X Do EMC", OCG, form("/A BMC"))],
    ["marked content that is ended in a form", layered("/OC /L BDC /X Do EMC", OCG, form("EMC"))],
    ["a layer of a form in the resources of the page", layered("/X Do", OCG, form("/OC /L BDC EMC"))],
    [
      "a layer in a pattern",
      layered(
        "/OC /L BDC EMC",
        OCG,
        stream(
          "/OC /L BDC EMC",
          "/PatternType 1 /BBox [0 0 9 9] /XStep 9 /YStep 9 /Resources << /Properties << /L 4 0 R >> >>",
        ),
      ),
    ],
    [
      "a layer in a glyph",
      layered(
        "/X Do",
        OCG,
        form(
          "",
          "/Font << /F << /Type /Font /Subtype /Type3 /CharProcs << /a 9 0 R >> /Resources << /Properties << /L 4 0 R >> >> >> >>",
        ),
        stream("9 0 d0 /OC /L BDC EMC"),
      ),
    ],
    [
      "a form of a layer in a pattern",
      layered(
        "",
        OCG,
        stream(
          "/Y Do",
          "/PatternType 1 /BBox [0 0 9 9] /XStep 9 /YStep 9 /Resources << /XObject << /Y 9 0 R >> >>",
        ),
        stream("", "/Subtype /Form /BBox [0 0 9 9] /OC 5 0 R"),
      ),
    ],
    [
      "an annotation of a hidden layer",
      writeSample([
        "<< /Type /Catalog /Pages 2 0 R /OCProperties << /OCGs [5 0 R] /D << /OFF [5 0 R] >> >> >>",
        PAGES,
        "<< /Type /Page /Parent 2 0 R /Annots [4 0 R] >>",
        "<< /Type /Annot /Subtype /Stamp /Rect [0 0 9 9] /F 4 /OC 5 0 R /AP << /N 6 0 R >> >>",
        OCG,
        FORM,
      ]),
    ],
  ])

  accepts([
    ["a hidden layer", layered("/OC /L BDC EMC", OCG)],
    ["layers that are all shown", member("/OCGs [5 0 R]")],
    ["a list of hidden layers", member("/OCGs [4 0 R] /P /AnyOn")],
    [
      "a layer of a form in the resources of the form",
      layered("/X Do", OCG, form("/OC /L BDC EMC", "/Properties << /L 4 0 R >>")),
    ],
    [
      "properties that are no layer",
      withPage(
        "/Contents 4 0 R /Resources << /Properties << /MC0 << /Metadata 5 0 R >> >> >>",
        stream("/A /MC0 BDC EMC EMC"),
        stream(""),
      ),
    ],
    ["a list of layers that the document does not use", layers("/OFF [4 0 R]", OCG)],
  ])
})

describe("[B2] pages whose structure readers take differently", () => {
  const tree = (page: string, node = "", ...more: readonly (string | Uint8Array)[]) =>
    writeSample([
      "<< /Type /Catalog /Pages 2 0 R >>",
      `<< /Type /Pages /Kids [3 0 R] /Count 1 /MediaBox [0 0 99 99] ${node} >>`,
      `<< /Type /Page ${page} >>`,
      ...more,
    ])
  const cropped = (box: string) => tree(`/Parent 2 0 R /CropBox [${box}]`)
  const form = (text: string, resources = "") =>
    stream(text, `/Type /XObject /Subtype /Form /BBox [0 0 9 9] ${resources}`)

  refuses("reader-dependent", [
    ["a page without a parent", tree("")],
    ["a page of another parent", tree("/Parent 4 0 R", "", PAGES)],
    ["a page whose parent is the catalog", tree("/Parent 1 0 R")],
    ["a crop box that is null", tree("/Parent 2 0 R /CropBox null", "/CropBox [0 0 50 99]")],
    ["a crop box beyond the page", cropped("-50 -50 50 50")],
    ["a crop box outside of the page", cropped("200 200 300 300")],
    ["an empty crop box", cropped("0 0 0 0")],
    [
      "annotations that are no array",
      withPage("/Annots 4 0 R", "<< /Type /Annot /Subtype /Link /Rect [0 0 9 9] >>"),
    ],
    ["a part of the content that is null", withPage("/Contents [4 0 R null]", stream(""))],
    ["a part of the content that is missing", withPage("/Contents [4 0 R 5 0 R]", stream(""), "null")],
    ["content of another generation", withPage("/Contents [4 1 R]", stream(""))],
    ["a form of another generation", content("/X Do", "/XObject << /X 5 3 R >>", form(""))],
    ["a font that the page does not have", content("/F 9 Tf")],
    [
      "a nested form without resources",
      content(
        "/X Do",
        "/XObject << /X 5 0 R >>",
        form("/Y Do", "/Resources << /XObject << /Y 6 0 R >> >>"),
        form("/F 9 Tf"),
      ),
    ],
    [
      "a nested form in the resources of the page",
      content("/X Do", "/XObject << /X 5 0 R /Y 6 0 R >>", form("/Y Do", "/Resources << >>"), form("")),
    ],
    [
      "a string that goes on in the next stream",
      withPage("/Contents [4 0 R 5 0 R]", stream("(a"), stream("b) pop")),
    ],
    [
      "operands in the next stream that make one number two",
      withPage("/Contents [4 0 R 5 0 R]", stream("1"), stream("4 w")),
    ],
  ])

  accepts([
    ["a crop box in the page", cropped("10 10 50 50")],
    ["a crop box that is rounded up", cropped("0 0 99.5 99")],
    ["an inherited crop box", tree("/Parent 2 0 R", "/CropBox [0 0 50 99]")],
    [
      "a form with the resources of its page",
      content("/X Do", `/XObject << /X 5 0 R >> /Font << /F ${FONT} >>`, form("/F 9 Tf")),
    ],
    [
      "a form that is cut off",
      content(
        "/X Do",
        "/XObject << /X 5 0 R >>",
        streamOf(
          "/Subtype /Form /BBox [0 0 9 9] /Filter /FlateDecode",
          deflateSync(Buffer.from("0 0 9 9 re f")).subarray(0, -4),
        ),
      ),
    ],
    [
      "content in several streams",
      withPage("/Contents [4 0 R 5 0 R]", stream("q 1 0 0 1"), stream("2 3 cm Q")),
    ],
  ])
})

it("refuses content that is packed a thousand times, before all of it is read", () => {
  const packed = deflateSync(Buffer.alloc(150_000_000, "0 w "), { level: 1 })
  const started = process.cpuUsage()
  expect(kinds(withPage("/Contents 4 0 R", streamOf("/Filter /FlateDecode", packed)))).toEqual([
    "page-not-renderable",
  ])
  expect(process.cpuUsage(started).user / 1000).toBeLessThan(2_000)
})

describe("[B2] graphics that readers draw differently", () => {
  const image = (entries: string) =>
    content(
      "/I Do",
      "/XObject << /I 5 0 R >>",
      streamOf(`/Subtype /Image /Width 1 /Height 1 /BitsPerComponent 8 ${entries}`, Buffer.of(0)),
    )
  const state = (entries: string, ...more: readonly (string | Uint8Array)[]) =>
    content("/G gs", `/ExtGState << /G << ${entries} >> >>`, ...more)
  const group = stream("", "/Subtype /Form /BBox [0 0 9 9] /Group << /S /Transparency >>")
  const tiled = (entries: string) =>
    content(
      "/Pattern cs /P scn",
      "/Pattern << /P 5 0 R >>",
      stream("", `/PatternType 1 /PaintType 1 /TilingType 1 /BBox [0 0 1 1] /Resources << >> ${entries}`),
    )

  refuses("reader-dependent", [
    ["a font of a graphics state", state("/Font [5 0 R 14]", FONT)],
    ["a soft mask without a type", state("/SMask << /G 5 0 R >>", group)],
    ["a soft mask without a group", state("/SMask << /S /Alpha /G 5 0 R >>", FORM)],
    ["an image without a colour space", image("")],
  ])
  refuses("page-not-renderable", [
    ["a pattern that is repeated too often", tiled("/XStep 0.001 /YStep 0.001")],
    ["a pattern that is made small", tiled("/XStep 1 /YStep 1 /Matrix [0.001 0 0 0.001 0 0]")],
    ["a pattern without a step", tiled("/XStep 0 /YStep 9")],
    [
      "content with a predictor",
      withPage(
        "/Contents 4 0 R",
        streamOf("/Filter /FlateDecode /DecodeParms << /Predictor 12 >>", deflateSync(Buffer.from("\0a"))),
      ),
    ],
  ])
  accepts([
    ["a soft mask", state("/SMask << /S /Alpha /G 5 0 R >>", group)],
    ["no soft mask", state("/SMask /None")],
    ["an image mask", image("/ImageMask true")],
    ["an image in JPEG 2000", image("/Filter /JPXDecode")],
    ["a fine screen", tiled("/XStep 0.48 /YStep 0.48")],
  ])
})
