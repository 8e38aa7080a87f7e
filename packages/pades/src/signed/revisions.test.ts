import { describe, expect, it } from "vitest"
import { countPages } from "../content/page.ts"
import { samplePdf } from "../sample.ts"
import { bytesSource } from "../source.ts"
import { openPdf, resolve } from "../structure/document.ts"
import { entry, isDict } from "../syntax/value.ts"
import { appendRevision } from "../testing/by-hand.ts"
import { openRevision, readRevisions } from "./revisions.ts"

const open = (bytes: Uint8Array) => openPdf(bytesSource(bytes))

describe("the revisions of a PDF", () => {
  it("are each the file that it once was, oldest first", () => {
    const one = samplePdf()
    const two = appendRevision(one, { objects: [[9, "(two)"]], size: 10, eol: "\r\n" })
    const three = appendRevision(two, { objects: [[9, "(three)"]], size: 10, eol: "" })
    const four = appendRevision(three, {
      objects: [[4, "<< /Type /Page /Note (four) >>"]],
      size: 10,
      eol: "\r",
    })
    const pdf = open(four)
    const revisions = readRevisions(pdf)
    expect(revisions.map(({ end }) => end?.line)).toEqual([one, two, three, four].map(({ length }) => length))
    expect(revisions.map(({ end }) => (end?.line ?? 0) - (end?.mark ?? 0))).toEqual([1, 2, 0, 1])
    const noted = revisions.map((revision) => {
      const then = openRevision(pdf, revision)
      const nine = resolve(then, { type: "ref", number: 9, generation: 0 })
      const page = resolve(then, { type: "ref", number: 4, generation: 0 })
      return [
        then.source.length,
        countPages(then),
        typeof nine === "object" && nine?.type === "string" ? nine.end - nine.start : undefined,
        isDict(page) && entry(page, "Note") !== null,
      ]
    })
    expect(noted).toEqual([
      [one.length, 1, undefined, false],
      [two.length, 1, 5, false],
      [three.length, 1, 7, false],
      [four.length, 1, 7, true],
    ])
  })

  it("of a linearised file are one, though it has two sections and two ends", () => {
    const file = linearised()
    const revisions = readRevisions(open(file))
    expect(revisions).toHaveLength(1)
    expect(revisions[0]?.sections).toHaveLength(2)
    expect(revisions[0]?.end?.line).toBe(file.length)
    const more = appendRevision(file, { objects: [[9, "null"]], size: 10 })
    expect(readRevisions(open(more)).map(({ end }) => end?.line)).toEqual([file.length, more.length])
  })

  it("have no end where nothing of the kind follows the section", () => {
    const one = samplePdf()
    const two = appendRevision(one, { objects: [[9, "null"]], size: 10 })
    const [without, whole] = readRevisions(
      open(Buffer.from(two.toString("latin1").replace("%%EOF", "%%EoF"), "latin1")),
    )
    expect([without?.end, whole?.end?.line]).toEqual([undefined, two.length])
    const lying = two.toString("latin1").replace(/startxref\n\d/, "startxref\n9")
    const pdf = open(Buffer.from(lying, "latin1"))
    const [first] = readRevisions(pdf)
    expect(first?.end).toBeUndefined()
    expect(() => first && openRevision(pdf, first)).toThrow("no end of its own")
  })

  it("are one where a section names one behind itself", () => {
    const two = appendRevision(samplePdf(), { objects: [[9, "null"]], size: 10 })
    const at = two.lastIndexOf("\nxref\n") + 1
    const inner = `xref\n0 1\n0000000000 65535 f \ntrailer\n<< /Size 10 /Root 1 0 R /Prev ${at + 200} >>\n`
    const text = two.toString("latin1")
    const moved = `${text.slice(0, at)}${inner.padEnd(200)}${text.slice(at)}`
    const file = moved.replace(/startxref\n\d+(?=\n%%EOF\n$)/, `startxref\n${at}`)
    const revisions = readRevisions(open(Buffer.from(file, "latin1")))
    expect(revisions.map(({ end }) => end?.line)).toEqual([samplePdf().length, file.length])
    expect(revisions[1]?.sections).toHaveLength(2)
  })

  it("have no end where a later one begins before it", () => {
    const base = samplePdf()
    const first = Buffer.from(base).indexOf("xref\n0")
    const section = (previous: number) =>
      `xref\n0 1\n0000000000 65535 f \ntrailer\n<< /Size 10 /Root 1 0 R /Prev ${previous} >>\n`.padEnd(200)
    const [middle, newest, last] = [base.length, base.length + 200, base.length + 400]
    const text = `${section(last)}${section(middle)}${section(first)}startxref\n${middle}\n%%EOF\n`
    const file = Buffer.concat([base, Buffer.from(`${text}startxref\n${newest}\n%%EOF\n`, "latin1")])
    const revisions = readRevisions(open(file))
    expect(revisions.map(({ sections }) => sections.map(({ offset }) => offset))).toEqual([
      [first],
      [middle, last],
      [newest],
    ])
    expect(revisions.map(({ end }) => end?.line)).toEqual([base.length, undefined, undefined])
  })

  it("are of this PDF and no other", () => {
    const [revision] = readRevisions(open(samplePdf()))
    expect(() => revision && openRevision(open(samplePdf()), revision)).toThrow(RangeError)
  })
})

/** ISO 32000-2, Annex F: the section of the first page stands in front and names the main one, which is at the end. */
function linearised(): Buffer {
  const digits = (value: number) => String(value).padStart(10, "0")
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Kids [3 0 R] /MediaBox [0 0 9 9] >>",
  ]
  const page = "<< /Type /Page /Parent 2 0 R >>"
  const layout = (main: number, places: readonly number[]) => {
    let text = "%PDF-1.7\n4 0 obj\n<< /Linearized 1 >>\nendobj\n"
    const front = text.length
    text += `xref\n3 2\n${digits(places[2] ?? 0)} 00000 n \n${digits(9)} 00000 n \n`
    text += `trailer\n<< /Size 5 /Root 1 0 R /Prev ${digits(main)} >>\nstartxref\n0\n%%EOF\n`
    const starts: number[] = []
    for (const [i, body] of [...objects, page].entries()) {
      starts.push(text.length)
      text += `${i + 1} 0 obj\n${body}\nendobj\n`
    }
    const at = text.length
    text += `xref\n0 3\n0000000000 65535 f \n${digits(starts[0] ?? 0)} 00000 n \n${digits(starts[1] ?? 0)} 00000 n \n`
    text += `trailer\n<< /Size 3 >>\nstartxref\n${front}\n%%EOF\n`
    return { text, at, starts }
  }
  const first = layout(0, [])
  return Buffer.from(layout(first.at, first.starts).text, "latin1")
}
