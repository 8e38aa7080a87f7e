import { X509Certificate } from "node:crypto"
import { rootCertificates } from "node:tls"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { readCertificate } from "../certificate/certificate.ts"
import {
  DerError,
  readBoolean,
  readDer,
  readInteger,
  readOid,
  readSignatureBits,
  readTime,
  scanValue,
} from "./der.ts"
import {
  bitString,
  boolean,
  explicit,
  implicit,
  integer,
  nullValue,
  octetString,
  oid,
  printableString,
  retag,
  sequence,
  setOf,
  time,
  utf8String,
} from "./der-writer.ts"

const hex = (text: string) => new Uint8Array(Buffer.from(text.replaceAll(" ", ""), "hex"))
const toHex = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex")

describe("scanValue", () => {
  it("finds a value where the reader does, or refuses it", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 12 }), (bytes) => {
        let whole: { tag: number; length: number } | undefined
        try {
          const { tag, bytes: all } = readDer(bytes)
          whole = { tag, length: all.length }
        } catch (error) {
          if (!(error instanceof DerError)) throw error
        }
        if (whole === undefined) return
        const { tag, end } = scanValue(bytes, 0, bytes.length)
        expect({ tag, length: end }).toEqual(whole)
      }),
      { numRuns: 2000 },
    )
    const list = sequence(integer(1), octetString(new Uint8Array(300)))
    const outer = scanValue(list, 0, list.length)
    const first = scanValue(list, outer.contentStart, outer.end)
    const second = scanValue(list, first.end, outer.end)
    expect([outer.tag, first.tag, second.tag, second.end]).toEqual([0x30, 2, 4, list.length])
  })

  it.each(["30 80", "04 81 01 00", "04 05 00", "1f 81 00 00", "", "30"])("refuses %j", (text) => {
    expect(() => scanValue(hex(text), 0, hex(text).length)).toThrow(DerError)
  })

  it("does not look beyond the end that it was given", () => {
    expect(() => scanValue(hex("04 02 00 00"), 0, 3)).toThrow("beyond")
    expect(() => scanValue(hex("04 02 00 00"), 3, 3)).toThrow("cut short")
  })
})

describe("readBoolean and readSignatureBits", () => {
  it("take what the standard allows", () => {
    expect(readBoolean(readDer(boolean(true)), "flag")).toBe(true)
    expect(readBoolean(readDer(boolean(false)), "flag")).toBe(false)
    const hidden = (text: string) => ({ ...readDer(hex(text)), tag: 1 })
    expect(readBoolean(hidden("81 01 ff"), "flag")).toBe(true)
    for (const text of ["81 01 01", "81 00", "81 02 ff ff"])
      expect(() => readBoolean(hidden(text), "flag")).toThrow(DerError)
    expect(readSignatureBits(readDer(bitString(hex("0102"))), "signature")).toEqual(hex("0102"))
    expect(readSignatureBits(readDer(bitString(hex("80"), 7)), "signature")).toHaveLength(0)
  })
})

describe("an implicit tag", () => {
  it("can be put on a value of any size", () => {
    const large = sequence(octetString(new Uint8Array(500_000)))
    expect(implicit(0, large)[0]).toBe(0xa0)
    expect(implicit(0, large)).toHaveLength(large.length)
    expect(retag(large, 0x31).subarray(1)).toEqual(large.subarray(1))
    expect(large[0]).toBe(0x30)
  })
})

