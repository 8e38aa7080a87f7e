import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { anyText } from "../testing/samples.ts"
import { createContentScanner, type ScannerLimits } from "./content-scanner.ts"

const WIDE: ScannerLimits = { maxEncodedBytes: 40_000, maxDecodedBytes: 30_000, maxOtherBytes: 100_000 }
const HELLO = Buffer.from("Hello")

describe("a body that is JSON", () => {
  it("gives the same rest as JSON.parse and the bytes of content, wherever it stands and however it is cut", () => {
    fc.assert(
      fc.property(anyBody, cuts, ({ text, bytes }, sizes) => {
        const parsed = JSON.parse(text)
        const { decoded, body, hadContent } = scan(text, sizes)
        expect(decoded).toEqual(Buffer.from(bytes ?? []))
        expect(hadContent).toBe(bytes !== null)
        expect(body).toEqual(bytes === null ? parsed : { ...parsed, content: "" })
      }),
      { numRuns: 300 },
    )
  })

  it("reads a name as JSON.parse does, with whatever escapes it is written", () => {
    expect(scan(String.raw`{"c\u006fnt\u0065nt":"SGVsbG8="}`)).toEqual({
      decoded: HELLO,
      body: { content: "" },
      hadContent: true,
    })
  })

  it("leaves a content that stands deeper, or as an entry, or as a value, in the rest", () => {
    const text = `{"visual_signature":{"image":{"content":"!"}},"a":["content","!"],"b":"content","c":"!"}`
    expect(scan(text)).toEqual({ decoded: Buffer.alloc(0), body: JSON.parse(text), hadContent: false })
  })

  it.each(["null", "7", "true", "{}", '["AAAA"]', '{"content":"!"}'])(
    "leaves a content that is %s to the schema",
    (value) => {
      const text = `{"title":"t","content":${value}}`
      expect(scan(text, [1])).toEqual({ decoded: Buffer.alloc(0), body: JSON.parse(text), hadContent: false })
    },
  )

  it("tells an empty content from none", () => {
    expect(scan('{"content":""}')).toEqual({
      decoded: Buffer.alloc(0),
      body: { content: "" },
      hadContent: true,
    })
    expect(scan("{}").hadContent).toBe(false)
  })

  it("gives bytes out as soon as they are known, and holds none of them", () => {
    const scanner = createContentScanner(WIDE)
    expect(scanner.push(Buffer.from('{"content":"SGVsb'))).toEqual(Buffer.from("Hel"))
    expect(scanner.push(Buffer.from("G8="))).toEqual(Buffer.from("lo"))
    expect(scanner.push(Buffer.from('","title":"t"}'))).toHaveLength(0)
    expect(scanner.end()).toEqual({ body: { content: "", title: "t" }, hadContent: true })
  })

  it("takes 20 levels, and members with the names of what every object has", () => {
    const text = `{"content":"","deep":${"[".repeat(19)}${"]".repeat(19)},"constructor":1,"toString":{"prototype":1}}`
    expect(scan(text).body).toEqual(JSON.parse(text))
  })

  it("takes 1000 members", () => {
    expect(Object.keys(scan(members(1000)).body as object)).toHaveLength(1000)
  })
})

