import { randomUUID } from "node:crypto"
import { sql } from "kysely"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import * as own from "../testing/own-database.ts"
import { type Database, type OpenDatabase, openDatabase, type Trx } from "./database.ts"
import { findDocument } from "./documents.ts"
import { ofTheBusiness } from "./of-the-business.ts"
import { findRequest } from "./requests.ts"
import { BY_SERVICE } from "./row-policies.ts"
import { createRead, createTransact } from "./transact.ts"

let bare: own.OwnDatabase
let lived: own.OwnDatabase
let server: OpenDatabase
let tables: readonly Filled[]
beforeAll(async () => {
  bare = await own.createOwnDatabase({ migrated: true })
  tables = await fillTables()
  lived = await own.createOwnDatabase({ migrated: true })
  server = await own.openAsServer(lived)
})
afterAll(async () => {
  await server?.close()
  await bare?.close()
  await lived?.close()
})

type Kept = {
  readonly name: string
  readonly column: string
  readonly parent?: { readonly name: string; readonly key: string }
}

/** Each table with a policy, and what its rows belong to a business by: its column, or that of the row that it refers to. */
async function keptTables({ db }: own.OwnDatabase): Promise<readonly Kept[]> {
  const { rows } = await sql<{ name: string; rule: string }>`
    select tablename as name, qual as rule from pg_policies where schemaname = 'public'`.execute(db)
  const kept = rows.map(({ name, rule }): Kept => {
    const [, parent, key, column] =
      /FROM (\w+) parent\s+WHERE \(parent\."?(\w+)"? = \w+\."?(\w+)"?\)/.exec(rule) ?? []
    if (parent && key && column) return { name, column, parent: { name: parent, key } }
    if (BY_SERVICE.includes(name)) return { name, column: "order_id" }
    return { name, column: name === "business" ? "id" : "business_id" }
  })
  const depth = ({ parent }: Kept): number =>
    parent === undefined ? 0 : 1 + Math.max(...kept.filter(({ name }) => name === parent.name).map(depth))
  return kept.toSorted((a, b) => depth(a) - depth(b))
}

type Filled = {
  readonly name: string
  readonly column: string
  readonly ours: string
  readonly theirs: string
}
const businesses = [randomUUID(), randomUUID()] as const

/** A row of either business in each; what refers to another row comes after it. */
async function fillTables(): Promise<readonly Filled[]> {
  const kept = await keptTables(bare)
  await emptyOfRules(bare)
  const made = new Map<string, readonly [string, string]>()
  const filled: Filled[] = []
  for (const { name, column, parent } of kept) {
    const [ours, theirs] = (parent && made.get(parent.name)) ?? businesses
    const key = kept.find((child) => child.parent?.name === name)?.parent?.key
    // A position in the evidence log is a number.
    const ids = key === "position" ? (["1", "2"] as const) : ([randomUUID(), randomUUID()] as const)
    made.set(name, ids)
    await insert(bare.db, name, { [column]: ours, ...(key && { [key]: ids[0] }) })
    await insert(bare.db, name, { [column]: theirs, ...(key && { [key]: ids[1] }) })
    filled.push({ name, column, ours, theirs })
  }
  // Or PostgreSQL takes tables without indexes for large ones, and compiles each statement.
  await sql`analyze`.execute(bare.db)
  return filled
}

const OF_BUSINESSES = 66
/** By a policy, or by the rights of the server's role on tables that are append-only. */
const REFUSED = /row-level security|permission denied/

