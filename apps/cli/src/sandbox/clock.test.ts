import { describe, expect, it } from "vitest"
import { movedClock } from "./clock.ts"

const machine = new Date("2026-11-17T08:00:00.000Z")
const DAY = 86_400_000

describe("the clock of a sandbox", () => {
  it("that runs goes on running from where it is sent", () => {
    expect(movedClock("0", "+6d", machine)).toBe(String(6 * DAY))
    expect(movedClock(String(6 * DAY), "-2h", machine)).toBe(String(6 * DAY - 7_200_000))
    expect(movedClock("5", "2026-11-18", machine)).toBe(String(16 * 3_600_000))
    expect(movedClock("5", "now", machine)).toBe("0")
  })

  it("that stands is moved and stands again", () => {
    const stands = "@2026-01-05T09:00:00.000Z"
    expect(movedClock(stands, "+1w", machine)).toBe("@2026-01-12T09:00:00.000Z")
    expect(movedClock(stands, "2027-01-31T08:00Z", machine)).toBe("@2027-01-31T08:00:00.000Z")
    expect(movedClock(stands, "now", machine)).toBe("@2026-11-17T08:00:00.000Z")
  })

  it.each(["6d", "+d", "+6y", "tomorrow", "2026-13-01", ""])("does not understand %j", (told) => {
    expect(() => movedClock("0", told, machine)).toThrow("The clock is told")
  })
})
