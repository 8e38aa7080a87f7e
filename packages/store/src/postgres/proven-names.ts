import type { ProvenName } from "@paraph/core/release/proven-name"
import type { ServiceDatabase, Trx } from "./database.ts"

/** The newest proof that this business may rely on: by a provider of identification, or by one of its own members. */
export async function findProvenName(
  db: ServiceDatabase,
  accountId: string,
  businessId: string,
): Promise<ProvenName | null> {
  const identified = await db
    .selectFrom("account_identified_name")
    .selectAll()
    .where("account_id", "=", accountId)
    .executeTakeFirst()
  const vouched = await db
    .selectFrom("account_vouched_name")
    .selectAll()
    .where("account_id", "=", accountId)
    .where("business_id", "=", businessId)
    .executeTakeFirst()
  const isIdentifiedLast = identified && (!vouched || identified.proved_at >= vouched.proved_at)
  if (isIdentifiedLast) {
    const { name, provider: source, proved_at } = identified
    const proof = { by: "identification", source, at: proved_at.toISOString() } as const
    return { accountId, businessId: null, name, givenName: null, surname: null, by: "identification", proof }
  }
  if (vouched === undefined) return null
  const { name, given_name: givenName, surname, member: source, proved_at } = vouched
  const proof = { by: "member", source, at: proved_at.toISOString() } as const
  return { accountId, businessId, name, givenName, surname, by: "member", proof }
}

export async function saveProvenName(trx: Trx, proven: ProvenName): Promise<void> {
  const { accountId: account_id, businessId, name, givenName, surname, proof } = proven
  const proved_at = new Date(proof.at)
  if (businessId === null) {
    const row = { name, provider: proof.source, proved_at }
    await trx
      .insertInto("account_identified_name")
      .values({ account_id, ...row })
      .onConflict((known) => known.column("account_id").doUpdateSet(row))
      .execute()
    return
  }
  const row = { name, given_name: givenName, surname, member: proof.source, proved_at }
  await trx
    .insertInto("account_vouched_name")
    .values({ account_id, business_id: businessId, ...row })
    .onConflict((known) => known.columns(["account_id", "business_id"]).doUpdateSet(row))
    .execute()
}
