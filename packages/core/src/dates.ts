/** A date as the interface writes it, "2026-11-15", without a time; what it means as a moment depends on where one is. */

/** Which day it is there. */
export function dateIn(timeZone: string, at: Date): string {
  const { year, month, day } = wallClock(timeZone, at)
  return `${year}-${month}-${day}`
}

/** The first moment of that day there. */
export function startOfDay(date: string, timeZone: string): Date {
  const midnight = Date.parse(`${date}T00:00:00Z`)
  // The offset at midnight UTC may be the one of the other side of a change of the clocks; asked once more, it is right.
  const near = midnight - offsetMs(timeZone, new Date(midnight))
  return new Date(midnight - offsetMs(timeZone, new Date(near)))
}

export const endOfDay = (date: string, timeZone: string): Date => startOfDay(addDays(date, 1), timeZone)

export const addDays = (date: string, days: number): string =>
  toDate(Date.parse(`${date}T00:00:00Z`) + days * 86_400_000)

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
  return Object.fromEntries(parts.map(({ type, value }) => [type, value]))
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
