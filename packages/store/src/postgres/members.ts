import type { Member } from "@paraph/core/business/member"
import type { BusinessReading, MemberRows } from "@paraph/core/business/ports"
import { type SqlBool, sql } from "kysely"
import { acceptMembership, ensureAccount, isNameTaken, removeMember, roleOf, setMember } from "./accounts.ts"
import type { ServiceDatabase, Trx } from "./database.ts"
import { endOtherLogins } from "./single-sign-on.ts"
import { stopWebhooksOfUser } from "./webhooks.ts"

/** What core asks of the people of one business, within a transaction. */
export const memberRows = (trx: Trx, businessId: string): MemberRows => ({
  listMembers: () => listMembers(trx, businessId),
  findMember: async (accountId) =>
    (await memberQuery(trx, businessId).where("a.id", "=", accountId).executeTakeFirst()) ?? null,
  countOtherOwners: (accountId) => countOtherOwners(trx, businessId, accountId),
  roleOf: (userId) => roleOf(trx, businessId, userId),
  // What others call somebody is theirs, and stays with the membership.
  ensureAccount: ({ id, email }, at) => ensureAccount(trx, { id, email, name: email, now: at }),
  isNameOfKeys: (name) => isNameTaken(trx, businessId, name, "a key's user"),
  setMember: (accountId, to, at) => setMember(trx, { businessId, accountId, ...to, now: at }),
  acceptMembership: async (accountId, at) => {
    const isNew = await acceptMembership(trx, businessId, accountId, at)
    if (isNew) await endOtherLogins(trx, businessId)
    return isNew
  },
  removeMember: async (accountId, at) => {
    // Whoever is gone reads nothing, yet would go on when they come back, to an address that nobody remembers.
    const stopped = await stopWebhooksOfUser(trx, businessId, accountId, at)
    await removeMember(trx, businessId, accountId, at)
    return stopped
  },
})

export const listMembers: (
  db: ServiceDatabase | Trx,
  businessId: string,
) => ReturnType<BusinessReading["listMembers"]> = (db, businessId) =>
  memberQuery(db, businessId).orderBy(sql`lower(${CALLED})`).orderBy("a.id").execute()

/** A name that a person gave themselves is theirs to show: it is seen once they have been in this business. */
const CALLED = sql<string>`case when m.seen_at is null or a.name = a.email then coalesce(m.given_name, a.email) else a.name end`

const memberQuery = (db: ServiceDatabase | Trx, businessId: string) =>
  db
    .selectFrom("membership as m")
    .innerJoin("account as a", "a.id", "m.account_id")
    .leftJoin("api_user as u", (join) =>
      join.onRef("u.account_id", "=", "m.account_id").onRef("u.business_id", "=", "m.business_id"),
    )
    .leftJoin("account_credentials as c", "c.account_id", "a.id")
    .select(["a.id as accountId", "a.email", "m.role", "m.created_at as joinedAt", "m.seen_at as lastSeenAt"])
    .select("m.accepted_at as acceptedAt")
    .select([
      // One whose address was the name of a key's user before there were members acts by no user (migration 0011).
      sql<string>`coalesce(u.id, a.id)`.as("userId"),
      CALLED.as("name"),
      sql<SqlBool>`(m.seen_at is not null or c.password_hash is not null or c.totp_since is not null
        or exists (select from account_passkey p where p.account_id = a.id))`
        .$castTo<Member["registered"]>()
        .as("registered"),
    ])
    .where("m.business_id", "=", businessId)

async function countOtherOwners(trx: Trx, businessId: string, accountId: string): Promise<number> {
  const { count } = await trx
    .selectFrom("membership")
    .select((e) => e.fn.countAll<number>().as("count"))
    .where("business_id", "=", businessId)
    .where("role", "=", "owner")
    .where("account_id", "!=", accountId)
    .where("accepted_at", "is not", null)
    .executeTakeFirstOrThrow()
  return count
}
