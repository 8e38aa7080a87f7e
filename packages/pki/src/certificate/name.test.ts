import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { DerError, TAG } from "../der/der.ts"
import { oid, sequence, setOf, utf8String, writeTagged } from "../der/der-writer.ts"
import { attributesOf, isEmptyName, nameKey, relativeNames, sameName } from "./name.ts"

const CN = "2.5.4.3"
const O = "2.5.4.10"
type Write = (text: string) => Uint8Array

const TYPES: Readonly<Record<string, Write>> = {
  UTF8String: utf8String,
  PrintableString: (text) => writeTagged(TAG.printableString, Buffer.from(text, "latin1")),
  TeletexString: (text) => writeTagged(TAG.t61String, Buffer.from(text, "latin1")),
  IA5String: (text) => writeTagged(TAG.ia5String, Buffer.from(text, "latin1")),
  BMPString: (text) => writeTagged(TAG.bmpString, Buffer.from(text, "utf16le").swap16()),
  UniversalString: (text) => {
    const points = [...text].map((point) => point.codePointAt(0) ?? 0)
    const bytes = Buffer.alloc(points.length * 4)
    points.forEach((point, index) => {
      bytes.writeUInt32BE(point, index * 4)
    })
    return writeTagged(TAG.universalString, bytes)
  },
}

const attribute = (type: string, value: Uint8Array) => sequence(oid(type), value)
const named = (...values: readonly Uint8Array[]) =>
  sequence(...values.map((value) => setOf(attribute(CN, value))))
const plain = (text: string) => named(utf8String(text))

describe("sameName", () => {
  it("does not mind case and white space", () => {
    expect(sameName(plain("Good CA"), plain("  good\t  cA "))).toBe(true)
    expect(sameName(plain("Good CA"), plain("GoodCA"))).toBe(false)
    expect(sameName(plain("STRASSE"), plain("Straße"))).toBe(true)
    expect(sameName(plain("ΟΔΟΣ"), plain("οδος"))).toBe(true)
    expect(sameName(plain("ﬁne"), plain("FINE"))).toBe(true)
    expect(sameName(plain("ℌ"), plain("h"))).toBe(true)
    expect(sameName(plain("Zoe\u0301"), plain("Zoé"))).toBe(true)
    expect(sameName(plain("soft\u00adhyphen"), plain("softhyphen"))).toBe(true)
  })

  it("does not mind the type of string", () => {
    const names = Object.values(TYPES).map((write) => named(write("Good CA")))
    for (const one of names) for (const other of names) expect(sameName(one, other)).toBe(true)
  })

  it("minds the order of the parts, their number, their types and other values", () => {
    const [a, b] = [utf8String("A"), utf8String("B")]
    expect(sameName(named(a, b), named(b, a))).toBe(false)
    expect(sameName(named(a, b), named(a))).toBe(false)
    expect(sameName(sequence(setOf(attribute(CN, a))), sequence(setOf(attribute(O, a))))).toBe(false)
    const bits = (last: number) => sequence(setOf(attribute(CN, Uint8Array.of(3, 2, 0, last))))
    expect(sameName(bits(1), bits(1))).toBe(true)
    expect(sameName(bits(1), bits(2))).toBe(false)
  })

  it("cannot be fooled by text that looks like the border of a part", () => {
    const two = sequence(setOf(attribute(CN, utf8String("a")), attribute(O, utf8String("b"))))
    expect(sameName(two, plain('a","2.5.4.10=b'))).toBe(false)
    expect(sameName(named(utf8String("a"), utf8String("b")), plain('a"]","["2.5.4.3=b'))).toBe(false)
    // Not UTF-8: no text, so it is neither the replacement character nor another broken one.
    const broken = (octet: number) => named(writeTagged(TAG.utf8String, Uint8Array.of(octet)))
    expect(sameName(broken(0xff), broken(0xfe))).toBe(false)
    expect(sameName(broken(0xff), plain("\ufffd"))).toBe(false)
  })

  it("takes the attributes of one part as a set", () => {
    const a = attribute(CN, utf8String("A"))
    const b = attribute(O, utf8String("B"))
    const upper = attribute(CN, utf8String("a"))
    expect(sameName(sequence(setOf(a, b)), sequence(writeTagged(TAG.set, b, upper)))).toBe(true)
  })

  it("is symmetric for any text, and deaf to case and to white space around it", () => {
    const text = fc.string({ unit: "grapheme", maxLength: 12 })
    fc.assert(
      fc.property(text, text, fc.string({ maxLength: 12 }), (one, other, ascii) => {
        expect(sameName(plain(one), plain(other))).toBe(sameName(plain(other), plain(one)))
        expect(sameName(plain(` ${one}  `), plain(one))).toBe(true)
        expect(sameName(plain(ascii.toUpperCase()), plain(ascii.toLowerCase()))).toBe(true)
        expect(sameName(plain(`${ascii}x`), plain(`${ascii}y`))).toBe(false)
      }),
    )
  })
})

describe("a name", () => {
  it("has a key for every part, and gives the texts of one type", () => {
    const name = named(utf8String("A"), utf8String("B"))
    expect(relativeNames(name)).toHaveLength(2)
    expect(attributesOf(name, CN)).toEqual(["A", "B"])
    expect(attributesOf(name, O)).toEqual([])
    expect(isEmptyName(sequence())).toBe(true)
    expect(isEmptyName(name)).toBe(false)
  })

  it("is a key or a DerError, whatever the bytes", () => {
    const name = named(utf8String("Good CA"), utf8String("B"))
    const change = fc.record({ at: fc.nat(name.length - 1), to: fc.nat(255) })
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 4 }), (changes) => {
        const bytes = new Uint8Array(name)
        for (const { at, to } of changes) bytes[at] = to
        try {
          expect(typeof nameKey(bytes)).toBe("string")
        } catch (error) {
          expect(error).toBeInstanceOf(DerError)
        }
      }),
      { numRuns: 1000 },
    )
  })
})
