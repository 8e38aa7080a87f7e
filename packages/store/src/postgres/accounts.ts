import type { Role } from "@paraph/core/business/model"
import { ADMINISTRATORS } from "@paraph/core/business/model"
import { sql } from "kysely"
import type { ServiceDatabase, Trx } from "./database.ts"

export type NewAccount = { id: string; email: string; name: string; now: Date }
export type Account = { readonly id: string; readonly email: string; readonly name: string }

/** However the address is written: an account is one person (SR-13). */
export async function isAccount(db: ServiceDatabase | Trx, email: string): Promise<boolean> {
  return (await findAccount(db, email)) !== null
}

/** Who was invited is none until they accept: a request names members as its sender (choice 252). */
export async function isMember(
  db: ServiceDatabase | Trx,
  businessId: string,
  email: string,
): Promise<boolean> {
  const found = await db
    .selectFrom("membership as m")
    .innerJoin("account as a", "a.id", "m.account_id")
    .select("a.id")
    .where("m.business_id", "=", businessId)
    .where(sql`lower(a.email)`, "=", sql`lower(${email})`)
    .where("m.accepted_at", "is not", null)
    .executeTakeFirst()
  return found !== undefined
}

export async function isAdministrator(
  db: ServiceDatabase | Trx,
  businessId: string,
  userId: string,
): Promise<boolean> {
  const role = await roleOf(db, businessId, userId)
  return role !== null && ADMINISTRATORS.includes(role)
}

/** Of the member who is this user of the interface, and has accepted. */
export async function roleOf(
  db: ServiceDatabase | Trx,
  businessId: string,
  userId: string,
): Promise<Role | null> {
  const found = await db
    .selectFrom("api_user as u")
    .innerJoin("membership as m", (join) =>
      join.onRef("m.account_id", "=", "u.account_id").onRef("m.business_id", "=", "u.business_id"),
    )
    .select("m.role")
    .where("u.business_id", "=", businessId)
    .where("u.id", "=", userId)
    .where("u.removed_at", "is", null)
    .where("m.accepted_at", "is not", null)
    .executeTakeFirst()
  return found?.role ?? null
}

/**
 * Access lists go by names, so in one business a name is either a member's or a key's, however it is written: also of those who
 * are gone, for whom the lists still stand. A trigger sees to it; this is to say so in words.
 */
export async function isNameTaken(
  db: ServiceDatabase | Trx,
  businessId: string,
  name: string,
  by: "anybody" | "a key's user",
): Promise<boolean> {
  const found = await db
    .selectFrom("api_user")
    .select("id")
    .where("business_id", "=", businessId)
    .where(sql`lower(username)`, "=", sql`lower(${name})`)
    .$if(by === "a key's user", (query) => query.where("account_id", "is", null))
    .executeTakeFirst()
  return found !== undefined
}

export async function isUser(
  db: ServiceDatabase | Trx,
  businessId: string,
  username: string,
): Promise<boolean> {
  const found = await db
    .selectFrom("api_user")
    .select("id")
    .where("business_id", "=", businessId)
    .where("username", "=", username)
    .where("removed_at", "is", null)
    .executeTakeFirst()
  return found !== undefined
}

export async function findAccount(db: ServiceDatabase | Trx, email: string): Promise<Account | null> {
  const found = await db
    .selectFrom("account")
    .select(["id", "email", "name"])
    .where(sql`lower(email)`, "=", sql`lower(${email})`)
    .executeTakeFirst()
  return found ?? null
}

/** The account that is there already stays as it is: its name was given by the person, or by another business. */
export async function ensureAccount(trx: Trx, account: NewAccount): Promise<Account> {
  const { id, email, name, now } = account
  await trx
    .insertInto("account")
    .values({ id, email, name, created_at: now })
    .onConflict((conflict) => conflict.expression(sql`lower(email)`).doNothing())
    .execute()
  const found = await findAccount(trx, email)
  if (found === null) throw new Error("The account is not there.")
  return found
}

export type NewMember = {
  businessId: string
  accountId: string
  role: Role
  /** What those call the person who add them. */
  name?: string | null
  /** By whom of the business, who does not know whether the person wants it; null: it counts at once. */
  invitedBy: string | null
  now: Date
}

/**
 * Whoever is a member already has the new role from here on. Each has a user of the interface, named by the e-mail address:
 * what a member owned before they left is theirs again when they come back.
 */
export async function setMember(trx: Trx, member: NewMember): Promise<void> {
  const { businessId, accountId, role, name = null, invitedBy, now } = member
  const acceptedAt = invitedBy === null ? now : null
  await sql`
    insert into api_user (id, business_id, username, created_at, account_id)
      select gen_random_uuid(), ${businessId}, a.email, ${now}, a.id from account a where a.id = ${accountId}
      on conflict (business_id, account_id) where account_id is not null do update set removed_at = null`.execute(
    trx,
  )
  await trx
    .insertInto("membership")
    .values({
      business_id: businessId,
      account_id: accountId,
      role,
      given_name: name,
      accepted_at: acceptedAt,
      invited_by: invitedBy,
      created_at: now,
    })
    .onConflict((conflict) =>
      conflict.columns(["business_id", "account_id"]).doUpdateSet({
        role,
        ...(name !== null && { given_name: name }),
        ...(acceptedAt !== null && {
          accepted_at: sql<Date>`coalesce(membership.accepted_at, ${acceptedAt})`,
        }),
      }),
    )
    .execute()
}

/** The person says yes; false where there is nothing to say it to. */
export async function acceptMembership(
  trx: Trx,
  businessId: string,
  accountId: string,
  now: Date,
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable("membership")
    .set({ accepted_at: now })
    .where("business_id", "=", businessId)
    .where("account_id", "=", accountId)
    .where("accepted_at", "is", null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** The user of the interface stays, since documents and requests may be theirs, and can do nothing any more. */
export async function removeMember(
  trx: Trx,
  businessId: string,
  accountId: string,
  now: Date,
): Promise<void> {
  await trx
    .updateTable("api_user")
    .set({ removed_at: now })
    .where("business_id", "=", businessId)
    .where("account_id", "=", accountId)
    .execute()
  await trx
    .deleteFrom("membership")
    .where("business_id", "=", businessId)
    .where("account_id", "=", accountId)
    .execute()
}

export async function isOperator(db: ServiceDatabase | Trx, email: string): Promise<boolean> {
  const found = await db
    .selectFrom("operator as o")
    .innerJoin("account as a", "a.id", "o.account_id")
    .select("a.id")
    .where(sql`lower(a.email)`, "=", sql`lower(${email})`)
    .executeTakeFirst()
  return found !== undefined
}

export async function countOperators(db: ServiceDatabase): Promise<number> {
  const { count } = await db
    .selectFrom("operator")
    .select((is) => is.fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow()
  return count
}

export async function insertOperator(trx: Trx, accountId: string, now: Date): Promise<void> {
  await trx.insertInto("operator").values({ account_id: accountId, created_at: now }).execute()
}

export async function removeOperator(trx: Trx, accountId: string): Promise<void> {
  await trx.deleteFrom("operator").where("account_id", "=", accountId).execute()
}
