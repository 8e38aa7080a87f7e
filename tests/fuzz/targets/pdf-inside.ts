// What stands inside a PDF, or is put into one: metadata, files that it carries, what a person has drawn; and foreign words in the
// XML of a report.

import { isDeepStrictEqual } from "node:util"
import { openPdf } from "@paraph/pades/document"
import { readEmbeddedFile } from "@paraph/pades/embedded-files"
import { PdfRefused } from "@paraph/pades/refused"
import { writeSample } from "@paraph/pades/sample"
import { bytesSource } from "@paraph/pades/source"
import { type Drawing, drawnInk } from "../../../packages/pades/src/appearance/drawing.ts"
import { decodeText, pdfaClaim } from "../../../packages/pades/src/content/pdfa.ts"
import { readProperties } from "../../../packages/pades/src/differences/xmp.ts"
import { element, writeXml } from "../../../packages/validation/src/etsi-report/xml.ts"
import { readXml } from "../../../packages/validation/src/trusted-list/xml-reader.ts"
import { reportWith } from "../../../packages/verifying/src/testing/told-world.ts"
import { must, same, type Target } from "../target.ts"
import { inText, json, Nothing, texts } from "../texts.ts"

const RDF = 'xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"'
const ID = 'xmlns:pdfaid="http://www.aiim.org/pdfa/ns/id/"'
const packet = (inner: string) =>
  `<?xpacket begin="\ufeff" id="W5M0"?><x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF ${RDF}>${inner}</rdf:RDF></x:xmpmeta><?xpacket end="w"?>`
const CLAIMS = [
  packet(
    `<rdf:Description rdf:about="" ${ID}><pdfaid:part>2</pdfaid:part><pdfaid:conformance>B</pdfaid:conformance></rdf:Description>`,
  ),
  packet(`<rdf:Description rdf:about="" ${ID} pdfaid:part="3" pdfaid:conformance="u"/>`),
  packet(
    `<rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title><rdf:Alt><rdf:li xml:lang="x">a&amp;b</rdf:li></rdf:Alt></dc:title></rdf:Description>`,
  ),
]

function withMetadata(metadata: Uint8Array): Uint8Array {
  const head = Buffer.from(`<< /Type /Metadata /Subtype /XML /Length ${metadata.length} >>\nstream\n`)
  return writeSample([
    "<< /Type /Catalog /Pages 2 0 R /Metadata 4 0 R >>",
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 10 10] >>",
    Buffer.concat([head, metadata, Buffer.from("\nendstream")]),
  ])
}

export const metadata: Target = {
  name: "pdf-metadata",
  kind: "words",
  words: [
    ...[
      "<rdf:Description",
      "</rdf:Description>",
      "pdfaid:part=",
      "<pdfaid:part>",
      "<!--",
      "-->",
      "<![CDATA[",
      "]]>",
      "<?",
      "?>",
      "&#50;",
    ],
    ...[
      'xmlns:pdfaid="http://www.aiim.org/pdfa/ns/id/"',
      'xmlns=""',
      "&lt;",
      "/>",
      "xml:lang",
      "&#x110000;",
      "&#0;",
    ],
  ],
  seeds: () => [
    ...texts(...CLAIMS),
    Buffer.from(CLAIMS[0] ?? "", "utf16le"),
    Buffer.from(CLAIMS[1] ?? "", "utf16le").swap16(),
    ...texts("<a>", "<a></b>"),
  ],
  refusals: [Nothing],
  run: (input) => {
    const claim = pdfaClaim(openPdf(bytesSource(withMetadata(input))))
    const text = decoded(input)
    const properties = text === null ? undefined : readProperties(text)
    must(claim === undefined || text !== null, "what is no text claims nothing")
    if (claim !== undefined) {
      must(claim.part >= 1 && claim.part <= 9, "a part is one of the standard")
      must(/part/.test(text ?? "") && claim.conformance === claim.conformance?.toUpperCase(), "and was named")
    }
    for (const property of properties ?? []) must(typeof property === "string", "properties are lines")
    if (text !== null && properties !== undefined) {
      // White space and comments between elements say nothing.
      const wider = readProperties(`<!-- > -->${text}\n<?x?>`)
      must(isDeepStrictEqual(wider, properties), "what is around a packet says nothing")
    }
    if (claim === undefined && properties === undefined) throw new Nothing("not well formed")
    return `${claim?.part} ${claim?.conformance?.slice(0, 1)} ${Math.min(4, properties?.size ?? -1)}`
  },
}

function decoded(input: Uint8Array): string | null {
  try {
    return decodeText(input)
  } catch {
    return null
  }
}

const STORY = '{"format":"paraph-story/1"}'
const MOST = 1_000

