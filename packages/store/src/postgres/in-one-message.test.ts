import { randomUUID } from "node:crypto"
import type { EventEmitter } from "node:events"
import { sql } from "kysely"
import { afterAll, beforeAll, expect, it } from "vitest"
import * as own from "../testing/own-database.ts"
import { type Database, type OpenDatabase, openDatabase, type ServiceDatabase, type Trx } from "./database.ts"
import { named } from "./named.ts"
import { ofTheBusiness } from "./of-the-business.ts"

let database: own.OwnDatabase
/** One connection, so that each of them finds what the one before has left there. */
let single: OpenDatabase
beforeAll(async () => {
  database = await own.createOwnDatabase({ migrated: true })
  single = openDatabase(database.url, { max: 1, name: "test" })
})
afterAll(async () => {
  await single?.close()
  await database?.close()
})

const business = randomUUID()
const read = <T>(work: (trx: Trx) => Promise<T>) => ofTheBusiness(single.db, "read", business, work)
const write = <T>(work: (trx: Trx) => Promise<T>) => ofTheBusiness(single.db, "write", business, work)
const seen = named(
  "test-seen",
  sql<{ asked: string | null; isolation: string; only: string }>`
    select asked_business() as asked, current_setting('transaction_isolation') as isolation,
           current_setting('transaction_read_only') as only`,
)
const nobody = async () => (await seen.execute(single.db)).rows[0]?.asked

it("the first statement of a transaction is in the name of its business already, and in a transaction of its kind", async () => {
  for (let n = 0; n < 3; n += 1) {
    expect((await read((trx) => seen.execute(trx))).rows).toEqual([
      { asked: business, isolation: "repeatable read", only: "on" },
    ])
    expect((await write((trx) => seen.execute(trx))).rows).toEqual([
      { asked: business, isolation: "read committed", only: "off" },
    ])
    expect(await nobody()).toBeNull()
  }
})

it("its second statement is, too, and with parameters or without", async () => {
  const both = await read(async (trx) => {
    await sql`select ${1}::int`.execute(trx)
    return [await seen.execute(trx), await sql<{ n: number }>`select ${2}::int as n`.execute(trx)]
  })
  expect(both.map(({ rows }) => rows[0])).toMatchObject([{ asked: business }, { n: 2 }])
})

it("a first statement that fails leaves nothing behind, and what was planned before it is known", async () => {
  await expect(write((trx) => sql`select 1 / ${0}::int`.execute(trx))).rejects.toThrow("division by zero")
  await expect(
    write((trx) => named("test-broken", sql`select nothing from nowhere`).execute(trx)),
  ).rejects.toThrow("does not exist")
  await expect(
    write((trx) => named("test-broken", sql`select nothing from nowhere`).execute(trx)),
  ).rejects.toThrow('relation "nowhere" does not exist')
  await expect(
    write((trx) => named("test-fails", sql`select 1 / ${0}::int as n`).execute(trx)),
  ).rejects.toThrow("division by zero")
  const again = await write((trx) => named("test-fails", sql`select 1 / ${1}::int as n`).execute(trx))
  expect(again.rows).toEqual([{ n: 1 }])
  expect(await nobody()).toBeNull()
})

it("one that asks for nothing is never begun, also where it fails by itself", async () => {
  expect(await read(async () => "nothing")).toBe("nothing")
  await expect(write(() => Promise.reject(new Error("by itself")))).rejects.toThrow("by itself")
  expect(await nobody()).toBeNull()
})

it("one question alone is in the name of its business without a transaction around it, and there is no second one", async () => {
  const once = <T>(work: (trx: Trx) => Promise<T>) => ofTheBusiness(single.db, "once", business, work)
  for (let n = 0; n < 3; n += 1) {
    expect((await once((trx) => seen.execute(trx))).rows).toMatchObject([{ asked: business }])
    expect(await nobody()).toBeNull()
  }
  await expect(
    once(async (trx) => {
      await seen.execute(trx)
      await seen.execute(trx)
    }),
  ).rejects.toThrow("one question alone")
  expect(await nobody()).toBeNull()
  await expect(once((trx) => sql`select 1 / ${0}::int`.execute(trx))).rejects.toThrow("division by zero")
  expect(await once(async () => "nothing")).toBe("nothing")
  expect(await nobody()).toBeNull()
  expect((await write((trx) => seen.execute(trx))).rows).toMatchObject([{ asked: business, only: "off" }])
})

it("what is written in it is there after it, and gone where it was taken back", async () => {
  await sql`create table if not exists kept (n int)`.execute(single.db)
  await write((trx) => sql`insert into kept values (${1})`.execute(trx))
  await expect(
    write(async (trx) => {
      await sql`insert into kept values (${2})`.execute(trx)
      throw new Error("taken back")
    }),
  ).rejects.toThrow("taken back")
  expect((await sql`select n from kept`.execute(single.db)).rows).toEqual([{ n: 1 }])
})

it("[B13] the service scope takes no round trip of its own, for a statement or a transaction, and ends with it", async () => {
  const alone = openDatabase(await own.serverUrl(database), { max: 1, name: "test" })
  const client = await alone.pool.connect()
  let roundTrips = 0
  const { connection } = client as unknown as { connection: EventEmitter }
  const count = () => {
    roundTrips += 1
  }
  connection.on("readyForQuery", count)
  client.release()
  const scope = sql<{
    scope: string | null
  }>`select nullif(current_setting('paraph.scope', true), '') as scope`
  const scopeOf = async (db: ServiceDatabase | Database | Trx) => (await scope.execute(db)).rows[0]?.scope
  const { db, serviceDb } = alone
  expect([await scopeOf(serviceDb), await scopeOf(db), roundTrips]).toEqual(["service", null, 2])
  const both = async (trx: Trx) => [await scopeOf(trx), await scopeOf(trx)]
  expect(await serviceDb.transaction().execute(both)).toEqual(["service", "service"])
  // Two statements, the first together with the beginning, and the commit.
  expect([await scopeOf(db), roundTrips]).toEqual([null, 6])
  const snapshot = serviceDb.transaction().setIsolationLevel("repeatable read").setAccessMode("read only")
  expect([await snapshot.execute(both), await scopeOf(db), roundTrips]).toEqual([
    ["service", "service"],
    null,
    10,
  ])
  expect([
    await ofTheBusiness(db, "read", business, scopeOf),
    await ofTheBusiness(db, "once", business, scopeOf),
  ]).toEqual([null, null])
  await alone.close()
})
