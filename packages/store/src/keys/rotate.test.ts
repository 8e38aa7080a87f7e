import { randomBytes, randomUUID } from "node:crypto"
import type { Document } from "@paraph/core/document/model"
import { newKey, wrapKey } from "@paraph/seal/wrap"
import { sql } from "kysely"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { blobContext } from "../blobs/context.ts"
import type { ServiceDatabase } from "../postgres/database.ts"
import { identificationSecret } from "../postgres/identifications.ts"
import { remoteSecret } from "../postgres/remote-signings.ts"
import { NOW, type Tenant } from "../testing/own-database.ts"
import { createOwnStore, kept, type OwnStore } from "../testing/own-store.ts"
import { collect } from "../testing/sealed-files.ts"
import { createBusinessKeys } from "./business-keys.ts"
import { RETIRED_AFTER_MS, rewrapBusinessKeys, rewrapDocuments, rotateBusinessKey } from "./rotate.ts"
import { sealSecrets } from "./webhook-secrets.ts"

let store: OwnStore
let tenant: Tenant

beforeAll(async () => {
  store = await createOwnStore()
})
afterAll(() => store?.close())
beforeEach(async () => {
  tenant = await store.tenant()
})

const db = () => store.database.db
const later = (ms: number) => new Date(NOW.getTime() + ms)
const rotate = (now = NOW) => rotateBusinessKey(db(), store.ring, tenant.businessId, now)
const finish = (now: Date) => rewrapDocuments(db(), store.ring, tenant.businessId, now)

async function versions(): Promise<Record<number, number>> {
  const { rows } = await sql<{ version: number; documents: number }>`
    select k.version, (select count(*)::int from document d
                        where d.business_id = k.business_id and d.key_version = k.version) as documents
      from business_key k where business_id = ${tenant.businessId}`.execute(db())
  return Object.fromEntries(rows.map(({ version, documents }) => [version, documents]))
}

/** Many documents at the price of one: rows of their own, with keys of their own, wrapped by the business's. */
async function withRows(document: Document, count: number): Promise<readonly string[]> {
  const { businessId } = tenant
  const { key } = await createBusinessKeys(db(), store.ring, () => NOW).newest(businessId)
  const names = Array.from({ length: count }, () => `documents/${randomUUID()}`)
  const ids = names.map(() => randomUUID())
  const wrapped = names.map((name) => wrapKey(key, newKey(), blobContext(businessId, name)))
  await sql`insert into document select copy.*
    from document d, unnest(${ids}::uuid[], ${names}::text[], ${wrapped}::bytea[]) as n (id, name, wrapped),
      jsonb_populate_record(d, jsonb_build_object('id', n.id, 'blob_name', n.name, 'wrapped_key', n.wrapped,
        'key_version', 1, 'details', null)) as copy
    where d.id = ${document.id}`.execute(db())
  return ids
}

const find = async (id: string): Promise<Document> => {
  const document = await store.read(tenant.businessId, (reading) => reading.findDocument(id))
  if (document === null) throw new Error("The document is not there.")
  return document
}

async function objects() {
  const listed = []
  for await (const object of store.bucket.list()) listed.push(object)
  return listed
}

