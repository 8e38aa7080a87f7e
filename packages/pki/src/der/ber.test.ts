import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { readBer } from "./ber.ts"
import { DerError, readDer } from "./der.ts"
import { integer, octetString, sequence, setOf, writeTagged } from "./der-writer.ts"

const hex = (text: string) => new Uint8Array(Buffer.from(text.replaceAll(" ", ""), "hex"))
const toHex = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex")

describe("readBer", () => {
  it("gives DER back as it is, without a copy", () => {
    const der = sequence(integer(1), setOf(octetString(hex("00ff"))))
    const { node, encoding } = readBer(der)
    expect(encoding).toBe("DER")
    expect(node.bytes.buffer).toBe(der.buffer)
    expect(node.bytes).toEqual(der)
  })

  it("closes indefinite lengths, and puts octet strings together", () => {
    const { node, encoding } = readBer(hex("3080 020101 2480 0402aabb 2403 0401cc 0000 0000"))
    expect(encoding).toBe("BER")
    expect(toHex(node.bytes)).toBe("30080201010403aabbcc")
  })

  it("writes the length around a part that grew shorter anew", () => {
    const { node } = readBer(hex("3007 3080 020107 0000"))
    expect(toHex(node.bytes)).toBe("30053003020107")
  })

  it("shortens lengths that have more octets than they need, of constructed and of primitive values", () => {
    const { node, encoding } = readBer(hex("3081 05 0282 0001 07"))
    expect(encoding).toBe("BER")
    expect(toHex(node.bytes)).toBe("3003020107")
    expect(toHex(readBer(hex("3009 2484 00000003 0401aa")).node.bytes)).toBe("30030401aa")
    expect(() => readBer(hex("3085 0000000003 020107"))).toThrow("length cut short or too long")
  })

  it("finds the end of a value that zeros follow, and refuses anything else behind it", () => {
    expect(readBer(hex("3080 020101 0000 0000 00"), { zeroPadded: true }).node.bytes).toHaveLength(5)
    expect(() => readBer(hex("3080 020101 0000 00"))).toThrow("bytes after the value")
    expect(() => readBer(hex("3003 020101 0001"), { zeroPadded: true })).toThrow("bytes after the value")
  })

  it("still refuses what DER refuses otherwise", () => {
    expect(() => readBer(hex("3080 02020001 0000"))).toThrow("integer not minimal")
    expect(() => readBer(hex("3080 020101"))).toThrow("end of contents is missing")
    expect(() => readBer(hex("0480 0401aa 0000"))).toThrow("indefinite length of a primitive value")
    expect(() => readBer(hex("2405 0401aa 0500"))).toThrow(DerError)
  })

  it("refuses a deep nest and a wide one, and says so soon", () => {
    const deep = hex("3080".repeat(100_000))
    expect(() => readBer(deep)).toThrow("nested too deeply")
    expect(() =>
      readBer(
        writeTagged(
          0x30,
          new Uint8Array(200_000).fill(5).map((_, i) => (i % 2 ? 0 : 5)),
        ),
      ),
    ).toThrow("too many values")
    const nulls = Buffer.alloc(199_998, Uint8Array.of(5, 0))
    const wide = Buffer.concat([hex("3080"), nulls, hex("0000")])
    expect(readBer(wide).node.children).toHaveLength(99_999)
    expect(() => readBer(new Uint8Array(17 * 1024 * 1024))).toThrow("too large")
  })

  it("gives the DER of any tree that was written with indefinite or long lengths", () => {
    fc.assert(
      fc.property(trees, (tree) => {
        const expected = writeDer(tree)
        expect(readBer(writeIndefinite(tree)).node.bytes).toEqual(expected)
        expect(readBer(writeLong(tree)).node.bytes).toEqual(expected)
        expect(readBer(expected)).toMatchObject({ encoding: "DER", node: { bytes: expected } })
      }),
    )
  })

  it("gives a value or a DerError for any bytes", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), fc.constantFrom(0x30, 0x24, 0xa0), (bytes, tag) => {
        const tried = Uint8Array.of(tag, 0x80, ...bytes)
        try {
          readDer(readBer(tried, { zeroPadded: true }).node.bytes)
        } catch (error) {
          if (!(error instanceof DerError)) throw error
        }
      }),
      { numRuns: 2000 },
    )
  })
})

type Tree = { readonly tag: number; readonly parts: readonly Tree[] } | Uint8Array

const trees = fc.letrec<{ tree: Tree }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 6 },
    fc.uint8Array({ maxLength: 300 }),
    fc.record({ tag: fc.constantFrom(0x30, 0x31, 0xa0), parts: fc.array(tie("tree"), { maxLength: 5 }) }),
  ),
})).tree

function writeDer(tree: Tree): Uint8Array {
  return tree instanceof Uint8Array ? octetString(tree) : writeTagged(tree.tag, ...tree.parts.map(writeDer))
}

/** Each length in four octets, however short it is. */
function writeLong(tree: Tree): Uint8Array {
  const isBytes = tree instanceof Uint8Array
  const content = isBytes ? tree : Buffer.concat(tree.parts.map(writeLong))
  const length = Buffer.alloc(4)
  length.writeUInt32BE(content.length)
  return new Uint8Array(Buffer.concat([Uint8Array.of(isBytes ? 0x04 : tree.tag, 0x84), length, content]))
}

function writeIndefinite(tree: Tree): Uint8Array {
  const parts =
    tree instanceof Uint8Array
      ? [octetString(tree.subarray(0, 7)), octetString(tree.subarray(7))]
      : tree.parts.map(writeIndefinite)
  const tag = tree instanceof Uint8Array ? 0x24 : tree.tag
  return Buffer.concat([Uint8Array.of(tag, 0x80), ...parts, Uint8Array.of(0, 0)])
}
