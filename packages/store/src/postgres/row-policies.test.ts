import { sql } from "kysely"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import * as own from "../testing/own-database.ts"
import type { Database, Trx } from "./database.ts"
import { BY_SERVICE, holdRows } from "./row-policies.ts"

/** Tables without rows of a business: people, the service's own keys, lists and counters, and the log's tree, which is hashes. */
const OF_THE_SERVICE = [
  // Of operators, who act for no business.
  "factor_reset",
  ...["account", "account_code", "account_credentials", "account_event", "account_identified_name"],
  "account_passkey",
  ...["account_recovery_code", "operator"],
  ...["authority", "revocation_list", "service_certificate"],
  ...["day_count", "loose_blob", "migration", "rate_limit", "rate_window", "signer_key"],
  ...["log_checkpoint", "log_head", "log_key", "log_tile"],
  ...["trusted_list", "trusted_list_look"],
]

let database: own.OwnDatabase
beforeAll(async () => {
  database = await own.createOwnDatabase({ migrated: true })
})
afterAll(() => database?.close())

type Table = {
  readonly name: string
  /** Has a column that names a business, or a foreign key to a table that has. */
  readonly ofBusinesses: boolean
  readonly enabled: boolean
  readonly forced: boolean
  readonly policies: readonly { readonly as: string; readonly for: string; readonly using: string }[]
}

/** As the catalog of PostgreSQL has them, and not as this code lists them. */
async function tablesOf(db: Database | Trx): Promise<readonly Table[]> {
  const { rows } = await sql<Table>`
    with recursive own as (
      select oid, relname, relrowsecurity, relforcerowsecurity from pg_class
       where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace),
    of_business as (
      select 'business'::regclass::oid as oid
      union select attrelid from pg_attribute join own on own.oid = attrelid
       where attname ~ '(^|_)business_id$' and not attisdropped
      union select conrelid from pg_constraint join of_business on confrelid = of_business.oid where contype = 'f')
    select relname as name, oid in (select oid from of_business) as "ofBusinesses", relrowsecurity as enabled,
           relforcerowsecurity as forced,
           coalesce((select json_agg(json_build_object('as', permissive, 'for', cmd, 'using', qual)) from pg_policies
                      where schemaname = 'public' and tablename = relname and roles = '{public}'), '[]') as policies
      from own order by relname`.execute(db)
  return rows
}

const SERVICE = String.raw`\(access_scope\(\) = 'service'::text\)`
const BUSINESS = String.raw`\((business_id|id) = asked_business\(\)\)`
const PARENT = String.raw`\(EXISTS \( SELECT\s+FROM \w+ parent\s+WHERE \(parent\."?\w+"? = \w+\."?\w+"?\)\)\)`
const CLOSED = new RegExp(`^(${SERVICE}|\\(${BUSINESS} OR ${SERVICE}\\)|\\(${SERVICE} OR ${PARENT}\\))$`)

/** One policy alone: PostgreSQL shows what any permissive policy shows. */
const isClosed = ({ enabled, forced, policies }: Table): boolean =>
  enabled &&
  forced &&
  policies.length === 1 &&
  policies.every((policy) => policy.for === "ALL" && CLOSED.test(policy.using))

const open = (tables: readonly Table[]) =>
  tables.filter((table) => table.ofBusinesses && !isClosed(table)).map(({ name }) => name)

describe("the catalog of PostgreSQL", () => {
  it("[B13] [R34] has row-level security, forced on the owner too, on each table with rows of a business", async () => {
    const tables = await tablesOf(database.db)
    expect(open(tables)).toEqual([])
    expect(tables.filter((table) => BY_SERVICE.includes(table.name) && !isClosed(table))).toEqual([])
    // A new table is in neither list, so its author has to decide which of them it belongs to.
    const others = tables.filter(({ name, ofBusinesses }) => !ofBusinesses && !BY_SERVICE.includes(name))
    expect(others.map(({ name }) => name)).toEqual(OF_THE_SERVICE.toSorted())
    expect(tables.filter(({ ofBusinesses }) => ofBusinesses).length).toBeGreaterThan(60)
  })

  it.each([
    ["a new table of a business", "create table new (business_id uuid)", "new"],
    ["one that has it in another column", "create table new (sso_business_id uuid)", "new"],
    ["one that refers to a table of a business", "create table new (id uuid references signature)", "new"],
    ["a table that the owner is exempt from", "alter table document no force row level security", "document"],
    ["a table whose policies are off", "alter table document disable row level security", "document"],
    ["a table with a second policy", "create policy open on document using (true)", "document"],
    ["a table with another policy", "alter policy of_the_business on document using (true)", "document"],
  ])("[B13] names %s", async (_, change, name) => {
    const undo = new Error("undo")
    let found: readonly string[] = []
    const changed = database.db.transaction().execute(async (trx) => {
      await sql.raw(change).execute(trx)
      found = open(await tablesOf(trx))
      throw undo
    })
    await expect(changed).rejects.toBe(undo)
    expect(found).toEqual([name])
  })

  it("[B13] has again what was changed by hand, once migrate has run", async () => {
    await sql`alter table document no force row level security`.execute(database.db)
    await sql`alter table signature disable row level security`.execute(database.db)
    expect(open(await tablesOf(database.db))).toEqual(["document", "signature"])
    await holdRows(database.url)
    expect(open(await tablesOf(database.db))).toEqual([])
  })
})
