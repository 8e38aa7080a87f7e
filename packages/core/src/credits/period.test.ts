import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { addDays, isDate } from "../dates.ts"
import { Refusal } from "../refusal.ts"
import { compact, invoicedPeriod, monthOf } from "./period.ts"

describe("an invoiced period", () => {
  it("is the last month that is over, unless another is asked for", () => {
    expect(invoicedPeriod(null, "2026-11-16")).toEqual({
      from: "2026-10-01",
      to: "2026-10-31",
      period: "202610",
    })
    expect(invoicedPeriod(null, "2027-01-01").period).toBe("202612")
  })

  it.each([
    ["2025", { from: "2025-01-01", to: "2025-12-31", period: "202512" }],
    ["2026", { from: "2026-01-01", to: "2026-10-31", period: "202610" }],
    ["202602", { from: "2026-02-01", to: "2026-02-28", period: "202602" }],
    ["202402", { from: "2024-02-01", to: "2024-02-29", period: "202402" }],
    ["20261031", { from: "2026-10-31", to: "2026-10-31", period: "202610" }],
  ])("%s has its own days, and its month", (asked, period) => {
    expect(invoicedPeriod(asked, "2026-11-16")).toEqual(period)
  })

  it.each([
    "",
    "26",
    "2026-10",
    "202613",
    "202600",
    "20260230",
    "2026103",
    "0999",
    "9999",
    "2026\n",
    "٢٠٢٦",
    // Not over yet.
    "202611",
    "20261101",
    "20261116",
    "2027",
    "202701",
  ])("refuses %j", (asked) => {
    expect(() => invoicedPeriod(asked, "2026-11-16")).toThrow(Refusal)
  })

  it("refuses a year of which no month is invoiced", () => {
    expect(() => invoicedPeriod("2026", "2026-01-31")).toThrow("not invoiced yet")
    expect(invoicedPeriod("2026", "2026-02-01").period).toBe("202601")
  })
})

const day = fc
  .date({ min: new Date("1001-01-01"), max: new Date("9000-12-31"), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10))

describe("whatever the day is", () => {
  it("a month has its first and its last day, and every day is in its own", () => {
    fc.assert(
      fc.property(day, (date) => {
        const { from, to } = monthOf(date)
        expect(from <= date && date <= to).toBe(true)
        expect([from.slice(8), addDays(to, 1).slice(8)]).toEqual(["01", "01"])
        expect(monthOf(to)).toEqual({ from, to })
      }),
    )
  })

  it("what is answered is over, within what was asked for, and ends in the month that is named", () => {
    const asked = fc.oneof(
      day.map((date) => date.replaceAll("-", "")),
      day.map(compact),
      day.map((date) => date.slice(0, 4)),
    )
    fc.assert(
      fc.property(asked, day, (period, today) => {
        let answered: ReturnType<typeof invoicedPeriod>
        try {
          answered = invoicedPeriod(period, today)
        } catch (error) {
          expect(error).toBeInstanceOf(Refusal)
          return
        }
        expect(isDate(answered.from) && isDate(answered.to)).toBe(true)
        expect(answered.from <= answered.to && answered.to < monthOf(today).from).toBe(true)
        const plain = (date: string) => date.replaceAll("-", "").slice(0, period.length)
        expect([plain(answered.from), plain(answered.to)]).toEqual([period, period])
        expect(answered.period).toBe(compact(answered.to))
      }),
      { numRuns: 2000 },
    )
  })

  it("months, days and years that are asked for one by one are those of their year", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1900, max: 2100 }), (year) => {
        const months = Array.from({ length: 12 }, (_, n) =>
          invoicedPeriod(`${year}${String(n + 1).padStart(2, "0")}`, "2200-01-01"),
        )
        const whole = invoicedPeriod(String(year), "2200-01-01")
        expect([months[0]?.from, months.at(-1)?.to]).toEqual([whole.from, whole.to])
        for (const [n, month] of months.entries())
          if (n > 0) expect(month.from).toBe(addDays(months[n - 1]?.to ?? "", 1))
      }),
    )
  })
})
