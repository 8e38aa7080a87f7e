import { createHash } from "node:crypto"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { SealBroken } from "./broken.ts"
import { layoutOf } from "./layout.ts"
import { open, SEGMENT_BYTES, seal, sealedSize } from "./stream.ts"
import { collect, inPieces, sealed } from "./testing/pieces.ts"
import { newKey } from "./wrap.ts"

const KEY = Buffer.from([...Array(32).keys()])
const CONTEXT = "acme documents/1"
const SMALL = layoutOf(64)
const cuts = fc.array(fc.nat(200), { minLength: 1, maxLength: 6 }).filter((sizes) => sizes.some((n) => n > 0))

describe("what was sealed", () => {
  it("opens again, of whatever size, in whatever pieces it came and went", async () => {
    const bytes = fc.oneof(fc.uint8Array({ maxLength: 400 }), aroundBorders())
    await fc.assert(
      fc.asyncProperty(bytes, cuts, cuts, async (plain, before, after) => {
        const key = newKey()
        const object = await collect(seal(key, CONTEXT, inPieces(plain, before), SMALL))
        const opened = await collect(open(key, CONTEXT, inPieces(object, after), SMALL))
        expect(opened.equals(plain)).toBe(true)
        expect(object.equals(await sealed(key, CONTEXT, plain, SMALL))).toBe(true)
      }),
      { numRuns: 500 },
    )
  })

  it.each([
    0,
    1,
    SEGMENT_BYTES - 1,
    SEGMENT_BYTES,
    SEGMENT_BYTES + 1,
    2 * SEGMENT_BYTES,
    3.5 * SEGMENT_BYTES,
  ])("opens again at its real size, %i bytes, and is as long as was said", async (size) => {
    const [key, plain] = [newKey(), pattern(size)]
    const object = await sealed(key, CONTEXT, plain)
    expect(object.length).toBe(sealedSize(size))
    const opened = await collect(open(key, CONTEXT, inPieces(object, [1, 700_000, 65_536])))
    expect(opened.equals(plain)).toBe(true)
  })

  it("does not depend on a piece that its sender writes into afterwards", async () => {
    const piece = Buffer.alloc(10)
    async function* reusing() {
      for (const letter of "abc") yield piece.fill(letter)
    }
    const key = newKey()
    const object = await collect(seal(key, CONTEXT, reusing()))
    expect((await collect(open(key, CONTEXT, inPieces(object)))).toString()).toBe(
      `${"a".repeat(10)}${"b".repeat(10)}${"c".repeat(10)}`,
    )
  })

  it("shows neither the plain bytes nor that two are equal", async () => {
    const plain = Buffer.alloc(SEGMENT_BYTES + 100, "a canary in the coal mine ")
    const [one, other] = [await sealed(newKey(), CONTEXT, plain), await sealed(newKey(), CONTEXT, plain)]
    expect(one.includes("canary")).toBe(false)
    const equalBytes = one.filter((byte, at) => byte === other[at]).length
    expect(equalBytes / one.length).toBeLessThan(0.01)
  })
})

// Made with another implementation, Python's `cryptography` (HKDF, AESGCM), from the sentences of ADR 0017 alone:
//   derived = HKDF(SHA256(), 71, b"", b"paraph seal 2 " + name).derive(bytes(range(32))), name = b"acme documents/1"
//   encryption, commitment, prefix = derived[:32], derived[32:64], derived[64:]; header = b"\x02" + commitment
//   segment i = AESGCM(encryption).encrypt(prefix + i.to_bytes(4, "big") + bytes([last]),
//               plain[i * 2**18 : (i + 1) * 2**18], header + name)
describe("version 2, for ever,", () => {
  const HEADER = "029b7cd92afdadc8fde96ea2de0aa64f15eae1d5fb7b6c62b9176bcd9a6e1f5d00"

  it.each([
    ["", "06c0b7ed26197f4dc7afafead5d0011a"],
    ["%PDF-1.7 sealed", "371922ac95ad2d76bb55f1d140d26019750c34c65c2e826dcceefeb0a9bbb4"],
  ])("seals and opens %j as another implementation does", async (text, segment) => {
    const object = await sealed(KEY, CONTEXT, Buffer.from(text))
    expect(object.toString("hex")).toBe(HEADER + segment)
    expect(
      (await collect(open(KEY, CONTEXT, inPieces(Buffer.from(HEADER + segment, "hex"))))).toString(),
    ).toBe(text)
  })

  it.each([
    [2 * SEGMENT_BYTES, 524_353, "a003765bb1149ed596189f44122cdef7152b37745ee4c1c22bd8bb79f0631c4f"],
    [2 * SEGMENT_BYTES + 5, 524_374, "6473a39e857caecfcd24f4bdacf363f2cd4533c3e6fb9be980672b743e92143c"],
  ])("seals %i bytes as another implementation does", async (size, length, sha256) => {
    const object = await sealed(KEY, CONTEXT, pattern(size))
    expect(object.length).toBe(length)
    expect(createHash("sha256").update(object).digest("hex")).toBe(sha256)
  })
})

