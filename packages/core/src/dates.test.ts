import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { addDays, addMonths, dateIn, endOfDay, isDate, startOfDay } from "./dates.ts"

const ZURICH = "Europe/Zurich"

describe("a day in Zurich", () => {
  it.each([
    ["2026-11-15", "2026-11-14T23:00:00.000Z", 24],
    ["2026-07-01", "2026-06-30T22:00:00.000Z", 24],
    ["2026-03-29", "2026-03-28T23:00:00.000Z", 23],
    ["2026-10-25", "2026-10-24T22:00:00.000Z", 25],
  ])("%s begins at %s and has %i hours", (date, begins, hours) => {
    expect(startOfDay(date, ZURICH).toISOString()).toBe(begins)
    expect(endOfDay(date, ZURICH).getTime() - startOfDay(date, ZURICH).getTime()).toBe(hours * 3_600_000)
  })

  it.each([ZURICH, "Europe/Berlin", "Pacific/Auckland", "America/St_Johns", "UTC"])(
    "in %s, any moment lies between the begin and the end of its day",
    (zone) => {
      const moment = fc.date({
        min: new Date("2000-01-01"),
        max: new Date("2060-01-01"),
        noInvalidDate: true,
      })
      fc.assert(
        fc.property(moment, (at) => {
          const date = dateIn(zone, at)
          expect(startOfDay(date, zone).getTime()).toBeLessThanOrEqual(at.getTime())
          expect(endOfDay(date, zone).getTime()).toBeGreaterThan(at.getTime())
        }),
      )
    },
  )
})

describe("a night in which the clocks change at midnight", () => {
  it.each([
    ["America/Santiago", "2026-09-06", "2026-09-06T04:00:00.000Z", 23],
    ["Africa/Cairo", "2025-04-25", "2025-04-24T22:00:00.000Z", 23],
    ["Asia/Beirut", "2026-03-29", "2026-03-28T22:00:00.000Z", 23],
    ["America/Santiago", "2026-04-04", "2026-04-04T03:00:00.000Z", 25],
    ["America/Havana", "2026-11-01", "2026-11-01T04:00:00.000Z", 25],
  ])("in %s, %s begins at %s and has %i hours", (zone, date, begins, hours) => {
    expect(startOfDay(date, zone).toISOString()).toBe(begins)
    expect(dateIn(zone, startOfDay(date, zone))).toBe(date)
    expect(endOfDay(date, zone).getTime() - startOfDay(date, zone).getTime()).toBe(hours * 3_600_000)
  })
})

describe("the calendar", () => {
  it.each([
    ["2026-08-31", 6, "2027-02-28"],
    ["2027-08-31", 6, "2028-02-29"],
    ["2026-11-15", 6, "2027-05-15"],
    ["2026-12-01", 1, "2027-01-01"],
  ])("%s and %i months is %s", (date, months, later) => expect(addMonths(date, months)).toBe(later))

  it("counts days over the ends of months and years", () => {
    expect(addDays("2026-12-31", 1)).toBe("2027-01-01")
    expect(addDays("2028-03-01", -1)).toBe("2028-02-29")
  })

  it.each([
    "2026-02-30",
    "2026-13-01",
    "2026-1-1",
    "",
    "2026-11-15T00:00:00Z",
    "20261115",
    "0213-01-18",
    "9999-12-31",
  ])("has no %s", (text) => expect(isDate(text)).toBe(false))
})
