import type { ServiceDatabase, Trx } from "./database.ts"

/** The keys of the businesses as the operator's key provider wrapped them (ADR 0018). */
export type WrappedBusinessKey = {
  readonly businessId: string
  readonly version: number
  /** Which key of the operator wraps it; null for one of the time before there was more than one. */
  readonly kekId: string | null
  readonly wrappedKey: Uint8Array
}

export async function insertBusinessKey(
  db: ServiceDatabase | Trx,
  key: WrappedBusinessKey & { readonly now: Date },
): Promise<void> {
  const row = {
    business_id: key.businessId,
    version: key.version,
    kek_id: key.kekId,
    wrapped_key: Buffer.from(key.wrappedKey),
    created_at: key.now,
  }
  await db.insertInto("business_key").values(row).execute()
}

export async function findBusinessKey(
  db: ServiceDatabase | Trx,
  businessId: string,
  version: number | "newest",
): Promise<WrappedBusinessKey> {
  const row = await db
    .selectFrom("business_key")
    .selectAll()
    .where("business_id", "=", businessId)
    .$if(version !== "newest", (query) => query.where("version", "=", version as number))
    .orderBy("version", "desc")
    .limit(1)
    .executeTakeFirst()
  if (row === undefined) throw new Error(`The business ${businessId} has no key ${version}.`)
  return { businessId, version: row.version, kekId: row.kek_id, wrappedKey: row.wrapped_key }
}
