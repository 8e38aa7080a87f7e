import { randomUUID } from "node:crypto"
import { sql } from "kysely"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import * as own from "../testing/own-database.ts"
import type { Database, OpenDatabase, Trx } from "./database.ts"
import { findDocument } from "./documents.ts"
import { ofTheBusiness } from "./of-the-business.ts"
import { findRequest } from "./requests.ts"
import { createRead, createTransact } from "./transact.ts"

/** What is of no business: people, the service's own keys, lists and counters, and the log's tree, which is hashes. */
const OF_THE_SERVICE = [
  ...["account", "account_code", "account_credentials", "account_event", "account_passkey"],
  ...["account_recovery_code", "account_session", "account_step", "operator"],
  ...["authority", "certificate_request", "issued_certificate", "revocation_list", "service_certificate"],
  ...["day_count", "loose_blob", "migration", "rate_limit", "rate_window", "signer_key"],
  ...["log_checkpoint", "log_head", "log_key", "log_leaf", "log_tile", "log_waiting"],
  ...["trusted_list", "trusted_list_look"],
]

let bare: own.OwnDatabase
let lived: own.OwnDatabase
let server: OpenDatabase
beforeAll(async () => {
  bare = await own.createOwnDatabase({ migrated: true })
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

/** Each table with a policy, and what its rows belong to a business by: its column, or that of what it hangs on. */
async function keptTables({ db }: OpenDatabase): Promise<readonly Kept[]> {
  const { rows } = await sql<{ name: string; rule: string }>`
    select tablename as name, qual as rule from pg_policies where schemaname = 'public'`.execute(db)
  const kept = rows.map(({ name, rule }): Kept => {
    const [, parent, key, column] =
      /FROM (\w+) parent\s+WHERE \(parent\.(\w+) = \w+\.(\w+)\)/.exec(rule) ?? []
    if (parent && key && column) return { name, column, parent: { name: parent, key } }
    return { name, column: name === "business" ? "id" : "business_id" }
  })
  const depth = ({ parent }: Kept): number =>
    parent === undefined ? 0 : 1 + Math.max(...kept.filter(({ name }) => name === parent.name).map(depth))
  return kept.toSorted((a, b) => depth(a) - depth(b))
}

describe("the tables", () => {
  it("[R34] are each held to the business that asks, or are of no business", async () => {
    const { rows } = await sql<{ name: string; held: boolean }>`
      select relname as name, relrowsecurity and exists (select from pg_policy where polrelid = c.oid) as held
        from pg_class c where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace order by 1`.execute(
      bare.db,
    )
    expect(rows.filter(({ held }) => !held).map(({ name }) => name)).toEqual(OF_THE_SERVICE.toSorted())
  })

  it("[R34] show, change and give to a business what is its own, though no statement names it", async () => {
    const tables = await keptTables(bare)
    expect(tables.length).toBeGreaterThan(60)
    await emptyOfRules(bare)
    const asServer = await own.openAsServer(bare)
    try {
      // A row of ours and one of theirs in each; what hangs on another comes after it.
      const businesses = [randomUUID(), randomUUID()] as const
      const made = new Map<string, readonly [string, string]>()
      for (const { name, column, parent } of tables) {
        const [ours, theirs] = (parent && made.get(parent.name)) ?? businesses
        const key = tables.find((child) => child.parent?.name === name)?.parent?.key
        const ids = [randomUUID(), randomUUID()] as const
        made.set(name, ids)
        await insert(bare.db, name, { [column]: ours, ...(key && { [key]: ids[0] }) })
        await insert(bare.db, name, { [column]: theirs, ...(key && { [key]: ids[1] }) })
        const all = await sql`select from ${sql.table(name)}`.execute(asServer.db)
        expect(all.rows, name).toHaveLength(2)
        await ofTheBusiness(asServer.db, "write", businesses[0], (trx) =>
          isHeld(trx, { name, column, ours, theirs }),
        )
      }
    } finally {
      await asServer.close()
    }
  })
})

type Held = {
  readonly name: string
  readonly column: string
  readonly ours: string
  readonly theirs: string
}

async function isHeld(trx: Trx, { name, column, ours, theirs }: Held): Promise<void> {
  const table = sql.table(name)
  const { rows } = await sql<{ of: unknown }>`select ${sql.ref(column)} as "of" from ${table}`.execute(trx)
  // A hash comes back as bytes.
  expect(
    rows.map(({ of }) => String(of)),
    name,
  ).toEqual([ours])
  const refused = /row-level security|permission denied/
  await expect(
    tried(trx, (inner) => insert(inner, name, { [column]: theirs })),
    name,
  ).rejects.toThrow(refused)
  const given = tried(trx, (inner) => sql`update ${table} set ${sql.ref(column)} = ${theirs}`.execute(inner))
  await expect(given, name).rejects.toThrow(refused)
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

  it("[R34] leaves its connection as it found it", async () => {
    const { businessId } = await own.insertTenant(lived)
    await server.db.connection().execute(async (single) => {
      const read = createRead(single, own.plainDetails)
      const before = await countBusinesses(single)
      await read(businessId, async () => undefined)
      await expect(read(businessId, () => Promise.reject(new Error("broken")))).rejects.toThrow("broken")
      expect(await countBusinesses(single)).toBe(before)
      expect(before).toBeGreaterThan(1)
    })
  })
})

async function countBusinesses(db: Database): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*) as n from business`.execute(db)
  return rows[0]?.n ?? 0
}

/** So that a row can be of nothing but its business. */
async function emptyOfRules({ db }: OpenDatabase): Promise<void> {
  await sql`
    do $$
    declare one record;
    begin
      for one in select conrelid::regclass as name, conname from pg_constraint
          where connamespace = 'public'::regnamespace and conrelid <> 0 and contype <> 't' order by contype = 'p' loop
        execute format('alter table %s drop constraint if exists %I cascade', one.name, one.conname);
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
