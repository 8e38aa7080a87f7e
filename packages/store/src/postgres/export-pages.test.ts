import type { AskedPage, ExportPage } from "@paraph/core/business/walk-export"
import { sql } from "kysely"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { NOW, sampleRequest, type Tenant } from "../testing/own-database.ts"
import { createOwnStore, type OwnStore } from "../testing/own-store.ts"

let store: OwnStore
let tenant: Tenant
beforeAll(async () => {
  store = await createOwnStore()
  tenant = await store.tenant()
})
afterAll(() => store?.close())

const later = (ms: number) => new Date(NOW.getTime() + ms)
const page = (asked: Partial<AskedPage>) =>
  store.read(tenant.businessId, (reading) =>
    reading.exportPage({ of: "request", kind: "demo", after: null, until: later(1000), limit: 10, ...asked }),
  )
const ids = ({ found }: ExportPage) => found.map(({ id }) => id)
const upload = () => store.upload(tenant, Buffer.from("%PDF-1.7"))

describe("the pages of an export", () => {
  it("are of requests in the order of time and then of ids, of one kind, up to a moment, each with its files", async () => {
    const [document, second] = [await upload(), await upload()]
    const made = [0, 0, 0, 5, 7].map((ms) =>
      sampleRequest(tenant, ms === 5 ? [document, second] : [document], 0, { createdAt: later(ms) }),
    )
    const other = sampleRequest(tenant, [document], 0, { kind: "production" })
    const tooLate = sampleRequest(tenant, [document], 0, { createdAt: later(1001) })
    for (const request of [...made, other, tooLate])
      await store.transact(tenant.businessId, (tx) => tx.insertRequest(request))
    const order = [...made]
      .sort((a, b) => a.createdAt.getTime() - b.createdAt.getTime() || (a.id < b.id ? -1 : 1))
      .map(({ id }) => id)
    const first = await page({ limit: 2 })
    expect([ids(first), first.next?.id, first.seen]).toEqual([order.slice(0, 2), order[1], 2])
    const then = await page({ limit: 2, after: first.next })
    const third = await page({ limit: 2, after: then.next })
    expect([...ids(then), ...ids(third)]).toEqual(order.slice(2))
    expect([third.next, third.found.map(({ files }) => files)]).toEqual([null, [4]])
    expect((await page({})).found.map(({ files }) => files).sort()).toEqual([4, 4, 4, 4, 6])
    expect(ids(await page({ kind: "production" }))).toEqual([other.id])
  })

  it("look at all documents, and have those that no request has and nobody removes", async () => {
    const [loose, inRequest, removed] = [await upload(), await upload(), await upload()]
    const request = sampleRequest(tenant, [inRequest], 0)
    await store.transact(tenant.businessId, (tx) => tx.insertRequest(request))
    await sql`update document set removing_since = now() where id = ${removed.id}`.execute(store.database.db)
    const found: string[] = []
    let seen = 0
    let after: AskedPage["after"] = null
    do {
      const one: ExportPage = await page({ of: "document", after, until: new Date("2100-01-01"), limit: 1 })
      found.push(...ids(one))
      seen += one.seen
      after = one.next
    } while (after !== null)
    expect(found).toEqual([loose.id])
    expect(seen).toBeGreaterThanOrEqual(4)
  })

  it("are of receipts", async () => {
    const request = sampleRequest(tenant, [await upload()], 0)
    await store.transact(tenant.businessId, async (tx) => {
      await tx.insertRequest(request)
      await tx.appendEvidence(request.id, [{ type: "request.created", at: NOW }])
      const erased = { about: "signature-request", reason: "deleted", by: "k", at: NOW } as const
      await tx.eraseStory({ id: request.id, ...erased })
    })
    const { found, next } = await page({ of: "receipt" })
    expect([found, next]).toEqual([[{ createdAt: NOW, id: expect.any(String), files: 1 }], null])
    expect((await page({ of: "receipt", kind: "production" })).found).toEqual([])
  })

  it.each(["signature_request", "document", "erasure"])("follow an index of %s", async (table) => {
    const at = table === "erasure" ? "erased_at" : "created_at"
    const { rows } = await sql<{ indexdef: string }>`
      select indexdef from pg_indexes where tablename = ${table}`.execute(store.database.db)
    expect(rows.map(({ indexdef }) => indexdef).join("\n")).toContain(`(business_id, kind, ${at}, id)`)
  })
})