export const embeddedFiles: Target = {
  name: "pdf-embedded-file",
  kind: "pdf",
  seeds: () => [
    reportWith(STORY),
    reportWith("x".repeat(MOST)),
    reportWith("x".repeat(MOST + 1)),
    reportWith(STORY, "other.json"),
  ],
  refusals: [PdfRefused, Nothing],
  run: (input) => {
    const pdf = openPdf(bytesSource(input))
    const bytes = readEmbeddedFile(pdf, "story.json", MOST)
    if (bytes === undefined) throw new Nothing("no such file")
    must(bytes.length <= MOST, "no more than was asked for")
    must(
      same(readEmbeddedFile(openPdf(bytesSource(input)), "story.json", MOST) ?? new Uint8Array(), bytes),
      "it is the same again",
    )
    must(
      readEmbeddedFile(pdf, "another.json", MOST) === undefined || inText(input).includes("another"),
      "by its own name",
    )
    return `${same(bytes, Buffer.from(STORY))} ${Math.min(3, bytes.length)}`
  },
}

export const xmlReports: Target = {
  name: "xml-report",
  kind: "words",
  words: [
    "<",
    ">",
    "&",
    "]]>",
    "<!--",
    "-->",
    "<![CDATA[",
    "\r",
    "\n",
    "\t",
    '"',
    "'",
    "&#x0;",
    "\u0001",
    "\ufffe",
    "\ud800",
    "\u0085",
  ],
  seeds: () =>
    texts("CN=Ada Lovelace, O=Müller & Söhne", "a\nb\r\nc\td", ']]><x a="\'">', "\u0000\u0001\ufffe", ""),
  refusals: [Nothing],
  run: (input) => {
    const words = inText(input)
    // What cannot stand in XML 1.0 is seen to have been there.
    const shown = words
      .toWellFormed()
      .replace(/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu, "\ufffd")
    const xml = writeXml(element("a", { b: words }, element("c", {}, words), element("d", {})))
    const root = readXml(Buffer.from(xml))
    const [attribute] = root.attributes
    must(attribute?.value === shown && root.attributes.length === 1, "an attribute is read as it was written")
    const kids = root.children.filter((child) => typeof child !== "string")
    must(kids.map(({ local }) => local).join() === "c,d", "nobody adds an element")
    must((kids[0]?.children.join("") ?? "") === shown, "a text is read as it was written")
    if (shown === "") throw new Nothing("nothing said")
    return `${shown === words}`
  },
}

const DRAWING = {
  width: 400,
  height: 150,
  strokes: [
    [10, 20, 30, 40, 50, 20],
    [100, 100],
  ],
}
const AREA = { x: 72, y: 700, width: 180, height: 48 }

export const drawings: Target = {
  name: "drawing",
  kind: "json",
  words: ["width", "height", "strokes"],
  seeds: () => [
    json(DRAWING),
    json({ ...DRAWING, strokes: [[0, 0, 400, 150]] }),
    json({ ...DRAWING, strokes: [[401, 0]] }),
    json({ width: 1, height: 1, strokes: [[0, 0]] }),
  ],
  refusals: [RangeError, Nothing],
  run: (input) => {
    const drawing = drawingIn(input)
    const ink = drawnInk(drawing)
    must(ink.width > 0 && ink.height > 0 && Number.isFinite(ink.width * ink.height), "a drawing has a size")
    const content = ink.draw(AREA)
    must(
      /^q [\s\S]* Q?[\s\S]*Q$/.test(content) && !/NaN|Infinity|e[+-]?\d/.test(content),
      "it is written in numbers of PDF",
    )
    const numbers = [...content.matchAll(/(-?[\d.]+) (-?[\d.]+) (?:m|l)\b/g)]
    for (const [, x = "", y = ""] of numbers) {
      const isIn = Number(x) >= AREA.x - 1 && Number(x) <= AREA.x + AREA.width + 1
      must(
        isIn && Number(y) >= AREA.y - 1 && Number(y) <= AREA.y + AREA.height + 1,
        "nothing is drawn outside of its box",
      )
    }
    must((content.match(/\bS\b/g) ?? []).length === drawing.strokes.length, "every stroke is drawn")
    return `${Math.min(3, drawing.strokes.length)}`
  },
}

/** As the schema of the route has it: whole numbers, and strokes of them. */
function drawingIn(input: Uint8Array): Drawing {
  let value: unknown
  try {
    value = JSON.parse(inText(input))
  } catch {
    throw new Nothing("no JSON")
  }
  const { width, height, strokes } = (value ?? {}) as Partial<Drawing>
  const isWhole = (one: unknown) => Number.isSafeInteger(one)
  const isStrokes =
    Array.isArray(strokes) && strokes.every((stroke) => Array.isArray(stroke) && stroke.every(isWhole))
  if (!isWhole(width) || !isWhole(height) || !isStrokes) throw new Nothing("not by the schema")
  return { width: Number(width), height: Number(height), strokes }
}
