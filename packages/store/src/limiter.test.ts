import { afterAll, beforeAll, expect, it } from "vitest"
import { createLimiter, type Limiter } from "./limiter.ts"
import { openDatabase } from "./postgres/database.ts"
import { createOwnDatabase, type OwnDatabase } from "./testing/own-database.ts"

let database: OwnDatabase

beforeAll(async () => {
  database = await createOwnDatabase({ migrated: true })
})

afterAll(() => database?.close())

const wait = async (limiter: Limiter, key: string) => (await limiter(key)).retryAfterSeconds
const tenAMinute = { name: "login", points: 10, durationSeconds: 60 }

it("lets exactly as many through as it says, of 50 at once", async () => {
  const limiter = createLimiter(database.pool, tenAMinute)
  const spent = await Promise.all(Array.from({ length: 50 }, () => limiter("ann")))
  const waits = spent.map(({ retryAfterSeconds }) => retryAfterSeconds)
  expect(new Set(spent.map(({ limit }) => limit))).toEqual(new Set([10]))
  expect(new Set(spent.map(({ remaining }) => remaining))).toEqual(new Set([9, 8, 7, 6, 5, 4, 3, 2, 1, 0]))
  expect(waits.filter((seconds) => seconds === 0)).toHaveLength(10)
  for (const seconds of waits.filter((wait) => wait !== 0)) {
    expect(seconds).toBeGreaterThanOrEqual(1)
    expect(seconds).toBeLessThanOrEqual(60)
  }
})

it("[R11] counts together what two processes let through, and goes on after a restart", async () => {
  const other = openDatabase(database.url, { max: 5, name: "another process" })
  try {
    const [one, two] = [createLimiter(database.pool, tenAMinute), createLimiter(other.pool, tenAMinute)]
    const waits = await Promise.all(
      Array.from({ length: 9 }, (_, index) => wait(index % 2 ? one : two, "bob")),
    )
    expect(waits).toEqual(Array(9).fill(0))
    const restarted = createLimiter(other.pool, tenAMinute)
    expect(await wait(restarted, "bob")).toBe(0)
    expect(await wait(restarted, "bob")).toBeGreaterThan(0)
  } finally {
    await other.close()
  }
})

it("counts each key and each limit on its own", async () => {
  const login = createLimiter(database.pool, { ...tenAMinute, points: 1 })
  const other = createLimiter(database.pool, { ...tenAMinute, name: "other", points: 1 })
  expect([await wait(login, "carl"), await wait(login, "dora"), await wait(other, "carl")]).toEqual([0, 0, 0])
  expect(await wait(login, "carl")).toBeGreaterThan(0)
})
