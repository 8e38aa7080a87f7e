import type { Caller } from "@paraph/core/access/caller"
import type { FindKey } from "@paraph/core/ports"
import type { Kind } from "@paraph/core/signature-request/model"
import { insertBusinessKey } from "./business-keys.ts"
import type { Database, Trx } from "./database.ts"
import { stopWebhooks } from "./webhooks.ts"

export type NewBusiness = { id: string; name: string; kekId: string; wrappedKey: Uint8Array; now: Date }
export type NewUser = { id: string; businessId: string; username: string; now: Date }
export type NewKey = {
  id: string
  userId: string
  kind: Kind
  keyHash: Uint8Array
  hint: string
  now: Date
  expiresAt: Date
}

export async function insertBusiness(db: Database | Trx, b: NewBusiness): Promise<void> {
  const { id, name, now } = b
  const insert = async (trx: Database | Trx) => {
    await trx.insertInto("business").values({ id, name, created_at: now }).execute()
    const key = { businessId: id, version: 1, kekId: b.kekId, wrappedKey: b.wrappedKey, now }
    await insertBusinessKey(trx, key)
  }
  await (db.isTransaction ? insert(db) : db.transaction().execute(insert))
}

export async function insertUser(db: Database, u: NewUser): Promise<void> {
  const row = {
    id: u.id,
    business_id: u.businessId,
    username: u.username,
    created_at: u.now,
    removed_at: null,
  }
  await db.insertInto("api_user").values(row).execute()
}

export async function insertKey(db: Database, k: NewKey): Promise<void> {
  const { business_id } = await db
    .selectFrom("api_user")
    .select("business_id")
    .where("id", "=", k.userId)
    .executeTakeFirstOrThrow()
  await db
    .insertInto("api_key")
    .values({
      id: k.id,
      business_id,
      api_user_id: k.userId,
      kind: k.kind,
      key_hash: Buffer.from(k.keyHash),
      hint: k.hint,
      created_at: k.now,
      expires_at: k.expiresAt,
      revoked_at: null,
    })
    .execute()
}

export type Revoked = { readonly revoked: boolean; readonly stoppedWebhooks: readonly string[] }

/** What the key has set up to go on without it stops with it. */
export async function revokeKey(db: Database, keyId: string, now: Date): Promise<Revoked> {
  const { numUpdatedRows } = await db
    .updateTable("api_key")
    .set({ revoked_at: now })
    .where("id", "=", keyId)
    .where("revoked_at", "is", null)
    .executeTakeFirst()
  const revoked = numUpdatedRows === 1n
  return { revoked, stoppedWebhooks: revoked ? await stopWebhooks(db, keyId, now) : [] }
}

/** Those who are removed too: their name is theirs for good, since access lists name it. */
export async function findUser(db: Database, username: string) {
  return (
    db
      .selectFrom("api_user")
      .select(["id", "business_id", "username", "removed_at"])
      .where("username", "=", username)
      // Members go by the same name in several businesses, and have no keys.
      .where("account_id", "is", null)
      .executeTakeFirst()
  )
}

/** Every key of the user is dead from here on, with its tokens. */
export async function removeUser(db: Database, userId: string, now: Date): Promise<void> {
  await db.updateTable("api_user").set({ removed_at: now }).where("id", "=", userId).execute()
}

/** Without the hash: nobody who looks at keys needs it. */
const keyRows = (db: Database) =>
  db
    .selectFrom("api_key as k")
    .innerJoin("api_user as u", "u.id", "k.api_user_id")
    .select([
      "k.id",
      "k.business_id",
      "k.api_user_id",
      "u.username",
      "u.removed_at",
      "k.kind",
      "k.hint",
      "k.created_at",
      "k.expires_at",
      "k.revoked_at",
    ])

/** Nobody else resets or revokes it before the transaction ends. */
export const lockKey = (trx: Trx, keyId: string) =>
  keyRows(trx).where("k.id", "=", keyId).forUpdate("k").executeTakeFirst()

export const listKeys = (db: Database, businessId: string) =>
  keyRows(db).where("k.business_id", "=", businessId).orderBy("k.created_at").orderBy("k.id").execute()

export const businessName = async (db: Database, businessId: string): Promise<string> =>
  (await db.selectFrom("business").select("name").where("id", "=", businessId).executeTakeFirstOrThrow()).name

/** One query whatever is wrong, so that no answer is faster than another (AUTH-06). */
export const createFindKey =
  (db: Database): FindKey =>
  async (username, keyHash, now) => {
    const row = await liveKeys(db, now)
      .where("u.username", "=", username)
      .where("k.key_hash", "=", Buffer.from(keyHash))
      .executeTakeFirst()
    return row ?? null
  }

/** The caller behind a token, as long as the key that it came from is alive. */
export async function findCaller(db: Database, keyId: string, now: Date): Promise<Caller | null> {
  return (await liveKeys(db, now).where("k.id", "=", keyId).executeTakeFirst()) ?? null
}

const liveKeys = (db: Database, now: Date) =>
  db
    .selectFrom("api_key as k")
    .innerJoin("api_user as u", "u.id", "k.api_user_id")
    .select(["k.id as keyId", "k.kind", "u.id as userId", "u.username", "u.business_id as businessId"])
    .where("k.revoked_at", "is", null)
    .where("k.expires_at", ">", now)
    .where("u.removed_at", "is", null)
    .where("u.account_id", "is", null)
