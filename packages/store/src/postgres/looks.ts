import type { KeptLook } from "@paraph/core/signature-request/look"
import { sql } from "kysely"
import type { ServiceDatabase, Trx } from "./database.ts"

/** Drawings and pictures of signatures that are not made yet. Their bytes are opened and sealed with a key of the business. */
export type LookSealer = {
  readonly sealLook: (
    of: LookOwner,
    plain: Uint8Array,
    within: Trx,
  ) => Promise<{ readonly sealed: Buffer; readonly keyVersion: number }>
  readonly openLook: (
    of: LookOwner,
    kept: { readonly sealed: Buffer; readonly keyVersion: number },
    within: Trx,
  ) => Promise<Buffer>
}
export type LookOwner = { readonly businessId: string; readonly signatureId: string; readonly id: string }

export async function keepLook(
  trx: Trx,
  sealer: LookSealer,
  businessId: string,
  { id, signatureId, shown }: KeptLook,
  at: Date,
): Promise<void> {
  const plain = shown.type === "picture" ? shown.png : Buffer.from(JSON.stringify(shown))
  const { sealed, keyVersion } = await sealer.sealLook({ businessId, signatureId, id }, plain, trx)
  const row = { id, type: shown.type, sealed, key_version: keyVersion, created_at: at }
  await trx
    .insertInto("signature_look")
    .values({ signature_id: signatureId, business_id: businessId, ...row })
    .onConflict((known) => known.column("signature_id").doUpdateSet(row))
    .execute()
}

export async function findLook(
  trx: Trx,
  sealer: LookSealer,
  businessId: string,
  signatureId: string,
): Promise<KeptLook | null> {
  const row = await trx
    .selectFrom("signature_look")
    .selectAll()
    .where("signature_id", "=", signatureId)
    .where("business_id", "=", businessId)
    .executeTakeFirst()
  if (row === undefined) return null
  const { id, sealed, key_version: keyVersion } = row
  const plain = await sealer.openLook({ businessId, signatureId, id }, { sealed, keyVersion }, trx)
  if (row.type === "picture") return { id, signatureId, shown: { type: "picture", png: plain } }
  return { id, signatureId, shown: JSON.parse(plain.toString()) as KeptLook["shown"] }
}

export async function removeLooks(trx: Trx, signatureIds: readonly string[]): Promise<void> {
  if (signatureIds.length === 0) return
  await trx.deleteFrom("signature_look").where("signature_id", "in", signatureIds).execute()
}

/** Pictures of people who never came back to sign with them; answers how many. */
export async function removeOldLooks(db: ServiceDatabase, before: Date, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from signature_look where signature_id = any (array (
      select l.signature_id from signature_look l join signature s on s.id = l.signature_id
       where l.created_at < ${before} and s.consent is null
       order by l.created_at limit ${limit} for update of l skip locked))`.execute(db)
  return Number(numAffectedRows)
}
