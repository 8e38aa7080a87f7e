import type { Observer, SignatureRequest } from "@paraph/core/signature-request/model"
import { sql } from "kysely"
import type { Trx } from "./database.ts"

/** Those that are new come, those that are gone go; what an observer is never changes. Called under the lock. */
export async function saveObservers(trx: Trx, request: SignatureRequest): Promise<void> {
  const ids = request.observers.map(({ id }) => id)
  await trx
    .deleteFrom("observer")
    .where("request_id", "=", request.id)
    .$if(ids.length > 0, (query) => query.where("id", "not in", ids))
    .execute()
  if (ids.length === 0) return
  const rows = request.observers.map(({ id, of, invitedAt, invitedBy }) => ({
    id,
    request_id: request.id,
    email: of.type === "USER" ? of.email : null,
    group_id: of.type === "GROUP" ? of.groupId : null,
    invited_at: invitedAt,
    invited_by: invitedBy,
  }))
  await trx
    .insertInto("observer")
    .values(rows)
    .onConflict((known) => known.column("id").doNothing())
    .execute()
}

/** In the order in which they were invited, each group with its members of today. */
export async function observersOf(
  trx: Trx,
  requestIds: readonly string[],
): Promise<ReadonlyMap<string, readonly Observer[]>> {
  if (requestIds.length === 0) return new Map()
  const rows = await trx
    .selectFrom("observer as o")
    .leftJoin("signer_group as g", "g.id", "o.group_id")
    .selectAll("o")
    .select("g.name")
    .select(
      sql<string[]>`array(select m.email from signer_group_member m where m.group_id = o.group_id
                           order by m.position)`.as("members"),
    )
    .where("o.request_id", "in", requestIds)
    .orderBy("o.invited_at")
    .orderBy("o.id")
    .execute()
  const byRequest = new Map<string, Observer[]>()
  for (const { id, request_id, email, group_id, name, members, invited_at, invited_by } of rows) {
    const ofOne = byRequest.get(request_id) ?? []
    byRequest.set(request_id, ofOne)
    const of: Observer["of"] =
      group_id === null
        ? { type: "USER", email: email ?? "" }
        : { type: "GROUP", groupId: group_id, name: name ?? "", members }
    ofOne.push({ id, of, invitedAt: invited_at, invitedBy: invited_by })
  }
  return byRequest
}

export async function memberEmail(trx: Trx, businessId: string, accountId: string): Promise<string | null> {
  const row = await trx
    .selectFrom("membership as m")
    .innerJoin("account as a", "a.id", "m.account_id")
    .select("a.email")
    .where("m.business_id", "=", businessId)
    .where("m.account_id", "=", accountId)
    .where("m.accepted_at", "is not", null)
    .executeTakeFirst()
  return row?.email ?? null
}
