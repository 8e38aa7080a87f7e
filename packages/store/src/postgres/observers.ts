import type { SignatureRequest } from "@paraph/core/signature-request/model"
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
