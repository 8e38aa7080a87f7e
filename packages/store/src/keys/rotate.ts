import { newKey, unwrapKey, wrapKey } from "@paraph/seal/wrap"
import { sql } from "kysely"
import { OWNED_WITHIN_MS } from "../blobs/blobs.ts"
import { blobContext } from "../blobs/context.ts"
import { findBusinessKey, insertBusinessKey } from "../postgres/business-keys.ts"
import type { Database } from "../postgres/database.ts"
import { singleSignOnSecret } from "../postgres/single-sign-on.ts"
import type { DocumentRow } from "../postgres/tables.ts"
import { type BusinessKey, KEPT_MS, unwrapped } from "./business-keys.ts"
import { accountContext, businessContext, type KeyRing } from "./key-ring.ts"
import { openLook, sealLook } from "./look-sealer.ts"
import { openMailPart, sealMail } from "./mail-sealer.ts"
import { openSecrets, sealSecrets } from "./webhook-secrets.ts"

/** What was done, for whoever asked for it. */
export type Rotated = { readonly rewrapped: number; readonly retired: number }

const BATCH = 500
/** So long may a document be on its way that is wrapped by the older key: a process keeps that, and objects wait for rows. */
export const RETIRED_AFTER_MS = 2 * (KEPT_MS + OWNED_WITHIN_MS)

/**
 * A new operator's key: every business key that an older one wraps is wrapped anew, or all of them, for a provider whose
 * key changes under the same name. Documents are not touched.
 */
