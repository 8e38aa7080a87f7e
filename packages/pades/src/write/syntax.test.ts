import { describe, expect, it } from "vitest"
import { writeDate } from "./syntax.ts"

describe("a date of a PDF", () => {
  it.each([
    ["2026-11-15T06:02:41.123Z", "(D:20261115060241Z)"],
    ["0000-01-01T00:00:00.000Z", "(D:00000101000000Z)"],
    ["9999-12-31T23:59:59.999Z", "(D:99991231235959Z)"],
  ])("writes %s in UTC", (at, written) => {
    expect(writeDate(new Date(at))).toBe(written)
  })

  it.each([
    ["after the year 9999", new Date("+010000-01-01T00:00:00Z")],
    ["before the year 0", new Date("-000001-12-31T23:59:59Z")],
    ["that is none", new Date(Number.NaN)],
  ])("is refused %s, because a year has four digits", (_, at) => {
    expect(() => writeDate(at)).toThrow(RangeError)
  })
})
