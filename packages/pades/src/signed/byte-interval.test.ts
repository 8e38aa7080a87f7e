import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { covers, hashedIntervals } from "./byte-interval.ts"

describe("the bytes that a byte range hashes", () => {
  it("are two intervals", () => {
    expect(hashedIntervals([0, 10, 20, 5])).toEqual([
      { start: 0, end: 10 },
      { start: 20, end: 25 },
    ])
  })

  it("do not include an empty interval", () => {
    expect(hashedIntervals([7, 0, 20, 5])).toEqual([{ start: 20, end: 25 }])
  })

  it("cover what lies wholly in one of them", () => {
    expect(covers([0, 10, 20, 5], { start: 0, end: 10 })).toBe(true)
    expect(covers([0, 10, 20, 5], { start: 20, end: 25 })).toBe(true)
    expect(covers([0, 10, 20, 5], { start: 9, end: 21 })).toBe(false)
    expect(covers([0, 10, 20, 5], { start: 10, end: 20 })).toBe(false)
  })

  it("do not cover what stands before a range that begins later", () => {
    expect(covers([100, 10, 120, 5], { start: 40, end: 60 })).toBe(false)
    expect(covers([100, 10, 120, 5], { start: 95, end: 105 })).toBe(false)
  })

  it("do not cover an empty interval", () => {
    expect(covers([0, 10, 20, 5], { start: 5, end: 5 })).toBe(false)
  })

  it("cover an interval exactly if they hash each of its bytes", () => {
    const number = fc.nat(40)
    fc.assert(
      fc.property(fc.tuple(number, number, number, number), number, number, (given, start, length) => {
        const byteRange = given satisfies readonly number[]
        const isHashed = (at: number) =>
          hashedIntervals(byteRange).some((interval) => interval.start <= at && at < interval.end)
        const [a, b, c] = byteRange
        // Ranges of two touching or overlapping intervals are refused before anybody asks what they cover.
        fc.pre(a + b < c)
        const bytes = Array.from({ length }, (_, i) => start + i)
        expect(covers(byteRange, { start, end: start + length })).toBe(length > 0 && bytes.every(isHashed))
      }),
    )
  })
})
