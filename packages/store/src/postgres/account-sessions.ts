import type { Caller } from "@paraph/core/access/caller"
import type {
  AccountEvent,
  AccountSession,
  Invitation,
  MembershipOf,
  NewAccountSession,
} from "@paraph/core/account/model"
import { LIMITS } from "@paraph/core/limits"
import type { Kind } from "@paraph/core/signature-request/model"
import { sql } from "kysely"
import type { ServiceDatabase, Trx } from "./database.ts"
import { cameAsWanted } from "./single-sign-on-logins.ts"

export async function insertSession(
  trx: Trx,
  accountId: string,
  { id, idHash, browser, network, strong = false, singleSignOn }: NewAccountSession,
  now: Date,
): Promise<void> {
  const seen = { created_at: now, seen_at: now, browser, network, strong }
  const of = { id, id_hash: Buffer.from(idHash), account_id: accountId }
  const session = { ...of, ...seen, sso_business_id: singleSignOn ?? null }
  await trx.insertInto("account_session").values(session).execute()
  await sql`
    delete from account_session where account_id = ${accountId} and id in
      (select id from account_session where account_id = ${accountId}
        order by seen_at desc, id offset ${LIMITS.sessionsPerAccount})`.execute(trx)
}

const COLUMNS = [
  "id",
  "account_id as accountId",
  "created_at as createdAt",
  "seen_at as seenAt",
  "browser",
  "network",
  "strong",
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
  now: Date,
): Promise<Caller | null> {
  const { seenAfter, madeAfter, isRecent } = alive(now)
  const row = await db
    .selectFrom("account_session as s")
    .innerJoin("membership as m", "m.account_id", "s.account_id")
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
    .executeTakeFirst()
  return row === undefined ? null : { ...row, kind, via: "session" }
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
