import { execFileSync, spawnSync } from "node:child_process"
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import fc from "fast-check"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { describePdf } from "./content/describe.ts"
import { samplePdf, writeSample } from "./sample.ts"
import { bytesSource, grown, openFile, prefix, type Source } from "./source.ts"
import { openPdf } from "./structure/document.ts"

let folder = ""
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "paraph-source-"))
})
afterAll(() => rmSync(folder, { recursive: true }))

describe("a source", () => {
  const bytes = Uint8Array.from({ length: 3_000_000 }, (_, i) => (i * 7 + (i >> 8)) & 0xff)
  const place = fc.nat(bytes.length + 10)

  it("gives the same bytes from a file, from memory, grown and cut", () => {
    const path = join(folder, "same")
    writeFileSync(path, bytes)
    const file = openFile(path)
    const cut = 1_234_567
    const sources = [
      bytesSource(bytes),
      file,
      grown(bytesSource(bytes.subarray(0, cut)), bytes.subarray(cut)),
      prefix(grown(file, new Uint8Array(99)), bytes.length),
    ]
    const window = fc.tuple(place, fc.oneof(fc.nat(100), fc.nat(200_000)))
    fc.assert(
      fc.property(window, ([start, length]) => {
        const expected = Buffer.from(bytes.subarray(start, start + length))
        for (const source of sources) {
          expect(source.length).toBe(bytes.length)
          expect(expected.equals(source.read(start, start + length))).toBe(true)
        }
      }),
      { numRuns: 300 },
    )
    file.close()
  })

  it("of a file does not see what is appended later, and says when the file became shorter", () => {
    const path = join(folder, "changing")
    writeFileSync(path, bytes)
    const file = openFile(path)
    appendFileSync(path, "more")
    expect(file.length).toBe(bytes.length)
    expect(file.read(bytes.length - 1, bytes.length + 4)).toHaveLength(1)
    truncateSync(path, 10)
    expect(() => file.read(1_000_000, 1_000_010)).toThrow(RangeError)
    file.close()
    expect(() => file.read(500_000, 500_010)).toThrow("EBADF")
  })
})

describe("a path that leads to no file is refused, without waiting:", () => {
  it.each(["a pipe", "a folder", "a device"])("%s", (kind) => {
    const path = kind === "a device" ? "/dev/zero" : join(folder, kind)
    if (kind === "a pipe") execFileSync("mkfifo", [path])
    if (kind === "a folder") mkdirSync(path)
    // A process of its own, since whoever waits for the other end of a pipe cannot be stopped from within.
    const module = new URL("./source.ts", import.meta.url).href
    const program = `import { openFile } from "${module}"; openFile(${JSON.stringify(path)})`
    const { status, stderr } = spawnSync(process.execPath, ["--input-type=module", "--eval", program], {
      timeout: 10_000,
      encoding: "utf8",
    })
    expect(stderr).toContain("TypeError: The path does not lead to a file.")
    expect(status).toBe(1)
  })
})

describe("reading through windows", () => {
  it("finds the same objects wherever the edge of a window falls", () => {
    for (let shift = 0; shift < 200; shift++) {
      const filler = `/Filler (${"x".repeat(16_384 - 180 + shift)})`
      const pdf = writeSample([
        "<< /Type /Catalog /Pages 2 0 R >>",
        `<< ${filler} /Type /Pages /MediaBox [0 0 120.0 +240] /Kids [ 3 0 R] % a comment (with a bracket\n/Count 1 >>`,
        `<< ${filler} /Type /Page /Parent 2 0 R /A <</B[true<4142>null(\\))]>>/R#6ftate 0 >>`,
      ])
      expect(describePdf(pdf)).toMatchObject({ pageCount: 1, pageWidth: 120, pageHeight: 240 })
    }
  })

  it("reads little of a large file with a large table", () => {
    const bodies = [
      "<< /Type /Catalog /Pages 2 0 R >>",
      "<< /Type /Pages /Kids [3 0 R] /MediaBox [0 0 9 9] >>",
    ]
    const many = Array.from({ length: 200_000 }, () => "null")
    const pdf = writeSample([...bodies, "<< /Type /Page /Parent 2 0 R >>", ...many])
    let read = 0
    const counted: Source = {
      length: pdf.length,
      read: (start, end) => {
        const bytes = pdf.subarray(start, end)
        read += bytes.length
        return bytes
      },
    }
    expect(pdf.length).toBeGreaterThan(8_000_000)
    expect(describePdf(counted).pageCount).toBe(1)
    expect(read).toBeLessThan(500_000)
  })

  it("refuses an object that never ends, and objects inside each other's strings", () => {
    const endless = writeSample([`<< /Type /Catalog ${" ".repeat(20_000_000)} >>`])
    expect(() => describePdf(endless)).toThrow("too long")
    expect(() => describePdf(nested(20_000))).toThrow("takes too long to read")
  })

  it("refuses an object that would take too much memory", () => {
    const names = Array.from({ length: 10_001 }, (_, i) => `/N${i} 1`)
    for (const [body, reason] of [
      [`[${"<<>>".repeat(100_001)}]`, "too many values"],
      [`<< ${names.join(" ")} >>`, "too many entries"],
    ] as const) {
      expect(() => describePdf(writeSample([`<< /Type /Catalog /X ${body} >>`]))).toThrow(reason)
    }
  })

  it("refuses a table in more parts than anyone writes", () => {
    const text = Buffer.from(samplePdf()).toString("latin1")
    const parts = Array.from({ length: 100_001 }, (_, i) => `${i + 10} 1\n0000000000 00000 f \n`).join("")
    const many = text.replace("trailer", `${parts}trailer`)
    expect(() => describePdf(Buffer.from(many, "latin1"))).toThrow("too many parts")
  })

  it("opens a file without loading it", () => {
    const path = join(folder, "large.pdf")
    writeFileSync(path, samplePdf({ attachedBytes: 30_000_000 }))
    const file = openFile(path)
    const before = process.memoryUsage().rss
    expect(openPdf(file).nextNumber).toBe(6)
    expect(process.memoryUsage().rss - before).toBeLessThan(10_000_000)
    file.close()
  })
})

/** Pages whose dictionaries each begin in a string of the one before, so that to read all costs the square. */
function nested(count: number): Uint8Array {
  let text = "%PDF-1.7\n"
  const offsets: number[] = []
  const begin = (number: number, body: string) => {
    offsets[number] = text.length
    text += `${number} 0 obj\n${body}`
  }
  begin(1, "<< /Type /Catalog /Pages 2 0 R >>\nendobj\n")
  const kids = Array.from({ length: count }, (_, i) => `${i + 3} 0 R`).join(" ")
  begin(2, `<< /Type /Pages /MediaBox [0 0 9 9] /Kids [${kids}] >>\nendobj\n`)
  for (let i = 0; i < count; i++) begin(i + 3, "<< /Type /Page /X (\n")
  text += ") >>\nendobj\n".repeat(count)
  const at = text.length
  text += `xref\n0 ${count + 3}\n0000000000 65535 f \n`
  for (let i = 1; i < count + 3; i++) text += `${String(offsets[i]).padStart(10, "0")} 00000 n \n`
  text += `trailer\n<< /Size ${count + 3} /Root 1 0 R >>\nstartxref\n${at}\n%%EOF\n`
  return Buffer.from(text, "latin1")
}
