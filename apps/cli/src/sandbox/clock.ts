import { existsSync, readFileSync } from "node:fs"
import { NotUnderstood } from "../not-understood.ts"

const UNITS = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 7 * 86_400_000 } as const

/** Where a sandbox that repeats itself begins: a Monday morning. */
export const SEEDED_BEGINNING = "@2026-01-05T09:00:00.000Z"

/**
 * What stands in the clock's file after it was told "+6d", "-1h", a time, or "now". One that stands is moved and stands again;
 * one that runs goes on running from there.
 */
export function movedClock(before: string, told: string, machine: Date): string {
  const stands = before.startsWith("@")
  const at = stands ? new Date(before.slice(1)) : new Date(machine.getTime() + Number(before))
  const wanted = told === "now" ? machine : timeFrom(told, at)
  return stands ? `@${wanted.toISOString()}` : String(wanted.getTime() - machine.getTime())
}

function timeFrom(told: string, at: Date): Date {
  const [, sign, count, unit] = /^([+-])(\d{1,6})([smhdw])$/.exec(told) ?? []
  if (unit !== undefined) {
    const ms = Number(count) * UNITS[unit as keyof typeof UNITS]
    return new Date(at.getTime() + (sign === "-" ? -ms : ms))
  }
  if (/^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{3})?)?Z)?$/.test(told) && !Number.isNaN(Date.parse(told)))
    return new Date(told)
  throw new NotUnderstood("The clock is told +6d, -1h, +30m, a time such as 2027-01-31T08:00Z, or now.")
}

export const clockIn = (file: string): string => (existsSync(file) ? readFileSync(file, "utf8").trim() : "0")
