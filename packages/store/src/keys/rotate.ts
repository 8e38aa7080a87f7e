import { newKey } from "@paraph/seal/wrap"
import { sql } from "kysely"
import { OWNED_WITHIN_MS } from "../blobs/blobs.ts"
import { findBusinessKey, insertBusinessKey } from "../postgres/business-keys.ts"
import type { ServiceDatabase } from "../postgres/database.ts"
import { KEPT_MS, unwrapped } from "./business-keys.ts"
import { accountContext, businessContext, type KeyRing } from "./key-ring.ts"
import { resealRows } from "./reseal-rows.ts"
import { OWNERS, rewrapKeys } from "./rewrap-keys.ts"
import { rewrapStories } from "./rewrap-stories.ts"

/** What was done, for whoever asked for it. */
export type Rotated = { readonly rewrapped: number; readonly retired: number }

/** So long may a document be on its way that is wrapped by the older key: a process keeps that, and objects wait for rows. */
export const RETIRED_AFTER_MS = 2 * (KEPT_MS + OWNED_WITHIN_MS)

/**
 * A new operator's key: every business key that an older one wraps is wrapped anew, or all of them, for a provider whose
 * key changes under the same name. Documents are not touched.
 */
export async function rewrapBusinessKeys(
  db: ServiceDatabase,
  ring: KeyRing,
  which: "older" | "all",
): Promise<Rotated> {
  const rows = await db
    .selectFrom("business_key")
    .selectAll()
    .$if(which === "older", (query) =>
      query.where((where) => where.or([where("kek_id", "is", null), where("kek_id", "!=", ring.currentId)])),
    )
    .execute()
  for (const row of rows) {
    const { business_id: businessId, version, kek_id: kekId, wrapped_key: wrappedKey } = row
    const { key } = await unwrapped(ring, { businessId, version, kekId, wrappedKey })
    const { id, wrapped } = await ring.wrap(key, businessContext(businessId, version))
    await db
      .updateTable("business_key")
      .set({ kek_id: id, wrapped_key: Buffer.from(wrapped) })
      .where("business_id", "=", businessId)
      .where("version", "=", version)
      .execute()
  }
  const ofAccounts = await rewrapAccountSecrets(db, ring, which)
  // What stood there before the keys had a table of their own is wrapped by the key that is to go.
  await sql`update business set wrapped_key = null where wrapped_key is not null`.execute(db)
  return { rewrapped: rows.length + ofAccounts, retired: 0 }
}

/** The secrets of authenticator apps are wrapped by the operator's key itself. */
async function rewrapAccountSecrets(
  db: ServiceDatabase,
  ring: KeyRing,
  which: "older" | "all",
): Promise<number> {
  const rows = await db
    .selectFrom("account_credentials")
    .select(["account_id", "totp_kek_id", "totp_wrapped"])
    .where("totp_wrapped", "is not", null)
    .$if(which === "older", (query) => query.where("totp_kek_id", "!=", ring.currentId))
    .execute()
  for (const { account_id: accountId, totp_kek_id, totp_wrapped } of rows) {
    if (totp_kek_id === null || totp_wrapped === null) continue
    const context = accountContext(accountId)
    const secret = await ring.unwrap({ id: totp_kek_id, wrapped: totp_wrapped }, context)
    const { id, wrapped } = await ring.wrap(secret, context)
    await db
      .updateTable("account_credentials")
      .set({ totp_kek_id: id, totp_wrapped: Buffer.from(wrapped) })
      .where("account_id", "=", accountId)
      .where("totp_wrapped", "=", totp_wrapped)
      .execute()
  }
  return rows.length
}

/** A new key for a business: the keys of its documents and attachments are wrapped anew, and no byte of them is touched (R35). */
export async function rotateBusinessKey(
  db: ServiceDatabase,
  ring: KeyRing,
  businessId: string,
  now: Date,
): Promise<Rotated> {
  const version = (await findBusinessKey(db, businessId, "newest")).version + 1
  const { id: kekId, wrapped: wrappedKey } = await ring.wrap(newKey(), businessContext(businessId, version))
  await insertBusinessKey(db, { businessId, version, kekId, wrappedKey, now })
  return rewrapDocuments(db, ring, businessId, now)
}

/** Brings every document of a business under its newest key. Reads go on meanwhile: each row names the key it needs. */
export async function rewrapDocuments(
  db: ServiceDatabase,
  ring: KeyRing,
  businessId: string,
  now: Date,
): Promise<Rotated> {
  const newest = await unwrapped(ring, await findBusinessKey(db, businessId, "newest"))
  let rewrapped = 0
  for (const table of OWNERS) rewrapped += await rewrapKeys(db, ring, table, businessId, newest)
  rewrapped += await rewrapStories(db, ring, businessId, newest)
  await resealRows(db, ring, businessId, newest)
  return { rewrapped, retired: await retire(db, businessId, newest.version, now) }
}

/** Every table whose rows need a key of their business. Results of validations and their reports are gone in ten minutes: their key waits for that. */
const SEALED_BY_KEYS = [
  "document",
  "attachment",
  "story_key",
  "webhook",
  "signature_look",
  "single_sign_on",
  "captured_mail",
  "identification",
  "remote_signing",
  "validation",
  "validation_report",
] as const

const isUnused = (table: (typeof SEALED_BY_KEYS)[number]) => sql<boolean>`not exists (
  select from ${sql.table(table)} t where t.business_id = k.business_id and t.key_version = k.version)`

/** An older key goes when nothing is wrapped by it any more, and nobody can be about to wrap with it. */
async function retire(db: ServiceDatabase, businessId: string, newest: number, now: Date): Promise<number> {
  const since = new Date(now.getTime() - RETIRED_AFTER_MS)
  const { numDeletedRows } = await db
    .deleteFrom("business_key as k")
    .where("k.business_id", "=", businessId)
    .where("k.version", "<", newest)
    .where((where) =>
      where.exists(
        where
          .selectFrom("business_key as next")
          .select("next.version")
          .where("next.business_id", "=", businessId)
          .where("next.version", "=", newest)
          .where("next.created_at", "<", since),
      ),
    )
    .where((where) => where.and(SEALED_BY_KEYS.map((table) => isUnused(table))))
    .executeTakeFirst()
  // The first one of old also stood with its business.
  if (numDeletedRows > 0n)
    await sql`update business set wrapped_key = null where id = ${businessId}`.execute(db)
  return Number(numDeletedRows)
}
