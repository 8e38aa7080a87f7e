import { sql, type TransactionBuilder } from "kysely"
import type { Trx } from "./database.ts"
import type { Tables } from "./tables.ts"

/**
 * One transaction that sees and writes the rows of one business, whatever its statements ask for: PostgreSQL holds it to that by the
 * policies of each table (ADR 0062), so a forgotten `where` shows nothing. The setting ends with the transaction.
 */
export const ofTheBusiness = <T>(
  transaction: TransactionBuilder<Tables>,
  businessId: string,
  work: (trx: Trx) => Promise<T>,
): Promise<T> =>
  transaction.execute(async (trx) => {
    await sql`select set_config('paraph.business', ${businessId}, true)`.execute(trx)
    return work(trx)
  })
