import { describe, expect, it } from "vitest"
import { type Ink, lookOf, scaled } from "./ink.ts"

const wave: Ink = {
  width: 300,
  strokes: [
    [10, 20, 40, 5, 70, 20],
    [100, 30],
  ],
}

describe("ink", () => {
  it("comes back as it was after the phone was turned and turned back", () => {
    const back = scaled(scaled(wave, 700), 300)
    expect(back.width).toBe(300)
    for (const [place, stroke] of wave.strokes.entries())
      for (const [number, value] of stroke.entries())
        expect(back.strokes[place]?.[number]).toBeCloseTo(value, 9)
  })

  it("is sent cut to what was drawn, in whole numbers within its sides, and without anything else", () => {
    const look = lookOf(wave)
    if (look?.type !== "drawn") throw new Error("Nothing was drawn.")
    expect(Object.keys(look)).toEqual(["type", "width", "height", "strokes"])
    expect(Math.max(look.width, look.height)).toBe(1_000)
    for (const stroke of look.strokes)
      for (const [place, value] of stroke.entries()) {
        expect(Number.isInteger(value)).toBe(true)
        expect(value).toBeGreaterThanOrEqual(0)
        expect(value).toBeLessThanOrEqual(place % 2 === 0 ? look.width : look.height)
      }
  })

  it("stays within the sides however it was drawn: a single point, one straight line down", () => {
    for (const strokes of [[[5, 5]], [[5, 0, 5, 400]], [[0, 5, 400, 5]]]) {
      const look = lookOf({ width: 300, strokes })
      if (look?.type !== "drawn") throw new Error("Nothing was drawn.")
      expect(Math.max(look.width, look.height)).toBeLessThanOrEqual(1_000)
      expect(Math.min(look.width, look.height)).toBeGreaterThanOrEqual(1)
    }
    expect(lookOf({ width: 300, strokes: [] })).toBeNull()
  })

  it("is thinned when there is very much of it", () => {
    const long = Array.from({ length: 40_000 }, (_, number) => number % 300)
    const look = lookOf({ width: 300, strokes: [long] })
    if (look?.type !== "drawn") throw new Error("Nothing was drawn.")
    expect(look.strokes.flat().length).toBeLessThanOrEqual(8_000)
    expect(look.strokes[0]?.length).toBeGreaterThan(2_000)
  })
})
