import { readdirSync, readFileSync } from "node:fs"
import { afterEach, beforeEach, expect, it } from "vitest"
import { createOwnDatabase, type OwnDatabase, stackSettings } from "../testing/own-database.ts"
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

it("three at once wait for each other too where the server comes by a role of its own", async () => {
  const server = Object.assign(new URL(stackSettings().DATABASE_URL ?? ""), {
    pathname: new URL(database.url).pathname,
  }).href
  const three = () => Promise.all([1, 2, 3].map(() => migrate(database.url, server)))
  expect((await three()).flat()).toEqual(MIGRATIONS)
  // And where there is nothing to do but to grant, which PostgreSQL refuses to two at once.
  for (let n = 0; n < 12; n += 1) expect(await three()).toEqual([[], [], []])
})

it("what is missing is named, and a database without a schema is told apart from one without a gap", async () => {
  await expect(missingMigrations(database.db)).rejects.toThrow("migration")
  await migrate(database.url)
  await database.pool.query("delete from migration")
  expect(await missingMigrations(database.db)).toEqual(MIGRATIONS)
})

it("0011 gives no user of the interface to a member who has the name of one, and to the others", async () => {
  const run = (name: string) =>
    database.pool.query(readFileSync(new URL(`migrations/${name}.sql`, import.meta.url), "utf8"))
  const number = MIGRATIONS.findIndex((name) => name.startsWith("0011"))
  for (const name of MIGRATIONS.slice(0, number)) await run(name)
  await database.pool.query(`
    insert into business (id, name, wrapped_key, created_at) values (gen_random_uuid(), 'Acme', '', now());
    insert into api_user (id, business_id, username, created_at)
      select gen_random_uuid(), id, 'eve@acme.example', now() from business;
    insert into account (id, email, name, created_at) values
      (gen_random_uuid(), 'Eve@acme.example', 'Eve', now()), (gen_random_uuid(), 'ann@acme.example', 'Ann', now());
    insert into membership (business_id, account_id, role, created_at)
      select b.id, a.id, 'admin', now() from business b, account a`)
  await run(MIGRATIONS[number] ?? "")
  const { rows } = await database.pool.query(
    "select username, account_id is not null as member from api_user order by username",
  )
  expect(rows).toEqual([
    { username: "ann@acme.example", member: true },
    { username: "eve@acme.example", member: false },
  ])
})

async function schemaOf({ pool }: OwnDatabase) {
  const { rows } = await pool.query(
    `select table_schema, table_name, column_name, data_type from information_schema.columns
      where table_schema in ('public', 'jobs') order by 1, 2, 3`,
  )
  expect(rows.length).toBeGreaterThan(100)
  return rows
}
