import { once } from "node:events"
import { type AddressInfo, createServer, type Socket } from "node:net"
import { sql } from "kysely"
import { afterAll, beforeAll, expect, it } from "vitest"
import * as own from "../testing/own-database.ts"
import { openDatabase } from "./database.ts"

let database: own.OwnDatabase
beforeAll(async () => {
  database = await own.createOwnDatabase({ migrated: false })
})
afterAll(() => database?.close())

/** As a machine that is moved, or frozen for a snapshot: nothing of this process goes on, and its clocks do. */
const standStill = (ms: number) => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)

it("who connects, waits for a connection or commits while the machine stands still is served when it goes on", async () => {
  const single = openDatabase(database.url, { max: 1, name: "test" })
  const one = sql<{ one: number }>`select 1 as one`
  const connecting = one.execute(database.db)
  const trx = await single.db.startTransaction().execute()
  const waiting = one.execute(single.db)
  await sql`create table kept (id int)`.execute(trx)
  const committing = trx.commit().execute()
  standStill(5_600)
  expect((await connecting).rows).toEqual([{ one: 1 }])
  await committing
  expect((await waiting).rows).toEqual([{ one: 1 }])
  expect((await sql`select id from kept`.execute(single.db)).rows).toEqual([])
  await single.close()
})

it("a database that does not answer is given up after five seconds, also by who is busy meanwhile", async () => {
  const sockets: Socket[] = []
  const silent = createServer((socket) => void sockets.push(socket)).listen(0, "127.0.0.1")
  await once(silent, "listening")
  const { port } = silent.address() as AddressInfo
  const { db, close } = openDatabase(`postgres://a:b@127.0.0.1:${port}/c`, { max: 1, name: "test" })
  const busy = setInterval(() => standStill(200), 250)
  const begun = performance.now()
  await expect(sql`select 1`.execute(db)).rejects.toThrow("timeout")
  const tookMs = performance.now() - begun
  clearInterval(busy)
  expect(tookMs).toBeGreaterThan(4_900)
  // Twice that would be a second attempt.
  expect(tookMs).toBeLessThan(9_800)
  await close()
  for (const socket of sockets) socket.destroy()
  silent.close()
})
