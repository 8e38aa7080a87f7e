import { randomUUID } from "node:crypto"
import type { Document } from "@paraph/core/document/model"
import type { Evidence } from "@paraph/core/evidence/model"
import { leafOf } from "@paraph/evidence/leaf"
import { isSameHash } from "@paraph/tlog/hash"
import { verifyConsistency, verifyInclusion } from "@paraph/tlog/verify-proof"
import { sql } from "kysely"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { NOW, sampleRequest, type Tenant } from "../testing/own-database.ts"
import { createOwnStore, type OwnStore } from "../testing/own-store.ts"
import { rowsRead } from "../testing/rows-read.ts"
import { openDatabase } from "./database.ts"
import { readStory } from "./evidence.ts"
import { entriesOf, headOf, indexesOf, proveGrown, proveIncluded, sequence } from "./evidence-log.ts"
import { checkpointFor, keepCheckpoint, keepStamp, newestCheckpoint } from "./log-checkpoints.ts"

let store: OwnStore
let tenant: Tenant
let document: Document
beforeAll(async () => {
  store = await createOwnStore()
  tenant = await store.tenant()
  document = await store.upload(tenant, Buffer.from("%PDF-1.7"))
})
afterAll(() => store?.close())

const CANARY = "Zo Canary"
const opened = (n: number): Evidence => ({
  type: "signature.opened",
  at: new Date(NOW.getTime() + n),
  data: { name: CANARY, n },
})

async function newStory(): Promise<string> {
  const request = sampleRequest(tenant, [document], 0, { kind: "demo" })
  await store.transact(tenant.businessId, async (tx) => {
    await tx.insertRequest(request)
    await tx.appendEvidence(request.id, [{ type: "request.created", at: NOW, data: { owner: CANARY } }])
  })
  return request.id
}

const append = (id: string, ...evidence: readonly Evidence[]) =>
  store.transact(tenant.businessId, (tx) => tx.appendEvidence(id, evidence))
const storyOf = async (id: string) => {
  const of = { businessId: tenant.businessId, id }
  const told = await store.database.db.transaction().execute((trx) => readStory(trx, store.sealer, of))
  if (told === null) throw new Error("There is no story.")
  return told.events
}
const sequenced = async () => {
  let count = 0
  for (
    let more = await sequence(store.database.db, "demo");
    more > 0;
    more = await sequence(store.database.db, "demo")
  )
    count += more
  return count
}

describe("a story", () => {
  it("is sealed as it is told, and opened whole, in its order", async () => {
    const id = await newStory()
    await Promise.all(Array.from({ length: 20 }, (_, i) => append(id, opened(i), opened(100 + i))))
    const told = await storyOf(id)
    expect(told.map(({ body }) => body.seq)).toEqual(Array.from({ length: 41 }, (_, i) => i + 1))
    expect(told[0]?.body).toMatchObject({ request: id, type: "request.created", data: { owner: CANARY } })
    const { rows } = await sql<{ all: string }>`
      select string_agg(encode(sealed, 'escape') || encode(entry, 'hex'), ' ') as all from evidence`.execute(
      store.database.db,
    )
    expect(rows[0]?.all).not.toContain("Canary")
  })

  it("of nothing that there is does not begin", async () => {
    await expect(append(randomUUID(), opened(1))).rejects.toThrow("nothing that a story")
  })
})

