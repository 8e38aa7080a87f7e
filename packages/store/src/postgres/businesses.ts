import type { Caller } from "@paraph/core/access/caller"
import type { MemberSecondFactor } from "@paraph/core/business/model"
import { everyHash, type Hashes } from "@paraph/core/login/hashes"
import type { FindKey } from "@paraph/core/login/ports"
import { insertBusinessKey } from "./business-keys.ts"
import type { ServiceDatabase, Trx } from "./database.ts"

export type NewBusiness = {
  id: string
  name: string
  kekId: string
  wrappedKey: Uint8Array
  now: Date
  memberSecondFactor?: MemberSecondFactor
}
export type NewUser = { id: string; businessId: string; username: string; now: Date }

export async function insertBusiness(db: ServiceDatabase | Trx, b: NewBusiness): Promise<void> {
  const { id, name, now } = b
  const insert = async (trx: ServiceDatabase | Trx) => {
    const settings = { member_second_factor: b.memberSecondFactor ?? "OPTIONAL" }
    await trx
      .insertInto("business")
      .values({ id, name, created_at: now, ...settings })
      .execute()
    const key = { businessId: id, version: 1, kekId: b.kekId, wrappedKey: b.wrappedKey, now }
    await insertBusinessKey(trx, key)
  }
  await (db.isTransaction ? insert(db) : db.transaction().execute(insert))
}

export async function insertUser(db: ServiceDatabase | Trx, u: NewUser): Promise<void> {
  const row = {
    id: u.id,
    business_id: u.businessId,
    username: u.username,
    created_at: u.now,
    removed_at: null,
  }
  await db.insertInto("api_user").values(row).execute()
}

/** Those who are removed too: their name is theirs for good, since access lists name it. */
export async function findUser(db: ServiceDatabase | Trx, username: string) {
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
export async function removeUser(db: ServiceDatabase | Trx, userId: string, now: Date): Promise<void> {
  await db.updateTable("api_user").set({ removed_at: now }).where("id", "=", userId).execute()
}

/** One query whatever is wrong, so that no answer is faster than another (AUTH-06). */
export const createFindKey =
  (db: ServiceDatabase): FindKey =>
  async (username, hashes, now) => {
    const row = await liveKeys(db, now)
      .select(["k.key_hash", "k.pepper_id"])
      .where("u.username", "=", username)
      .where(
        "k.key_hash",
        "in",
        everyHash(hashes).map((hash) => Buffer.from(hash)),
      )
      .executeTakeFirst()
    if (row === undefined) return null
    const { key_hash: keyHash, pepper_id: pepperId, ...caller } = row
    if (pepperId !== hashes.pepperId) await rehash(db, caller.keyId, keyHash, hashes)
    return caller
  }

/** What an earlier pepper verified is stored by the current one, so that the earlier one is needed no more (ADR 0096). */
async function rehash(
  db: ServiceDatabase,
  keyId: string,
  from: Buffer,
  { current, pepperId }: Hashes,
): Promise<void> {
  await db
    .updateTable("api_key")
    .set({ key_hash: Buffer.from(current), pepper_id: pepperId })
    .where("id", "=", keyId)
    .where("key_hash", "=", from)
    .execute()
}

/** The caller behind a token, as long as the key that it came from is alive. */
export async function findCaller(db: ServiceDatabase, keyId: string, now: Date): Promise<Caller | null> {
  return (await liveKeys(db, now).where("k.id", "=", keyId).executeTakeFirst()) ?? null
}

const liveKeys = (db: ServiceDatabase, now: Date) =>
  db
    .selectFrom("api_key as k")
    .innerJoin("api_user as u", "u.id", "k.api_user_id")
    .select(["k.id as keyId", "k.kind", "u.id as userId", "u.username", "u.business_id as businessId"])
    .where("k.revoked_at", "is", null)
    .where("k.expires_at", ">", now)
    .where("u.removed_at", "is", null)
    .where("u.account_id", "is", null)
