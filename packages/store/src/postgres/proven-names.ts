import type { ProvenName } from "@paraph/core/release/proven-name"
import type { Database, Trx } from "./database.ts"

/** The newest proof that this business may rely on: by a provider of identification, or by one of its own members. */
export async function findProvenName(
  db: Database,
  accountId: string,
  businessId: string,
): Promise<ProvenName | null> {
  const row = await db
    .selectFrom("account_name_proof")
    .selectAll()
    .where("account_id", "=", accountId)
    .where((where) => where.or([where("business_id", "is", null), where("business_id", "=", businessId)]))
    .orderBy("proved_at", "desc")
    .limit(1)
    .executeTakeFirst()
  if (row === undefined) return null
  const { name, given_name: givenName, surname, proved_by: by, source, proved_at } = row
  const proof = { by, source, at: proved_at.toISOString() }
  return { accountId, businessId: row.business_id, name, givenName, surname, by, proof }
}

export async function saveProvenName(trx: Trx, proven: ProvenName): Promise<void> {
  const { accountId, businessId, name, givenName, surname, by, proof } = proven
  const proved = { proved_by: by, source: proof.source, proved_at: new Date(proof.at) }
  const row = { name, given_name: givenName, surname, ...proved }
  await trx
    .insertInto("account_name_proof")
    .values({ account_id: accountId, business_id: businessId, ...row })
    .onConflict((known) => known.columns(["account_id", "business_id"]).doUpdateSet(row))
    .execute()
}