describe("a body is refused", () => {
  it.each([
    ["when it is empty", ""],
    ["when it is white space", " \n"],
    ["when it is no object", '"content"'],
    ["when it is an array", '[{"content":"AAAA"}]'],
    ["when it ends before its end", '{"content":"AAAA"'],
    ["when it ends within content", '{"content":"AAAA'],
    ["when it goes on after its end", '{"content":"AAAA"}{}'],
    ["when a comma is too much", '{"content":"AAAA",}'],
    ["when a comma lacks", '{"title":"t" "content":"AAAA"}'],
    ["when a colon lacks", '{"content" "AAAA"}'],
    ["when a colon is too much", '{"content"::"AAAA"}'],
    ["when brackets do not fit", '{"a":[1},"content":"AAAA"]}'],
    ["when a name has no quotation marks", '{content:"AAAA"}'],
    ["when strings have other ones", "{'content':'AAAA'}"],
    ["when something stands before a string", '{"content":x"AAAA"}'],
    ["when something stands behind a string", '{"content":"AAAA"x}'],
    ["when it begins with a byte order mark", '\ufeff{"content":"AAAA"}'],
    ["when a string has a line break", '{"title":"\n","content":"AAAA"}'],
    ["when a name has an escape that is none", '{"\\x":1,"content":"AAAA"}'],
    ["when content is given twice", '{"content":"AAAA","content":"AAAA"}'],
    ["when content is given twice, once with an escape", '{"content":"AAAA","c\\u006fntent":null}'],
    ["when another member is given twice", '{"title":"a","title":"b"}'],
    ["when content is not Base64", '{"content":"AAA"}'],
    ["when content has an escape", '{"content":"AA\\u0041A"}'],
    ["when content ends with an escaped quotation mark", '{"content":"AAAA\\""}'],
    ["when it goes 21 levels deep", `{"a":${"[".repeat(20)}${"]".repeat(20)}}`],
    ["when it goes very deep", `{"a":${"[".repeat(50_000)}`],
    ["when it has 1001 members", members(1001)],
    ["with __proto__", '{"__proto__":{"isAdmin":true}}'],
    ["with __proto__ in other letters", '{"a":[{"\\u005f_proto__":1}]}'],
    ["with a constructor that has a prototype", '{"a":{"constructor":{"prototype":{}}}}'],
  ])("%s", (_, text) => {
    for (const sizes of [[], [1], [7]])
      expect(() => scan(text, sizes)).toThrow(expect.objectContaining({ code: "constraint-violated" }))
  })

  it.each([
    ["in a string", '{"title":"\xff"}'],
    ["in a name", '{"\xc3":1}'],
    ["between members", '{"title":"t"\xa0}'],
    ["in content", '{"content":"\xc3\xa9AA"}'],
  ])("when it is not UTF-8: %s", (_, latin1) => {
    const scanner = createContentScanner(WIDE)
    const all = () => {
      scanner.push(Buffer.from(latin1, "latin1"))
      scanner.end()
    }
    expect(all).toThrow(expect.objectContaining({ code: "constraint-violated" }))
  })

  it.each([
    ["what is no object", "", "["],
    ["a name without quotation marks", '{"a":1,', "b"],
    ["a member that is given twice", '{"a":1,"a', '"'],
    ["what follows its end", '{"a":1} ', "x"],
  ])("at the first byte of %s, not when all of it is there", (_, before, at) => {
    const scanner = createContentScanner(WIDE)
    scanner.push(Buffer.from(before))
    expect(() => scanner.push(Buffer.from(at))).toThrow(
      expect.objectContaining({ code: "constraint-violated" }),
    )
  })

  it("at the first byte beyond the limit, while exactly the limit is fine", () => {
    const limits = { maxEncodedBytes: 8, maxDecodedBytes: 6, maxOtherBytes: 100 }
    expect(scan('{"content":"AAAAAAAA"}', [1], limits).decoded).toHaveLength(6)
    const scanner = createContentScanner(limits)
    scanner.push(Buffer.from('{"content":"AAAAAAAA'))
    expect(() => scanner.push(Buffer.from("A"))).toThrow(expect.objectContaining({ code: "pdf-too-large" }))
  })

  it("when the rest is too long, also by white space, before it is parsed", () => {
    const limits = { ...WIDE, maxOtherBytes: 20 }
    const fits = '{"content":""       '
    expect(scan(fits.replace('""', '"AAAAAAAAAAAA"').slice(0, -1).concat("}"), [], limits).hadContent).toBe(
      true,
    )
    const scanner = createContentScanner(limits)
    scanner.push(Buffer.from(fits))
    expect(() => scanner.push(Buffer.from(" "))).toThrow(expect.objectContaining({ code: "body-too-large" }))
  })
})

const whiteSpace = fc.string({ unit: fc.constantFrom(" ", "\t", "\n", "\r"), maxLength: 3 })
/** Sizes of the chunks, used again and again; none is all in one. */
const cuts = fc.array(fc.oneof(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 200 })), {
  maxLength: 5,
})

/** The text of an object, written in one of the many ways that JSON allows, with or without content. */
const anyBody = fc
  .record({
    bytes: fc.option(fc.uint8Array({ maxLength: 200 })),
    others: fc.uniqueArray(fc.tuple(anyText(), fc.jsonValue({ maxDepth: 4 })), {
      selector: ([name]) => name,
      maxLength: 5,
    }),
    at: fc.nat(5),
    php: fc.boolean(),
    escapes: fc.array(fc.boolean(), { minLength: 3, maxLength: 9 }),
    gaps: fc.array(whiteSpace, { minLength: 1, maxLength: 9 }),
  })
  .map(({ bytes, others, at, php, escapes, gaps }) => {
    const named = others
      .filter(([name]) => !["content", "__proto__"].includes(name))
      .map(([name, value]) => [JSON.stringify(name), JSON.stringify(value)])
    const base64 = JSON.stringify(Buffer.from(bytes ?? []).toString("base64"))
    const content = [escaped("content", escapes), php ? base64.replaceAll("/", "\\/") : base64]
    const all = bytes === null ? named : named.toSpliced(at, 0, content)
    let n = 0
    const gap = () => gaps[n++ % gaps.length] ?? ""
    const written = all.map(([name, value]) => `${gap()}${name}${gap()}:${gap()}${value}${gap()}`)
    return { bytes, text: `${gap()}{${written.length === 0 ? gap() : written.join(",")}}${gap()}` }
  })
  .filter(({ text }) => !/"(?:__proto__|constructor)"/.test(text))

function escaped(name: string, which: readonly boolean[]): string {
  const letter = (one: string, i: number) =>
    which[i % which.length] ? `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}` : one
  return `"${[...name].map(letter).join("")}"`
}

function members(count: number): string {
  return `{${Array.from({ length: count }, (_, i) => `"${i}":0`).join(",")}}`
}

function scan(text: string, sizes: readonly number[] = [], limits = WIDE) {
  const bytes = Buffer.from(text)
  const scanner = createContentScanner(limits)
  const pieces: Uint8Array[] = []
  for (let at = 0, n = 0; at < bytes.length; n++) {
    const size = sizes[n % sizes.length] ?? bytes.length
    pieces.push(scanner.push(bytes.subarray(at, at + size)))
    at += size
  }
  return { decoded: Buffer.concat(pieces), ...scanner.end() }
}
