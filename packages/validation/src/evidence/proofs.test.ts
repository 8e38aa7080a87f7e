import { describe, expect, it } from "vitest"
import { isCovered, noProofs, prove, provedAt } from "./proofs.ts"

const at = (day: number) => new Date(Date.UTC(2026, 4, day))

describe("proofs of existence (EN 319 102-1, 5.6.2.3)", () => {
  it("know of what nothing proves only that it exists now", () => {
    expect(provedAt(noProofs(at(9)), {})).toEqual(at(9))
  })

  it("keep the earliest time", () => {
    const proofs = noProofs(at(9))
    const thing = {}
    prove(proofs, thing, at(5))
    prove(proofs, thing, at(7))
    expect(provedAt(proofs, thing)).toEqual(at(5))
    prove(proofs, thing, at(3))
    expect(provedAt(proofs, thing)).toEqual(at(3))
  })

  it("do not reach into the future", () => {
    const proofs = noProofs(at(9))
    const thing = {}
    prove(proofs, thing, at(12))
    expect(provedAt(proofs, thing)).toEqual(at(9))
  })

  it("cover a thing only if one of its locations lies wholly in the hashed bytes", () => {
    const byteRange = [100, 50, 200, 50] as const
    expect(isCovered([{ start: 0, end: 40 }], byteRange)).toBe(false)
    expect(isCovered([{ start: 90, end: 140 }], byteRange)).toBe(false)
    expect(isCovered([{ start: 140, end: 210 }], byteRange)).toBe(false)
    expect(isCovered([{ start: 100, end: 150 }], byteRange)).toBe(true)
    expect(
      isCovered(
        [
          { start: 0, end: 40 },
          { start: 210, end: 220 },
        ],
        byteRange,
      ),
    ).toBe(true)
    expect(isCovered([], byteRange)).toBe(false)
  })
})
