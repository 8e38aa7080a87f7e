import { namesInclude } from "../access/user-name.ts"
import type { BusinessSettings } from "../business/model.ts"
import { callbackUrlFault } from "../callback/address.ts"
import { addDays, addMonths, dateIn, endOfDay, isDate, startOfDay } from "../dates.ts"
import { LIMITS } from "../limits.ts"
import { Refusal } from "../refusal.ts"
import type { Expiry, Kind, Legislation, Quality, Retention, Terms } from "./model.ts"

/** What of the terms of a request can be judged by itself, at its creation and at each change. */

export function mustBeCallable(callbacks: Terms["callbacks"]): void {
  for (const [which, url] of Object.entries(callbacks)) {
    const fault = callbackUrlFault(url)
    if (fault !== null) throw new Refusal("constraint-violated", `callback_${which}_url ${fault}.`)
  }
}

/**
 * SR-07. A production signature of a weight that is not there is refused, not weakened; a demo signature has none
 * whatever it asks for, so an integrator can try every path.
 */
export function mustBeAbleTo(
  may: readonly Quality[],
  quality: Quality,
  legislation: Legislation | null,
): void {
  if ((quality === "QES" || quality === "AES_MINIMAL") && legislation === null)
    throw new Refusal("constraint-violated", `legislation is required for the quality ${quality}.`)
  if (!may.includes(quality))
    throw new Refusal("feature-not-enabled", `The quality ${quality} is not enabled.`)
}

export const qualitiesOf = (kind: Kind, production: readonly Quality[]): readonly Quality[] =>
  kind === "demo" ? QUALITIES : production

const QUALITIES: readonly Quality[] = ["SES", "AES", "QES", "AES_MINIMAL"]

/** Decisions, "creator": given write access. */
export const writersOf = (writeAccess: readonly string[], creator: string | null): readonly string[] =>
  creator === null || namesInclude(writeAccess, creator) ? writeAccess : [...writeAccess, creator]

/** SR-23: the day on which it goes, counted from the day on which it came. */
export function retentionOf(settings: BusinessSettings, now: Date, timeZone: string): Retention | null {
  if (settings.retentionDays === null) return null
  const date = addDays(dateIn(timeZone, now), settings.retentionDays)
  return { date, beginsAt: startOfDay(date, timeZone) }
}

/** SR-22: today or later, at most six months ahead, and at most one day before the retention deletes the request. */
export function expiryOf(
  date: string | null,
  about: {
    readonly settings: BusinessSettings
    readonly now: Date
    readonly timeZone: string
    readonly autoDeleteAt: Retention | null
  },
): Expiry | null {
  if (date === null) return null
  mustHaveExpiry(about.settings)
  if (!isDate(date)) throw new Refusal("constraint-violated", "expires_at is a date such as 2026-11-15.")
  const today = dateIn(about.timeZone, about.now)
  const latest = addMonths(today, LIMITS.expiresMonths)
  if (date < today || date > latest)
    throw new Refusal("constraint-violated", `expires_at lies between ${today} and ${latest}.`)
  if (about.autoDeleteAt !== null && date > addDays(about.autoDeleteAt.date, -1))
    throw new Refusal(
      "constraint-violated",
      `expires_at lies at least one day before the deletion on ${about.autoDeleteAt.date}.`,
    )
  return { date, passesAt: endOfDay(date, about.timeZone) }
}

export function mustHaveExpiry(settings: BusinessSettings): void {
  if (!settings.features.includes("expires_at"))
    throw new Refusal("feature-not-enabled", "expires_at is not enabled for this business.")
}
