import { deflateSync } from "node:zlib"
import { describe, expect, it } from "vitest"
import { writeSample } from "../sample.ts"
import { bytesSource } from "../source.ts"
import { openPdf } from "../structure/document.ts"
import { pdfaClaim } from "./pdfa.ts"

const withMetadata = (metadata: Uint8Array, keys = "") =>
  pdfaClaim(
    openPdf(
      bytesSource(
        writeSample([
          "<< /Type /Catalog /Pages 2 0 R /Metadata 4 0 R >>",
          "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
          "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 10 10] >>",
          Buffer.concat([
            Buffer.from(
              `<< /Type /Metadata /Subtype /XML /Length ${metadata.length} ${keys} >>\nstream\n`,
              "latin1",
            ),
            metadata,
            Buffer.from("\nendstream"),
          ]),
        ]),
      ),
    ),
  )
const claim = (xml: string) => withMetadata(Buffer.from(xml))

const RDF = 'xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"'
const ID = 'xmlns:pdfaid="http://www.aiim.org/pdfa/ns/id/"'
const packet = (inner: string) =>
  `<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>\n<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF ${RDF}>${inner}</rdf:RDF></x:xmpmeta>\n<?xpacket end="w"?>`
const ELEMENTS = packet(
  `<rdf:Description rdf:about="" ${ID}><pdfaid:part>2</pdfaid:part><pdfaid:conformance>B</pdfaid:conformance></rdf:Description>`,
)
const TWO_B = { part: 2, conformance: "B" }

const utf16be = (text: string) => Buffer.from(text, "utf16le").swap16()
const utf32 = (text: string, littleEndian: boolean) => {
  const view = new DataView(new ArrayBuffer(4 * text.length))
  for (let i = 0; i < text.length; i++) view.setUint32(4 * i, text.charCodeAt(i), littleEndian)
  return new Uint8Array(view.buffer)
}

describe("the claim to be PDF/A is read", () => {
  it.each([
    ["from elements", ELEMENTS, TWO_B],
    [
      "from attributes",
      packet(`<rdf:Description rdf:about='' ${ID} pdfaid:part = '1' pdfaid:conformance="a"/>`),
      { part: 1, conformance: "A" },
    ],
    [
      "under any prefix",
      packet(
        '<rdf:Description xmlns:z="http://www.aiim.org/pdfa/ns/id/"><z:part>\n 3 </z:part><z:conformance>U</z:conformance></rdf:Description>',
      ),
      { part: 3, conformance: "U" },
    ],
    [
      "under no prefix",
      packet('<rdf:Description><part xmlns="http://www.aiim.org/pdfa/ns/id/">4</part></rdf:Description>'),
      { part: 4, conformance: undefined },
    ],
    [
      "spelled with references, comments and sections",
      packet(
        `<!-- <pdfaid:part>1</pdfaid:part> --><rdf:Description ${ID}><pdfaid:part>&#x32;</pdfaid:part><pdfaid:conformance><![CDATA[B]]></pdfaid:conformance></rdf:Description>`,
      ),
      TWO_B,
    ],
    [
      "between comments and instructions, with a section that is not read twice",
      packet(
        `<rdf:Description ${ID}><pdfaid:part><?a <!-- ?> 2 <!-- <![CDATA[ --></pdfaid:part><pdfaid:conformance><![CDATA[&lt;]]></pdfaid:conformance></rdf:Description>`,
      ),
      { part: 2, conformance: "&LT;" },
    ],
    [
      "under a prefix that means something else inside and behind other elements",
      packet(
        `<rdf:Description ${ID}><a xmlns:pdfaid="urn:b"><pdfaid:part>1</pdfaid:part></a><b xmlns:pdfaid="urn:c"/><pdfaid:part>2</pdfaid:part></rdf:Description>`,
      ),
      { part: 2, conformance: undefined },
    ],
  ])("%s", (_, xml, expected) => {
    expect(claim(xml)).toEqual(expected)
  })

  it.each([
    ["UTF-8 with a mark", Buffer.from(`\ufeff${ELEMENTS}`)],
    ["UTF-16BE", utf16be(ELEMENTS)],
    ["UTF-16BE with a mark", utf16be(`\ufeff${ELEMENTS}`)],
    ["UTF-16LE", Buffer.from(ELEMENTS, "utf16le")],
    ["UTF-16LE with a mark", Buffer.from(`\ufeff${ELEMENTS}`, "utf16le")],
    ["UTF-32BE", utf32(ELEMENTS, false)],
    ["UTF-32BE with a mark", utf32(`\ufeff${ELEMENTS}`, false)],
    ["UTF-32LE", utf32(ELEMENTS, true)],
    ["UTF-32LE with a mark", utf32(`\ufeff${ELEMENTS}`, true)],
  ])("in %s", (_, metadata) => {
    expect(withMetadata(metadata)).toEqual(TWO_B)
  })

  it("from a compressed stream", () => {
    expect(withMetadata(deflateSync(ELEMENTS), "/Filter /FlateDecode")).toEqual(TWO_B)
  })
})

