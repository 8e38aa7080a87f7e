import { LIMITS } from "@paraph/core/limits"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { fromBase64 } from "./base64.ts"

// RFC 4648, 4: groups of four, the last one padded; no line breaks (3.1), nothing from outside the alphabet (3.3).
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/

describe("fromBase64", () => {
  it("gives back any bytes that were written as Base64", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        expect(fromBase64(Buffer.from(bytes).toString("base64"))).toEqual(Buffer.from(bytes))
      }),
    )
  })

  it("takes exactly what the alphabet and the padding allow", () => {
    const character = fc.constantFrom(..."AAAAaz09+/=-_ \n\téŁ")
    fc.assert(
      fc.property(fc.string({ unit: character, maxLength: 16, size: "max" }), (text) => {
        expect(accepts(text)).toBe(BASE64.test(text))
      }),
      { numRuns: 3000 },
    )
  })

  it.each([
    ["a line break", "AAAA\nAAAA"],
    ["line breaks that fill a group", "AAAA\n\n\n\n"],
    ["the alphabet for URLs", "-_-_"],
    ["no padding", "AA"],
    ["half a padding", "AA="],
    ["padding in the middle", "AA==AA=="],
    ["padding alone", "===="],
    ["a group of padding at the end", "AAAA===="],
    ["one character before the padding", "A==="],
    ["a data URL", "data:application/pdf;base64,AAAA"],
  ])("refuses %s", (_, text) => {
    expect(() => fromBase64(text)).toThrow(expect.objectContaining({ code: "constraint-violated" }))
  })

  it("takes the empty text as no bytes", () => {
    expect(fromBase64("")).toHaveLength(0)
  })

  it("refuses more than the limit by its length, before it decodes", () => {
    const text = "A".repeat(LIMITS.documentBase64Bytes + 1)
    expect(() => fromBase64(text)).toThrow(expect.objectContaining({ code: "pdf-too-large" }))
  })
})

function accepts(text: string): boolean {
  try {
    fromBase64(text)
    return true
  } catch {
    return false
  }
}
