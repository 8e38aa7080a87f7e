import { describe, expect, it } from "vitest"
import { apartBy, told } from "./clock.ts"

const NOW = 1_800_000_000_000
/** A clock that goes on by so much between two looks. */
const going = (ms: number) => {
  let at = NOW - ms
  return () => {
    at += ms
    return new Date(at)
  }
}
const other = (ahead: number) => async () => new Date(NOW + ahead)

describe("two clocks", () => {
  it.each([
    [0, 0],
    [40, 0],
    [-1, -1],
    [1_500, 1_450],
    [-1_500, -1_500],
  ])(
    "[R44] of which the other is %i ms ahead are %i ms apart at least, when the answer took 50",
    async (ahead, apart) => {
      expect(await apartBy(going(50), other(ahead))).toBe(apart)
    },
  )

  it("[R44] agree within a second, and else it is said which one is behind", () => {
    expect(told(-999)).toBe("within 1000 ms of the database's")
    expect(() => told(1_000)).toThrow("1000 ms behind the database's")
    expect(() => told(-2_500)).toThrow("2500 ms ahead of the database's")
  })
})