describe("each table with rows of businesses", () => {
  let asServer: OpenDatabase
  beforeAll(async () => {
    asServer = await own.openAsServer(bare)
  })
  afterAll(() => asServer?.close())

  it("[B13] [R34] shows, changes and gives to a business what is its own, though no statement names it", async () => {
    expect(tables.length).toBeGreaterThanOrEqual(OF_BUSINESSES)
    for (const table of tables)
      await ofTheBusiness(asServer.db, "write", businesses[0], (trx) =>
        BY_SERVICE.includes(table.name) ? seesNothing(trx, table) : isHeld(trx, table),
      )
  })

  it("[B13] shows a business its own rows alone where its transaction sets the service scope, or begins on the service's handle", async () => {
    for (const table of tables.filter(({ name }) => !BY_SERVICE.includes(name))) {
      await ofTheBusiness(asServer.db, "write", businesses[0], async (trx) => {
        await sql`select set_config('paraph.scope', 'service', true)`.execute(trx)
        await isHeld(trx, table)
      })
      const handle = asServer.serviceDb as unknown as Database
      await ofTheBusiness(handle, "write", businesses[0], (trx) => isHeld(trx, table))
    }
  })

  it("[B13] shows no row to a connection that sets neither a business nor the service scope, and takes none from it", async () => {
    for (const table of tables) await asServer.db.transaction().execute((trx) => seesNothing(trx, table))
  })

  it("[B13] shows no row to the role that owns the schema either, and takes none from it", async () => {
    const owner = openDatabase(ownerUrl(), { max: 1, name: "paraph-test" })
    try {
      const { rows } = await sql<{ role: string; owner: string }>`
        select current_user as role, tableowner as owner from pg_tables where tablename = 'business'`.execute(
        owner.db,
      )
      expect(rows[0]?.role).toBe(rows[0]?.owner)
      for (const table of tables) await owner.db.transaction().execute((trx) => seesNothing(trx, table))
    } finally {
      await owner.close()
    }
  })

  it("[B13] shows all rows in the service scope, and no transaction or statement after it has that scope", async () => {
    const url = await own.serverUrl(bare)
    const single = openDatabase(url, { max: 1, name: "paraph-test" })
    try {
      for (const table of tables) {
        const all = sql`select from ${sql.table(table.name)}`
        expect((await all.execute(single.serviceDb)).rows, table.name).toHaveLength(2)
        const within = single.serviceDb.transaction().execute((trx) => all.execute(trx))
        expect((await within).rows, table.name).toHaveLength(2)
        expect((await all.execute(single.db)).rows, table.name).toEqual([])
      }
      const failing = sql`select 1 / ${0}::int`
      await expect(failing.execute(single.serviceDb)).rejects.toThrow("division by zero")
      expect(await countBusinesses(single.db)).toBe(0)
    } finally {
      await single.close()
    }
  })
})

/** The address of the owner as an operator has it, without the scope that the tests of this package add. */
const ownerUrl = (): string => {
  const url = new URL(bare.url)
  url.search = ""
  return url.href
}

async function seesNothing(trx: Trx, { name, column, ours, theirs }: Filled): Promise<void> {
  const table = sql.table(name)
  expect((await sql`select from ${table}`.execute(trx)).rows, name).toEqual([])
  for (const of of [ours, theirs])
    await expect(
      tried(trx, (inner) => insert(inner, name, { [column]: of })),
      name,
    ).rejects.toThrow(REFUSED)
  for (const act of [sql`update ${table} set ${sql.ref(column)} = ${theirs}`, sql`delete from ${table}`]) {
    const done = await tried(trx, (inner) => act.execute(inner)).catch((error: Error) => error)
    if (done instanceof Error) expect(done.message, name).toMatch(/permission denied/)
    else expect(done.numAffectedRows, name).toBe(0n)
  }
}

async function isHeld(trx: Trx, { name, column, ours, theirs }: Filled): Promise<void> {
  const table = sql.table(name)
  const { rows } = await sql<{ of: unknown }>`select ${sql.ref(column)} as "of" from ${table}`.execute(trx)
  // A hash comes back as bytes.
  expect(
    rows.map(({ of }) => String(of)),
    name,
  ).toEqual([ours])
  // An entry waits for the log with the statement that inserts its evidence, so that only its foreign key can be asked (row-policies.ts).
  if (name !== "log_waiting")
    await expect(
      tried(trx, (inner) => insert(inner, name, { [column]: theirs })),
      name,
    ).rejects.toThrow(REFUSED)
  const given = tried(trx, (inner) => sql`update ${table} set ${sql.ref(column)} = ${theirs}`.execute(inner))
  await expect(given, name).rejects.toThrow(REFUSED)
  const removed = await tried(trx, (inner) => sql`delete from ${table}`.execute(inner)).catch(
    (error: Error) => error,
  )
  // Of what is append-only nobody removes anything, whose ever it is.
  if (removed instanceof Error) expect(removed.message, name).toMatch(/permission denied/)
  else expect(removed.numAffectedRows, name).toBe(1n)
}

