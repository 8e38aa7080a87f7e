import { createHash, randomUUID } from "node:crypto"
import type { Caller } from "@paraph/core/access/caller"
import type { Document } from "@paraph/core/document/model"
import type { Transact } from "@paraph/core/ports"
import { sql } from "kysely"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Claim, createIdempotency, type Idempotency, LEASE_MS } from "./idempotency.ts"
import { createAnswerSealer } from "./keys/answer-sealer.ts"
import type { ServiceDatabase } from "./postgres/database.ts"
import { keepAnswer } from "./postgres/idempotency.ts"
import { createTransact } from "./postgres/transact.ts"
import * as own from "./testing/own-database.ts"

let database: own.OwnDatabase
let tenant: own.Tenant
let caller: Caller
let idempotency: Idempotency
let transact: Transact
let aheadMs = 0

const KEY = new Uint8Array(32).fill(7)
const sealer = createAnswerSealer({ newest: async () => ({ version: 1, key: KEY }), of: async () => KEY })
const hash = (text: string) => createHash("sha256").update(text).digest()
const ANSWER = {
  status: 200,
  headers: { "content-type": "application/json" },
  body: '{"title":"Secret plan"}',
}

beforeAll(async () => {
  database = await own.createOwnDatabase({ migrated: true })
  tenant = await own.insertTenant(database)
  caller = { ...tenant, userId: tenant.ownerId, username: tenant.owner, keyId: randomUUID(), kind: "demo" }
  idempotency = createIdempotency(database.db, sealer, () => new Date(own.NOW.getTime() + aheadMs))
  transact = createTransact({ db: database.db, enqueue: async () => undefined, sealer: own.plainDetails })
})
afterAll(() => database?.close())

const claimed = async (key: string, body = "body") => {
  const found = await idempotency.claim(caller, key, hash(body))
  if (found.type !== "ours") throw new Error(`The key is ${found.type}.`)
  return found.claim
}
const insertDocument = async () => {
  const document = await own.storedDocument(database, tenant)
  await transact(tenant.businessId, (tx) => tx.insertDocument(document))
  return document
}
const countDocuments = async () => {
  const { rows } = await sql<{ count: number }>`select count(*) from document`.execute(database.db)
  return rows[0]?.count
}

it("gives one of 32 the claim, and tells the others that it is running", async () => {
  const key = randomUUID()
  const found = await Promise.all(
    Array.from({ length: 32 }, () => idempotency.claim(caller, key, hash("body"))),
  )
  expect(found.map(({ type }) => type).sort()).toEqual(["ours", ...Array(31).fill("running")])
})

it("keeps the answer, sealed, for whoever asks with the same key and body, and for a day", async () => {
  const key = randomUUID()
  const claim = await claimed(key)
  await idempotency.keep(claim, ANSWER)
  expect(await idempotency.claim(caller, key, hash("body"))).toEqual({ type: "answered", answer: ANSWER })
  expect(await idempotency.claim(caller, key, hash("another"))).toEqual({ type: "used" })
  const { rows } = await sql<{ row: string }>`
    select encode(answer, 'escape') || k::text as row from idempotency_key k`.execute(database.db)
  expect(rows.map(({ row }) => row).join()).not.toMatch(new RegExp(`Secret plan|application|${key}`))
  aheadMs = 24 * 3_600_000 - 1
  expect(await idempotency.claim(caller, key, hash("body"))).toMatchObject({ type: "answered" })
  aheadMs = 24 * 3_600_000
  expect(await idempotency.claim(caller, key, hash("another"))).toMatchObject({ type: "ours" })
  aheadMs = 0
})

it("keeps the keys of users, and of demo and production, apart", async () => {
  const key = randomUUID()
  await claimed(key)
  const others: Caller[] = [
    { ...caller, userId: randomUUID() },
    { ...caller, kind: "production" },
    { ...caller, businessId: randomUUID() },
  ]
  for (const other of others)
    expect(await idempotency.claim(other, key, hash("body"))).toMatchObject({ type: "ours" })
})

it("a claim whose holder is gone gives way after the lease, and then the holder can commit no more", async () => {
  const key = randomUUID()
  const slow = await claimed(key)
  aheadMs = LEASE_MS
  const heir = await claimed(key)
  const before = await countDocuments()
  await expect(idempotency.under(slow, insertDocument)).rejects.toThrow("took over")
  expect(await countDocuments()).toBe(before)
  await idempotency.under(heir, insertDocument)
  expect(await countDocuments()).toBe((before ?? 0) + 1)
  aheadMs = 0
})

it("a claim that is renewed does not give way", async () => {
  const key = randomUUID()
  const claim = await claimed(key)
  aheadMs = LEASE_MS - 1
  await idempotency.renew(claim)
  aheadMs = LEASE_MS + 1
  expect(await idempotency.claim(caller, key, hash("body"))).toEqual({ type: "running" })
  aheadMs = 0
})

