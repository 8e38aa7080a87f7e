import { sql } from "kysely"
import type { Trx } from "./database.ts"

/**
 * Which of those who may read something, in lower case, are users of the business. What outlives a request names nobody else: an address of somebody
 * who only follows it is the request's, and goes with it.
 */
export async function usersAmong(
  trx: Trx,
  businessId: string,
  names: readonly string[],
): Promise<ReadonlySet<string>> {
  // The owner alone, as with most.
  if (names.length < 2) return new Set(names)
  const rows = await trx
    .selectFrom("api_user")
    .select(sql<string>`lower(username)`.as("name"))
    .where("business_id", "=", businessId)
    .where(sql`lower(username)`, "in", names)
    .execute()
  return new Set(rows.map(({ name }) => name))
}
