import type { ApiKey } from "@paraph/core/business/api-key"
import type { KeysTx } from "@paraph/core/business/ports"
import type { Hashes } from "@paraph/core/login/hashes"
import { sql } from "kysely"
import { findUser, insertUser } from "./businesses.ts"
import type { ServiceDatabase, Trx } from "./database.ts"
import { stopWebhooks } from "./webhooks.ts"

/** What core asks of the keys of one business, within a transaction. */
export const apiKeyRows = (trx: Trx, businessId: string): Omit<KeysTx, "appendAudit" | "writeToOwners"> => ({
  lockKey: async (id) =>
    (await keyQuery(trx, businessId).where("k.id", "=", id).forUpdate("k").executeTakeFirst()) ?? null,
  insertKey: (key, hash) => insertKey(trx, businessId, key, hash),
  renameKey: async (id, name) => {
    await ofBusiness(trx, businessId, id).set({ name }).execute()
  },
  revokeKey: async (id, at) => {
    await ofBusiness(trx, businessId, id).set({ revoked_at: at }).where("revoked_at", "is", null).execute()
    return stopWebhooks(trx, id, at)
  },
  markReset: async (id, at) => {
    await ofBusiness(trx, businessId, id).set({ reset_by_operator_at: at }).execute()
  },
  markClaimed: async (id, at) => {
    await ofBusiness(trx, businessId, id).set({ claimed_at: at }).execute()
  },
  countLiveKeys: (at) => countLiveKeys(trx, businessId, at),
  findKeyUser: async (username) => {
    const user = await findUser(trx, username)
    const isOurs = user !== undefined && user.business_id === businessId && user.removed_at === null
    return isOurs ? { id: user.id, username: user.username } : null
  },
  insertKeyUser: (user, at) => insertUser(trx, { ...user, businessId, now: at }),
})

/** All that live or can be claimed, and those of the others that ended last; the newest first. */
export async function listKeys(
  db: ServiceDatabase | Trx,
  businessId: string,
  deadAtMost: number,
  now: Date,
): Promise<readonly ApiKey[]> {
  const lives = sql<boolean>`(k.revoked_at is null and u.removed_at is null and k.expires_at > ${now})`
  const waits = sql<boolean>`(k.reset_by_operator_at is not null and k.claimed_at is null and u.removed_at is null)`
  const keys = keyQuery(db, businessId)
  const needed = await keys.where(sql<boolean>`(${lives} or ${waits})`).execute()
  const over = await keys
    .where(sql<boolean>`not (${lives} or ${waits})`)
    // An end that is yet to come is none.
    .orderBy(
      sql`least(k.revoked_at, u.removed_at, case when k.expires_at <= ${now} then k.expires_at end)`,
      "desc",
    )
    .limit(deadAtMost)
    .execute()
  const newestFirst = (a: ApiKey, b: ApiKey) =>
    b.createdAt.getTime() - a.createdAt.getTime() || (a.id < b.id ? 1 : -1)
  return [...needed, ...over].sort(newestFirst)
}

/** Where an operator names a key, and not its business. */
export async function businessOfKey(db: ServiceDatabase | Trx, id: string): Promise<string | null> {
  const row = await db.selectFrom("api_key").select("business_id").where("id", "=", id).executeTakeFirst()
  return row?.business_id ?? null
}

/** Without the hash: nobody who looks at keys needs it. */
const keyQuery = (db: ServiceDatabase | Trx, businessId: string) =>
  db
    .selectFrom("api_key as k")
    .innerJoin("api_user as u", "u.id", "k.api_user_id")
    .select([
      "k.id",
      "k.name",
      "k.api_user_id as userId",
      "u.username",
      "u.removed_at as userRemovedAt",
      "k.kind",
      "k.hint",
      "k.created_at as createdAt",
      "k.expires_at as expiresAt",
      "k.last_used_at as lastUsedAt",
      "k.revoked_at as revokedAt",
      "k.created_by as createdBy",
    ])
    .select(
      sql<Date | null>`case when k.claimed_at is null and u.removed_at is null then k.reset_by_operator_at end`.as(
        "claimableSince",
      ),
    )
    .where("k.business_id", "=", businessId)

const ofBusiness = (trx: Trx, businessId: string, id: string) =>
  trx.updateTable("api_key").where("id", "=", id).where("business_id", "=", businessId)

export async function insertKey(
  db: ServiceDatabase | Trx,
  businessId: string,
  key: ApiKey,
  { current, pepperId }: Hashes,
): Promise<void> {
  await db
    .insertInto("api_key")
    .values({
      id: key.id,
      business_id: businessId,
      api_user_id: key.userId,
      name: key.name,
      kind: key.kind,
      key_hash: Buffer.from(current),
      pepper_id: pepperId,
      hint: key.hint,
      created_by: key.createdBy,
      created_at: key.createdAt,
      expires_at: key.expiresAt,
      revoked_at: null,
    })
    .execute()
}

async function countLiveKeys(trx: Trx, businessId: string, at: Date): Promise<number> {
  const { count } = await trx
    .selectFrom("api_key as k")
    .innerJoin("api_user as u", "u.id", "k.api_user_id")
    .select((e) => e.fn.countAll<number>().as("count"))
    .where("k.business_id", "=", businessId)
    .where("k.revoked_at", "is", null)
    .where("k.expires_at", ">", at)
    .where("u.removed_at", "is", null)
    .executeTakeFirstOrThrow()
  return count
}

/** Each at most once a minute, whichever process says it. */
export async function noteUses(
  db: ServiceDatabase,
  { keys, members }: { readonly keys: readonly string[]; readonly members: readonly string[] },
  at: Date,
): Promise<void> {
  const before = new Date(at.getTime() - 60_000)
  if (keys.length > 0)
    await sql`
      update api_key set last_used_at = ${at}
       where id = any(${keys}::uuid[]) and (last_used_at is null or last_used_at <= ${before})`.execute(db)
  if (members.length > 0)
    await sql`
      update membership m set seen_at = ${at} from api_user u
       where u.id = any(${members}::uuid[]) and u.business_id = m.business_id and u.account_id = m.account_id
         and (m.seen_at is null or m.seen_at <= ${before})`.execute(db)
}
