import { randomBytes } from "node:crypto"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { open, SEGMENT_BYTES, seal, sealedSize } from "./seal.ts"

const KEY = Buffer.from([...Array(32).keys()])
const CONTEXT = "acme documents/1"
const HEADER_BYTES = 40
const SEALED_SEGMENT_BYTES = SEGMENT_BYTES + 16

describe("sealed bytes", () => {
  it.each([0, 1, SEGMENT_BYTES - 1, SEGMENT_BYTES, SEGMENT_BYTES + 1, 3.5 * SEGMENT_BYTES])(
    "of %i bytes open again, in whatever pieces they come and go",
    async (size) => {
      const plain = randomBytes(size)
      const sealed = await collect(seal(KEY, CONTEXT, inPieces(plain)))
      expect(sealed.length).toBe(sealedSize(size))
      const opened = await collect(open(KEY, CONTEXT, inPieces(sealed)))
      expect(opened.equals(plain)).toBe(true)
    },
  )

  it("of equal bytes are never equal", async () => {
    const plain = Buffer.from("the same contract")
    const [one, other] = await Promise.all([sealOf(plain), sealOf(plain)])
    expect(one.equals(other)).toBe(false)
    expect(one.subarray(HEADER_BYTES).equals(other.subarray(HEADER_BYTES))).toBe(false)
  })

  it("do not hold the plain bytes", async () => {
    const sealed = await sealOf(Buffer.alloc(SEGMENT_BYTES + 100, "a canary in the coal mine "))
    expect(sealed.includes("canary")).toBe(false)
  })

  // Made with another implementation of HKDF and AES-GCM (Python's cryptography), from the sentence in seal.ts.
  it("of the first version open for ever", async () => {
    const vector = Buffer.from(
      "013951d92d805a359f75fbc3d880d0e4ef8c171de770e9cd0621d0fc0cae21314b01020304050607" +
        "4673ad244af3e1a7e695bbfc878ea9d29c2a109bf32c6375d85d42a41f8880",
      "hex",
    )
    expect((await openOf(vector)).toString()).toBe("%PDF-1.7 sealed")
  })
})

describe("what was tampered with is refused:", () => {
  it("any bit of a short text", async () => {
    const sealed = await sealOf(Buffer.from("contract"))
    for (let bit = 0; bit < sealed.length * 8; bit += 1) {
      const flipped = Buffer.from(sealed)
      flipped.writeUInt8(flipped.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3)
      await expect(openOf(flipped), `bit ${bit}`).rejects.toThrow()
    }
  })

  it("any cut of a short text", async () => {
    const sealed = await sealOf(Buffer.from("contract"))
    for (let length = 0; length < sealed.length; length += 1)
      await expect(openOf(sealed.subarray(0, length)), `${length} bytes`).rejects.toThrow()
  })

  it("a byte too many", async () => {
    const sealed = await sealOf(Buffer.from("contract"))
    await expect(openOf(Buffer.concat([sealed, Buffer.of(0)]))).rejects.toThrow()
  })

  it("another key", async () => {
    const sealed = await sealOf(Buffer.from("contract"))
    const run = collect(open(randomBytes(32), CONTEXT, inPieces(sealed)))
    await expect(run).rejects.toThrow("another key")
  })

  it("another context", async () => {
    const sealed = await sealOf(Buffer.from("contract"))
    for (const context of ["", "acme documents/2", "acme documents/1 ", "other documents/1"])
      await expect(collect(open(KEY, context, inPieces(sealed)))).rejects.toThrow()
  })

  it("bytes that were never sealed", async () => {
    for (const bytes of [Buffer.alloc(0), Buffer.from("%PDF-1.7\n"), Buffer.alloc(4096)])
      await expect(openOf(bytes)).rejects.toThrow("not sealed")
  })

  it("segments that are cut off, swapped, repeated, left out, or of another document", async () => {
    const plain = randomBytes(3 * SEGMENT_BYTES)
    const [a, b] = await Promise.all([sealOf(plain), sealOf(plain)])
    const [header, one, two, three] = segmentsOf(a)
    const [, , foreign] = segmentsOf(b)
    const tampered: Readonly<Record<string, readonly (Buffer | undefined)[]>> = {
      "cut after the header": [header],
      "cut after the first": [header, one],
      "cut after the second": [header, one, two],
      swapped: [header, two, one, three],
      "last in front": [header, three, one, two],
      repeated: [header, one, one, two, three],
      "repeated at the end": [header, one, two, three, three],
      "left out": [header, one, three],
      "of another document": [header, one, foreign, three],
      "without a header": [one, two, three],
    }
    for (const [how, parts] of Object.entries(tampered)) {
      const bytes = Buffer.concat(parts.filter((part) => part !== undefined))
      await expect(openOf(bytes), how).rejects.toThrow()
    }
    expect(
      (await openOf(Buffer.concat([header, one, two, three].filter((p) => p !== undefined)))).equals(plain),
    ).toBe(true)
  })

  it("a bit anywhere in a long one, and nothing of its segment has come out", async () => {
    const plain = randomBytes(2 * SEGMENT_BYTES)
    const sealed = await sealOf(plain)
    await fc.assert(
      fc.asyncProperty(fc.nat(sealed.length * 8 - 1), async (bit) => {
        const flipped = Buffer.from(sealed)
        flipped.writeUInt8(flipped.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3)
        const given: Buffer[] = []
        const run = (async () => {
          for await (const piece of open(KEY, CONTEXT, inPieces(flipped))) given.push(piece)
        })()
        await expect(run).rejects.toThrow()
        const segment = Math.max(0, Math.floor(((bit >> 3) - HEADER_BYTES) / SEALED_SEGMENT_BYTES))
        expect(Buffer.concat(given).length).toBe(segment * SEGMENT_BYTES)
      }),
      { numRuns: 25 },
    )
  })
})

const sealOf = (plain: Buffer): Promise<Buffer> => collect(seal(KEY, CONTEXT, inPieces(plain)))
const openOf = (sealed: Buffer): Promise<Buffer> => collect(open(KEY, CONTEXT, inPieces(sealed)))

const segmentsOf = (sealed: Buffer): readonly Buffer[] => {
  const count = Math.ceil((sealed.length - HEADER_BYTES) / SEALED_SEGMENT_BYTES)
  const at = (index: number) => HEADER_BYTES + index * SEALED_SEGMENT_BYTES
  return [
    sealed.subarray(0, HEADER_BYTES),
    ...Array.from({ length: count }, (_, index) => sealed.subarray(at(index), at(index + 1))),
  ]
}

/** As a network gives them: of any size, empty ones among them. */
async function* inPieces(bytes: Buffer) {
  for (let at = 0; at < bytes.length; ) {
    const size = Math.floor(Math.random() ** 3 * 900_000)
    yield bytes.subarray(at, at + size)
    at += size
  }
}

async function collect(pieces: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const all: Uint8Array[] = []
  for await (const piece of pieces) all.push(piece)
  return Buffer.concat(all)
}