export async function rewrapBusinessKeys(
  db: Database,
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
async function rewrapAccountSecrets(db: Database, ring: KeyRing, which: "older" | "all"): Promise<number> {
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
  db: Database,
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
  db: Database,
  ring: KeyRing,
  businessId: string,
  now: Date,
): Promise<Rotated> {
  const newest = await unwrapped(ring, await findBusinessKey(db, businessId, "newest"))
  let rewrapped = 0
  for (const table of OWNERS) rewrapped += await rewrapKeys(db, ring, table, businessId, newest)
  await resealWebhooks(db, ring, businessId, newest)
  await resealSingleSignOn(db, ring, businessId, newest)
  await resealLooks(db, ring, businessId, newest)
  await resealMails(db, ring, businessId, newest)
  return { rewrapped, retired: await retire(db, businessId, newest.version, now) }
}

/** The rows that own an object of the bucket, and have its key. */
const OWNERS = ["document", "attachment"] as const
type Owner = (typeof OWNERS)[number]

async function rewrapKeys(
  db: Database,
  ring: KeyRing,
  table: Owner,
  businessId: string,
  newest: BusinessKey,
): Promise<number> {
  const older = new Map<number, Uint8Array>()
  for (let rewrapped = 0; ; ) {
    const rows: readonly KeyRow[] = await db
      .selectFrom(table)
      .select(["id", "blob_name", "wrapped_key", "key_version"])
      .where("business_id", "=", businessId)
      .where("key_version", "<", newest.version)
      .limit(BATCH)
      .execute()
    const wrapped: Buffer[] = []
    for (const row of rows) {
      const key = older.get(row.key_version) ?? (await keyOf(db, ring, businessId, row.key_version))
      older.set(row.key_version, key)
      wrapped.push(rewrappedKey(businessId, table, row, key, newest.key))
    }
    rewrapped += await saveKeys(db, table, newest.version, rows, wrapped)
    if (rows.length < BATCH) return rewrapped
  }
}

/** At most some dozens; each is sealed anew where nobody has changed it meanwhile. */
async function resealWebhooks(db: Database, ring: KeyRing, businessId: string, newest: BusinessKey) {
  const rows = await db
    .selectFrom("webhook")
    .select(["id", "secrets", "key_version"])
    .where("business_id", "=", businessId)
    .where("key_version", "<", newest.version)
    .execute()
  for (const { id, secrets, key_version } of rows) {
    const opened = openSecrets(await keyOf(db, ring, businessId, key_version), id, secrets)
    await db
      .updateTable("webhook")
      .set({ secrets: sealSecrets(newest.key, id, opened), key_version: newest.version })
      .where("id", "=", id)
      .where("secrets", "=", secrets)
      .execute()
  }
}

async function resealSingleSignOn(db: Database, ring: KeyRing, businessId: string, newest: BusinessKey) {
  const row = await db
    .selectFrom("single_sign_on")
    .select(["secret", "key_version"])
    .where("business_id", "=", businessId)
    .where("key_version", "<", newest.version)
    .executeTakeFirst()
  if (row === undefined) return
  const id = singleSignOnSecret(businessId)
  const opened = openSecrets(await keyOf(db, ring, businessId, row.key_version), id, row.secret)
  await db
    .updateTable("single_sign_on")
    .set({ secret: sealSecrets(newest.key, id, opened), key_version: newest.version })
    .where("business_id", "=", businessId)
    .where("secret", "=", row.secret)
    .execute()
}

/** Those of signatures that are just about to be made. */
async function resealLooks(db: Database, ring: KeyRing, businessId: string, newest: BusinessKey) {
  const rows = await db
    .selectFrom("signature_look")
    .select(["id", "signature_id as signatureId", "key_version"])
    .where("business_id", "=", businessId)
    .where("key_version", "<", newest.version)
    .execute()
  for (const { key_version, ...of } of rows) {
    const kept = await db
      .selectFrom("signature_look")
      .select("sealed")
      .where("id", "=", of.id)
      .executeTakeFirst()
    if (kept === undefined) continue
    const opened = openLook(await keyOf(db, ring, businessId, key_version), of, kept.sealed)
    await db
      .updateTable("signature_look")
      .set({ sealed: sealLook(newest.key, of, opened), key_version: newest.version })
      .where("id", "=", of.id)
      .where("key_version", "=", key_version)
      .execute()
  }
}

/** Copies of mails of the last days. One at a time, since each may be some dozens of kilobytes. */
async function resealMails(db: Database, ring: KeyRing, businessId: string, newest: BusinessKey) {
  const rows = await db
    .selectFrom("captured_mail")
    .select(["id", "key_version"])
    .where("business_id", "=", businessId)
    .where("key_version", "<", newest.version)
    .execute()
  for (const { id, key_version } of rows) {
    const kept = await db
      .selectFrom("captured_mail")
      .select(["envelope", "content"])
      .where("id", "=", id)
      .where("key_version", "=", key_version)
      .executeTakeFirst()
    if (kept === undefined) continue
    const key = await keyOf(db, ring, businessId, key_version)
    const opened = {
      envelope: openMailPart(key, id, "envelope", kept.envelope),
      content: openMailPart(key, id, "content", kept.content),
    }
    await db
      .updateTable("captured_mail")
      .set({ ...sealMail(newest.key, id, opened), key_version: newest.version })
      .where("id", "=", id)
      .where("envelope", "=", kept.envelope)
      .execute()
  }
}

const keyOf = async (db: Database, ring: KeyRing, businessId: string, version: number) =>
  (await unwrapped(ring, await findBusinessKey(db, businessId, version))).key

type KeyRow = Pick<DocumentRow, "id" | "blob_name" | "wrapped_key" | "key_version">

function rewrappedKey(
  businessId: string,
  table: Owner,
  row: KeyRow,
  older: Uint8Array,
  newer: Uint8Array,
): Buffer {
  const context = blobContext(businessId, row.blob_name)
  try {
    return wrapKey(newer, unwrapKey(older, row.wrapped_key, context), context)
  } catch (cause) {
    throw new Error(`The key of the ${table} ${row.id} cannot be opened.`, { cause })
  }
}

/** In one statement: a commit for each document would take hours for a million of them. */
async function saveKeys(
  db: Database,
  table: Owner,
  version: number,
  rows: readonly KeyRow[],
  wrapped: readonly Buffer[],
): Promise<number> {
  const ids = rows.map(({ id }) => id)
  const before = rows.map(({ key_version }) => key_version)
  const { numAffectedRows } = await sql`
    update ${sql.table(table)} d set wrapped_key = n.wrapped_key, key_version = ${version}
      from unnest(${ids}::uuid[], ${before}::integer[], ${wrapped}::bytea[]) as n (id, key_version, wrapped_key)
     where d.id = n.id and d.key_version = n.key_version`.execute(db)
  return Number(numAffectedRows)
}

/** Every table whose rows need a key of their business. */
const SEALED_BY_KEYS = [
  "document",
  "attachment",
  "webhook",
  "signature_look",
  "single_sign_on",
  "captured_mail",
] as const

const isUnused = (table: (typeof SEALED_BY_KEYS)[number]) => sql<boolean>`not exists (
  select from ${sql.table(table)} t where t.business_id = k.business_id and t.key_version = k.version)`

/** An older key goes when nothing is wrapped by it any more, and nobody can be about to wrap with it. */
async function retire(db: Database, businessId: string, newest: number, now: Date): Promise<number> {
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
