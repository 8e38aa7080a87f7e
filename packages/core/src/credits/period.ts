import { addDays, addMonths, isDate } from "../dates.ts"
import { Refusal } from "../refusal.ts"
import type { Days } from "./ports.ts"

/** What was invoiced: whole months, each on the day after its end. */
export type InvoicedPeriod = Days & {
  /** YYYYMM: the month, or the last one of a year. */
  readonly period: string
}

/**
 * VAL-06: YYYY, YYYYMM or YYYYMMDD, the last invoiced month unless given. What is not invoiced yet is no period: its figures would
 * be others tomorrow.
 */
export function invoicedPeriod(asked: string | null, today: string): InvoicedPeriod {
  const last = monthOf(addDays(monthOf(today).from, -1))
  if (asked === null) return { ...last, period: compact(last.from) }
  const days = daysOf(asked)
  if (days === null)
    throw new Refusal("constraint-violated", "period is a year (YYYY), a month (YYYYMM) or a day (YYYYMMDD).")
  // Of this year, as much as is invoiced.
  const to = asked.length === 4 && days.to > last.to ? last.to : days.to
  if (to > last.to || to < days.from)
    throw new Refusal("constraint-violated", "This period is not invoiced yet.")
  return { from: days.from, to, period: compact(to) }
}

function daysOf(asked: string): Days | null {
  const [, year = "", month = "01", day = "01"] = /^(\d{4})(?:(\d\d)(\d\d)?)?$/.exec(asked) ?? []
  const first = `${year}-${month}-${day}`
  if (!isDate(first)) return null
  if (asked.length === 8) return { from: first, to: first }
  return asked.length === 6 ? monthOf(first) : { from: first, to: `${year}-12-31` }
}

/** The month in which that day is. */
export function monthOf(date: string): Days {
  const from = `${date.slice(0, 7)}-01`
  return { from, to: addDays(addMonths(from, 1), -1) }
}

/** YYYYMM. */
export const compact = (date: string): string => date.slice(0, 7).replace("-", "")
