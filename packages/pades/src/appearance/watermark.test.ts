import { deflateSync } from "node:zlib"
import { describe, expect, it } from "vitest"
import { pageAt, pages } from "../content/page.ts"
import { PdfRefused } from "../refused.ts"
import { samplePdf, writeSample } from "../sample.ts"
import { bytesSource } from "../source.ts"
import { openPdf, resolve, resolveDict } from "../structure/document.ts"
import { entry, isArray, isDict, isRef, type PdfDict } from "../syntax/value.ts"
import { watermark } from "./watermark.ts"

const CATALOG = "<< /Type /Catalog /Pages 2 0 R >>"
const PAGES = "<< /Type /Pages /Kids [3 0 R] /Count 1 /MediaBox [0 0 600 800] >>"
const stream = (content: string) => `<< /Length ${content.length} >>\nstream\n${content}\nendstream`
const deflated = (content: string) => {
  const data = deflateSync(content).toString("latin1")
  return `<< /Filter /FlateDecode /Length ${data.length} >>\nstream\n${data}\nendstream`
}
const onePage = (page: string, ...more: string[]) =>
  writeSample([CATALOG, PAGES, `<< /Type /Page /Parent 2 0 R ${page} >>`, ...more])

function marked(base: Uint8Array, options: Partial<Parameters<typeof watermark>[1]> = {}) {
  const tail = watermark(base, { text: "DRAFT", ...options })
  const pdf = openPdf(bytesSource(Buffer.concat([base, tail])))
  const text = Buffer.from(tail).toString("latin1")
  const page = (index: number): PdfDict => pageAt(pdf, index).lineage[0] ?? pdf.catalog
  const resources = (index: number) => resolveDict(pdf, pageResources(pdf, index), "The resources")
  const objects = (index: number) => resolveDict(pdf, entry(resources(index), "XObject"), "The XObjects")
  const contents = (index: number) => {
    const found = resolve(pdf, entry(page(index), "Contents"))
    return isArray(found) ? found.items : []
  }
  return { tail, pdf, text, page, resources, objects, contents }
}

function pageResources(pdf: ReturnType<typeof openPdf>, index: number) {
  for (const dict of pageAt(pdf, index).lineage)
    if (entry(dict, "Resources") !== null) return entry(dict, "Resources")
  return null
}

