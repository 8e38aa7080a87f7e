import type { Caller } from "../access/caller.ts"
import { mustHaveRole } from "../access/may.ts"
import { DEVELOPERS } from "../business/model.ts"
import { addDays, addMonths, dateIn } from "../dates.ts"
import { LIMITS } from "../limits.ts"
import type { Clock, Read } from "../ports.ts"
import { Refusal } from "../refusal.ts"
import type { Kind } from "../signature-request/model.ts"
import type { Counts, CountsOf, Usage, Used, UsedWithin } from "./model.ts"

/** Months such as 2026-11; null: the year that ends now. */
export type AskedUsage = { readonly from: string | null; readonly to: string | null }

const DAYS = 31

/** Every month that was asked for and each of the last 31 days, also where there was nothing. */
export async function readUsage(
  parts: { readonly read: Read; readonly now: Clock; readonly timeZone: string },
  caller: Caller,
  asked: AskedUsage,
): Promise<Usage> {
  mustHaveRole(caller, DEVELOPERS)
  const today = dateIn(parts.timeZone, parts.now())
  const months = monthsOf(asked, today.slice(0, 7))
  const days = Array.from({ length: DAYS }, (_, n) => addDays(today, n + 1 - DAYS))
  const found = await parts.read(caller.businessId, async (reading) => ({
    months: await reading.usageByMonth(`${months[0]}-01`, lastDayOf(months.at(-1) ?? "")),
    days: await reading.usageByDay(days[0] ?? today, today),
  }))
  const ofMonths = countsOf(found.months)
  const ofDays = countsOf(found.days)
  return {
    months: months.map((month) => ({ month, ...ofMonths(month) })),
    days: days.map((day) => ({ day, ...ofDays(day) })),
  }
}

/** The interface writes years in four digits, and none that begins with a nought. */
const EARLIEST = "1000-01"

function monthsOf({ from, to }: AskedUsage, thisMonth: string): readonly string[] {
  const last = to ?? thisMonth
  const usual = addMonths(`${last}-01`, 1 - LIMITS.usageMonthsUsual).slice(0, 7)
  const first = from ?? (usual < EARLIEST ? EARLIEST : usual)
  if (first > last) throw new Refusal("constraint-violated", "from lies after to.")
  const months: string[] = []
  for (let month = first; month <= last; month = addMonths(`${month}-01`, 1).slice(0, 7)) {
    months.push(month)
    if (months.length > LIMITS.usageMonths)
      throw new Refusal("constraint-violated", `At most ${LIMITS.usageMonths} months at once.`)
  }
  return months
}

const lastDayOf = (month: string): string => addDays(addMonths(`${month}-01`, 1), -1)

function countsOf(used: readonly UsedWithin[]): (when: string) => CountsOf {
  const known = new Map(used.map(({ when, kind, what, count }) => [`${when} ${kind} ${what}`, count]))
  const of = (when: string, kind: Kind): Counts => {
    const count = (what: Used) => known.get(`${when} ${kind} ${what}`) ?? 0
    return {
      requests: count("requests"),
      documents: count("documents"),
      signatures: {
        SES: count("signatures SES"),
        AES: count("signatures AES"),
        AES_MINIMAL: count("signatures AES_MINIMAL"),
        QES: count("signatures QES"),
      },
      declined: count("declined"),
      mails: count("mails"),
      seals: count("seals"),
    }
  }
  return (when) => ({ demo: of(when, "demo"), production: of(when, "production") })
}
