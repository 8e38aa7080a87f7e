import type { ActivityPage, AskedActivities, Activity as Model } from "@paraph/core/activity/list"
import { isDate } from "@paraph/core/dates"
import { Refusal } from "@paraph/core/refusal"
import { signedQuality } from "@paraph/core/signature-request/key-holder"
import { Type } from "typebox"
import { closed, DateTime, Day, Legislation, orNull, Quality, Uuid } from "./fields.ts"

/** Decisions, "activities". A query holds strings, and nothing is coerced (choice 9): so patterns. */
const queryMembers = {
  start_date: Day,
  end_date: Type.String({ format: "date", description: "ISO 8601; this day is part of it." }),
  page: Type.Optional(Type.String({ pattern: "^[1-9][0-9]{0,8}$", description: "Counted from 1." })),
  size: Type.Optional(
    Type.String({
      pattern: "^(?:[1-9][0-9]?|[1-4][0-9]{2}|500)$",
      description: "1 to 500; 50 unless given.",
    }),
  ),
  sort: Type.Optional(
    Type.Enum(["asc", "desc"], { description: "By the time of signing; desc unless given." }),
  ),
}
export const ActivitiesQuery = Type.Object(queryMembers)
export const ClosedActivitiesQuery = Type.Object(queryMembers, closed)
export type ActivitiesQuery = Type.Static<typeof ActivitiesQuery>

const DEFAULT_SIZE = 50

export function readActivities(query: ActivitiesQuery): AskedActivities {
  for (const date of [query.start_date, query.end_date])
    if (!isDate(date)) throw new Refusal("constraint-violated", "A date is such as 2026-11-15.")
  return {
    startDate: query.start_date,
    endDate: query.end_date,
    page: Number(query.page ?? "1"),
    size: Number(query.size ?? DEFAULT_SIZE),
    sort: query.sort ?? "desc",
  }
}

export const Activity = Type.Object({
  sid: Uuid,
  signature_request_id: Uuid,
  title: Type.String(),
  owner: Type.String(),
  account_email: Type.String({ description: "An opaque identifier for a signer without an account." }),
  quality: Quality,
  signed_quality: Type.Enum(["SES", "AES", "QES", "AES_MINIMAL", "DEMO"]),
  signed_legislation: orNull(Legislation),
  signed_at: DateTime,
})

export const Activities = Type.Object({
  activities: Type.Array(Activity),
  current_page: Type.Integer(),
  size: Type.Integer(),
  total_items: Type.Integer(),
  total_pages: Type.Integer(),
})
export type Activities = Type.Static<typeof Activities>

export const writeActivities = (
  { page, size }: Pick<AskedActivities, "page" | "size">,
  { activities, total }: ActivityPage,
): Activities => ({
  activities: activities.map(writeActivity),
  current_page: page,
  size,
  total_items: total,
  total_pages: Math.ceil(total / size),
})

const writeActivity = (activity: Model): Type.Static<typeof Activity> => ({
  sid: activity.signatureId,
  signature_request_id: activity.requestId,
  title: activity.title,
  owner: activity.owner,
  account_email: activity.accountEmail ?? activity.signatureId,
  quality: activity.quality,
  // Decisions, "quality": whatever was asked for, a demo signature has no weight.
  signed_quality: signedQuality(activity, activity.provider),
  signed_legislation: activity.legislation,
  signed_at: activity.signedAt.toISOString(),
})