describe("nothing is claimed", () => {
  it.each([
    ["by another namespace", ELEMENTS.replace("/ns/id/", "/ns/else/")],
    ["by a part that is no number", ELEMENTS.replace(">2<", ">two<")],
    ["by a property of something else", ELEMENTS.replaceAll("rdf:Description", "rdf:Seq")],
    [
      "by a comment",
      packet(`<rdf:Description ${ID}><!-- <pdfaid:part>2</pdfaid:part> --></rdf:Description>`),
    ],
    ["by tags that do not match", ELEMENTS.replace("</rdf:RDF>", "</rdf:RDG>")],
    ["by a text that is cut short", ELEMENTS.slice(0, -60)],
    ["under a document type", `<!DOCTYPE x [<!ENTITY two "2">]>${ELEMENTS}`],
    ["by elements nested too deeply", packet(`${"<a>".repeat(200)}${"</a>".repeat(200)}${ELEMENTS}`)],
    ["by a property without an end", ELEMENTS.replace(">2<", `>2${" ".repeat(1_000)}<`)],
    ["by nothing", ""],
  ])("%s", (_, xml) => {
    expect(claim(xml)).toBeUndefined()
  })

  it("by bytes that are no text, or by a stream that cannot be decoded", () => {
    expect(withMetadata(Buffer.concat([Buffer.from(ELEMENTS), Buffer.from([0xff])]))).toBeUndefined()
    expect(withMetadata(Buffer.from(ELEMENTS), "/Filter /FlateDecode")).toBeUndefined()
    expect(withMetadata(Buffer.from(ELEMENTS), "/Filter /LZWDecode")).toBeUndefined()
  })

  it.each([
    ["many elements under many namespaces", many(90, 90_000)],
    ["many namespaces under many namespaces", many(50_000, 50_000)],
    ["a tag of white space", `<a${" ".repeat(3_000_000)}`],
    ["comments without an end", "<!--".repeat(700_000)],
    ["comments in a section", property(`<![CDATA[${"<!--".repeat(100_000)}]]>`)],
    ["sections in an instruction", property(`<?${"<![CDATA[".repeat(100_000)}?>`)],
    ["elements in many elements with a namespace each", deep('<b xmlns:c="urn:c"/>'.repeat(90_000))],
    ["an element of many attributes", `<a ${" x=''".repeat(500_000)}/>`],
  ])("soon: %s", (_, xml) => {
    const start = process.cpuUsage()
    expect(claim(xml)).toBeUndefined()
    expect(process.cpuUsage(start).user / 1000).toBeLessThan(4_000)
  })
})

function property(value: string): string {
  return packet(`<rdf:Description ${ID}><pdfaid:part>${value}</pdfaid:part></rdf:Description>`)
}

function deep(inner: string): string {
  const tags = Array.from({ length: 99 }, (_, i) => `a${i}`)
  const opened = tags.map((tag) => `<${tag} xmlns:${tag}="urn:${tag}">`).join("")
  return `${opened}${inner}${tags
    .reverse()
    .map((tag) => `</${tag}>`)
    .join("")}`
}

function many(namespaces: number, elements: number): string {
  const declared = Array.from({ length: namespaces }, (_, i) => `xmlns:n${i}="urn:${i}"`)
  return `<a ${declared.join(" ")}>${'<b xmlns:c="urn:c"/>'.repeat(elements)}</a>`
}
