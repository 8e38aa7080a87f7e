import { createHash } from "node:crypto"
import fc from "fast-check"
import { expect, it } from "vitest"
import { bytesSource, type Source } from "../source.ts"
import type { ByteRange } from "./byte-range.ts"
import { digestRanges } from "./digest-ranges.ts"

const bytes = Uint8Array.from({ length: 2_500_000 }, (_, i) => (i * 31 + (i >> 7)) & 0xff)

function alone([start, length, start2, length2]: ByteRange): string {
  const parts = [bytes.subarray(start, start + length), bytes.subarray(start2, start2 + length2)]
  return createHash("sha256").update(Buffer.concat(parts)).digest("hex")
}

const together = (ranges: readonly ByteRange[], source: Source = bytesSource(bytes)) =>
  digestRanges(source, ranges, "sha256").map((digest) => Buffer.from(digest).toString("hex"))

it("gives for each range what it would give alone", () => {
  const place = fc.oneof(fc.nat(bytes.length), fc.constantFrom(0, 1_048_576, 2_097_152, bytes.length))
  const range = fc
    .tuple(fc.boolean(), fc.array(place, { minLength: 4, maxLength: 4 }))
    .map(([fromStart, places]): ByteRange => {
      const [a = 0, b = 0, c = 0, d = 0] = places.sort((x, y) => x - y)
      return fromStart ? [0, b, c, d - c] : [a, b - a, c, d - c]
    })
  fc.assert(
    fc.property(fc.array(range, { maxLength: 8 }), (ranges) => {
      expect(together(ranges)).toEqual(ranges.map(alone))
    }),
    { numRuns: 60 },
  )
})

it("reads the file once for twenty signatures", () => {
  const ranges = Array.from({ length: 20 }, (_, i): ByteRange => {
    const gap = 500_000 + i * 100_000
    return [0, gap, gap + 20_000, 70_000]
  })
  let read = 0
  const counted: Source = {
    length: bytes.length,
    read: (start, end) => {
      read += end - start
      return bytes.subarray(start, end)
    },
  }
  expect(together(ranges, counted)).toEqual(ranges.map(alone))
  expect(read).toBeLessThan(bytes.length)
})

it("refuses a range that overlaps itself or leaves the file", () => {
  for (const range of [
    [0, 20, 10, 5],
    [0, 10, 20, bytes.length],
    [-1, 5, 10, 5],
  ] satisfies ByteRange[])
    expect(() => together([range])).toThrow(RangeError)
})
