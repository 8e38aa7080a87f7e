import { describe, expect, it } from "vitest"
import { bytesSource } from "../source.ts"
import { openPdf } from "./document.ts"

const CATALOG = "<< /Type /Catalog /Pages 2 0 R >>"
const OTHER = "<< /Type /Catalog /Pages 9 0 R >>"
const open = (text: string) => openPdf(bytesSource(Buffer.from(text, "latin1")))

describe("a linearised file", () => {
  it("is read where its beginning and its end name one section", () => {
    expect(() => open(linearized({ first: 1, last: 1 }))).not.toThrow()
  })

  it("is refused where they name two", () => {
    expect(() => open(linearized({ first: 1, last: 2 }))).toThrow("name two cross-reference sections")
  })

  it("is one no more once something was appended, and then its end counts", () => {
    expect(() => open(linearized({ first: 1, last: 2, appended: true }))).not.toThrow()
  })
})

describe("a hybrid section", () => {
  it.each([
    ["a place that its stream does not mention", "n", undefined, true],
    ["the same place", "n", "same", true],
    ["as free what its stream holds", "f", "other", true],
    ["another place", "n", "other", false],
    ["a place for what its stream calls free", "n", "free", false],
  ] as const)("that names %s", (_, inTable, inStream, isSound) => {
    const file = hybrid(inTable, inStream)
    if (isSound) expect(() => open(file)).not.toThrow()
    else expect(() => open(file)).toThrow("names two places for object 1")
  })

  it("may be repeated by whoever appends a revision with another catalog", () => {
    const file = hybrid("n", "same")
    const [, stream = ""] = /XRefStm (\d+)/.exec(file) ?? []
    const [, previous = ""] = /startxref\n(\d+)/.exec(file) ?? []
    const at = file.length
    const body = `1 0 obj\n${OTHER}\nendobj\n`
    const trailer = `<< /Size 4 /Root 1 0 R /Prev ${previous} /XRefStm ${stream} >>`
    const table = `xref\n1 1\n${row(at)}trailer\n${trailer}\nstartxref\n${at + body.length}\n%%EOF\n`
    expect(() => open(file + body + table)).not.toThrow()
  })
})

function row(offset: number, kind = "n"): string {
  return `${String(offset).padStart(10, "0")} 00000 ${kind} \n`
}

/** Two sections with a catalog each; the first stands behind the parameters, as the standard wants it. */
function linearized(options: { first: 1; last: 1 | 2; appended?: boolean }): string {
  const parameters = `%PDF-1.4\n3 0 obj\n<< /Linearized 1 /L 000000 /H [0 0] /O 1 /E 0 /N 1 /T 0 >>\nendobj\n`
  const places: number[] = []
  let text = parameters
  const bodyAt = text.length + 200
  const section = (root: number, offset: number) => {
    places.push(text.length)
    text += `xref\n0 1\n0000000000 65535 f \n${root} 1\n${row(offset)}trailer\n<< /Size 4 /Root ${root} 0 R >>\n`
  }
  section(1, bodyAt)
  text = text.padEnd(bodyAt)
  text += `1 0 obj\n${CATALOG}\nendobj\n`
  const other = text.length
  text += `2 0 obj\n${OTHER}\nendobj\n`
  section(2, other)
  text += `startxref\n${places[options.last - 1]}\n%%EOF\n`
  const length = String(text.length + (options.appended === true ? 1 : 0)).padStart(6, "0")
  return text.replace("/L 000000", `/L ${length}`)
}

/** The catalog is object 1; the table and the stream say where, or that it is nowhere. */
function hybrid(inTable: "n" | "f", inStream: "same" | "other" | "free" | undefined): string {
  let text = "%PDF-1.5\n"
  const own = text.length
  text += `1 0 obj\n${CATALOG}\nendobj\n`
  const other = text.length
  text += `1 0 obj\n${OTHER}\nendobj\n`
  const at = text.length
  const place = inStream === "same" ? own : other
  const record = inStream === "free" ? "\0\0\0" : `\x01${String.fromCharCode(place)}\0`
  const index = inStream === undefined ? "/Index [2 1]" : "/Index [1 1]"
  text += `3 0 obj\n<< /Type /XRef /Size 4 /W [1 1 1] ${index} /Length 3 >>\nstream\n${record}\nendstream\nendobj\n`
  const table = text.length
  text += `xref\n0 2\n0000000000 65535 f \n${row(own, inTable)}`
  return `${text}trailer\n<< /Size 4 /Root 1 0 R /XRefStm ${at} >>\nstartxref\n${table}\n%%EOF\n`
}