describe("a watermark", () => {
  it("stands on every page, in one revision, and the same arguments give the same bytes", () => {
    const base = samplePdf({ pages: 3 })
    const { pdf, objects, tail } = marked(base)
    for (const index of [0, 1, 2]) expect(objects(index).entries.has("Watermark")).toBe(true)
    expect(pdf.sections).toHaveLength(2)
    expect(Buffer.from(watermark(base, { text: "DRAFT" })).equals(tail)).toBe(true)
  })

  it("stands on the pages that were asked for only", () => {
    const { page } = marked(samplePdf({ pages: 4 }), { pages: [1, 3, 1] })
    const touched = [0, 1, 2, 3].map((index) => isArray(entry(page(index), "Contents")))
    expect(touched).toEqual([false, true, false, true])
  })

  it("keeps what the page has: its own resources, inherited ones, and those that are objects", () => {
    const font = "/Font << /F1 << /Type /Font >> >>"
    const own = marked(onePage(`/Resources << ${font} /XObject << /Watermark 4 0 R >> >>`, stream("")))
    expect([...own.objects(0).entries.keys()]).toEqual(["Watermark", "Watermark1"])
    expect(own.resources(0).entries.has("Font")).toBe(true)

    const inherited = writeSample([
      CATALOG,
      `<< /Type /Pages /Kids [3 0 R] /Count 1 /MediaBox [0 0 9 9] /Resources << ${font} >> >>`,
      "<< /Type /Page /Parent 2 0 R >>",
    ])
    expect([...marked(inherited).resources(0).entries.keys()]).toEqual(["Font", "XObject"])

    const indirect = marked(
      onePage("/Resources 4 0 R", `<< ${font} /XObject 5 0 R >>`, "<< /X 6 0 R >>", stream("")),
    )
    expect([...indirect.objects(0).entries.keys()]).toEqual(["X", "Watermark"])
    expect(entry(indirect.page(0), "Resources")).toMatchObject({ number: 4 })
    expect(indirect.text).not.toMatch(/\n4 0 obj/)
    expect(indirect.text).toMatch(/\n5 0 obj/)
  })

  it.each([
    ["balanced", "q 2 0 0 2 0 0 cm Q", 1, 1],
    ["left open", "q 2 0 0 2 0 0 cm q", 1, 3],
    ["closed too often", "Q Q", 3, 1],
  ])("is not distorted by content that is %s", (_, content, before, after) => {
    const { pdf, contents } = marked(onePage("/Contents 4 0 R", stream(content)))
    expect(contents(0)).toHaveLength(3)
    const [first, last] = [contents(0)[0] ?? null, contents(0)[2] ?? null].map((item) => {
      const number = isRef(item) ? item.number : 0
      return new RegExp(`\\n${number} 0 obj\\n<< [^>]*>>\\nstream\\n([^]*?)endstream`).exec(
        Buffer.from(pdf.source.read(0, pdf.source.length)).toString("latin1"),
      )?.[1]
    })
    expect(first).toBe(`${"q\n".repeat(before)}\n`)
    expect(last?.startsWith(`${"Q\n".repeat(after)}/Artifact`)).toBe(true)
  })

  it("keeps several streams in their order, and draws on a page without any", () => {
    const several = marked(onePage("/Contents [4 0 R 5 0 R]", stream("q"), stream("Q")))
    expect(several.contents(0).slice(1, 3)).toMatchObject([{ number: 4 }, { number: 5 }])
    expect(marked(onePage("")).contents(0)).toHaveLength(1)
  })

  it("knows the streams of a page also where those of another one are of a kind that it cannot read", () => {
    const base = writeSample([
      CATALOG,
      "<< /Type /Pages /Kids [3 0 R 4 0 R] /Count 2 /MediaBox [0 0 600 800] >>",
      "<< /Type /Page /Parent 2 0 R /Contents 5 0 R >>",
      "<< /Type /Page /Parent 2 0 R /Contents 6 0 R >>",
      "<< /Filter /LZWDecode /Length 1 >>\nstream\nx\nendstream",
      deflated("q q q"),
    ])
    expect(marked(base).text).toContain("Q\nQ\nQ\nQ\n")
  })

  it("shares all it can between 500 pages, and is quick", () => {
    const base = samplePdf({ pages: 500 })
    watermark(samplePdf(), { text: "warm" })
    const start = process.cpuUsage()
    const { tail, text } = marked(base)
    expect(process.cpuUsage(start).user / 1000).toBeLessThan(4_000)
    // The font (6), the mark, the two streams around the content.
    expect([...text.matchAll(/^\d+ 0 obj$/gm)]).toHaveLength(500 + 9)
    expect(tail.length).toBeLessThan(200_000)
  })

  it("draws through only where transparency is allowed", () => {
    expect(marked(samplePdf()).text).toMatch(/\/ca 0.25/)
    expect(marked(samplePdf(), { opacity: 1 }).text).not.toMatch(/ExtGState/)
    const pdfa = (part: number, more = "") =>
      marked(
        writeSample([
          `<< /Type /Catalog /Pages 2 0 R /Metadata 4 0 R ${more} >>`,
          PAGES,
          "<< /Type /Page /Parent 2 0 R >>",
          stream(
            `<rdf:Description xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:i="http://www.aiim.org/pdfa/ns/id/" i:part="${part}"/>`,
          ),
        ]),
      )
    expect(pdfa(1).text).not.toMatch(/ExtGState|\/Group/)
    expect(pdfa(1).text).toMatch(/ 1 Tr/)
    expect(pdfa(2).text).toMatch(/\/ca 0.25/)
    expect(isDict(entry(pdfa(2).page(0), "Group"))).toBe(true)
    const intent = "/OutputIntents [<< /S /GTS_PDFA1 >>]"
    expect(isDict(entry(pdfa(2, intent).page(0), "Group"))).toBe(false)
  })

  it("never has a colour of a device", () => {
    expect(marked(samplePdf()).text).not.toMatch(/Device(RGB|Gray|CMYK)| rg\b| g\b/)
  })

  it("can be put upon another one", () => {
    const base = samplePdf({ pages: 2 })
    const once = Buffer.concat([base, watermark(base, { text: "one" })])
    const twice = marked(once)
    expect([...twice.objects(0).entries.keys()]).toEqual(["Watermark", "Watermark1"])
    expect([...pages(twice.pdf)]).toHaveLength(2)
  })
})

