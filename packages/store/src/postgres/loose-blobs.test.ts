import { randomBytes, randomUUID } from "node:crypto"
import type { Document } from "@paraph/core/document/model"
import type { SignatureRequest } from "@paraph/core/signature-request/model"
import { sql } from "kysely"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { OWNED_WITHIN_MS } from "../blobs/blobs.ts"
import * as own from "../testing/own-database.ts"
import { createOwnStore, kept, type OwnStore } from "../testing/own-store.ts"
import type { ServiceDatabase } from "./database.ts"
import { claimDue, forgetLoose, insertLoose, makeDue, removeMarked } from "./loose-blobs.ts"

let store: OwnStore
let tenant: own.Tenant

beforeAll(async () => {
  store = await createOwnStore()
  tenant = await store.tenant()
})
afterAll(() => store?.close())
beforeEach(() => {
  store.clock.now = own.NOW
})

const later = (ms: number) => new Date(own.NOW.getTime() + ms)
const db = () => store.database.db
const insert = (document: Document) => store.transact(tenant.businessId, (tx) => tx.insertDocument(document))
const find = ({ id }: Document) => store.read(tenant.businessId, (reading) => reading.findDocument(id))

async function objects(): Promise<string[]> {
  const names: string[] = []
  for await (const { name } of store.bucket.list()) names.push(name)
  return names
}

const looseRows = () => db().selectFrom("loose_blob").selectAll().orderBy("name").execute()

/** Nothing is wrong, and after the sweep there are these objects and no loose name. */
async function expectAfterSweep(...documents: readonly Document[]): Promise<void> {
  expect(await store.findings()).toEqual([])
  for (let n = 0; n < 3; n += 1) {
    store.clock.now = new Date(store.clock.now.getTime() + 2 * OWNED_WITHIN_MS)
    await store.sweep()
  }
  expect(await looseRows()).toEqual([])
  expect(await objects()).toEqual(documents.map(({ blob }) => blob.name).sort())
  expect(await store.findings()).toEqual([])
  for (const document of documents) await store.remove(document)
  await store.sweep()
}

describe("a process that dies", () => {
  it("after the name was written leaves nothing", async () => {
    await insertLoose(db(), `documents/${randomUUID()}`, later(OWNED_WITHIN_MS))
    await expectAfterSweep()
  })

  it("after the object was stored leaves nothing, but not before its time", async () => {
    const { blob } = await kept(store.blobs, tenant, randomBytes(10))
    store.clock.now = later(OWNED_WITHIN_MS - 1)
    expect(await store.sweep()).toEqual([])
    expect(await objects()).toEqual([blob.name])
    await expectAfterSweep()
  })

  it("within the transaction of its row leaves no row, and no object", async () => {
    const document = await kept(store.blobs, tenant, randomBytes(10))
    const dying = store.transact(tenant.businessId, async (tx) => {
      await tx.insertDocument(document)
      throw new Error("killed before the commit")
    })
    await expect(dying).rejects.toThrow("killed before the commit")
    expect(await looseRows()).toMatchObject([{ name: document.blob.name, claimed: false }])
    await expectAfterSweep()
    expect(await find(document)).toBeNull()
  })

  it("after its sweep has claimed leaves the work to another, after a while", async () => {
    const document = await store.upload(tenant, randomBytes(10))
    await store.remove(document)
    const { name } = document.blob
    expect(await claimDue(db(), own.NOW, { limit: 10, againAt: later(1_000) })).toEqual([name])
    store.clock.now = later(999)
    expect(await store.sweep()).toEqual([])
    store.clock.now = later(1_000)
    expect(await store.sweep()).toEqual([name])
    await expectAfterSweep()
  })

  it("after its sweep has deleted the object leaves a name, and another forgets it", async () => {
    const document = await store.upload(tenant, randomBytes(10))
    await store.remove(document)
    const names = await claimDue(db(), own.NOW, { limit: 10, againAt: later(1_000) })
    for (const name of names) await store.bucket.remove(name)
    await expectAfterSweep()
  })
})

describe("an upload and a sweep", () => {
  it("where the sweep claims first, the row is refused and the object goes", async () => {
    const document = await kept(store.blobs, tenant, randomBytes(10))
    await store.blobs.abandon(document.blob)
    await claimDue(db(), own.NOW, { limit: 10, againAt: later(1_000) })
    await expect(insert(document)).rejects.toThrow("is not there to be owned")
    expect(await find(document)).toBeNull()
    await expectAfterSweep()
  })

  it("where the sweep is done first, the row is refused too", async () => {
    const document = await kept(store.blobs, tenant, randomBytes(10))
    await store.blobs.abandon(document.blob)
    await store.sweep()
    await expect(insert(document)).rejects.toThrow("is not there to be owned")
    await expectAfterSweep()
  })

  it("where the row is written and not yet committed, the sweep passes by", async () => {
    const document = await kept(store.blobs, tenant, randomBytes(10))
    await store.blobs.abandon(document.blob)
    await store.transact(tenant.businessId, async (tx) => {
      await tx.insertDocument(document)
      expect(await store.sweep()).toEqual([])
    })
    expect(await store.sweep()).toEqual([])
    await expectAfterSweep(document)
  })

  it("where the claim is not yet committed, the row waits for it and is refused", async () => {
    const document = await kept(store.blobs, tenant, randomBytes(10))
    await store.blobs.abandon(document.blob)
    let inserting: Promise<unknown> = Promise.resolve()
    await db()
      .transaction()
      .execute(async (trx) => {
        expect(
          await claimDue(trx as unknown as ServiceDatabase, own.NOW, { limit: 10, againAt: later(1_000) }),
        ).toHaveLength(1)
        inserting = insert(document).catch((error: unknown) => error)
        await untilSomebodyWaits()
      })
    expect(await inserting).toMatchObject({ message: expect.stringContaining("not there to be owned") })
    await expectAfterSweep()
  })

  it("a row that is owned is not forgotten by a sweep, and an object is owned once", async () => {
    const document = await store.upload(tenant, randomBytes(10))
    await forgetLoose(db(), [document.blob.name])
    await makeDue(db(), document.blob.name, own.NOW)
    await expect(insert({ ...document, id: randomUUID() })).rejects.toThrow("not there to be owned")
    await expectAfterSweep(document)
  })

  it("a name that is loose and not claimed is not forgotten", async () => {
    const { blob } = await kept(store.blobs, tenant, randomBytes(10))
    await forgetLoose(db(), [blob.name])
    expect(await looseRows()).toMatchObject([{ name: blob.name }])
    await expectAfterSweep()
  })
})