it("a claim by a clock that was days ahead for a moment gives way, committed or not", async () => {
  const [key, done] = [randomUUID(), randomUUID()]
  aheadMs = 5 * 86_400_000
  await claimed(key)
  const { id } = await idempotency.under(await claimed(done), insertDocument)
  aheadMs = 0
  await claimed(key)
  expect(await idempotency.claim(caller, done, hash("body"))).toMatchObject({
    type: "done",
    result: `documents/${id}`,
  })
  aheadMs = 7 * 86_400_000
  await idempotency.removeOld(1000)
  aheadMs = 0
})

it("a claim by a clock that is half a minute ahead does not", async () => {
  const key = randomUUID()
  aheadMs = 30_000
  await claimed(key)
  aheadMs = 0
  expect(await idempotency.claim(caller, key, hash("body"))).toEqual({ type: "running" })
})

it("what was committed without an answer is told as done, with what it made, and is never given way", async () => {
  const key = randomUUID()
  const claim = await claimed(key)
  const document = await idempotency.under(claim, insertDocument)
  expect(await idempotency.claim(caller, key, hash("body"))).toEqual({ type: "running" })
  await idempotency.letGo(claim)
  aheadMs = LEASE_MS
  const done = { type: "done", claim, result: `documents/${document.id}` }
  expect(await idempotency.claim(caller, key, hash("body"))).toEqual(done)
  await idempotency.keep(claim, ANSWER)
  expect(await idempotency.claim(caller, key, hash("body"))).toEqual({ type: "answered", answer: ANSWER })
  aheadMs = 0
})

it("work that is rolled back leaves the claim as it was, and one that is let go of is free at once", async () => {
  const key = randomUUID()
  const claim = await claimed(key)
  const failing = transactAndFail(claim)
  await expect(failing).rejects.toThrow("no")
  await idempotency.letGo(claim)
  await claimed(key, "another body")
})

const transactAndFail = (claim: Parameters<Idempotency["letGo"]>[0]) =>
  idempotency.under(claim, () =>
    transact(tenant.businessId, async (tx) => {
      await tx.insertDocument(await own.storedDocument(database, tenant))
      throw new Error("no")
    }),
  )

it("tells of an answer that held a secret only that there was one", async () => {
  const key = randomUUID()
  await idempotency.keepStatus(await claimed(key), 200)
  expect(await idempotency.claim(caller, key, hash("body"))).toEqual({ type: "answered", answer: null })
})

describe("an answer about what is deleted while it is given is not kept:", () => {
  const kept = async (claim: Claim) => {
    const { rows } = await sql<{ answer: Buffer | null }>`
      select answer from idempotency_key where claim = ${claim.id}`.execute(database.db)
    return rows[0]?.answer
  }
  const made = async () => {
    const key = randomUUID()
    const claim = await claimed(key)
    return { key, claim, document: await idempotency.under(claim, insertDocument) }
  }
  const remove = (document: Document, during = async () => {}) =>
    transact(tenant.businessId, async (tx) => {
      await tx.removeDocument(document, own.NOW)
      await during()
    })
  const sealed = { status: 200, sealed: Buffer.from("Zo Canary"), keyVersion: 1 }
  /** Somebody waits for a row that another one has. */
  const somebodyWaits = () =>
    expect
      .poll(async () => {
        const { rows } = await sql<{ count: number }>`
          select count(*) from pg_stat_activity
           where datname = current_database() and wait_event_type = 'Lock'`.execute(database.db)
        return rows[0]?.count
      })
      .toBe(1)

  it("when it was deleted before, and who repeats the request is told that there was one", async () => {
    const { key, claim, document } = await made()
    await remove(document)
    await idempotency.keep(claim, ANSWER)
    expect(await kept(claim)).toBeNull()
    expect(await idempotency.claim(caller, key, hash("body"))).toEqual({ type: "answered", answer: null })
  })

  it("when the deletion is not committed yet", async () => {
    const { claim, document } = await made()
    let keeping: Promise<void> | undefined
    await remove(document, async () => {
      keeping = idempotency.keep(claim, ANSWER)
      await somebodyWaits()
    })
    await keeping
    expect(await kept(claim)).toBeNull()
  })

  it("when the answer is not committed yet", async () => {
    const { claim, document } = await made()
    let removing: Promise<void> | undefined
    await database.db.transaction().execute(async (trx) => {
      await keepAnswer(trx as unknown as ServiceDatabase, claim, sealed)
      removing = remove(document)
      await somebodyWaits()
    })
    await removing
    expect(await kept(claim)).toBeNull()
  })
})

it("forgets what is older than a day, and nothing else", async () => {
  aheadMs = 0
  await idempotency.removeOld(1000)
  const count = async () => {
    const { rows } = await sql<{ count: number }>`select count(*) from idempotency_key`.execute(database.db)
    return rows[0]?.count
  }
  expect(await count()).toBeGreaterThan(5)
  aheadMs = 60 * 3_600_000
  expect(await idempotency.removeOld(2)).toBe(2)
  await idempotency.removeOld(1000)
  expect(await count()).toBe(0)
  aheadMs = 0
})
