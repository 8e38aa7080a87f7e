/** A date as the interface writes it, "2026-11-15", without a time; what it means as a moment depends on where one is. */

/** Which day it is there. */
export function dateIn(timeZone: string, at: Date): string {
  const { year, month, day } = wallClock(timeZone, at)
  return `${year}-${month}-${day}`
}

/** The first moment of that day there: midnight, or what comes instead where the clocks are put forward at midnight. */
export function startOfDay(date: string, timeZone: string): Date {
  const midnight = Date.parse(`${date}T00:00:00Z`)
  // By the offsets on both sides of a change of the clocks that this night may have.
  const before = midnight - offsetMs(timeZone, new Date(midnight - DAY_MS))
  const after = midnight - offsetMs(timeZone, new Date(midnight + DAY_MS))
  const isMidnight = (at: number) => at + offsetMs(timeZone, new Date(at)) === midnight
  const found = [before, after].filter(isMidnight)
  return new Date(found.length === 0 ? before : Math.min(...found))
}

export const endOfDay = (date: string, timeZone: string): Date => startOfDay(addDays(date, 1), timeZone)

export const addDays = (date: string, days: number): string =>
  toDate(Date.parse(`${date}T00:00:00Z`) + days * DAY_MS)

const DAY_MS = 86_400_000

/** The same day of a later month, or its last day where that month is shorter. */
export function addMonths(date: string, months: number): string {
  const [year = 0, month = 1, day = 1] = date.split("-").map(Number)
  const lastDay = new Date(Date.UTC(year, month - 1 + months + 1, 0)).getUTCDate()
  return toDate(Date.UTC(year, month - 1 + months, Math.min(day, lastDay)))
}

/** Whether there is such a day, with a year of four digits that has another one after it. */
export const isDate = (text: string): boolean =>
  /^(?!0|9999)\d{4}-\d{2}-\d{2}$/.test(text) && toDate(Date.parse(`${text}T00:00:00Z`)) === text

const toDate = (ms: number): string => (Number.isNaN(ms) ? "" : new Date(ms).toISOString().slice(0, 10))

function offsetMs(timeZone: string, at: Date): number {
  const { year, month, day, hour, minute, second } = wallClock(timeZone, at)
  return Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`) - at.getTime()
}

function wallClock(timeZone: string, at: Date): Record<string, string> {
  const parts = formatOf(timeZone).formatToParts(at)
  // The day before the first one of the year 1000 has a year of three digits.
  return Object.fromEntries(
    parts.map(({ type, value }) => [type, type === "year" ? value.padStart(4, "0") : value]),
  )
}

const formats = new Map<string, Intl.DateTimeFormat>()

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone)
  if (known !== undefined) return known
  const two = "2-digit" as const
  const format = new Intl.DateTimeFormat("en-GB", {
    timeZone,
    hourCycle: "h23",
    year: "numeric",
    month: two,
    day: two,
    hour: two,
    minute: two,
    second: two,
  })
  formats.set(timeZone, format)
  return format
}
