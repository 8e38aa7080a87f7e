import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { ascii, compoundFileOf, joined, SAMPLES, UNSUPPORTED, zipOf } from "../testing/office-files.ts"
import { createSniffer } from "./sniff.ts"
import { ATTACHMENT_TYPES, attachmentType } from "./types.ts"

function typesOf(bytes: Uint8Array, pieceBytes = bytes.length): readonly string[] {
  const sniffer = createSniffer()
  for (let at = 0; at < bytes.length; at += pieceBytes) sniffer.push(bytes.subarray(at, at + pieceBytes))
  return sniffer.end()
}

it("there is a sample of everything that is taken", () => {
  expect(Object.keys(SAMPLES).sort()).toEqual(Object.keys(ATTACHMENT_TYPES).sort())
})

describe.each([0, 1, 2, 7, 100])("in pieces of %i bytes (0: at once)", (size) => {
  it.each(Object.entries(SAMPLES))("%s is what it is", (type, bytes) => {
    const types = typesOf(bytes, size === 0 ? bytes.length : size)
    // Whether lines are a table cannot be told.
    expect(types).toEqual(type.startsWith("text/") ? ["text/plain", "text/csv"] : [type])
  })

  it.each(Object.entries(UNSUPPORTED))("%s is not taken as what it says", (_, [type, bytes]) => {
    expect(typesOf(bytes, size === 0 ? bytes.length || 1 : size)).not.toContain(type)
  })
})

it("a directory of an archive is found behind megabytes, and behind a comment", () => {
  const word = { "[Content_Types].xml": "", "word/document.xml": "" }
  const type = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
  const large = zipOf({ ...word, "word/media/image1.png": "x".repeat(1_500_000) })
  for (const size of [large.length, 65_536]) expect(typesOf(large, size)).toEqual([type])
  expect(typesOf(zipOf(word, { comment: "PK\x05\x06".repeat(5000) }))).toEqual([type])
  // A directory that is longer than what we keep of the end: nobody sends that by chance.
  const many = Object.fromEntries(
    Array.from({ length: 15_000 }, (_, n) => [`word/${n}${"x".repeat(20)}`, ""]),
  )
  expect(typesOf(zipOf({ ...word, ...many }))).toEqual([])
})

it("an older document with a sheet in it may be called either", () => {
  expect(typesOf(compoundFileOf("WordDocument", "Workbook"))).toEqual([
    "application/msword",
    "application/vnd.ms-excel",
  ])
})

it("text is exactly what a strict decoder reads, less the control characters", () => {
  const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })
  const control = /(?![\t\n\f\r])\p{Cc}/u
  const anyBytes = fc.oneof(
    fc.uint8Array({ minLength: 1, maxLength: 12 }),
    fc
      .array(fc.integer({ min: 0, max: 0x10ffff }), { minLength: 1, maxLength: 8 })
      .map((characters) => new TextEncoder().encode(String.fromCodePoint(...characters))),
  )
  fc.assert(
    fc.property(anyBytes, fc.integer({ min: 1, max: 4 }), (bytes, size) => {
      // A space before it: it is nothing else than text, or nothing.
      const whole = joined(ascii(" "), bytes)
      let expected = true
      try {
        expected = !control.test(strict.decode(whole))
      } catch {
        expected = false
      }
      return typesOf(whole, size).length > 0 === expected
    }),
    { numRuns: 500 },
  )
})

it("a media type is read without regard to case and parameters", () => {
  expect(attachmentType("Text/Plain; charset=UTF-8")).toBe("text/plain")
  for (const other of ["", "text/html", "__proto__", "application/zip", "application/octet-stream"])
    expect(attachmentType(other)).toBeNull()
})
