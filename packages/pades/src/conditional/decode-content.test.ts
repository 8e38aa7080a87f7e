import { describe, expect, it } from "vitest"
import { asSource } from "../source.ts"
import { openPdf } from "../structure/document.ts"
import { streamOf, withCatalog } from "../testing/hostile.ts"
import { decodeContent } from "./decode-content.ts"

const decoded = (filter: string, data: Uint8Array, maxBytes = 1_000_000) => {
  const pdf = openPdf(asSource(withCatalog("", streamOf(filter, data))))
  const content = decodeContent(
    pdf,
    { type: "ref", number: 4, generation: 0 },
    { budget: { left: maxBytes } },
  )
  return typeof content === "string" ? content : Buffer.from(content).toString("latin1")
}

describe("decodeContent", () => {
  it("decodes runs", () => {
    expect(decoded("/Filter /RunLengthDecode", Buffer.from([2, 0x61, 0x62, 0x63, 254, 0x64, 128, 9]))).toBe(
      "abcddd",
    )
  })

  it("decodes LZW, as of the example in the standard", () => {
    // 7.4.4.2, example 1.
    const data = Buffer.from("800b6050220c0c8501", "hex")
    expect(Buffer.from(decoded("/Filter /LZWDecode", data), "latin1").toString("hex")).toBe(
      "2d2d2d2d2d412d2d2d42",
    )
  })

  it.each([
    ["runs", "/Filter /RunLengthDecode", Buffer.from([129, 0x61]), 100],
    ["LZW", "/Filter /LZWDecode", Buffer.from("800b6050220c0c8501", "hex"), 9],
  ])("stops where %s decode to too many bytes", (_, filter, data, maxBytes) => {
    expect(decoded(filter, data, maxBytes)).toBe("cannot be decoded")
  })

  it("stops where content that is not compressed has too many bytes", () => {
    expect(decoded("", Buffer.from("abcdef"), 5)).toBe("has too many bytes")
  })

  it("refuses codes of LZW that are not defined yet", () => {
    expect(decoded("/Filter /LZWDecode", Buffer.from([0x80, 0x3f, 0xff, 0xff]))).toBe("cannot be decoded")
  })
})
