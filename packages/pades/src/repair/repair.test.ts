import { deflateSync } from "node:zlib"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { describePdf } from "../content/describe.ts"
import { PdfRefused } from "../refused.ts"
import { samplePdf, writeSample } from "../sample.ts"
import { bytesSource } from "../source.ts"
import { openPdf, resolve } from "../structure/document.ts"
import { newBudget } from "../syntax/limits.ts"
import { appendRevision, signedByHand } from "../testing/by-hand.ts"
import { takeInventory } from "./inventory.ts"
import { repair } from "./repair.ts"

const CATALOG = "<< /Type /Catalog /Pages 2 0 R >>"
const PAGES = "<< /Type /Pages /Kids [3 0 R] /Count 1 /MediaBox [0 0 120 240] >>"
const PAGE = "<< /Type /Page /Parent 2 0 R >>"

const repaired = (file: Uint8Array) => Buffer.concat([file, repair(bytesSource(file))])
const text = (file: Uint8Array) => Buffer.from(file).toString("latin1")
const broken = (file: Uint8Array) =>
  Buffer.from(text(file).replace(/startxref\n\d+\n%%EOF\s*$/, "startxref\n7\n%%EOF\n"), "latin1")

describe("a repair", () => {
  it.each([
    ["a wrong startxref", (sample: string) => sample.replace(/startxref\n\d+/, "startxref\n12")],
    ["offsets that are all wrong", (sample: string) => sample.replace("%PDF-1.7\n", "%PDF-1.7\n%moved\n")],
    ["records of 19 bytes", (sample: string) => sample.replaceAll(" n \n", " n\n")],
    ["no table at all", (sample: string) => sample.replace(/xref\n0 .*?trailer/s, "trailer")],
    ["no trailer", (sample: string) => sample.replace(/trailer\n<<.*?>>\n/s, "")],
    ["no end", (sample: string) => sample.replace(/startxref\n.*/s, "")],
  ])("brings back a file with %s", (_, damage) => {
    const sample = samplePdf({ pages: 3 })
    const file = Buffer.from(damage(text(sample)), "latin1")
    expect(() => describePdf(file)).toThrow(PdfRefused)
    expect(describePdf(repaired(file))).toEqual(describePdf(sample))
  })

  it("lets the later revision count where the file is a plain history", () => {
    const two = appendRevision(writeSample([CATALOG, PAGES, PAGE, "(one)"]), {
      objects: [[4, "(two!)"]],
      size: 5,
    })
    const found = resolve(openPdf(bytesSource(repaired(broken(two)))), {
      type: "ref",
      number: 4,
      generation: 0,
    })
    expect(typeof found === "object" && found?.type === "string" && found.end - found.start).toBe(6)
  })

  it("finds objects in object streams, and a length that stands behind its stream", () => {
    const packed = `1 0 2 ${CATALOG.length + 1} ${CATALOG}\n${PAGES}`
    const first = packed.indexOf("<<")
    const file = writeSample([
      "null",
      "null",
      PAGE,
      `<< /Type /ObjStm /N 2 /First ${first} /Length 5 0 R >>\nstream\n${packed}\nendstream`,
      String(packed.length),
    ])
    const only = Buffer.from(
      text(broken(file)).replace("1 0 obj\nnull\nendobj\n2 0 obj\nnull\nendobj\n", ""),
      "latin1",
    )
    expect(describePdf(repaired(only))).toMatchObject({ pageCount: 1, pageWidth: 120, pageHeight: 240 })
    const wrong = text(only).replace(`5 0 obj\n${packed.length}`, `5 0 obj\n${packed.length - 5}`)
    expect(refusal(Buffer.from(wrong, "latin1"))).toContain("does not end where its length says")
  })

  it("of a sound file changes nothing of what it says", () => {
    const sound = samplePdf({ pages: 5 })
    expect(describePdf(repaired(sound))).toEqual(describePdf(sound))
  })

  it("is charged for each entry of a section that it compares with the objects", () => {
    const spent = (entries: number) => {
      const data = deflateSync(Buffer.alloc(2 * entries, 1)).toString("latin1")
      const keys = `/Type /XRef /Size ${entries + 10} /Index [10 ${entries}] /W [1 1 0] /Root 1 0 R`
      const section = `<< ${keys} /Filter /FlateDecode /Length ${data.length} >>\nstream\n${data}\nendstream`
      const source = bytesSource(broken(writeSample([CATALOG, PAGES, PAGE, section])))
      const budget = newBudget(source.length)
      const { scannedBytes } = budget
      takeInventory(source, budget)
      return scannedBytes - budget.scannedBytes
    }
    expect(spent(100_000) - spent(1)).toBeGreaterThan(100_000)
  })

  it("takes time that grows with the file only", () => {
    const many = Array.from({ length: 50_000 }, () => "[1 2 3]")
    const start = process.cpuUsage()
    expect(describePdf(repaired(broken(writeSample([CATALOG, PAGES, PAGE, ...many])))).pageCount).toBe(1)
    expect(process.cpuUsage(start).user / 1000).toBeLessThan(3_000)
  })
})