describe("the reader", () => {
  it.each([
    ["an indefinite length", "30 80 00 00"],
    ["a length that is not minimal", "04 81 01 00"],
    ["a length with a leading zero", `04 82 00 80 ${"00".repeat(128)}`],
    ["a length of five octets", "04 85 00 00 00 00 01 00"],
    ["a length beyond the end", "04 05 00"],
    ["a child beyond its parent", "30 03 04 05 00 00 00 00 00"],
    ["bytes after the value", "05 00 00"],
    ["no bytes at all", ""],
    ["a tag alone", "30"],
    ["a tag number above 30", "1f 81 00 00"],
    ["a primitive sequence", "10 00"],
    ["a constructed octet string", "24 03 04 01 00"],
    ["a boolean that is neither 00 nor FF", "01 01 01"],
    ["a null with content", "05 01 00"],
    ["an empty integer", "02 00"],
    ["an integer with a needless zero", "02 02 00 7f"],
    ["an integer with a needless FF", "02 02 ff 80"],
    ["a bit string whose unused bits are not zero", "03 02 04 ff"],
    ["a bit string with nine unused bits", "03 02 09 00"],
  ])("refuses %s", (_, text) => {
    expect(() => readDer(hex(text))).toThrow(DerError)
  })

  it("refuses values nested too deeply, however the bomb is built", () => {
    let bomb = nullValue()
    for (let i = 0; i < 40; i++) bomb = sequence(bomb)
    expect(() => readDer(bomb)).toThrow("nested too deeply")
    expect(() => readDer(new Uint8Array(1_000_000).fill(0x30))).toThrow(DerError)
  })

  it("refuses more values than the limit", () => {
    const many = sequence(...Array.from({ length: 30_000 }, nullValue))
    expect(() => readDer(many)).toThrow("too many values")
    expect(readDer(many, { maxDepth: 2, maxNodes: 30_001 }).children).toHaveLength(30_000)
  })

  it("answers random bytes with a value or a clean error", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => valueOrError(() => readDer(bytes))),
      {
        numRuns: 1_000,
      },
    )
  })

  it("answers damaged real certificates with a value or a clean error", () => {
    const real = rootCertificates.slice(0, 20).map((pem) => new Uint8Array(new X509Certificate(pem).raw))
    const damage = fc.array(fc.tuple(fc.nat(2_000), fc.nat(255)), { minLength: 1, maxLength: 4 })
    fc.assert(
      fc.property(fc.constantFrom(...real), damage, fc.nat(2_000), (certificate, changes, cut) => {
        const bytes = Uint8Array.from(certificate)
        for (const [at, octet] of changes) bytes[at % bytes.length] = octet
        valueOrError(() => readCertificate(bytes))
        valueOrError(() => readCertificate(bytes.subarray(0, cut % bytes.length)))
      }),
      { numRuns: 1_000 },
    )
  })
})

describe("the writer", () => {
  it("writes what the reader reads, for every integer", () => {
    fc.assert(
      fc.property(fc.bigInt(-(1n << 170n), 1n << 170n), (n) => readInteger(readDer(integer(n)), "n") === n),
    )
    expect([0, 127, 128, 255, 256, -1, -128, -129].map((n) => toHex(integer(n)))).toEqual([
      "020100",
      "02017f",
      "02020080",
      "020200ff",
      "02020100",
      "0201ff",
      "020180",
      "0202ff7f",
    ])
  })

  it("writes object identifiers as X.690, 8.19 shows them", () => {
    expect(toHex(oid("2.999.3"))).toBe("0603883703")
    for (const dotted of [
      "1.2.840.113549.1.9.16.2.47",
      "2.5.29.15",
      "0.4.0.1862.1.1",
      "2.25.340282366920938463463374607431768211455",
    ])
      expect(readOid(readDer(oid(dotted)), "oid")).toBe(dotted)
  })

  it("writes lengths in the shortest form", () => {
    expect(toHex(octetString(new Uint8Array(127))).slice(0, 4)).toBe("047f")
    expect(toHex(octetString(new Uint8Array(128))).slice(0, 6)).toBe("048180")
    expect(toHex(octetString(new Uint8Array(70_000))).slice(0, 10)).toBe("0483011170")
  })

  it("sorts a SET OF by its encodings", () => {
    expect(toHex(setOf(integer(3), boolean(true), integer(1)))).toBe("31090101ff020101020103")
  })

  it("writes times through 2049 as UTCTime and later ones as GeneralizedTime", () => {
    const last = new Date("2049-12-31T23:59:59Z")
    const first = new Date("2050-01-01T00:00:00Z")
    expect(Buffer.from(time(last)).toString("latin1", 2)).toBe("491231235959Z")
    expect(Buffer.from(time(first)).toString("latin1", 2)).toBe("20500101000000Z")
    for (const at of [last, first]) expect(readTime(readDer(time(at)), "time")).toEqual(at)
  })

  it("refuses a time that is none", () => {
    const utc = (text: string) =>
      readDer(Buffer.concat([hex("17"), Uint8Array.of(text.length), Buffer.from(text)]))
    for (const text of [
      "260431000000Z",
      "261301000000Z",
      "260101240000Z",
      "2601010000Z",
      "260101000000+0100",
    ])
      expect(() => readTime(utc(text), "time")).toThrow(DerError)
  })

  it("writes context tags, explicit and implicit", () => {
    expect(toHex(explicit(0, integer(2)))).toBe("a003020102")
    expect(toHex(implicit(0, octetString(hex("ff"))))).toBe("8001ff")
    expect(toHex(implicit(1, sequence(nullValue())))).toBe("a1020500")
  })

  it("writes strings, and refuses a PrintableString that is none", () => {
    expect(toHex(utf8String("é"))).toBe("0c02c3a9")
    expect(toHex(printableString("CH"))).toBe("13024348")
    expect(toHex(bitString(hex("80"), 7))).toBe("03020780")
    expect(() => printableString("a@b")).toThrow(DerError)
  })
})

function valueOrError(read: () => unknown): void {
  try {
    read()
  } catch (error) {
    if (!(error instanceof DerError)) throw error
  }
}
