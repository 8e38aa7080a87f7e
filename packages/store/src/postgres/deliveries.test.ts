import { randomUUID } from "node:crypto"
import type { Claimed, NewCallback } from "@paraph/core/delivery/model"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import * as own from "../testing/own-database.ts"
import { rowsRead } from "../testing/rows-read.ts"
import { callbacksOf, replayCallback } from "./callbacks.ts"
import { openDatabase } from "./database.ts"
import * as deliveries from "./deliveries.ts"

let database: own.OwnDatabase
let tenant: own.Tenant
const at = (seconds: number) => new Date(own.NOW.getTime() + seconds * 1000)

beforeAll(async () => {
  database = await own.createOwnDatabase({ migrated: true })
  tenant = await own.insertTenant(database)
})
beforeEach(() => database.pool.query("delete from delivery"))
afterAll(() => database?.close())

const owed = (more: Partial<NewCallback> = {}): NewCallback => ({
  id: randomUUID(),
  businessId: tenant.businessId,
  kind: "demo",
  readers: ["ann"],
  requestId: randomUUID(),
  type: "update",
  template: "https://a.example/",
  url: "https://a.example/",
  at: own.NOW,
  ...more,
})

const owe = async (callback: NewCallback): Promise<string> => {
  await database.db.transaction().execute((trx) => deliveries.insertCallback(trx, callback))
  return callback.id
}

const claim = (more: Partial<deliveries.Claim> = {}): Promise<readonly Claimed[]> =>
  deliveries.claimDeliveries(database.db, {
    ...{ retry: false, limit: 100, limits: { production: 100, demo: 100 }, share: 100, busy: new Map() },
    ...{ after: { production: null, demo: null } },
    ...{ claim: randomUUID(), leaseUntil: at(15), now: own.NOW, ...more },
  })

const ids = (claimed: readonly Claimed[]) => claimed.map(({ id }) => id)
const done = (claimed: Claimed | undefined, state: "COMPLETED" | "RESIGNED" = "COMPLETED", seconds = 0) => {
  if (claimed === undefined) throw new Error("Nothing was claimed.")
  return deliveries.recordAttempt(database.db, claimed, { message: "m", at: at(seconds), next: { state } })
}

describe("the order of calls", () => {
  it("of one request and URL is kept: the second is claimed when the first is over, done or given up", async () => {
    const requestId = randomUUID()
    const line = []
    for (let n = 0; n < 3; n += 1) line.push(await owe(owed({ requestId })))
    for (const [index, state] of (["COMPLETED", "RESIGNED", "COMPLETED"] as const).entries()) {
      const claimed = await claim()
      expect(ids(claimed)).toEqual([line[index]])
      expect(await claim()).toEqual([])
      expect(await done(claimed[0], state)).toBe(true)
    }
    expect(await claim({ now: at(1000) })).toEqual([])
  })

  it("is not kept between two URLs, nor between two requests", async () => {
    const requestId = randomUUID()
    const all = [
      await owe(owed({ requestId })),
      await owe(owed({ requestId, template: "https://b.example/" })),
      await owe(owed()),
    ]
    expect(ids(await claim()).toSorted()).toEqual(all.toSorted())
  })

  it("is kept over a pause: one that failed is still before those behind it", async () => {
    const requestId = randomUUID()
    const first = await owe(owed({ requestId }))
    await owe(owed({ requestId }))
    const [claimed] = await claim()
    if (claimed === undefined) throw new Error("Nothing was claimed.")
    const next = { state: "OPEN", dueAt: at(60) } as const
    await deliveries.recordAttempt(database.db, claimed, { message: "answered 500", at: own.NOW, next })
    expect([await claim(), await claim({ retry: true, now: at(59) })]).toEqual([[], []])
    const again = await claim({ retry: true, now: at(60) })
    expect(again).toMatchObject([{ id: first, attempts: 1, retry: true }])
  })

  it("loses nobody where one is added in the moment in which the one before it is done", async () => {
    const requestId = randomUUID()
    await owe(owed({ requestId }))
    for (let round = 0; round < 50; round += 1) {
      const [head] = await claim()
      const [next] = await Promise.all([owe(owed({ requestId })), done(head)])
      const { rows } = await database.pool.query(
        "select due_at < 'infinity' as due from delivery where id = $1",
        [next],
      )
      expect(rows).toEqual([{ due: true }])
    }
  })
})

