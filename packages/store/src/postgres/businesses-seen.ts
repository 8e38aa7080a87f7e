import type { Feature } from "@paraph/core/business/model"
import { sql } from "kysely"
import { recording } from "./audit-log.ts"
import { containing } from "./containing.ts"
import type { ServiceDatabase } from "./database.ts"

const HOUR_MS = 3_600_000

/** A business as those who run the service see it: its name, what is agreed, and numbers. */
export type BusinessSeen = {
  readonly id: string
  readonly name: string
  readonly createdAt: Date
  readonly features: readonly Feature[]
  readonly retentionDays: number | null
  readonly members: number
  /** That live. */
  readonly keys: number
  /** Sent since that day, of both kinds. */
  readonly requests30d: number
  /** A sender's name that an operator is to look at; null where none waits. */
  readonly pendingSenderName: string | null
}

/** By name; those that the words are in, or the one whose id they are. Requests are counted from the day `since` on. */
export async function listBusinesses(
  db: ServiceDatabase,
  asked: {
    readonly search: string
    readonly id: string | null
    readonly limit: number
    readonly now: Date
    readonly since: string
  },
): Promise<readonly BusinessSeen[]> {
  const { search, id, limit, now, since } = asked
  const which = id === null ? sql`b.name ilike ${containing(search)}` : sql`b.id = ${id}`
  const { rows } = await sql<BusinessSeen>`
    select b.id, b.name, b.created_at as "createdAt", b.retention_days as "retentionDays",
           case when b.sender_name <> b.name and b.sender_name_confirmed_at is null then b.sender_name end as "pendingSenderName",
           array(select feature from business_feature where business_id = b.id order by feature) as features,
           (select count(*)::integer from membership where business_id = b.id) as members,
           (select count(*)::integer from api_key k join api_user u on u.id = k.api_user_id
             where k.business_id = b.id and k.revoked_at is null and k.expires_at > ${now} and u.removed_at is null) as keys,
           (select coalesce(sum(count), 0)::integer from usage_day
             where business_id = b.id and what = 'requests' and day >= ${since})
             as "requests30d"
      from business b where ${which} order by lower(b.name), b.id limit ${limit}`.execute(db)
  return rows
}

export async function isBusiness(db: ServiceDatabase, id: string): Promise<boolean> {
  const { rows } = await sql`select from business where id = ${id}`.execute(db)
  return rows.length > 0
}

/** That an operator looked is on the record of the business, once an hour at most. */
export async function noteLook(
  db: ServiceDatabase,
  businessId: string,
  email: string,
  at: Date,
): Promise<void> {
  const lately = await db
    .selectFrom("audit_log")
    .select("id")
    .where("business_id", "=", businessId)
    .where("act", "=", LOOK)
    .where("actor", "=", email)
    .where("at", ">", new Date(at.getTime() - HOUR_MS))
    .limit(1)
    .execute()
  if (lately.length > 0) return
  await recording(db, businessId)({ at, by: email, act: LOOK, target: `business ${businessId}` })
}

const LOOK = "look-at-business"
