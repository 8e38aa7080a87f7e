import { createHash, randomUUID } from "node:crypto"
import type { Caller } from "@paraph/core/access/caller"
import type { Document } from "@paraph/core/document/model"
import type { Erasure } from "@paraph/core/evidence/erase"
import { sql } from "kysely"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { Mark } from "../blobs/bucket.ts"
import { NOW, sampleRequest, type Tenant } from "../testing/own-database.ts"
import { createOwnStore, type OwnStore } from "../testing/own-store.ts"
import { removeMarked } from "./loose-blobs.ts"
import { removeOldSealings } from "./sealings.ts"
import { tidyErased } from "./tidy-erased.ts"

let store: OwnStore
let tenant: Tenant
let document: Document
beforeAll(async () => {
  store = await createOwnStore()
  tenant = await store.tenant()
  document = await store.upload(tenant, Buffer.from("%PDF-1.7"))
})
afterAll(() => store?.close())

const later = (ms: number) => new Date(NOW.getTime() + ms)
const caller = (): Caller => ({
  businessId: tenant.businessId,
  userId: tenant.ownerId,
  username: tenant.owner,
  keyId: "k",
  kind: "demo",
})
const erasure = (id: string, more: Partial<Erasure> = {}): Erasure => ({
  id,
  about: "signature-request",
  reason: "deleted",
  by: "k",
  at: NOW,
  ...more,
})
const receiptsOf = (storyId: string) =>
  store.read(tenant.businessId, async (reading) => {
    const asked = { pageSize: 10, from: { type: "page", number: 1 }, storyId } as const
    return (await reading.listReceipts(caller(), asked)).receipts
  })
const storyOf = (id: string) => store.read(tenant.businessId, (reading) => reading.findStory(id))
const rowsOf = async <T>(statement: ReturnType<typeof sql<T>>) =>
  (await statement.execute(store.database.db)).rows

async function newStory(): Promise<string> {
  const request = sampleRequest(tenant, [document], 0, { kind: "demo" })
  await store.transact(tenant.businessId, async (tx) => {
    await tx.insertRequest(request)
    await tx.appendEvidence(request.id, [
      { type: "request.created", at: NOW, data: { owner: "Zo Canary" } },
      { type: "request.started", at: NOW },
    ])
  })
  return request.id
}
const erase = (id: string, more?: Partial<Erasure>) =>
  store.transact(tenant.businessId, (tx) => tx.eraseStory(erasure(id, more)))

describe("a story that is erased", () => {
  it("is opened by nobody, and its receipt says which one it was", async () => {
    const id = await newStory()
    const entries = await rowsOf(
      sql<{ entry: Buffer }>`select entry from evidence where request_id = ${id} order by seq`,
    )
    await erase(id)
    expect(await storyOf(id)).toBeNull()
    const [receipt] = await receiptsOf(id)
    expect(receipt).toMatchObject({
      storyId: id,
      kind: "demo",
      events: 2,
      reason: "deleted",
      by: "k",
      at: NOW,
    })
    const hash = createHash("sha256")
    for (const { entry } of entries) hash.update(entry)
    expect((await storyOf(receipt?.id ?? ""))?.events.map(({ type, data }) => [type, data])).toEqual([
      [
        "story.erased",
        {
          story: id,
          about: "signature-request",
          events: 2,
          entries_sha256: hash.digest("hex"),
          rows_sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
          reason: "deleted",
          by: "k",
          log: "demo",
        },
      ],
    ])
    expect(await rowsOf(sql`select entry from evidence where request_id = ${id} order by seq`)).toEqual(
      entries,
    )
  })

  it("is told no further, and erased once", async () => {
    const id = await newStory()
    await erase(id)
    await store.transact(tenant.businessId, (tx) =>
      tx.appendEvidence(id, [{ type: "key.destroyed", at: NOW, data: { name: "Zo Canary" } }]),
    )
    await erase(id)
    expect(await rowsOf(sql`select from evidence where request_id = ${id}`)).toHaveLength(2)
    expect(await receiptsOf(id)).toHaveLength(1)
  })

  it("is not one that is held, nor one of another business", async () => {
    const id = await newStory()
    const other = await store.tenant()
    await store.transact(other.businessId, (tx) => tx.eraseStory(erasure(id)))
    expect((await storyOf(id))?.events).toHaveLength(2)
    await store.transact(tenant.businessId, (tx) => tx.holdStory(id, { since: NOW, reason: "A claim." }))
    await expect(erase(id)).rejects.toThrow()
    expect((await storyOf(id))?.events).toHaveLength(2)
    await store.transact(tenant.businessId, (tx) => tx.holdStory(id, null))
    await erase(id)
    expect(await storyOf(id)).toBeNull()
  })

  it("leaves nothing elsewhere once nothing is under way", async () => {
    const id = await newStory()
    const { businessId } = tenant
    await rowsOf(sql`
      insert into jobs.job (name, data, state) select 'send-mail', jsonb_build_object('requestId', ${id}::text, 'to', 'zo@canary.example'), state::jobs.job_state
        from unnest(array['completed', 'failed', 'active']) as state`)
    await rowsOf(sql`
      insert into delivery (id, business_id, kind, subject_id, line, type, url, readers, state, due_at, give_up_at, created_at, updated_at)
      select gen_random_uuid(), ${businessId}, 'demo', ${id}, decode('00', 'hex'), 'update', 'https://canary.example', '{}', state, ${NOW}, ${NOW}, ${NOW}, ${NOW}
        from unnest(array['OPEN', 'COMPLETED', 'RESIGNED']) as state`)
    await rowsOf(sql`
      insert into mail_log (id, business_id, request_id, type, recipient, state, attempts, created_at, updated_at)
      values (${randomUUID()}, ${businessId}, ${id}, 'invitation', 'z•••@canary.example', 'SENT', 1, ${NOW}, ${NOW})`)
    await erase(id)
    const left = async () => {
      const [counts] = await rowsOf(sql`
        select (select count(*)::int from jobs.job where data ->> 'requestId' = ${id}) as jobs,
               (select count(*)::int from delivery where subject_id = ${id}) as calls,
               (select count(*)::int from mail_log where request_id = ${id}) as mails,
               (select tidy_at from erasure where story_id = ${id}) as tidy`)
      return counts
    }
    const marks: Mark[] = []
    const markErased = async (mark: Mark) => void marks.push(mark)
    expect(await tidyErased(store.database.db, markErased, NOW, 100)).toBeGreaterThan(0)
    expect(await left()).toEqual({ jobs: 1, calls: 1, mails: 0, tidy: later(60_000) })
    expect(marks).toContainEqual({ about: "signature-request", id })
    await tidyErased(store.database.db, markErased, later(60_000), 100)
    expect(await left()).toMatchObject({ jobs: 1, calls: 1, tidy: later(120_000) })
    await rowsOf(sql`update jobs.job set state = 'completed' where data ->> 'requestId' = ${id}`)
    await rowsOf(sql`update delivery set state = 'COMPLETED' where subject_id = ${id}`)
    await tidyErased(store.database.db, markErased, later(120_000), 100)
    expect(await left()).toEqual({ jobs: 0, calls: 0, mails: 0, tidy: null })
  })
})