/** A refused statement would end the transaction around it. */
async function tried<T>(trx: Trx, work: (inner: Trx) => Promise<T>): Promise<T> {
  await sql`savepoint before`.execute(trx)
  return work(trx).finally(() => sql`rollback to before`.execute(trx))
}

const insert = (db: Database | Trx, table: string, row: Readonly<Record<string, string>>) =>
  sql`insert into ${sql.table(table)} (${sql.join(Object.keys(row).map((name) => sql.ref(name)))})
    values (${sql.join(Object.values(row))})`.execute(db)

describe("a transaction of one business", () => {
  it("[R34] finds nothing of another by the queries of the product either, where these are given the other's id", async () => {
    const [ours, theirs] = [await own.insertTenant(lived), await own.insertTenant(lived)]
    const enqueue = async () => undefined
    const transact = createTransact({ db: server.db, enqueue, sealer: own.plainDetails })
    const document = await own.storedDocument(lived, theirs)
    const request = own.sampleRequest(theirs, [document], 2)
    await transact(theirs.businessId, async (tx) => {
      await tx.insertDocument(document)
      await tx.insertRequest(request)
    })
    const asked = (inTheNameOf: string) =>
      ofTheBusiness(server.db, "write", inTheNameOf, async (trx) => [
        await findDocument(trx, own.plainDetails, theirs.businessId, document.id),
        await findRequest(trx, theirs.businessId, request.id, true),
      ])
    expect(await asked(theirs.businessId)).toEqual([document, request])
    expect(await asked(ours.businessId)).toEqual([null, null])
  })

  it("[B13] [R34] leaves its connection as it found it: without a business, it sees none", async () => {
    const { businessId } = await own.insertTenant(lived)
    await server.db.connection().execute(async (single) => {
      const read = createRead(single, own.plainDetails)
      expect(await countBusinesses(single)).toBe(0)
      expect(await ofTheBusiness(single, "read", businessId, countBusinesses)).toBe(1)
      await read(businessId, async () => undefined)
      await expect(read(businessId, () => Promise.reject(new Error("broken")))).rejects.toThrow("broken")
      expect(await countBusinesses(single)).toBe(0)
    })
  })
})

async function countBusinesses(db: Database): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*) as n from business`.execute(db)
  return rows[0]?.n ?? 0
}

/** So that a row can be of nothing but its business. */
async function emptyOfRules({ db }: own.OwnDatabase): Promise<void> {
  await sql`
    do $$
    declare one record;
    begin
      for one in select conrelid::regclass as name, conname from pg_constraint
          where connamespace = 'public'::regnamespace and conrelid <> 0 and contype <> 't' order by contype = 'p' loop
        execute format('alter table %s drop constraint if exists %I cascade', one.name, one.conname);
      end loop;
      for one in select attrelid::regclass as name, attname from pg_attribute join pg_class c on c.oid = attrelid
          where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace and attname = 'position' and attidentity <> '' loop
        execute format('alter table %s alter column %I drop identity', one.name, one.attname);
      end loop;
      for one in select attrelid::regclass as name, attname from pg_attribute join pg_class c on c.oid = attrelid
          where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace and attnum > 0 and attnotnull
            and attidentity = '' and not attisdropped loop
        execute format('alter table %s alter column %I drop not null', one.name, one.attname);
      end loop;
      for one in select oid::regclass as name from pg_class
          where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace loop
        execute format('alter table %s disable trigger user', one.name);
      end loop;
    end $$`.execute(db)
}