describe("a claim", () => {
  it("sees nothing before the transaction that owes it has ended", async () => {
    const callback = owed()
    await database.db.transaction().execute(async (trx) => {
      await deliveries.insertCallback(trx, callback)
      expect(await claim()).toEqual([])
    })
    expect(ids(await claim())).toEqual([callback.id])
  })

  it("gives each call to one worker, however many ask", async () => {
    const all = []
    for (let n = 0; n < 40; n += 1) all.push(await owe(owed()))
    const rounds = await Promise.all(Array.from({ length: 20 }, () => claim({ limit: 4 })))
    const given = rounds.flatMap(ids)
    expect(new Set(given).size).toBe(given.length)
    for (let rest = await claim(); rest.length > 0; rest = await claim()) given.push(...ids(rest))
    expect(given.toSorted()).toEqual(all.toSorted())
  })

  it("ends with its lease; whoever comes back too late changes nothing", async () => {
    const id = await owe(owed())
    const [lost] = await claim()
    expect(await claim({ now: at(14) })).toEqual([])
    const [taken] = await claim({ now: at(15), leaseUntil: at(30) })
    expect(taken?.id).toBe(id)
    expect(await done(lost)).toBe(false)
    expect(await done(taken)).toBe(true)
  })

  it("that is extended keeps others away", async () => {
    const id = await owe(owed())
    const mine = randomUUID()
    await claim({ claim: mine })
    await deliveries.extendClaims(database.db, mine, [id], at(100))
    expect(await claim({ now: at(99) })).toEqual([])
    expect(ids(await claim({ now: at(100) }))).toEqual([id])
  })

  it("made by a clock that was days ahead is brought forward; a pause, and whoever waits in a line, stay", async () => {
    const [days, requestId] = [5 * 86_400, randomUUID()]
    const fromTheFuture = await owe(owed({ at: at(days) }))
    const paused = await owe(owed({ at: at(3_600) }))
    const first = await owe(owed({ requestId }))
    await owe(owed({ requestId }))
    expect(ids(await claim())).toEqual([first])
    expect(await deliveries.bringForward(database.db, own.NOW)).toBe(1)
    expect(ids(await claim())).toEqual([fromTheFuture])
    expect(ids(await claim({ now: at(3_600) }))).toContain(paused)
  })

  it("gives a business its share and no more, and goes round", async () => {
    const others = [await own.insertTenant(database), await own.insertTenant(database)]
    for (const { businessId } of [tenant, ...others])
      for (let n = 0; n < 10; n += 1) await owe(owed({ businessId }))
    const busy = new Map([[tenant.businessId, 3]])
    const claimed = await claim({ share: 4, busy })
    const of = (businessId: string) => claimed.filter((c) => c.businessId === businessId).length
    expect([tenant, ...others].map((t) => of(t.businessId))).toEqual([1, 4, 4])
    const sorted = [tenant, ...others].map((t) => t.businessId).toSorted()
    const next = await claim({ limit: 4, after: { production: null, demo: sorted[0] ?? null } })
    expect(new Set(next.map((c) => c.businessId))).toEqual(new Set([sorted[1]]))
  })
})

describe("a claim beside a flood", () => {
  const none = { production: 0, demo: 0 }
  const of = (claimed: readonly Claimed[], kind: Claimed["kind"]) => claimed.filter((c) => c.kind === kind)

  it("[B5] takes calls of production first, and leaves those of demo their part and no more", async () => {
    const other = await own.insertTenant(database)
    for (let n = 0; n < 20; n += 1) await owe(owed())
    for (let n = 0; n < 20; n += 1) await owe(owed({ businessId: other.businessId, kind: "production" }))
    const claimed = await claim({ limit: 4, limits: { production: 3, demo: 2 } })
    expect([of(claimed, "production").length, of(claimed, "demo").length]).toEqual([3, 1])
    const rest = await claim({ limit: 10, limits: { production: 3, demo: 2 } })
    expect([of(rest, "production").length, of(rest, "demo").length]).toEqual([3, 2])
    expect(await claim({ limits: none })).toEqual([])
  })

  it("[B5] reads nothing of the 10,000 calls of one business for those of another", async () => {
    const [flood, other] = [await own.insertTenant(database), await own.insertTenant(database)]
    const single = openDatabase(database.url, { max: 1, name: "test" })
    const busy = new Map([[flood.businessId, 16]])
    const asked = { retry: false, limit: 8, limits: { production: 8, demo: 8 }, share: 16, busy }
    const times = { claim: randomUUID(), leaseUntil: at(15), now: own.NOW }
    const after = { production: null, demo: null }
    const once = () => deliveries.claimDeliveries(single.serviceDb, { ...asked, ...times, after })
    try {
      await database.pool.query(OWED_BY_ONE, [flood.businessId, own.NOW])
      const calls = [
        await owe(owed({ businessId: other.businessId, kind: "production" })),
        await owe(owed({ businessId: other.businessId })),
      ]
      const before = await rowsRead(single.db, "delivery")
      expect(ids(await once()).toSorted()).toEqual(calls.toSorted())
      expect((await rowsRead(single.db, "delivery")) - before).toBeLessThan(100)
    } finally {
      await single.close()
    }
  })
})

