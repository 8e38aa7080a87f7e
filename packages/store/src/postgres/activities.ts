import type { Caller } from "@paraph/core/access/caller"
import { comparableName } from "@paraph/core/access/user-name"
import type { ActivitiesBetween, ActivityPage } from "@paraph/core/activity/list"
import { sql } from "kysely"
import type { Trx } from "./database.ts"

/**
 * One range of one index, in the order of the list; `request_reader` says which of them the caller may read. A page number
 * has to skip what comes before, and the total counts all of it: both cost what was signed between the two dates.
 */
export async function listActivities(
  trx: Trx,
  caller: Caller,
  { from, before, page, size, sort }: ActivitiesBetween,
): Promise<ActivityPage> {
  const readable = trx
    .selectFrom("signature_activity as a")
    .innerJoin("request_reader as reader", (join) =>
      join
        .onRef("reader.request_id", "=", "a.request_id")
        .on("reader.business_id", "=", caller.businessId)
        .on("reader.kind", "=", caller.kind)
        .on("reader.username", "=", comparableName(caller.username)),
    )
    .where("a.business_id", "=", caller.businessId)
    .where("a.kind", "=", caller.kind)
    .where("a.signed_at", ">=", from)
    .where("a.signed_at", "<", before)
  const places = readable
    .select(["a.signature_id", "a.signed_at"])
    .orderBy("a.signed_at", sort)
    .orderBy("a.signature_id", sort)
    .limit(size)
    .offset((page - 1) * size)
  // The places first: only what is shown is looked up.
  const activities = await trx
    .selectFrom(places.as("place"))
    .innerJoin("signature as s", "s.id", "place.signature_id")
    .innerJoin("signature_request as r", "r.id", "s.request_id")
    .innerJoin("api_user as owner", "owner.id", "r.owner_id")
    .select(["s.id as signatureId", "r.id as requestId", "r.title", "owner.username as owner"])
    .select(["r.kind", "r.quality", "r.legislation", "place.signed_at as signedAt"])
    .select(sql<string | null>`s.turn->>'provider'`.as("provider"))
    .select(sql<string | null>`case when s.identity is null then s.email end`.as("accountEmail"))
    .orderBy("place.signed_at", sort)
    .orderBy("place.signature_id", sort)
    .execute()
  const counted = await readable.select(sql<number>`count(*)`.as("total")).executeTakeFirstOrThrow()
  return { activities, total: counted.total }
}
