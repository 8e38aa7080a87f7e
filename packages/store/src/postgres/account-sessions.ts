import type { Caller } from "@paraph/core/access/caller"
import type {
  AccountEvent,
  AccountSession,
  Invitation,
  MembershipOf,
  NewAccountSession,
  Whence,
} from "@paraph/core/account/model"
import type { MemberLogin } from "@paraph/core/business/settings"
import { LIMITS } from "@paraph/core/limits"
import type { Kind } from "@paraph/core/signature-request/model"
import { sql } from "kysely"
import type { ServiceDatabase, Trx } from "./database.ts"
import { cameAsWanted, hasWantedFactor } from "./single-sign-on-logins.ts"

export async function insertSession(
  trx: Trx,
  accountId: string,
  session: NewAccountSession,
  now: Date,
): Promise<void> {
  const { id, idHash, browser, network, strong = false, factorHeldUntil = null, replaces } = session
  await trx
    .insertInto("account_session")
    .values({
      ...{ id, id_hash: Buffer.from(idHash), account_id: accountId, browser, network, strong },
      ...{ created_at: now, seen_at: now, factor_held_until: factorHeldUntil },
      sso_business_id: session.singleSignOn ?? null,
      provider_factor: session.providerFactor ?? false,
    })
    .execute()
  if (replaces !== undefined) await replaceSession(trx, { id, accountId, browser, network }, replaces, now)
  await sql`
    delete from account_session where account_id = ${accountId} and id in
      (select id from account_session where account_id = ${accountId}
        order by seen_at desc, id offset ${LIMITS.sessionsPerAccount})`.execute(trx)
}

type Successor = { readonly id: string; readonly accountId: string } & Whence

/**
 * Ends the session that the browser had before its new login. What it had opened for signing, and the webhooks that it had made, go
 * over to the new session of the same person; with another person they end as at a logout.
 */
async function replaceSession(
  trx: Trx,
  { id, accountId, browser, network }: Successor,
  idHash: Uint8Array,
  now: Date,
): Promise<void> {
  const old = await trx
    .selectFrom("account_session")
    .select(["id", "account_id as accountId"])
    .where("id_hash", "=", Buffer.from(idHash))
    .forUpdate()
    .executeTakeFirst()
  if (old === undefined) return
  if (old.accountId === accountId) {
    await sql`update signer_session set account_session_id = ${id} where account_session_id = ${old.id}`.execute(
      trx,
    )
    await sql`
      update webhook set made_by = case when made_by = ${old.id} then ${id}::uuid else made_by end,
          shown_to = case when shown_to = ${old.id} then ${id}::uuid else shown_to end
       where ${old.id}::uuid in (made_by, shown_to)`.execute(trx)
  }
  await note(trx, { accountId: old.accountId, at: now, act: "logged-out", detail: null, browser, network })
  await trx.deleteFrom("account_session").where("id", "=", old.id).execute()
}

const COLUMNS = [
  "id",
  "account_id as accountId",
  "created_at as createdAt",
  "seen_at as seenAt",
  "browser",
  "network",
  "strong",
  "factor_held_until as factorHeldUntil",
  "sso_business_id as singleSignOn",
] as const

/** Being seen keeps it alive. */
export async function findSession(
  db: ServiceDatabase,
  idHash: Uint8Array,
  now: Date,
): Promise<AccountSession | null> {
  const { seenAfter, madeAfter, isRecent } = alive(now)
  const row = await db
    .updateTable("account_session")
    .set({ seen_at: now })
    .where("id_hash", "=", Buffer.from(idHash))
    .where("seen_at", ">", seenAfter)
    .where("created_at", ">", madeAfter)
    .where(isRecent("sso_business_id", "created_at"))
    .returning(COLUMNS)
    .executeTakeFirst()
  return row ?? null
}