it("two sweeps at once share the work, each to its limit", async () => {
  const documents = await Promise.all(
    Array.from({ length: 50 }, () => kept(store.blobs, tenant, randomBytes(10))),
  )
  for (const { blob } of documents) await store.blobs.abandon(blob)
  const shares = await Promise.all([1, 2, 3, 4].map(() => store.sweep(15)))
  for (const share of shares) expect(share.length).toBeLessThanOrEqual(15)
  const all = shares.flat()
  expect(new Set(all).size).toBe(all.length)
  while ((await store.sweep(15)).length > 0);
  expect(await objects()).toEqual([])
  await expectAfterSweep()
})

describe("documents that go with their request", () => {
  const mark = (...documents: readonly Document[]) =>
    db()
      .updateTable("document")
      .set({ removing_since: own.NOW })
      .where(
        "id",
        "in",
        documents.map(({ id }) => id),
      )
      .execute()

  it("go, and their objects, and no others, to the limit", async () => {
    const documents = await Promise.all(
      Array.from({ length: 7 }, () => store.upload(tenant, randomBytes(10))),
    )
    const stays = await store.upload(tenant, randomBytes(10))
    await mark(...documents)
    expect(await removeMarked(db(), own.plainDetails, own.NOW, 4)).toBe(4)
    expect(await store.findings()).toEqual([])
    const both = await Promise.all([
      removeMarked(db(), own.plainDetails, own.NOW, 4),
      removeMarked(db(), own.plainDetails, own.NOW, 4),
    ])
    expect(both.reduce((sum, count) => sum + count)).toBe(3)
    for (const document of documents) expect(await find(document)).toBeNull()
    await expectAfterSweep(stays)
  })

  it("stay while anything of the request names them, and hold up no others", async () => {
    const [asked, newest, base, free] = await Promise.all(
      [1, 2, 3, 4].map(() => store.upload(tenant, randomBytes(10))),
    )
    if (!asked || !newest || !base || !free) throw new Error("A document is missing.")
    const request = await requestWith(asked, newest, base)
    await mark(asked, newest, base, free)
    expect(await removeMarked(db(), own.plainDetails, own.NOW, 10)).toBe(1)
    expect(await find(free)).toBeNull()
    // In whatever order the rows of the request go, nothing fails, and nothing goes too early.
    const steps = ["signing_intent", "mark", "signature", "request_document", "signature_request"]
    const removed: number[] = []
    for (const table of steps) {
      await removeRowsOf(request, table)
      removed.push(await removeMarked(db(), own.plainDetails, own.NOW, 10))
    }
    expect(removed).toEqual([1, 0, 0, 2, 0])
    await expectAfterSweep()
  })

  it("that somebody reads in a transaction wait for it", async () => {
    const document = await store.upload(tenant, randomBytes(10))
    await mark(document)
    await store.transact(tenant.businessId, async (tx) => {
      expect(await tx.findDocument(document.id)).not.toBeNull()
      expect(await removeMarked(db(), own.plainDetails, own.NOW, 10)).toBe(0)
    })
    expect(await removeMarked(db(), own.plainDetails, own.NOW, 10)).toBe(1)
    await expectAfterSweep()
  })

  /** A request on one document, whose newest version is another, with an intent that was made onto a third. */
  async function requestWith(asked: Document, newest: Document, base: Document): Promise<SignatureRequest> {
    const request = own.sampleRequest(tenant, [asked], 1)
    await store.transact(tenant.businessId, (tx) => tx.insertRequest(request))
    const signatureId = request.signatures[0]?.id
    await sql`update request_document set newest_id = ${newest.id} where request_id = ${request.id}`.execute(
      db(),
    )
    await sql`update mark set version_id = ${newest.id} where signature_id = ${signatureId}`.execute(db())
    await sql`insert into signing_intent (signature_id, document_id, base_id, version_id, prepared, created_at)
      values (${signatureId}, ${asked.id}, ${base.id}, ${randomUUID()}, '{}', ${own.NOW})`.execute(db())
    return request
  }

  async function removeRowsOf({ id }: SignatureRequest, table: string): Promise<void> {
    const byRequest = ["signature", "request_document"].includes(table)
    const bySignature = sql`signature_id in (select id from signature where request_id = ${id})`
    const which =
      table === "signature_request" ? sql`id = ${id}` : byRequest ? sql`request_id = ${id}` : bySignature
    await sql`delete from ${sql.table(table)} where ${which}`.execute(db())
  }
})

async function untilSomebodyWaits(): Promise<void> {
  for (;;) {
    const { rows } = await sql`select from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(db())
    if (rows.length > 0) return
  }
}
