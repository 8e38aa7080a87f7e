import { randomUUID } from "node:crypto"
import type { JournalEntry, JournalPlace } from "@paraph/core/journal/model"
import type { Webhook } from "@paraph/core/webhook/model"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { rewrapDocuments, rotateBusinessKey } from "../keys/rotate.ts"
import * as own from "../testing/own-database.ts"
import { createOwnStore, type OwnStore } from "../testing/own-store.ts"
import type { Trx } from "./database.ts"
import { appendJournal, eventsAfter, journalGivenUp } from "./journal.ts"
import { findWebhookCall, replayEvents } from "./webhook-deliveries.ts"
import { insertWebhook } from "./webhooks.ts"

let store: OwnStore
let tenant: own.Tenant
beforeAll(async () => {
  store = await createOwnStore()
})
beforeEach(async () => {
  tenant = await store.tenant()
})
afterAll(() => store?.close())

const within = <T>(work: (trx: Trx) => Promise<T>): Promise<T> =>
  store.database.db.transaction().execute(work)

const entry = (more: Partial<JournalEntry> = {}): JournalEntry => ({
  ...{ type: "signature_request.updated", at: own.NOW, kind: "demo", readers: [tenant.owner] },
  ...{ requestId: randomUUID(), signatureId: null, documentId: null, callbackId: null, status: "OPEN" },
  ...more,
})

const append = (...entries: readonly JournalEntry[]) =>
  within((trx) => appendJournal(trx, tenant.businessId, entries))

const caller = (more: object = {}) => ({
  ...{
    businessId: tenant.businessId,
    userId: tenant.ownerId,
    username: tenant.owner,
    keyId: "",
    kind: "demo" as const,
  },
  ...more,
})

const pageNow = (after: JournalPlace | null = null, pageSize = 50, as = caller()) =>
  within((trx) => eventsAfter(trx, as, after, pageSize))

