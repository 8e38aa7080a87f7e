import type { Service } from "./service.ts"

/** Decisions, "expires_at": where the days of the region of the tests begin and end. */
const ZONE = "Europe/Zurich"

/** The moment at which the clocks there show it: "2026-11-15", "23:59:30". */
export function momentIn(date: string, time: string): number {
  const found = ["+01:00", "+02:00"]
    .map((offset) => Date.parse(`${date}T${time}${offset}`))
    .find((at) => shown(at) === `${date} ${time}`)
  if (found === undefined) throw new Error(`Clocks there never show ${date} ${time}.`)
  return found
}

/** Moves all processes of the service there. Tokens age with it: log in again. */
export const moveClockTo = (service: Service, date: string, time: string): void =>
  service.moveClock(momentIn(date, time) - Date.now())

export const dateThere = (at: number): string => shown(at).slice(0, 10)

export const addDays = (date: string, days: number): string =>
  new Date(Date.parse(`${date}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10)

/** Swedish clocks write what ISO 8601 does. */
const shown = (at: number): string => new Date(at).toLocaleString("sv-SE", { timeZone: ZONE })