describe("a repair is refused", () => {
  const withObject = (body: string, ...more: string[]) =>
    broken(writeSample([CATALOG, PAGES, PAGE, body, ...more]))
  const stream = (data: string) => `<< /Length ${data.length} >>\nstream\n${data}\nendstream`

  it.each([
    ["where a signature is", "signed file", broken(signedByHand(samplePdf(), [{}]))],
    [
      "where a signature was once",
      "signed file",
      broken(appendRevision(withSigned(), { objects: [[4, "null"]], size: 5 })),
    ],
    ["where a byte range is hidden", "signed file", withObject("[<< /A << /Byte#52ange [] >> >>]")],
    ["where a field has a signature", "signed file", withObject("<< /FT /Sig /V 5 0 R >>")],
    ["where a time-stamp is", "signed file", withObject("<< /Type /DocTimeStamp >>")],
    [
      "where the form says that something is signed",
      "signed file",
      withObject("<< /Fields [] /SigFlags 3 >>"),
    ],
    ["where an object stands twice", "stands in the file twice", twice("")],
    ["where a replacement was never saved", "stands in the file twice", twice("%%EOF\n")],
    ["where an object was deleted", "was deleted", deleted()],
    [
      "where a stream says that an object was deleted",
      "Object 3 was deleted",
      withObject(
        "<< /Type /XRef /Size 5 /Index [3 1] /W [1 1 0] /Root 1 0 R /Length 2 >>\nstream\n\0\0\nendstream",
      ),
    ],
    ["where a generation is too large", "no object can have", withObject("null\nendobj\n5 65536 obj\nnull")],
    ["where an object has the number 0", "no object can have", withObject("null\nendobj\n0 0 obj\nnull")],
    ["where a stream holds objects", "looks like objects", withObject(stream("a\n3 0 obj\n<< >>\nendobj"))],
    [
      "where a stream is longer than it says",
      "does not end",
      withObject(stream("abc").replace("/Length 3", "/Length 2")),
    ],
    [
      "where something stands between the objects",
      "is not an object",
      withObject("null\nendobj\nhello\n5 0 obj\nnull"),
    ],
    [
      "where two trailers name two catalogs",
      "two catalogs",
      broken(appendRevision(samplePdf(), { objects: [[9, CATALOG]], size: 10 }))
        .toString("latin1")
        .replace(/\/Root 1 0 R(?=.*\/Prev)/, "/Root 9 0 R"),
    ],
    [
      "where nobody says which catalog counts",
      "which of its objects",
      text(withObject(CATALOG)).replace(/trailer\n<<.*?>>\n/s, ""),
    ],
    ["where the file does not begin as a PDF", "does not begin", `x${text(broken(samplePdf()))}`],
    [
      "where the pages are no tree",
      "not a tree",
      broken(writeSample([CATALOG, "<< /Type /Pages /Kids [2 0 R] >>"])),
    ],
  ])("%s", (_, reason, file) => {
    expect(refusal(typeof file === "string" ? Buffer.from(file, "latin1") : file)).toContain(reason)
  })

  it("as encrypted where the file is", () => {
    const file = broken(writeSample([CATALOG, PAGES, PAGE], "/Encrypt << /V 4 >>"))
    expect(() => repair(bytesSource(file))).toThrow(expect.objectContaining({ code: "encrypted" }))
  })
})

it("repairs damaged files or refuses them", () => {
  const base = appendRevision(samplePdf(), { objects: [[5, "(two)"]], size: 6 })
  const damage = fc.array(fc.tuple(fc.nat(base.length - 1), fc.nat(255)), { minLength: 1, maxLength: 5 })
  fc.assert(
    fc.property(damage, fc.nat(base.length), (changes, cut) => {
      const bytes = Uint8Array.from(base)
      for (const [at, octet] of changes) bytes[at] = octet
      refusal(bytes)
      refusal(bytes.subarray(0, cut))
    }),
    { numRuns: 500 },
  )
})

/** Why it was refused, or nothing; any other error is thrown on and fails the test. */
function refusal(file: Uint8Array): string | undefined {
  try {
    repair(bytesSource(file))
    return undefined
  } catch (error) {
    if (error instanceof PdfRefused && error.code !== "encrypted") return error.message
    throw error
  }
}

function withSigned(): Uint8Array {
  return writeSample([CATALOG, PAGES, PAGE, "<< /Type /Sig >>"])
}

function twice(between: string): Buffer {
  const sample = text(broken(writeSample([CATALOG, PAGES, PAGE, "(one)"])))
  return Buffer.from(sample.replace("xref\n", `${between}4 0 obj\n(two)\nendobj\nxref\n`), "latin1")
}

function deleted(): Buffer {
  const sample = text(broken(writeSample([CATALOG, PAGES, PAGE, "(one)"])))
  return Buffer.from(sample.replace(/\d{10} 00000 n \ntrailer/, "0000000000 00001 f \ntrailer"), "latin1")
}
