import type { Caller } from "../access/caller.ts"
import { endOfDay, startOfDay } from "../dates.ts"
import type { Read } from "../ports.ts"
import { Refusal } from "../refusal.ts"
import type { Kind, Legislation, Quality } from "../signature-request/model.ts"

/** Decisions, "activities": a signature that was made. */
export type Activity = {
  readonly signatureId: string
  readonly requestId: string
  readonly title: string
  readonly owner: string
  /** Null for a signer without an account, whose address is nobody's business here (SR-13). */
  readonly accountEmail: string | null
  readonly kind: Kind
  readonly quality: Quality
  readonly legislation: Legislation | null
  /** Where the key lay that made it; null: in our own token. */
  readonly provider: string | null
  readonly signedAt: Date
}

export type AskedActivities = {
  /** Dates: both days are part of it, in the region's time zone. */
  readonly startDate: string
  readonly endDate: string
  /** Counted from 1. */
  readonly page: number
  readonly size: number
  readonly sort: "asc" | "desc"
}

/** The same, as moments: from the first on, before the second. */
export type ActivitiesBetween = Pick<AskedActivities, "page" | "size" | "sort"> & {
  readonly from: Date
  readonly before: Date
}

export type ActivityPage = { readonly activities: readonly Activity[]; readonly total: number }

/** Of the requests that the caller may read, and no others. */
export async function listActivities(
  parts: { readonly read: Read; readonly timeZone: string },
  caller: Caller,
  { startDate, endDate, ...paging }: AskedActivities,
): Promise<ActivityPage> {
  if (startDate > endDate) throw new Refusal("constraint-violated", "start_date lies behind end_date.")
  const asked = {
    from: startOfDay(startDate, parts.timeZone),
    before: endOfDay(endDate, parts.timeZone),
    ...paging,
  }
  return parts.read(caller.businessId, (reading) => reading.listActivities(caller, asked))
}
