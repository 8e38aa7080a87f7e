import { sql } from "kysely"
import type { Database, ServiceDatabase } from "../postgres/database.ts"

/**
 * For tests: how many rows of a table, and entries of its indexes, were ever read. Of one connection, which has said what it read
 * once it is asked; others say it when they like.
 */
export async function rowsRead(db: Database | ServiceDatabase, table: string): Promise<number> {
  await sql`select pg_stat_force_next_flush()`.execute(db)
  const { rows } = await sql<{ read: number }>`
    select (t.seq_tup_read + sum(i.idx_tup_read))::int as read
      from pg_stat_user_tables t join pg_stat_user_indexes i using (relid)
     where t.relname = ${table} group by t.seq_tup_read`.execute(db)
  return rows[0]?.read ?? 0
}
