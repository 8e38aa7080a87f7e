import { fileURLToPath } from "node:url"
import { runner } from "node-pg-migrate"
import { installQueues } from "../jobs/queues.ts"

const MIGRATIONS = fileURLToPath(new URL("./migrations", import.meta.url))

/**
 * Brings a database to the schema of this version: our tables, then those of the queue. One deploy step, never at
 * process start; it may be run again, and two at once wait for each other. Returns the names of what was done.
 */
export async function migrate(databaseUrl: string): Promise<readonly string[]> {
  const done = await runner({
    databaseUrl,
    dir: MIGRATIONS,
    direction: "up",
    migrationsTable: "migration",
    checkOrder: true,
    singleTransaction: true,
    advisoryLockMode: "wait",
    log: () => undefined,
  })
  await installQueues(databaseUrl)
  return done.map((migration) => migration.name)
}