describe("a watermark is refused", () => {
  const code = (base: Uint8Array) => {
    try {
      watermark(base, { text: "DRAFT" })
      return "marked"
    } catch (error) {
      return error instanceof PdfRefused ? error.code : String(error)
    }
  }
  const withCatalog = (entries: string, ...more: string[]) =>
    writeSample([
      `<< /Type /Catalog /Pages 2 0 R ${entries} >>`,
      PAGES,
      "<< /Type /Page /Parent 2 0 R >>",
      ...more,
    ])
  const signature = "<< /Type /Sig /ByteRange [0 1 2 3] >>"

  it("on a document with a signature", () => {
    const form = "/AcroForm << /Fields [4 0 R] >>"
    expect(code(withCatalog(form, "<< /FT /Sig /T (a) /V 5 0 R >>", signature))).toBe("locked")
    expect(code(withCatalog(form, "<< /FT /Sig /T (a) /V << /Type /DocTimeStamp >> >>"))).toBe("locked")
    expect(code(withCatalog(form, "<< /FT /Sig /T (a) >>"))).toBe("marked")
    expect(code(withCatalog("/Perms << /UR3 4 0 R >>", signature))).toBe("locked")
    expect(code(withCatalog("/Perms << >>"))).toBe("marked")
  })

  it("on a document that is encrypted or an XFA form", () => {
    const bodies = [CATALOG, PAGES, "<< /Type /Page /Parent 2 0 R >>", "<< /Filter /Standard >>"]
    expect(code(writeSample(bodies, "/Encrypt 4 0 R"))).toBe("encrypted")
    expect(code(withCatalog("/AcroForm << /Fields [] /XFA [] >>"))).toBe("xfa")
  })

  it.each([
    ["without a text", { text: "" }],
    ["with a text that nobody sees", { text: "\u200b \n" }],
    ["with a text that is too long", { text: "a".repeat(201) }],
    ["with a text that is much too long", { text: "a ".repeat(2_500_000) }],
    ["with one letter of too many marks", { text: `a${"\u0301".repeat(300_000)}` }],
    ["that cannot be seen", { text: "a", opacity: 0 }],
    ["of more than everything", { text: "a", opacity: 1.1 }],
    ["at no angle", { text: "a", rotation: Number.NaN }],
    ["on a page that does not exist", { text: "a", pages: [1] }],
    ["on a page before the first", { text: "a", pages: [-1] }],
  ])("%s", (_, options) => {
    const start = process.cpuUsage()
    expect(() => watermark(samplePdf(), options)).toThrow(RangeError)
    expect(() => watermark(samplePdf(), options)).not.toThrow("call stack")
    expect(process.cpuUsage(start).user / 1000).toBeLessThan(1_500)
  })

  it("on a page whose streams are one text read again and again", () => {
    // Their heads stand in one comment, one behind the other, and what follows belongs to all of them.
    const count = 200
    const refs = Array.from({ length: count }, (_, i) => `${i + 5} 0 R`).join(" ")
    const file = onePage(`/Contents [${refs}] /Resources 4 0 R`, "<< >>")
    const head = Buffer.from(file).toString("latin1").split("xref\n")[0] ?? ""
    let text = head
    const offsets = Array.from({ length: 4 }, (_, i) => head.indexOf(`\n${i + 1} 0 obj`) + 1)
    for (let i = 0; i < count; i++) {
      offsets.push(text.length)
      text += `${i + 5} 0 obj %`
    }
    text += `\n<< /X (${" ".repeat(100_000)}) /Length 2 >>\nstream\nq \nendstream\nendobj\n`
    const table = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`).join("")
    const trailer = `trailer\n<< /Size ${count + 5} /Root 1 0 R >>\nstartxref\n${text.length}\n%%EOF\n`
    text += `xref\n0 ${count + 5}\n0000000000 65535 f \n${table}${trailer}`
    expect(code(Buffer.from(text, "latin1"))).toBe("too-complex")
  })
})
