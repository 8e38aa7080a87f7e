import { readdir } from "node:fs/promises"
import { sql } from "kysely"
import type { ServiceDatabase } from "./database.ts"

/** What `paraph migrate` has still to do; empty when the schema is of this version. Throws when there is none. */
export async function missingMigrations(db: ServiceDatabase): Promise<readonly string[]> {
  const files = await readdir(new URL("./migrations", import.meta.url))
  const { rows } = await sql<{ name: string }>`select name from migration`.execute(db)
  const done = new Set(rows.map((row) => row.name))
  return files.map((file) => file.replace(/\.sql$/, "")).filter((name) => !done.has(name))
}
