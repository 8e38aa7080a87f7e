import { randomBytes } from "node:crypto"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { SealBroken } from "./broken.ts"
import { layoutOf } from "./layout.ts"
import { openRange, sealedRange } from "./range.ts"
import { SEGMENT_BYTES, sealedSize } from "./stream.ts"
import { collect, inPieces, sealed } from "./testing/pieces.ts"
import { newKey } from "./wrap.ts"

const CONTEXT = "acme documents/1"
const SMALL = layoutOf(64)

describe("a range", () => {
  it("is the same as a slice, and no other segment is asked for", async () => {
    const asked = fc
      .nat(500)
      .chain((size) =>
        fc.tuple(fc.constant(size), fc.nat(size), fc.nat(size), fc.integer({ min: 1, max: 90 })),
      )
    const key = newKey()
    await fc.assert(
      fc.asyncProperty(asked, async ([size, one, other, cut]) => {
        const [start, end] = one < other ? [one, other] : [other, one]
        const plain = randomBytes(size)
        const object = await sealed(key, CONTEXT, plain, SMALL)
        const { from, to } = sealedRange(size, start, end, SMALL)
        const pieces = inPieces(object.subarray(from, to), [cut, 0])
        const opened = await collect(openRange(key, CONTEXT, size, start, end, pieces, SMALL))
        expect(opened.equals(plain.subarray(start, end))).toBe(true)
        const borders = Math.max(1, Math.ceil(end / 64) - Math.floor(start / 64))
        expect(to - from).toBeLessThanOrEqual(33 + borders * (64 + 16))
      }),
      { numRuns: 1_000 },
    )
  })

  it.each([
    [0, 1, 0, 33 + SEGMENT_BYTES + 16],
    [SEGMENT_BYTES - 1, SEGMENT_BYTES, 0, 33 + SEGMENT_BYTES + 16],
    [SEGMENT_BYTES, SEGMENT_BYTES + 1, 33 + SEGMENT_BYTES + 16, 33 + 2 * (SEGMENT_BYTES + 16)],
    [SEGMENT_BYTES - 1, SEGMENT_BYTES + 1, 0, 33 + 2 * (SEGMENT_BYTES + 16)],
    [
      2 * SEGMENT_BYTES,
      2 * SEGMENT_BYTES + 7,
      33 + 2 * (SEGMENT_BYTES + 16),
      sealedSize(2 * SEGMENT_BYTES + 7),
    ],
    [0, 2 * SEGMENT_BYTES + 7, 0, sealedSize(2 * SEGMENT_BYTES + 7)],
  ])("from %i up to %i lies from %i up to %i", async (start, end, from, to) => {
    const size = 2 * SEGMENT_BYTES + 7
    expect(sealedRange(size, start, end)).toEqual({ from, to })
    const [key, plain] = [newKey(), randomBytes(size)]
    const object = await sealed(key, CONTEXT, plain)
    const opened = await collect(
      openRange(key, CONTEXT, size, start, end, inPieces(object.subarray(from, to))),
    )
    expect(opened.equals(plain.subarray(start, end))).toBe(true)
  })

  it("that does not exist is refused", () => {
    const ranges: readonly (readonly [number, number])[] = [
      [-1, 5],
      [6, 5],
      [0, 11],
      [Number.NaN, 5],
      [0, Number.POSITIVE_INFINITY],
    ]
    for (const [start, end] of ranges) expect(() => sealedRange(10, start, end)).toThrow(RangeError)
  })

  it("is refused with a byte too few or too many, or of another object's size", async () => {
    const [key, plain] = [newKey(), randomBytes(300)]
    const object = await sealed(key, CONTEXT, plain, SMALL)
    const { from, to } = sealedRange(300, 70, 200, SMALL)
    const attempt = (bytes: Uint8Array, size = 300) =>
      expect(collect(openRange(key, CONTEXT, size, 70, 200, inPieces(bytes), SMALL))).rejects
    await attempt(object.subarray(from, to - 1)).toThrow("cut")
    await attempt(object.subarray(from, to + 1)).toThrow("more sealed bytes")
    // With either size, the last segment of the range would also be the last of the object.
    for (const size of [200, 256]) await attempt(object.subarray(from, to), size).toThrow(SealBroken)
  })

  it("ends its source when the reader stops, and when the bytes are refused", async () => {
    let ended = 0
    async function* source(bytes: Uint8Array) {
      try {
        yield* inPieces(bytes, [10])
      } finally {
        ended += 1
      }
    }
    const [key, plain] = [newKey(), randomBytes(300)]
    const object = await sealed(key, CONTEXT, plain, SMALL)
    for await (const piece of openRange(key, CONTEXT, 300, 0, 300, source(object), SMALL)) {
      expect(Buffer.compare(piece, plain.subarray(0, 64))).toBe(0)
      break
    }
    expect(ended).toBe(1)
    await expect(collect(openRange(newKey(), CONTEXT, 300, 0, 300, source(object), SMALL))).rejects.toThrow(
      "another key",
    )
    expect(ended).toBe(2)
  })
})
