import { randomUUID } from "node:crypto"
import { sql } from "kysely"
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest"
import * as own from "../testing/own-database.ts"
import { type OpenDatabase, openDatabase, type Trx } from "./database.ts"
import { later } from "./later.ts"
import { ofTheBusiness } from "./of-the-business.ts"

let database: own.OwnDatabase
/** One connection, so that each of them finds what the one before has left there. */
let single: OpenDatabase
/** Somebody else's, who sees what the server was told. */
let other: OpenDatabase
beforeAll(async () => {
  database = await own.createOwnDatabase({ migrated: true })
  single = openDatabase(database.url, { max: 1, name: "test" })
  other = openDatabase(database.url, { max: 1, name: "other" })
  await sql`create table kept (n int primary key, at timestamptz, bytes bytea, words text[], about jsonb)`.execute(
    single.db,
  )
})
beforeEach(async () => void (await sql`delete from kept`.execute(single.db)))
afterAll(async () => {
  await single?.close()
  await other?.close()
  await database?.close()
})

const write = <T>(work: (trx: Trx) => Promise<T>) => ofTheBusiness(single.db, "write", randomUUID(), work)
const keep = (trx: Trx, n: number) => sql`insert into kept (n) values (${n}) ${later}`.execute(trx)
const found = async (db = single.db) =>
  (await sql<{ n: number }>`select n from kept order by n`.execute(db)).rows.map(({ n }) => n)

it("what is said later is there for whoever asks next, in the order in which it was said", async () => {
  await write(async (trx) => {
    await keep(trx, 1)
    await keep(trx, 2)
    await sql`update kept set n = n + 10 where n = ${1} ${later}`.execute(trx)
    expect(await found(trx as unknown as OpenDatabase["db"])).toEqual([2, 11])
  })
  expect(await found()).toEqual([2, 11])
})

it("it is there after the commit that nothing was asked before", async () => {
  await write((trx) => keep(trx, 1))
  expect(await found(other.db)).toEqual([1])
})

it("what is wrong with it is told by the commit, and by the next who asks; nothing of the transaction stays", async () => {
  await write((trx) => keep(trx, 1))
  await expect(
    write(async (trx) => {
      await keep(trx, 2)
      await keep(trx, 1)
    }),
  ).rejects.toThrow("duplicate key")
  await expect(
    write(async (trx) => {
      await keep(trx, 3)
      await keep(trx, 1)
      await found(trx as unknown as OpenDatabase["db"])
    }),
  ).rejects.toThrow("duplicate key")
  expect(await found()).toEqual([1])
  await write((trx) => keep(trx, 4))
  expect(await found()).toEqual([1, 4])
})

it("it is never said where the transaction is taken back", async () => {
  await expect(
    write(async (trx) => {
      await keep(trx, 1)
      throw new Error("taken back")
    }),
  ).rejects.toThrow("taken back")
  await expect(
    write(async (trx) => {
      await found(trx as unknown as OpenDatabase["db"])
      await keep(trx, 1)
      throw new Error("taken back")
    }),
  ).rejects.toThrow("taken back")
  await write((trx) => keep(trx, 2))
  expect(await found()).toEqual([2])
})

it("who waits for a lock and reads in one message sees what the one before has written", async () => {
  await write((trx) => keep(trx, 1))
  let read: Promise<unknown> = Promise.resolve()
  await other.db.transaction().execute(async (held) => {
    await sql`update kept set words = '{}' where n = 1`.execute(held)
    read = write(async (trx) => {
      await sql`select n from kept where n = ${1} for update ${later}`.execute(trx)
      const { rows } = await sql`select k.words from kept k where n = ${1}`.execute(trx)
      return rows
    })
    await expect
      .poll(async () => (await sql`select from pg_locks where not granted`.execute(held)).rows.length)
      .toBe(1)
    await sql`update kept set words = '{changed}' where n = 1`.execute(held)
  })
  expect(await read).toEqual([{ words: ["changed"] }])
})

it("its values are written as the driver writes them", async () => {
  const at = new Date("2026-11-18T10:00:00.123Z")
  const [bytes, words, about] = [Buffer.from([0, 1, 255]), ['a "b"', "c,d", "é"], { a: [1, null] }]
  await write((trx) =>
    sql`insert into kept values (${1}, ${at}, ${bytes}, ${words}, ${about}), (${2}, ${null}, ${null}, ${[]}, ${null}) ${later}`.execute(
      trx,
    ),
  )
  expect((await sql`select * from kept order by n`.execute(single.db)).rows).toEqual([
    { n: 1, at, bytes, words, about },
    { n: 2, at: null, bytes: null, words: [], about: null },
  ])
})

it("outside of a transaction it is said at once; in one that is nobody's, too, it is said later", async () => {
  await sql`insert into kept (n) values (${7}) ${later}`.execute(single.db)
  expect(await found(other.db)).toEqual([7])
  const plainly = (n: number) =>
    single.db.transaction().execute(async (trx) => {
      await sql`insert into kept (n) values (${n}) ${later}`.execute(trx)
    })
  await expect(plainly(7)).rejects.toThrow("duplicate key")
  await plainly(8)
  expect(await found(other.db)).toEqual([7, 8])
})

it("several statements in one text are said by themselves, within the transaction all the same", async () => {
  await expect(
    single.db.transaction().execute(async (trx) => {
      await sql.raw("insert into kept (n) values (1); insert into kept (n) values (2)").execute(trx)
      throw new Error("taken back")
    }),
  ).rejects.toThrow("taken back")
  await single.db.transaction().execute(async (trx) => {
    await keep(trx, 3)
    await sql.raw("insert into kept (n) values (4); insert into kept (n) values (5);").execute(trx)
  })
  expect(await found(other.db)).toEqual([3, 4, 5])
})

it("one that the server does not understand leaves those before and behind it known", async () => {
  const broken = (trx: Trx) => sql`insert into nowhere (n) values (${1}) ${later}`.execute(trx)
  for (let n = 0; n < 2; n += 1)
    await expect(
      write(async (trx) => {
        await sql`delete from kept where n = ${n} ${later}`.execute(trx)
        await broken(trx)
        await sql`update kept set at = null where n = ${n} ${later}`.execute(trx)
      }),
    ).rejects.toThrow('relation "nowhere" does not exist')
  await write(async (trx) => {
    await keep(trx, 5)
    await sql`update kept set at = null where n = ${5} ${later}`.execute(trx)
    await sql`delete from kept where n = ${5} ${later}`.execute(trx)
  })
  expect(await found()).toEqual([])
})