describe("a new key of a business", () => {
  it("seals anew what opens a provider for a while, and it opens as before", async () => {
    const { businessId } = tenant
    await store.upload(tenant, randomBytes(100))
    const { key, version } = await createBusinessKeys(db(), store.ring, () => NOW).newest(businessId)
    const [releaseId, identificationId] = [randomUUID(), randomUUID()]
    const sealed = (name: string) => sealSecrets(key, name, Buffer.from(`{"accessToken":"${name}"}`))
    await db()
      .transaction()
      .execute(async (trx) => {
        // Rows without the request around them, which is not what this is about; the database is this file's own.
        for (const table of ["remote_signing", "identification"])
          await sql`alter table ${sql.table(table)} drop constraint ${sql.ref(`${table}_signature_id_fkey`)}`.execute(
            trx,
          )
        await sql`insert into remote_signing (release_id, signature_id, business_id, provider, token, key_version, created_at)
          values (${releaseId}, ${randomUUID()}, ${businessId}, 'qtsp', ${sealed(remoteSecret(releaseId))}, ${version}, ${NOW})`.execute(
          trx,
        )
        await sql`insert into identification (id, signature_id, business_id, provider, required, state, attempt, tokens, key_version)
          values (${identificationId}, ${randomUUID()}, ${businessId}, 'ident', true, 'STARTED', 1,
                  ${sealed(identificationSecret(identificationId))}, ${version})`.execute(trx)
      })
    await rotate()
    await finish(NOW)
    const { rows } = await sql<{ version: number }>`
      select key_version as version from remote_signing where release_id = ${releaseId}
      union all select key_version from identification where id = ${identificationId}`.execute(db())
    expect(rows.map((row) => row.version)).toEqual([version + 1, version + 1])
    await store.read(businessId, async (reading) => {
      expect(await reading.findRemoteToken(releaseId)).toEqual({ accessToken: remoteSecret(releaseId) })
      expect(await reading.findTokens(identificationId)).toEqual({
        accessToken: identificationSecret(identificationId),
      })
    })
  })

  it("[R35] wraps 10,000 documents anew while others read and upload all the time: no error, and no object is touched", async () => {
    const bytes = randomBytes(2_000)
    const real = await Promise.all(
      Array.from({ length: 20 }, () => store.upload(tenant, bytes, { pdfa: "PDF/A-2B" })),
    )
    const [first] = real
    if (first === undefined) throw new Error("A document is missing.")
    const ids = await withRows(first, 9_980)
    const before = await objects()
    let over = false
    const readers = Array.from({ length: 4 }, async (_, reader) => {
      let reads = 0
      for (; !over; reads += 1) {
        const document = await find(real[(reads * 7 + reader) % real.length]?.id ?? "")
        expect(document.pdfa).toBe("PDF/A-2B")
        expect((await collect(store.blobs.readContent(document))).equals(bytes)).toBe(true)
        await store.blobs.keyOf(await find(ids[(reads * 31 + reader) % ids.length] ?? ""))
      }
      return reads
    })
    const uploader = (async () => {
      const uploaded: Document[] = []
      while (!over) uploaded.push(await store.upload(tenant, bytes))
      return uploaded
    })()
    const rotated = await rotate().finally(() => {
      over = true
    })
    for (const reads of await Promise.all(readers)) expect(reads).toBeGreaterThan(3)
    const uploaded = await uploader
    expect(rotated.rewrapped).toBeGreaterThanOrEqual(10_000)
    expect(rotated.retired).toBe(0)

    // Whoever had the older key in memory has gone on with it: those are brought along the next time.
    const { rewrapped } = await finish(NOW)
    expect(rotated.rewrapped + rewrapped).toBe(10_000 + uploaded.length)
    expect(await versions()).toEqual({ 1: 0, 2: 10_000 + uploaded.length })
    const named = new Set(uploaded.map(({ blob }) => blob.name))
    expect((await objects()).filter(({ name }) => !named.has(name))).toEqual(before)
    for (const { id } of [...real, ...uploaded])
      expect((await collect(store.blobs.readContent(await find(id)))).equals(bytes)).toBe(true)
    for (let at = 0; at < ids.length; at += 998) {
      const wanted = ids.slice(at, at + 998)
      const found = await store.read(tenant.businessId, (reading) => reading.findDocuments(wanted))
      expect(found).toHaveLength(998)
      for (const document of found) expect(await store.blobs.keyOf(document)).toHaveLength(32)
    }
  })

  it("that was cut off in the middle is finished later", async () => {
    const document = await store.upload(tenant, randomBytes(10))
    await withRows(document, 1_200)
    let saves = 0
    const dying = db().withPlugin({
      transformQuery: ({ node }) => {
        // It dies when it is about to save what it has wrapped, for the second time.
        if (node.kind === "RawNode" && ++saves === 2) throw new Error("killed")
        return node
      },
      transformResult: async ({ result }) => result,
    })
    await expect(
      rotateBusinessKey(dying as ServiceDatabase, store.ring, tenant.businessId, NOW),
    ).rejects.toThrow("killed")
    expect(await versions()).toEqual({ 1: 701, 2: 500 })
    expect((await collect(store.blobs.readContent(await find(document.id)))).length).toBe(10)
    expect(await finish(NOW)).toEqual({ rewrapped: 701, retired: 0 })
    expect(await versions()).toEqual({ 1: 0, 2: 1_201 })
    expect((await collect(store.blobs.readContent(await find(document.id)))).length).toBe(10)
  })

  it("brings documents of several older keys along", async () => {
    const first = await store.upload(tenant, randomBytes(10))
    const late = await kept(store.blobs, tenant, randomBytes(10))
    await rotate()
    await store.transact(tenant.businessId, (tx) => tx.insertDocument(late))
    await rotate()
    expect(await versions()).toEqual({ 1: 0, 2: 0, 3: 2 })
    for (const { id } of [first, late])
      expect((await collect(store.blobs.readContent(await find(id)))).length).toBe(10)
  })

  it("that two ask for at once is made at least once, and all documents come under the last", async () => {
    const document = await store.upload(tenant, randomBytes(10))
    await withRows(document, 700)
    const outcomes = await Promise.allSettled([rotate(), rotate(), finish(NOW)])
    expect(outcomes.some(({ status }) => status === "fulfilled")).toBe(true)
    await finish(NOW)
    const counts = Object.values(await versions())
    expect(counts.at(-1)).toBe(701)
    expect(counts.length).toBeGreaterThan(1)
    expect((await collect(store.blobs.readContent(await find(document.id)))).length).toBe(10)
  })

  it("names the document whose key does not open, and leaves all as it was", async () => {
    const document = await store.upload(tenant, randomBytes(10))
    await db()
      .updateTable("document")
      .set({ wrapped_key: randomBytes(60) })
      .where("id", "=", document.id)
      .execute()
    await expect(rotate()).rejects.toThrow(`The key of the document ${document.id} cannot be opened.`)
    expect(await versions()).toEqual({ 1: 1, 2: 0 })
    await sql`delete from document where id = ${document.id}`.execute(db())
  })
})