describe("a key", () => {
  it("seals no second object", async () => {
    const key = newKey()
    await collect(seal(key, CONTEXT, inPieces(Buffer.from("contract"))))
    await expect(collect(seal(key, "acme documents/2", inPieces(Buffer.from("other"))))).rejects.toThrow(
      "already",
    )
  })

  it("of another length than 32 bytes is refused", async () => {
    for (const key of [Buffer.alloc(0), Buffer.alloc(16), Buffer.alloc(33)]) {
      await expect(collect(seal(key, CONTEXT, inPieces(Buffer.alloc(1))))).rejects.toThrow(TypeError)
      await expect(collect(open(key, CONTEXT, inPieces(Buffer.alloc(49))))).rejects.toThrow(TypeError)
    }
  })
})

describe("opening", () => {
  it("says whether the bytes were never sealed, or with another key, or are not those", async () => {
    const object = await sealed(KEY, CONTEXT, Buffer.from("contract"))
    const attempt = (key: Uint8Array, context: string, bytes: Uint8Array) =>
      expect(collect(open(key, context, inPieces(bytes)))).rejects
    for (const bytes of [Buffer.alloc(0), Buffer.from("%PDF-1.7\n"), Buffer.alloc(4096)]) {
      await attempt(KEY, CONTEXT, bytes).toThrow(SealBroken)
      await attempt(KEY, CONTEXT, bytes).toThrow("not sealed")
    }
    await attempt(newKey(), CONTEXT, object).toThrow("another key")
    for (const context of ["", "acme documents/2", "acme documents/1 ", "other documents/1"])
      await attempt(KEY, context, object).toThrow(SealBroken)
  })

  it("of an object of version 1 is refused", async () => {
    const object = await sealed(KEY, CONTEXT, Buffer.from("contract"))
    object[0] = 1
    await expect(collect(open(KEY, CONTEXT, inPieces(object)))).rejects.toThrow("not sealed")
  })

  it("gives the error of the source, and ends the source when the reader stops", async () => {
    let ended = false
    async function* failing(fails: boolean) {
      try {
        yield (await sealed(KEY, CONTEXT, pattern(300), SMALL)).subarray(0, 200)
        if (fails) throw new Error("The line is cut.")
        yield Buffer.alloc(100)
      } finally {
        ended = true
      }
    }
    await expect(collect(open(KEY, CONTEXT, failing(true), SMALL))).rejects.toThrow("The line is cut.")
    ended = false
    for await (const piece of open(KEY, CONTEXT, failing(false), SMALL)) {
      expect(piece.length).toBe(64)
      break
    }
    expect(ended).toBe(true)
  })
})

/** Sizes where something begins or ends: a byte less, exactly, a byte more. */
function aroundBorders() {
  return fc
    .tuple(fc.nat(4), fc.integer({ min: -1, max: 1 }))
    .map(([n, by]) => pattern(Math.max(0, n * 64 + by)))
}

function pattern(size: number): Buffer {
  const bytes = Buffer.alloc(size)
  for (let at = 0; at < size; at += 1) bytes[at] = (at * at) % 251
  return bytes
}