/** The one that was used last comes first. */
export function listSessions(
  db: ServiceDatabase,
  accountId: string,
  now: Date,
): Promise<readonly AccountSession[]> {
  const { seenAfter, madeAfter, isRecent } = alive(now)
  return db
    .selectFrom("account_session")
    .select(COLUMNS)
    .where("account_id", "=", accountId)
    .where("seen_at", ">", seenAfter)
    .where("created_at", ">", madeAfter)
    .where(isRecent("sso_business_id", "created_at"))
    .orderBy("seen_at", "desc")
    .execute()
}

/** With all of them goes what was half-way: whoever began to log in by what was good before does not go on with it. */
export async function endSessions(trx: Trx, accountId: string, which: string): Promise<number> {
  if (which === "all") await trx.deleteFrom("account_step").where("account_id", "=", accountId).execute()
  const { numDeletedRows } = await trx
    .deleteFrom("account_session")
    .where("account_id", "=", accountId)
    .$if(which !== "all", (query) => query.where("id", "=", which))
    .executeTakeFirst()
  return Number(numDeletedRows)
}

export async function isSession(trx: Trx, id: string): Promise<boolean> {
  const found = await trx.selectFrom("account_session").select("id").where("id", "=", id).executeTakeFirst()
  return found !== undefined
}

/** By the session's own id, asked for each second in which its tokens are used: being asked is not being seen. */
export async function findMember(
  db: ServiceDatabase,
  sessionId: string,
  businessId: string,
  kind: Kind,
  { now, isFactorRequired }: { readonly now: Date; readonly isFactorRequired: boolean },
): Promise<Caller | null> {
  const { seenAfter, madeAfter, isRecent } = alive(now)
  const row = await db
    .selectFrom("account_session as s")
    .innerJoin("membership as m", "m.account_id", "s.account_id")
    .innerJoin("business as b", "b.id", "m.business_id")
    .innerJoin("api_user as u", (join) =>
      join.onRef("u.account_id", "=", "m.account_id").onRef("u.business_id", "=", "m.business_id"),
    )
    .select(["s.id as keyId", "u.id as userId", "u.username", "u.business_id as businessId", "m.role"])
    .where("s.id", "=", sessionId)
    .where("m.business_id", "=", businessId)
    .where("m.accepted_at", "is not", null)
    .where("u.removed_at", "is", null)
    .where("s.seen_at", ">", seenAfter)
    .where("s.created_at", ">", madeAfter)
    .where(isRecent("s.sso_business_id", "s.created_at"))
    .where(cameAsWanted)
    .where(hasWantedFactor(isFactorRequired))
    .executeTakeFirst()
  return row === undefined ? null : { ...row, kind, via: "session" }
}

/** The person behind a session that a second factor opened; null where none did, or where the factor is still held. */
export async function findStrongMember(
  db: ServiceDatabase,
  sessionId: string,
  now: Date,
): Promise<{ readonly accountId: string; readonly email: string } | null> {
  const { seenAfter, madeAfter } = alive(now)
  const row = await db
    .selectFrom("account_session as s")
    .innerJoin("account as a", "a.id", "s.account_id")
    .select(["a.id as accountId", "a.email"])
    .where("s.id", "=", sessionId)
    .where("s.strong", "=", true)
    .where((where) =>
      where.or([where("s.factor_held_until", "is", null), where("s.factor_held_until", "<=", now)]),
    )
    .where("s.seen_at", ">", seenAfter)
    .where("s.created_at", ">", madeAfter)
    .executeTakeFirst()
  return row ?? null
}

export const listMemberships = (db: ServiceDatabase, accountId: string): Promise<readonly MembershipOf[]> =>
  db
    .selectFrom("membership as m")
    .innerJoin("business as b", "b.id", "m.business_id")
    .select(["b.id as businessId", "b.name", "m.role"])
    .where("m.account_id", "=", accountId)
    .where("m.accepted_at", "is not", null)
    .orderBy("b.name")
    .execute()