describe("an older key of a business", () => {
  it("goes when nothing is wrapped by it and nobody can be about to; then also from where it stood of old", async () => {
    const document = await store.upload(tenant, randomBytes(10))
    await sql`update business set wrapped_key = 'old' where id = ${tenant.businessId}`.execute(db())
    await rotate()
    expect(await finish(later(RETIRED_AFTER_MS))).toEqual({ rewrapped: 0, retired: 0 })
    expect(await oldColumn()).not.toBeNull()
    expect(await finish(later(RETIRED_AFTER_MS + 1))).toEqual({ rewrapped: 0, retired: 1 })
    expect(await oldColumn()).toBeNull()
    expect(await versions()).toEqual({ 2: 1 })
    expect((await collect(store.blobs.readContent(await find(document.id)))).length).toBe(10)
  })

  it("stays while one document needs it", async () => {
    const document = await store.upload(tenant, randomBytes(10))
    await rotate()
    const late = await store.upload(tenant, randomBytes(10))
    expect(late.blob.keyVersion).toBe(1)
    const others = db()
      .deleteFrom("business_key")
      .where("business_id", "=", tenant.businessId)
      .where("version", "=", 1)
    await expect(others.execute()).rejects.toThrow("foreign key")
    expect(await finish(later(RETIRED_AFTER_MS + 1))).toEqual({ rewrapped: 1, retired: 1 })
    for (const { id } of [document, late])
      expect((await collect(store.blobs.readContent(await find(id)))).length).toBe(10)
  })

  async function oldColumn(): Promise<Buffer | null> {
    const { rows } = await sql<{ wrapped_key: Buffer | null }>`
      select wrapped_key from business where id = ${tenant.businessId}`.execute(db())
    return rows[0]?.wrapped_key ?? null
  }
})

describe("a new key of the operator", () => {
  it("wraps the keys of all businesses anew; the older one is then not needed, and no document is touched", async () => {
    const documents = [await store.upload(tenant, randomBytes(10)), await uploadOfBefore()]
    const rows = () => sql`select wrapped_key, key_version from document order by id`.execute(db())
    const before = await rows()
    const both = store.operator.ring("transit:new", "test", "file:old")
    const { rewrapped } = await rewrapBusinessKeys(db(), both, "older")
    expect(rewrapped).toBeGreaterThanOrEqual(2)
    expect(await kekIds()).toEqual(["transit:new"])
    expect((await rows()).rows).toEqual(before.rows)
    const { rows: left } = await sql`select from business where wrapped_key is not null`.execute(db())
    expect(left).toEqual([])

    const keys = createBusinessKeys(db(), store.operator.ring("transit:new"), () => NOW)
    for (const { businessId, blob } of documents) await keys.of(businessId, blob.keyVersion)
    expect(await rewrapBusinessKeys(db(), both, "older")).toEqual({ rewrapped: 0, retired: 0 })
    // A provider whose key changes under one name: all of them, whatever they say.
    const wrapped = await wrappedKeys()
    expect((await rewrapBusinessKeys(db(), both, "all")).rewrapped).toBe(wrapped.length)
    for (const [index, value] of (await wrappedKeys()).entries()) expect(value).not.toEqual(wrapped[index])
    // And back, for the tests that follow.
    await rewrapBusinessKeys(db(), store.operator.ring("test", "transit:new"), "older")
  })

  it("that cannot unwrap one of them stops, and what is done can be read by both", async () => {
    const lacking = store.operator.ring("transit:new")
    await expect(rewrapBusinessKeys(db(), lacking, "older")).rejects.toThrow("There is no key test.")
    expect(await kekIds()).toEqual(["test"])
  })

  const kekIds = async () =>
    (await db().selectFrom("business_key").select("kek_id").distinct().execute()).map(({ kek_id }) => kek_id)
  const wrappedKeys = async () =>
    (
      await db().selectFrom("business_key").selectAll().orderBy("business_id").orderBy("version").execute()
    ).map(({ wrapped_key }) => wrapped_key)

  /** Of a business whose key was made when there was one key in a file, and no table for it. */
  async function uploadOfBefore(): Promise<Document> {
    const old = await store.tenant()
    const document = await store.upload(old, randomBytes(10))
    const key = await createBusinessKeys(db(), store.ring, () => NOW).of(old.businessId, 1)
    const wrapped_key = wrapKey(store.operator.keyOf("file:old"), key, `business ${old.businessId}`)
    await sql`update business_key set kek_id = null, wrapped_key = ${wrapped_key}
      where business_id = ${old.businessId}`.execute(db())
    await sql`update business set wrapped_key = ${wrapped_key} where id = ${old.businessId}`.execute(db())
    return document
  }
})
