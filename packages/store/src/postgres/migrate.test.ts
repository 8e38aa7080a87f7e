import { readdirSync } from "node:fs"
import { afterEach, beforeEach, expect, it } from "vitest"
import { createOwnDatabase, type OwnDatabase } from "../testing/own-database.ts"
import { migrate } from "./migrate.ts"
import { missingMigrations } from "./schema-version.ts"

const FOLDER = new URL("migrations", import.meta.url)
/** In the order of their numbers. */
const MIGRATIONS = readdirSync(FOLDER)
  .map((file) => file.replace(/\.sql$/, ""))
  .sort()

let database: OwnDatabase

beforeEach(async () => {
  database = await createOwnDatabase({ migrated: false })
})

afterEach(() => database?.close())

it("an empty database is brought to the schema of this version, and a second run finds nothing to do", async () => {
  expect(await migrate(database.url)).toEqual(MIGRATIONS)
  expect(await missingMigrations(database.db)).toEqual([])
  const before = await schemaOf(database)
  expect(await migrate(database.url)).toEqual([])
  expect(await schemaOf(database)).toEqual(before)
})

it("three at once wait for each other, and one of them does the work", async () => {
  const done = await Promise.all([1, 2, 3].map(() => migrate(database.url)))
  expect(done.flat()).toEqual(MIGRATIONS)
  expect(await missingMigrations(database.db)).toEqual([])
})

it("what is missing is named, and a database without a schema is told apart from one without a gap", async () => {
  await expect(missingMigrations(database.db)).rejects.toThrow("migration")
  await migrate(database.url)
  await database.pool.query("delete from migration")
  expect(await missingMigrations(database.db)).toEqual(MIGRATIONS)
})

async function schemaOf({ pool }: OwnDatabase) {
  const { rows } = await pool.query(
    `select table_schema, table_name, column_name, data_type from information_schema.columns
      where table_schema in ('public', 'jobs') order by 1, 2, 3`,
  )
  expect(rows.length).toBeGreaterThan(100)
  return rows
}
