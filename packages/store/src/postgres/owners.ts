import type { LetterToOwners } from "@paraph/core/account/model"
import type { Role } from "@paraph/core/business/model"
import type { Language } from "@paraph/core/language"
import type { WriteToMember } from "../jobs/enqueue.ts"
import type { Trx } from "./database.ts"

/** One letter to each, in the transaction of what they are told about. */
export async function writeToOwners(
  trx: Trx,
  writeToMember: WriteToMember,
  letter: LetterToOwners,
  language: Language,
): Promise<void> {
  for (const email of await addressesOf(trx, letter.businessId, ["owner"]))
    await writeToMember(trx, { ...letter, email, language })
}

/** Of those who have accepted and have one of these roles. */
export async function addressesOf(
  trx: Trx,
  businessId: string,
  roles: readonly Role[],
): Promise<readonly string[]> {
  const rows = await trx
    .selectFrom("membership as m")
    .innerJoin("account as a", "a.id", "m.account_id")
    .select("a.email")
    .where("m.business_id", "=", businessId)
    .where("m.role", "in", roles)
    .where("m.accepted_at", "is not", null)
    .orderBy("a.email")
    .execute()
  return rows.map(({ email }) => email)
}
