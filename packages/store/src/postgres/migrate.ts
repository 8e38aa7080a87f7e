import { fileURLToPath } from "node:url"
import { runner } from "node-pg-migrate"
import pg from "pg"
import { installQueues } from "../jobs/queues.ts"
import { addressOfPrimary } from "./primary.ts"
import { holdRows } from "./row-policies.ts"
import { grantToServer } from "./server-role.ts"
import { withServiceScope } from "./service-scope.ts"

const MIGRATIONS = fileURLToPath(new URL("./migrations", import.meta.url))

/** "paraph", as a number. The runner has a lock of its own, which ends before queues and rights are made. */
const MIGRATING = 0x706172617068

/**
 * Brings a database to the schema of this version: our tables and whose rows they are, then those of the queue. One deploy step, never at
 * process start; it may be run again, and two at once wait for each other. Returns the names of what was done.
 * Where the server comes by another role than the schema belongs to, that one gets what it needs and no more.
 */
export async function migrate(address: string, serverUrl = address): Promise<readonly string[]> {
  // A migration that changes rows changes those of all businesses, though row-level security holds the owner, too.
  const databaseUrl = withServiceScope(await addressOfPrimary(address))
  const client = new pg.Client({ connectionString: databaseUrl })
  // Who loses the lock with its connection goes on: each step is one transaction, and can be done again.
  client.on("error", () => undefined)
  await client.connect()
  try {
    await client.query("select pg_advisory_lock($1)", [MIGRATING])
    return await migrateAlone(databaseUrl, serverUrl === address ? databaseUrl : serverUrl)
  } finally {
    await client.end()
  }
}

async function migrateAlone(databaseUrl: string, serverUrl: string): Promise<readonly string[]> {
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
  await holdRows(databaseUrl)
  await installQueues(databaseUrl)
  if (serverUrl !== databaseUrl) await grantToServer(databaseUrl, serverUrl)
  return done.map((migration) => migration.name)
}
