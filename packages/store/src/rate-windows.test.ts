import { sql } from "kysely"
import { afterAll, afterEach, beforeAll, expect, it } from "vitest"
import { openDatabase, type ServiceDatabase } from "./postgres/database.ts"
import { removeOldWindows } from "./postgres/rate-windows.ts"
import { createRateWindows, type RateWindows } from "./rate-windows.ts"
import { createOwnDatabase, NOW, type OwnDatabase } from "./testing/own-database.ts"

let database: OwnDatabase
let ms = NOW.getTime()
const started: RateWindows[] = []
const NEVER_BY_ITSELF = 1_000_000_000

beforeAll(async () => {
  database = await createOwnDatabase({ migrated: true })
})
afterEach(async () => {
  for (const windows of started.splice(0)) await windows.stop()
})
afterAll(() => database?.close())

const start = (db: ServiceDatabase = database.db) => {
  const windows = createRateWindows(db, () => new Date(ms), NEVER_BY_ITSELF)
  started.push(windows)
  return windows
}
const TEN = { name: "writes", points: 10 }
const times = (windows: RateWindows, count: number, key: string) =>
  Array.from({ length: count }, () => windows.spend(TEN, key)).filter((s) => s.retryAfterSeconds === 0).length

it("lets exactly as many through as it says, tells how many are left, and begins anew with the window", () => {
  const windows = start()
  const first = windows.spend(TEN, "ann")
  expect(first).toMatchObject({ limit: 10, remaining: 9, retryAfterSeconds: 0 })
  expect(times(windows, 50, "ann")).toBe(9)
  const refused = windows.spend(TEN, "ann")
  expect(refused).toMatchObject({ limit: 10, remaining: 0, retryAfterSeconds: refused.resetSeconds })
  expect(refused.resetSeconds).toBeGreaterThanOrEqual(1)
  expect(refused.resetSeconds).toBeLessThanOrEqual(60)
  ms += refused.resetSeconds * 1000
  expect(windows.spend(TEN, "ann")).toMatchObject({ remaining: 9, retryAfterSeconds: 0 })
})

it("counts together what two processes let through, as soon as they have told each other", async () => {
  const [one, other] = [start(), start()]
  expect([times(one, 6, "bob"), times(other, 3, "bob")]).toEqual([6, 3])
  await one.sync()
  await other.sync()
  expect(times(other, 5, "bob")).toBe(1)
  await other.sync()
  // The one has not heard of the last: it lets through what it knows to be left, and then no more.
  expect(times(one, 5, "bob")).toBe(4)
  await one.sync()
  expect([times(one, 5, "bob"), times(other, 5, "bob")]).toEqual([0, 0])
})

it("[R11] is told to a process that is started anew with its first count", async () => {
  const before = start()
  times(before, 10, "carl")
  await before.stop()
  const after = start()
  expect(times(after, 1, "carl")).toBe(1)
  await after.sync()
  expect(times(after, 1, "carl")).toBe(0)
})

it("counts each key and each limit on its own, and writes down no name", async () => {
  const windows = start()
  const other = { name: "reads", points: 1 }
  expect(times(windows, 10, "dora@example.org")).toBe(10)
  expect(windows.spend(other, "dora@example.org").retryAfterSeconds).toBe(0)
  expect(times(windows, 10, "emil")).toBe(10)
  await windows.sync()
  const { rows } = await sql`select encode(key, 'escape') as key from rate_window`.execute(database.db)
  expect(rows.length).toBeGreaterThan(2)
  expect(JSON.stringify(rows)).not.toMatch(/dora|emil/)
})

it("goes on by itself while the database is away, and tells what it counted when it is back", async () => {
  const away = openDatabase("postgresql://localhost:1/nowhere", { max: 1, name: "away" })
  const windows = start(away.serviceDb)
  expect(times(windows, 50, "frida")).toBe(10)
  await windows.sync()
  expect(times(windows, 50, "frida")).toBe(0)
  await away.close()
})

it("no row of a window that has ended is kept for long", async () => {
  const windows = start()
  times(windows, 1, "gina")
  await windows.sync()
  expect(await removeOldWindows(database.db, new Date(ms - 3_600_000), 1000)).toBe(0)
  expect(await removeOldWindows(database.db, new Date(ms + 3_600_000), 1000)).toBeGreaterThan(0)
})

it("[B10] a limit that slides gives no second share at the end of a window", () => {
  const windows = start()
  const spend = (uses: number, sliding: boolean, key: string) =>
    Array.from({ length: uses }, () => windows.spend({ ...TEN, sliding }, key)).filter(
      (s) => s.retryAfterSeconds === 0,
    ).length
  const untilEnd = (key: string) => windows.spend({ ...TEN, sliding: true }, key, 0).resetSeconds * 1000
  for (const [sliding, second] of [
    [false, 10],
    [true, 0],
  ] as const) {
    const key = `hanna ${sliding}`
    ms += untilEnd(key) + 59_000
    expect(spend(20, sliding, key)).toBe(10)
    ms += 1100
    expect(spend(20, sliding, key)).toBe(second)
  }
})

it("[B10] a limit that slides frees its points one by one, and says when", async () => {
  const windows = start()
  const sliding = { ...TEN, sliding: true }
  const spend = (uses = 1) => windows.spend(sliding, "ines", uses)
  ms += spend(0).resetSeconds * 1000
  expect(spend(10).retryAfterSeconds).toBe(0)
  for (const uses of [1, 5, 4]) {
    const { retryAfterSeconds } = spend(uses)
    expect(retryAfterSeconds).toBeGreaterThan(0)
    ms += (retryAfterSeconds - 2) * 1000
    expect(spend(uses).retryAfterSeconds).toBeGreaterThan(0)
    ms += 3000
    await windows.sync()
    expect(spend(uses).retryAfterSeconds).toBe(0)
  }
  // What lies two windows back counts no more.
  ms += 121_000
  expect(spend(10).retryAfterSeconds).toBe(0)
})

it("[B10] a window may be a day", async () => {
  const windows = start()
  const daily = { ...TEN, windowMs: 86_400_000 }
  const { resetSeconds } = windows.spend(daily, "jan", 10)
  ms += Math.min(resetSeconds - 1, 3600) * 1000
  await windows.sync()
  expect(windows.spend(daily, "jan").retryAfterSeconds).toBeGreaterThan(0)
  ms += resetSeconds * 1000
  expect(windows.spend(daily, "jan").retryAfterSeconds).toBe(0)
})
