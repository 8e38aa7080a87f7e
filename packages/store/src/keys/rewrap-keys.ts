import { unwrapKey, wrapKey } from "@paraph/seal/wrap"
import { sql } from "kysely"
import { blobContext } from "../blobs/context.ts"
import type { ServiceDatabase } from "../postgres/database.ts"
import type { DocumentRow } from "../postgres/tables.ts"
import { type BusinessKey, olderKey } from "./business-keys.ts"
import type { KeyRing } from "./key-ring.ts"

const BATCH = 500

/** The rows that own an object of the bucket, and have its key. */
export const OWNERS = ["document", "attachment"] as const
type Owner = (typeof OWNERS)[number]

export async function rewrapKeys(
  db: ServiceDatabase,
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
      const key = older.get(row.key_version) ?? (await olderKey(db, ring, businessId, row.key_version))
      older.set(row.key_version, key)
      wrapped.push(rewrappedKey(businessId, table, row, key, newest.key))
    }
    rewrapped += await saveKeys(db, table, newest.version, rows, wrapped)
    if (rows.length < BATCH) return rewrapped
  }
}

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
  db: ServiceDatabase,
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
