import type { AccountTx } from "@paraph/core/account/ports"
import { LIMITS } from "@paraph/core/limits"
import { sql } from "kysely"
import { acceptMembership, isNameTaken, setMember } from "./accounts.ts"
import { recording } from "./audit-log.ts"
import type { ServiceDatabase, Trx } from "./database.ts"
import { ownerOfDomain } from "./single-sign-on.ts"

/** Of an e-mail address, as `domainOf` of core takes it. */
const domainIn = (email: string) => sql<string>`lower(substring(${sql.ref(email)} from '[^@]*$'))`

/** What a login asks for, within its transaction. */
export function singleSignOnIn(
  trx: Trx,
): Pick<
  AccountTx,
  "singleSignOnNeeded" | "holdSingleSignOn" | "isDomainGranted" | "isMember" | "join" | "tieSubject"
> {
  return {
    singleSignOnNeeded: async (accountId) => {
      const found = await trx
        .selectFrom("account as a")
        .innerJoin("granted_domain as d", (join) => join.on("d.domain", "=", domainIn("a.email")))
        .innerJoin("single_sign_on as s", "s.business_id", "d.business_id")
        .innerJoin("membership as m", (join) =>
          join.onRef("m.business_id", "=", "s.business_id").onRef("m.account_id", "=", "a.id"),
        )
        .innerJoin("business as b", "b.id", "s.business_id")
        .select("b.name")
        .where("a.id", "=", accountId)
        .where("m.accepted_at", "is not", null)
        .where("s.enforced", "=", true)
        .executeTakeFirst()
      return found?.name ?? null
    },
    holdSingleSignOn: async (businessId) => {
      // The business first, as for whoever changes it: a login may make a member, which holds the business too.
      await trx.selectFrom("business").select("id").where("id", "=", businessId).forNoKeyUpdate().execute()
      const found = await trx
        .selectFrom("single_sign_on")
        .select("updated_at as updatedAt")
        .where("business_id", "=", businessId)
        .forShare()
        .executeTakeFirst()
      return found?.updatedAt ?? null
    },
    isDomainGranted: async (businessId, domain) => (await ownerOfDomain(trx, domain)) === businessId,
    isMember: async (businessId, accountId) => {
      const found = await trx
        .selectFrom("membership")
        .select("role")
        .where("business_id", "=", businessId)
        .where("account_id", "=", accountId)
        .where("accepted_at", "is not", null)
        .executeTakeFirst()
      return found !== undefined
    },
    join: (businessId, account, at) => join(trx, businessId, account, at),
    tieSubject: (businessId, subject, accountId, at) => tieSubject(trx, businessId, subject, accountId, at),
  }
}

async function join(
  trx: Trx,
  businessId: string,
  { id, email, name }: { readonly id: string; readonly email: string; readonly name: string | null },
  now: Date,
): Promise<boolean> {
  const record = recording(trx, businessId)
  const acting = { at: now, by: email, target: `person ${email}` }
  if (await acceptMembership(trx, businessId, id, now)) {
    await record({ ...acting, act: "accept-membership", after: { by: "single sign-on" } })
    return true
  }
  const gone = await trx
    .selectFrom("api_user")
    .select("id")
    .where("business_id", "=", businessId)
    .where("account_id", "=", id)
    .executeTakeFirst()
  // Whoever was taken out by somebody comes back by somebody.
  if (gone !== undefined || (await isNameTaken(trx, businessId, email, "a key's user"))) return false
  const { count } = await trx
    .selectFrom("membership")
    .select((is) => is.fn.countAll<number>().as("count"))
    .where("business_id", "=", businessId)
    .executeTakeFirstOrThrow()
  if (count >= LIMITS.membersPerBusiness) return false
  await setMember(trx, { businessId, accountId: id, role: "member", name, invitedBy: null, now })
  await record({ ...acting, act: "join-by-single-sign-on", after: { role: "member" } })
  return true
}

async function tieSubject(
  trx: Trx,
  businessId: string,
  subject: string,
  accountId: string,
  at: Date,
): Promise<boolean> {
  await trx
    .insertInto("single_sign_on_subject")
    .values({ business_id: businessId, subject, account_id: accountId, created_at: at })
    .onConflict((known) => known.doNothing())
    .execute()
  const tied = await trx
    .selectFrom("single_sign_on_subject")
    .select("subject")
    .where("business_id", "=", businessId)
    .where("subject", "=", subject)
    .where("account_id", "=", accountId)
    .executeTakeFirst()
  return tied !== undefined
}

/**
 * `s` is the login, `m` the membership. What the provider of one business says counts in no other; and who came by something of
 * their own is a member where nothing else is wanted.
 */
export const cameAsWanted = sql<boolean>`(s.sso_business_id = m.business_id or s.sso_business_id is null and not exists (
  select from single_sign_on o join granted_domain d on d.business_id = o.business_id join account a on a.id = m.account_id
   where o.business_id = m.business_id and o.enforced and d.domain = lower(substring(a.email from '[^@]*$'))))`

/**
 * Whether the login `s` proved the second factor that the business `b` wants of its members (ADR 0098). That of a provider counts in
 * its business alone, and only where the business says so or lets its people log in by nothing else.
 */
export const hasWantedFactor = (isRequired: boolean) => sql<boolean>`(s.strong
  or (b.member_second_factor = 'OPTIONAL' and not ${isRequired}::boolean)
  or (s.provider_factor and s.sso_business_id = b.id and (b.member_second_factor = 'REQUIRED_OR_PROVIDER'
    or exists (select from single_sign_on e where e.business_id = b.id and e.enforced))))`

export type Attempt = {
  readonly stateHash: Uint8Array
  readonly browserHash: Uint8Array
  readonly businessId: string
}

export async function insertAttempt(
  db: ServiceDatabase,
  { stateHash, browserHash, businessId }: Attempt,
  next: string,
  now: Date,
): Promise<void> {
  const hashes = { state_hash: Buffer.from(stateHash), browser_hash: Buffer.from(browserHash) }
  const row = { ...hashes, business_id: businessId, next, created_at: now }
  await db.insertInto("single_sign_on_attempt").values(row).execute()
}

/** Nobody takes it twice, and nobody but the browser that began it; answers where it was to go. */
export async function takeAttempt(
  db: ServiceDatabase,
  { stateHash, browserHash, businessId }: Attempt,
  now: Date,
): Promise<string | null> {
  const row = await db
    .deleteFrom("single_sign_on_attempt")
    .where("state_hash", "=", Buffer.from(stateHash))
    .where("browser_hash", "=", Buffer.from(browserHash))
    .where("business_id", "=", businessId)
    .where("created_at", ">", new Date(now.getTime() - LIMITS.singleSignOnWayMs))
    .returning("next")
    .executeTakeFirst()
  return row?.next ?? null
}