/** When everything that began before is over, on the whole server, which other tests use too. */
async function page(...asked: Parameters<typeof pageNow>) {
  const { pool } = store.database
  const { rows } = await pool.query("select pg_current_xact_id()::text as id")
  for (;;) {
    const over = await pool.query("select pg_snapshot_xmin(pg_current_snapshot()) > $1::xid8 as over", [
      rows[0].id,
    ])
    if (over.rows[0].over) return pageNow(...asked)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

/** Everything that the journal tells, page by page, until it has nothing more. */
async function tail(pageSize: number, from: JournalPlace | null = null) {
  const events = []
  for (let after = from; ; ) {
    const { events: more, next, hasMore } = await page(after, pageSize)
    events.push(...more)
    after = next
    if (!hasMore) return { events, next }
  }
}

describe("the journal", () => {
  it("tells its entries in their order, page by page, and goes on where it ended", async () => {
    const entries = Array.from({ length: 25 }, () => entry())
    for (let n = 0; n < 25; n += 5) await append(...entries.slice(n, n + 5))
    const { events, next } = await tail(10)
    expect(events.map((e) => e.requestId)).toEqual(entries.map((e) => e.requestId))
    expect(await page(next)).toEqual({ events: [], next, hasMore: false })
    const more = entry()
    await append(more)
    expect((await page(next)).events).toMatchObject([{ requestId: more.requestId, createdAt: own.NOW }])
  })

  it("goes by the numbers of transactions, not by how they are written: 98 comes before 2607", async () => {
    const entries = [entry(), entry(), entry()]
    await append(...entries)
    const { pool } = store.database
    for (const [index, transaction] of ["98", "998", "2607"].entries())
      await pool.query("update event set transaction = $1::xid8 where request_id = $2", [
        transaction,
        entries[index]?.requestId,
      ])
    const first = await pageNow(null, 2)
    const second = await pageNow(first.next, 2)
    expect([...first.events, ...second.events].map((event) => event.requestId)).toEqual(
      entries.map(({ requestId }) => requestId),
    )
  })

  it("never skips an entry that commits late: who reads meanwhile gets it afterwards, in its place", async () => {
    const [early, late, last] = [entry(), entry(), entry()]
    await append(early)
    const first = await page()
    const told: (string | null)[] = []
    await within(async (trx) => {
      await appendJournal(trx, tenant.businessId, [late])
      await append(last)
      // What came after one that is still open waits with it.
      const between = await pageNow(first.next)
      expect(between.events).toEqual([])
      told.push(...between.events.map((e) => e.requestId))
    })
    told.push(...(await page(first.next)).events.map((e) => e.requestId))
    expect(told).toEqual([late.requestId, last.requestId])
  })

  it("loses nothing and tells nothing twice while many write at once", async () => {
    const wanted = new Set<string | null>()
    const write = async () => {
      for (let n = 0; n < 25; n += 1) {
        const one = entry()
        wanted.add(one.requestId)
        await append(one)
      }
    }
    const seen: (string | null)[] = []
    let place: JournalPlace | null = null
    let writing = true
    const reading = (async () => {
      while (writing) {
        const { events, next } = await pageNow(place, 7)
        seen.push(...events.map((e) => e.requestId))
        place = next
      }
    })()
    await Promise.all(Array.from({ length: 6 }, write))
    writing = false
    await reading
    seen.push(...(await tail(50, place)).events.map((e) => e.requestId))
    expect(seen).toHaveLength(wanted.size)
    expect(new Set(seen)).toEqual(wanted)
  })

  it("tells nobody what they could not read, of another kind, or of another business", async () => {
    await append(entry({ readers: ["somebody else"] }), entry({ kind: "production" }), entry())
    expect((await page()).events).toHaveLength(1)
    expect((await page(null, 50, caller({ kind: "production" }))).events).toHaveLength(1)
    expect((await page(null, 50, caller({ username: "nobody" }))).events).toEqual([])
    const other = await store.tenant()
    expect((await page(null, 50, caller({ businessId: other.businessId }))).events).toEqual([])
  })

  it("leads on over many entries of others", async () => {
    await within((trx) =>
      appendJournal(
        trx,
        tenant.businessId,
        Array.from({ length: 2500 }, () => entry({ readers: ["other"] })),
      ),
    )
    const mine = entry()
    await append(mine)
    const first = await page()
    expect([first.events.length, first.hasMore]).toEqual([0, true])
    expect((await tail(50)).events).toMatchObject([{ requestId: mine.requestId }])
  })
})

describe("a webhook", () => {
  const webhook = (more: Partial<Webhook> = {}): Webhook => ({
    ...{ id: randomUUID(), ...tenant, kind: "demo", url: "https://a.example/hook", types: [] },
    ...{ secrets: [{ secret: "whsec_c2VjcmV0", validUntil: null }], createdAt: own.NOW, updatedAt: own.NOW },
    ...{ shownTo: null, madeBy: null, stoppedAt: null },
    ...more,
  })
  const keep = async (w: Webhook) => {
    await within((trx) => insertWebhook(trx, store.sealer, w))
    return w
  }
  const owedTo = async ({ id }: Webhook) => {
    const { rows } = await store.database.pool.query(
      "select e.type, d.due_at = 'infinity' as waits from delivery d join event e on e.id = d.event_id where webhook_id = $1 order by place",
      [id],
    )
    return rows as { type: string; waits: boolean }[]
  }

  it("is owed what its owner may read and it wants, in the transaction of the change", async () => {
    const all = await keep(webhook())
    const some = await keep(webhook({ types: ["signature.signed"] }))
    const production = await keep(webhook({ kind: "production" }))
    await append(
      entry(),
      entry({ type: "signature.signed" }),
      entry({ type: "signature.signed", readers: ["other"] }),
    )
    await expect(
      within(async (trx) => {
        await appendJournal(trx, tenant.businessId, [entry()])
        throw new Error("rolled back")
      }),
    ).rejects.toThrow("rolled back")
    expect((await owedTo(all)).map((o) => o.type)).toEqual(["signature_request.updated", "signature.signed"])
    expect((await owedTo(some)).map((o) => o.type)).toEqual(["signature.signed"])
    expect(await owedTo(production)).toEqual([])
  })

  it("gets the events of one request one after the other, and of others beside them", async () => {
    const w = await keep(webhook())
    const requestId = randomUUID()
    await append(entry({ requestId }), entry({ requestId }), entry())
    expect((await owedTo(w)).map((o) => o.waits)).toEqual([false, true, false])
  })

  it("has its secrets sealed in its row, and open for the call", async () => {
    const w = await keep(webhook())
    await append(entry())
    const { rows } = await store.database.pool.query(
      "select w.secrets, d.event_id from webhook w join delivery d on d.webhook_id = w.id where w.id = $1",
      [w.id],
    )
    expect(rows[0].secrets.toString("latin1")).not.toContain("whsec_")
    const ids = { businessId: tenant.businessId, webhookId: w.id, eventId: rows[0].event_id as string }
    const call = await findWebhookCall(store.database.db, store.sealer, ids)
    expect(call?.webhook).toEqual(w)
    expect(call?.event.id).toBe(ids.eventId)
  })

  it("has its secrets sealed anew when the key of its business changes, and the older key can go", async () => {
    const w = await keep(webhook())
    await append(entry())
    const { db, pool } = store.database
    await rotateBusinessKey(db, store.ring, tenant.businessId, own.NOW)
    const { rows } = await pool.query(
      "select w.key_version, d.event_id from webhook w join delivery d on d.webhook_id = w.id where w.id = $1",
      [w.id],
    )
    expect(rows[0].key_version).toBe(2)
    const muchLater = new Date(own.NOW.getTime() + 86_400_000)
    expect((await rewrapDocuments(db, store.ring, tenant.businessId, muchLater)).retired).toBe(1)
    const ids = { businessId: tenant.businessId, webhookId: w.id, eventId: rows[0].event_id as string }
    expect((await findWebhookCall(db, store.sealer, ids))?.webhook.secrets).toEqual(w.secrets)
  })

  it("is sent entries again, by their ids or by time and type, of those that its owner may read", async () => {
    const [early, late] = [
      entry(),
      entry({ type: "signature.signed", at: new Date(own.NOW.getTime() + 5000) }),
    ]
    await append(early, late, entry({ readers: ["other"] }))
    const w = await keep(webhook())
    const again = (which: Parameters<typeof replayEvents>[2]) =>
      within((trx) => replayEvents(trx, w, which, own.NOW))
    const between = { type: "between", after: null, before: null, types: [] } as const
    expect(await again(between)).toBe(2)
    expect(await again({ ...between, after: late.at })).toBe(1)
    expect(await again({ ...between, before: late.at })).toBe(1)
    expect(await again({ ...between, types: ["document.created"] })).toBe(0)
    const { events } = await page()
    expect(await again({ type: "ids", ids: events.slice(0, 1).map((e) => e.id) })).toBe(1)
    expect(await owedTo(w)).toHaveLength(5)
  })

  it("is told of a callback that was given up", async () => {
    const w = await keep(webhook())
    const id = randomUUID()
    await store.database.pool.query(
      `insert into delivery (id, business_id, kind, subject_id, line, type, url, readers, state, due_at, give_up_at, created_at, updated_at)
       values ($1, $2, 'demo', $1, '', 'error', '', array[$3], 'RESIGNED', now(), now(), now(), now())`,
      [id, tenant.businessId, tenant.owner],
    )
    await within((trx) => journalGivenUp(trx, id, own.NOW))
    expect((await page()).events).toMatchObject([{ type: "callback.gave_up", requestId: id, callbackId: id }])
    expect(await owedTo(w)).toHaveLength(1)
  })
})
