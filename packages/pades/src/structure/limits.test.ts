import { describe, expect, it } from "vitest"
import { describePdf } from "../content/describe.ts"
import { PdfRefused } from "../refused.ts"
import { readSecurityStore } from "../signed/security-store.ts"
import { readSignatures } from "../signed/signatures.ts"
import { bytesSource } from "../source.ts"
import { newBudget } from "../syntax/limits.ts"
import { parseValue } from "../syntax/parse.ts"
import { parseAt } from "../syntax/window.ts"
import {
  emptyBlocks,
  PAGE,
  PAGES,
  streamOf,
  withCatalog,
  withEmptyRevisions,
  withObjectStream,
} from "../testing/hostile.ts"
import { openPdf } from "./document.ts"
import { decodeStream } from "./filter.ts"

const open = (file: Uint8Array) => openPdf(bytesSource(file))
const signatures = (count: number, value: string) =>
  Array.from({ length: count }, (_, i) => `<< /FT /Sig /T (${i}) /V ${value} >>`).join(" ")
const withFields = (fields: string, ...more: readonly (string | Uint8Array)[]) =>
  withCatalog(`/AcroForm << /Fields [${fields}] >>`, ...more)

describe("an object stream", () => {
  const catalog = "<< /Type /Catalog /Pages 2 0 R /AcroForm 6 0 R >>"
  const form = (text: string) => `<< /Fields [] /X ${text} >>`

  it("is read where its objects follow each other", () => {
    const file = withObjectStream(
      [catalog, PAGES, PAGE, "1"],
      [
        [6, 0],
        [7, 30],
      ],
      `${form("1").padEnd(30)}2`,
    )
    expect(refusalOf(() => describePdf(file))).toBeUndefined()
  })

  it.each([
    ["share a start", 0],
    ["stand in another order than their starts", -1],
  ])("is refused where two objects %s", (_, next) => {
    const directory = [[6, 40] as const, [7, 40 + next] as const]
    const file = withObjectStream([catalog, PAGES, PAGE, "1"], directory, " ".repeat(39) + form("1"))
    expect(refusalOf(() => describePdf(file))).toBe(
      "corrupt: The objects of an object stream are out of order.",
    )
  })

  it("is refused where an object goes on into the next one", () => {
    const file = withObjectStream(
      [catalog, PAGES, PAGE, "1"],
      [
        [6, 0],
        [7, 16],
      ],
      form("(2)"),
    )
    expect(refusalOf(() => describePdf(file))).toContain("corrupt")
  })

  it("is not read for longer than the file is worth, however often its objects are named", () => {
    const named = "6 0 R ".repeat(1_000)
    const plain = [
      `<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [${signatures(10, `<< /Reference [${named}] >>`)}] >> >>`,
    ]
    const file = withObjectStream([...plain, PAGES, PAGE, "1"], [[6, 0]], `<< /A (${" ".repeat(300_000)}) >>`)
    expect(file.length).toBeLessThan(70_000)
    expect(refusalOf(() => describePdf(file))).toBe("too-complex: The PDF takes too long to read.")
  })
})

describe("what is read in vain is charged:", () => {
  it("text that is refused", () => {
    const source = bytesSource(Buffer.from(`(${" ".repeat(99_999)}`))
    const budget = newBudget(source.length)
    const before = budget.scannedBytes
    expect(() => parseAt(source, 0, budget, (cursor) => parseValue(cursor, budget))).toThrow("has no end")
    expect(before - budget.scannedBytes).toBeGreaterThanOrEqual(100_000)
  })

  it("nothing is read any more once the budget is spent", () => {
    const budget = { ...newBudget(0), scannedBytes: -1 }
    const read = () => parseAt(bytesSource(Buffer.from("1 ")), 0, budget, () => expect.unreachable())
    expect(refusalOf(read)).toBe("too-complex: The PDF takes too long to read.")
  })

  it("signatures in an object that never ends make the file unreadable", () => {
    const file = withFields(signatures(100, "4 0 R"), `(${" ".repeat(300_000)}`)
    expect(refusalOf(() => readSignatures(open(file)))).toBe("too-complex: The PDF takes too long to read.")
    const one = withFields(signatures(1, "4 0 R"), `(${" ".repeat(300_000)}`)
    expect(readSignatures(open(one))).toMatchObject([{ fault: "unreadable" }])
  })

  it("objects that are looked for in many revisions and found in none", () => {
    // Number 0 is free in the oldest table only.
    const nowhere = withFields(signatures(2, "<< /Reference 4 0 R >>"), `[${"0 0 R ".repeat(10_000)}]`)
    expect(refusalOf(() => readSignatures(open(nowhere)))).toBeUndefined()
    const many = withEmptyRevisions(nowhere, 900)
    expect(refusalOf(() => readSignatures(open(many)))).toBe("too-complex: The PDF takes too long to read.")
  })
})

describe("a stream that inflates to nothing", () => {
  const blocks = emptyBlocks(200_000)

  it("costs what it is long", () => {
    const dict = open(withCatalog("/Filter /FlateDecode")).catalog
    const budget = newBudget(0)
    const before = budget.decodedBytes
    expect(decodeStream(dict, blocks, budget)).toHaveLength(0)
    expect(before - budget.decodedBytes).toBe(blocks.length)
  })

  it("is decoded once where the security store names it a thousand times", () => {
    const file = withCatalog(
      `/DSS << /Certs [${"4 0 R ".repeat(1_000)}] /CRLs [4 0 R] >>`,
      streamOf("/Filter /FlateDecode", blocks),
    )
    const pdf = open(file)
    const before = pdf.budget.decodedBytes
    expect(readSecurityStore(pdf)).toMatchObject({ certificates: [{}], ocspResponses: [], crls: [{}] })
    expect(before - pdf.budget.decodedBytes).toBe(2 * blocks.length)
  })
})

function refusalOf(read: () => unknown): string | undefined {
  try {
    read()
    return undefined
  } catch (error) {
    if (error instanceof PdfRefused) return `${error.code}: ${error.message}`
    throw error
  }
}