describe("the story of a seal", () => {
  async function newSeal(state: "done" | "failed"): Promise<{ sealing: string; sealed: Document }> {
    const [seal, sealing] = [randomUUID(), randomUUID()]
    const sealed = await store.upload(tenant, Buffer.from("%PDF-1.7 sealed"))
    const { businessId } = tenant
    await rowsOf(sql`
      insert into seal (id, business_id, kind, name, organization, issuer, key_algorithm, created_at)
      values (${seal}, ${businessId}, 'demo', ${seal}, 'Acme AG', 'service', 'P-256', ${NOW})`)
    await rowsOf(sql`
      insert into sealing (id, business_id, kind, seal_id, place, base_id, is_upload, version_id, ordered_by, state, fault, created_at, updated_at)
      values (${sealing}, ${businessId}, 'demo', ${seal}, 0, ${document.id}, true, ${sealed.id}, 'u', ${state},
              ${state === "failed" ? "{}" : null}, ${NOW}, ${NOW})`)
    if (state === "done")
      await rowsOf(sql`
        insert into sealed_document (document_id, business_id, kind, seal_id, sealing_id, first_id)
        values (${sealed.id}, ${businessId}, 'demo', ${seal}, ${sealing}, ${sealed.id})`)
    await store.transact(businessId, (tx) => tx.appendEvidence(sealing, [{ type: "seal.ordered", at: NOW }]))
    return { sealing, sealed }
  }
  const forgetOrders = () =>
    removeOldSealings(store.database.db, store.sealer, { now: later(2), before: later(1) }, 100)

  it("goes with an order that was never made", async () => {
    const { sealing } = await newSeal("failed")
    await forgetOrders()
    expect(await receiptsOf(sealing)).toMatchObject([{ about: "seal", reason: "retention", by: "retention" }])
  })

  it("outlives its order, goes on with a renewal, and goes with what was sealed", async () => {
    const { sealing, sealed } = await newSeal("done")
    await forgetOrders()
    expect(await receiptsOf(sealing)).toEqual([])
    await store.transact(tenant.businessId, (tx) =>
      tx.appendEvidence(sealing, [{ type: "document.renewed", at: NOW }]),
    )
    expect((await storyOf(sealing))?.events).toHaveLength(2)
    await rowsOf(sql`update document set removing_since = ${NOW} where id = ${sealed.id}`)
    await removeMarked(store.database.db, store.sealer, NOW, 100)
    expect(await storyOf(sealing)).toBeNull()
    expect(await receiptsOf(sealing)).toMatchObject([{ about: "seal", reason: "deleted", by: "cascade" }])
  })
})