/** The businesses of the person that ask for a second factor which this login has not proved. */
export async function listFactorsWanted(
  db: ServiceDatabase,
  sessionId: string,
  isFactorRequired: boolean,
): Promise<readonly string[]> {
  const rows = await db
    .selectFrom("account_session as s")
    .innerJoin("membership as m", "m.account_id", "s.account_id")
    .innerJoin("business as b", "b.id", "m.business_id")
    .select("b.id")
    .where("s.id", "=", sessionId)
    .where("m.accepted_at", "is not", null)
    .where(sql<boolean>`not ${hasWantedFactor(isFactorRequired)}`)
    .execute()
  return rows.map(({ id }) => id)
}

/** How the member logged in whose session this is; null where it is over. */
export async function findLogin(db: ServiceDatabase, sessionId: string): Promise<MemberLogin | null> {
  const row = await db
    .selectFrom("account_session")
    .select(["created_at as createdAt", "strong", "provider_factor as providerFactor"])
    .where("id", "=", sessionId)
    .executeTakeFirst()
  return row ?? null
}

/** The newest first. */
export const listInvitations = (db: ServiceDatabase, accountId: string): Promise<readonly Invitation[]> =>
  db
    .selectFrom("membership as m")
    .innerJoin("business as b", "b.id", "m.business_id")
    .select(["b.id as businessId", "b.name", "m.role", "m.invited_by as by", "m.created_at as at"])
    .where("m.account_id", "=", accountId)
    .where("m.accepted_at", "is", null)
    .orderBy("m.created_at", "desc")
    .execute()

export async function note(db: ServiceDatabase | Trx, event: AccountEvent): Promise<void> {
  const { accountId: account_id, ...rest } = event
  await db
    .insertInto("account_event")
    .values({ account_id, ...rest })
    .execute()
}

export async function countEvents(
  trx: Trx,
  { accountId, act, detail }: Pick<AccountEvent, "accountId" | "act" | "detail">,
  since: Date,
): Promise<number> {
  const { count } = await trx
    .selectFrom("account_event")
    .select((e) => e.fn.countAll<number>().as("count"))
    .where("account_id", "=", accountId)
    .where("act", "=", act)
    .where("detail", "is not distinct from", detail)
    .where("at", ">", since)
    .executeTakeFirstOrThrow()
  return count
}

/** The newest first. */
export const listEvents = (db: ServiceDatabase, accountId: string, limit: number) =>
  db
    .selectFrom("account_event")
    .select(["at", "act", "detail", "browser", "network"])
    .where("account_id", "=", accountId)
    .orderBy("id", "desc")
    .limit(limit)
    .execute()

export type SignatureOfAccount = {
  readonly businessId: string
  readonly requestId: string
  readonly signatureId: string
}

/** The signatures that a request asks of this address, however it is written, in their order. */
export const findSignatures = (
  db: ServiceDatabase,
  requestId: string,
  email: string,
): Promise<readonly SignatureOfAccount[]> =>
  db
    .selectFrom("signature as s")
    .innerJoin("signature_request as r", "r.id", "s.request_id")
    .select(["r.business_id as businessId", "r.id as requestId", "s.id as signatureId"])
    .where("r.id", "=", requestId)
    .where(sql`lower(s.email)`, "=", sql`lower(${email})`)
    .where("r.status", "!=", "DRAFT")
    .orderBy("s.position")
    .execute()

const alive = (now: Date) => ({
  seenAfter: new Date(now.getTime() - LIMITS.accountSessionIdleMs),
  madeAfter: new Date(now.getTime() - LIMITS.accountSessionMs),
  /** After half a day it is the provider's turn again to say whether somebody is still there. */
  isRecent: (by: string, made: string) =>
    sql<boolean>`(${sql.ref(by)} is null or ${sql.ref(made)} > ${new Date(now.getTime() - LIMITS.singleSignOnSessionMs)})`,
})