describe("the log", () => {
  it("has everything that was told, once, in the order of each story, and proves it", async () => {
    await sequenced()
    const before = await headOf(store.database.db, "demo")
    const ids = await Promise.all(Array.from({ length: 12 }, newStory))
    for (let i = 0; i < 30; i++) await Promise.all(ids.map((id) => append(id, opened(i))))
    expect(await sequenced()).toBe(12 * 31)
    expect(await sequenced()).toBe(0)
    const head = await headOf(store.database.db, "demo")
    expect(head.size).toBe(before.size + 12 * 31)
    expect(
      verifyConsistency(before, head, await proveGrown(store.database.db, "demo", before.size, head.size)),
    ).toBe(true)
    for (const id of ids) {
      const told = await storyOf(id)
      const positions = told.map(({ position }) => position)
      const indexes = await indexesOf(store.database.db, positions)
      const proofs = await proveIncluded(
        store.database.db,
        "demo",
        head.size,
        positions.map((position) => indexes.get(position)),
      )
      let last = -1
      for (const [i, { salt, bytes }] of told.entries()) {
        const proof = proofs[i]
        if (proof == null) throw new Error("It is not in the log.")
        expect(proof.index).toBeGreaterThan(last)
        last = proof.index
        expect(verifyInclusion({ hash: leafOf(salt, bytes), index: proof.index }, head, proof.path)).toBe(
          true,
        )
      }
    }
  })

  it("is widened by one at a time, however many try, and nothing is lost", async () => {
    const id = await newStory()
    const { size } = await headOf(store.database.db, "demo")
    const work = [
      ...Array.from({ length: 8 }, (_, i) => append(id, ...Array.from({ length: 5 }, () => opened(i)))),
      ...Array.from({ length: 4 }, () => sequence(store.database.db, "demo")),
    ]
    await Promise.all(work)
    await sequenced()
    expect((await headOf(store.database.db, "demo")).size).toBe(size + 41)
    const entries = await entriesOf(store.database.db, "demo", { n: 0, width: 256 })
    expect(entries).toHaveLength(Math.min(256, size + 41))
  })

  it("reads no more evidence than waits, also where much waited when PostgreSQL last counted", async () => {
    const id = await newStory()
    await append(id, ...Array.from({ length: 4_000 }, (_, i) => opened(i)))
    await sql`analyze log_waiting, evidence`.execute(store.database.db)
    await sequenced()
    await append(id, opened(4_001))
    const single = openDatabase(store.database.url, { max: 1, name: "test" })
    const before = await rowsRead(single.serviceDb, "evidence")
    expect(await sequence(single.serviceDb, "demo")).toBe(1)
    expect((await rowsRead(single.serviceDb, "evidence")) - before).toBeLessThan(100)
    await single.close()
  })

  it("[R37] cannot be changed, and knows what it does not have", async () => {
    await expect(sql`update log_leaf set index = index + 1`.execute(store.database.db)).rejects.toThrow(
      "append-only",
    )
    await expect(sql`delete from log_leaf`.execute(store.database.db)).rejects.toThrow("append-only")
    const id = await newStory()
    const { size } = await headOf(store.database.db, "demo")
    const [told] = await storyOf(id)
    expect(await indexesOf(store.database.db, [told?.position ?? ""])).toEqual(new Map())
    expect(await proveIncluded(store.database.db, "demo", size, [undefined, size])).toEqual([null, null])
  })

  it("keeps each head once that was signed", async () => {
    const one = { size: 5, note: "five\n", signedAt: NOW }
    expect(await newestCheckpoint(store.database.db, "production")).toBeNull()
    expect(await keepCheckpoint(store.database.db, "production", one)).toBe(true)
    expect(await keepCheckpoint(store.database.db, "production", { ...one, note: "another\n" })).toBe(false)
    expect(await newestCheckpoint(store.database.db, "production")).toEqual({ ...one, stamp: null })
  })

  it("proves what ends somewhere by the first stamped head behind it, and by the newest where none is", async () => {
    const { db } = store.database
    for (const size of [10, 20, 30])
      await keepCheckpoint(db, "production", { size, note: `${size}\n`, signedAt: NOW })
    const sizeFor = async (index: number) => (await checkpointFor(db, "production", index))?.size
    expect(await sizeFor(7)).toBe(30)
    await keepStamp(db, "production", 20, Buffer.from("a stamp"))
    await keepStamp(db, "production", 20, Buffer.from("another"))
    expect([await sizeFor(7), await sizeFor(19), await sizeFor(20)]).toEqual([20, 20, 30])
    expect((await checkpointFor(db, "production", 7))?.stamp).toEqual(Buffer.from("a stamp"))
  })

  it("has a log for each kind", async () => {
    const { size, root } = await headOf(store.database.db, "production")
    expect(size).toBe(0)
    expect(isSameHash(root, (await headOf(store.database.db, "demo")).root)).toBe(false)
  })
})