const OWED_BY_ONE = `
  insert into delivery (id, business_id, kind, subject_id, line, type, url, readers, state, due_at, give_up_at, created_at, updated_at)
  select gen_random_uuid(), $1, 'demo', gen_random_uuid(), sha256(n::text::bytea), 'update', 'https://slow.example/' || n, '{}',
         'OPEN', $2, $2::timestamptz + interval '72 hours', $2, $2 from generate_series(1, 10000) as n`

describe("what is written down", () => {
  it("is the number of attempts and the last 20 messages, in their order", async () => {
    const callback = owed()
    await owe(callback)
    for (let n = 1; n <= 25; n += 1) {
      const [claimed] = await claim({ retry: n > 1, now: at(n), leaseUntil: at(n + 15) })
      if (claimed === undefined) throw new Error("Nothing was claimed.")
      const next = { state: "OPEN", dueAt: at(n) } as const
      await deliveries.recordAttempt(database.db, claimed, { message: `attempt ${n}`, at: at(n), next })
    }
    const [read] = await listed(callback.requestId)
    expect(read).toMatchObject({ state: "OPEN", attempts: 25, updatedAt: at(25) })
    expect(read?.messages).toEqual(Array.from({ length: 20 }, (_, index) => `attempt ${index + 6}`))
  })

  it("is read by its business alone", async () => {
    const callback = owed()
    await owe(callback)
    expect(await listed(callback.requestId)).toMatchObject([{ id: callback.id, type: "update" }])
    expect(await listed(callback.requestId, randomUUID())).toEqual([])
  })
})

describe("a replay", () => {
  const replay = (callback: NewCallback, seconds: number, requestId = callback.requestId) =>
    database.db
      .transaction()
      .execute((trx) => replayCallback(trx, tenant.businessId, requestId, callback.id, at(seconds)))

  it("owes a call once more, for another 72 hours", async () => {
    const callback = owed()
    await owe(callback)
    await done((await claim())[0], "RESIGNED")
    expect(await replay(callback, 1000)).toMatchObject({ id: callback.id, state: "OPEN", attempts: 1 })
    const [again] = await claim({ now: at(1000) })
    expect(again).toMatchObject({ id: callback.id, giveUpAt: at(1000 + 72 * 3600) })
  })

  it("goes behind what is owed at the same URL already", async () => {
    const requestId = randomUUID()
    const [first, second] = [owed({ requestId }), owed({ requestId })]
    await owe(first)
    await owe(second)
    await done((await claim())[0])
    await replay(first, 1)
    const [claimed] = await claim({ now: at(2) })
    expect(claimed?.id).toBe(second.id)
    await done(claimed, "COMPLETED", 2)
    expect(ids(await claim({ now: at(3) }))).toEqual([first.id])
  })

  it("of one that is being tried is an attempt at once, and of one in hand nothing", async () => {
    const callback = owed()
    await owe(callback)
    const [claimed] = await claim()
    await replay(callback, 1)
    expect(await claim({ now: at(2) })).toEqual([])
    if (claimed === undefined) throw new Error("Nothing was claimed.")
    const next = { state: "OPEN", dueAt: at(3600) } as const
    await deliveries.recordAttempt(database.db, claimed, { message: "m", at: at(2), next })
    await replay(callback, 3)
    expect(ids(await claim({ now: at(3) }))).toEqual([callback.id])
  })

  it("is none of another request's callback", async () => {
    const callback = owed()
    await owe(callback)
    expect(await replay(callback, 1, randomUUID())).toBeNull()
  })
})

const listed = (requestId: string, businessId = tenant.businessId) =>
  database.db.transaction().execute((trx) => callbacksOf(trx, businessId, requestId))
