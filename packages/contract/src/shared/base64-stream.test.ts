import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { type Base64Limits, createBase64Decoder } from "./base64-stream.ts"

// RFC 4648, 4: groups of four, the last one padded; no line breaks (3.1), nothing from outside the alphabet (3.3).
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/

const WIDE: Base64Limits = { maxEncodedBytes: 4000, maxDecodedBytes: 3000 }

describe("the decoder of Base64", () => {
  it("gives back any bytes that were written as Base64, however they are cut", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), cuts, (bytes, sizes) => {
        const text = Buffer.from(bytes).toString("base64")
        expect(decode(text, sizes)).toEqual(Buffer.from(bytes))
        expect(decode(text.replaceAll("/", "\\/"), sizes)).toEqual(Buffer.from(bytes))
      }),
    )
  })

  it("takes exactly what the alphabet, the padding and the one escape allow, however it is cut", () => {
    const character = fc.constantFrom(..."AAAAAAAAaz09+/=-_ \n\t\\\u0000\u0080éÿ", "\\/")
    fc.assert(
      fc.property(fc.string({ unit: character, maxLength: 16, size: "max" }), cuts, (text, sizes) => {
        const plain = text.replaceAll("\\/", "/")
        const judged = BASE64.test(plain) ? Buffer.from(plain, "base64") : "constraint-violated"
        expect(decodeOrCode(text, sizes)).toEqual(judged)
      }),
      { numRuns: 3_000 },
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
    ["a character behind the padding", "AA==A"],
    ["a data URL", "data:application/pdf;base64,AAAA"],
    ["an escaped letter", "\\u0041AAA"],
    ["an escaped line break", "AAAA\\n"],
    ["an escaped backslash", "AAA\\\\/"],
    ["a backslash at the end", "AAAA\\"],
    ["bytes beyond ASCII", "AAAAéééé"],
  ])("refuses %s, whole and one by one", (_, text) => {
    expect(decodeOrCode(text, [])).toBe("constraint-violated")
    expect(decodeOrCode(text, [1])).toBe("constraint-violated")
  })

  it("takes the empty text as no bytes", () => {
    expect(decode("", [])).toHaveLength(0)
  })

  it.each([
    ["exactly as many bytes as are allowed", 6, { maxEncodedBytes: 8, maxDecodedBytes: 6 }, Buffer.alloc(6)],
    ["fewer, with padding", 5, { maxEncodedBytes: 8, maxDecodedBytes: 5 }, Buffer.alloc(5)],
    ["one byte more", 7, { maxEncodedBytes: 100, maxDecodedBytes: 6 }, "pdf-too-large"],
    ["one character more", 7, { maxEncodedBytes: 11, maxDecodedBytes: 100 }, "pdf-too-large"],
  ])("knows its limits: %s", (_, length, limits, judged) => {
    const text = Buffer.alloc(length).toString("base64")
    for (const sizes of [[], [1], [3]]) expect(decodeOrCode(text, sizes, limits)).toEqual(judged)
  })

  it("counts an escaped solidus as the one character that it is", () => {
    const limits = { maxEncodedBytes: 4, maxDecodedBytes: 3 }
    expect(decode("\\/\\/\\/\\/", [], limits)).toEqual(Buffer.from("////", "base64"))
  })

  it("refuses at the character that passes the limit, not at the end", () => {
    const decoder = createBase64Decoder({ maxEncodedBytes: 8, maxDecodedBytes: 100 })
    decoder.push(Buffer.from("AAAAAAAA"))
    expect(() => decoder.push(Buffer.from("A"))).toThrow(expect.objectContaining({ code: "pdf-too-large" }))
  })
})

/** Sizes of the pieces, used again and again; none is all in one piece. */
const cuts = fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 5 })

function decode(text: string, sizes: readonly number[], limits: Base64Limits = WIDE): Buffer {
  const characters = Buffer.from(text, "latin1")
  const decoder = createBase64Decoder(limits)
  const pieces: Uint8Array[] = []
  for (let at = 0, n = 0; at < characters.length; n++) {
    const size = sizes[n % sizes.length] ?? characters.length
    pieces.push(decoder.push(characters.subarray(at, at + size)))
    at += size
  }
  decoder.end()
  return Buffer.concat(pieces)
}

function decodeOrCode(text: string, sizes: readonly number[], limits?: Base64Limits): unknown {
  try {
    return decode(text, sizes, limits)
  } catch (error) {
    return error instanceof Error && "code" in error ? error.code : error
  }
}
