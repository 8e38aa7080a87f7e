import { createHash, randomBytes, randomUUID } from "node:crypto"
import { existsSync } from "node:fs"
import { CopyObjectCommand, GetObjectCommand } from "@aws-sdk/client-s3"
import type { Document } from "@paraph/core/document/model"
import { SealBroken } from "@paraph/seal/broken"
import { SEGMENT_BYTES, sealedSize } from "@paraph/seal/stream"
import { newKey } from "@paraph/seal/wrap"
import fc from "fast-check"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { businessContext } from "../keys/key-ring.ts"
import { insertBusinessKey } from "../postgres/business-keys.ts"
import { createOwnBucket, type OwnBucket } from "../testing/own-bucket.ts"
import { NOW, type Tenant } from "../testing/own-database.ts"
import { createOwnStore, kept, type OwnStore, once } from "../testing/own-store.ts"
import { collect } from "../testing/sealed-files.ts"
import { OWNED_WITHIN_MS } from "./blobs.ts"
import { type Bucket, ObjectMissing } from "./bucket.ts"
import { createS3Bucket } from "./s3-bucket.ts"

let s3: OwnBucket
let bucket: Bucket
let store: OwnStore
let tenant: Tenant

beforeAll(async () => {
  s3 = await createOwnBucket()
  bucket = createS3Bucket(s3.settings)
  store = await createOwnStore({ bucket })
  tenant = await store.tenant()
})

afterAll(async () => {
  await store?.close()
  bucket?.close()
  await s3?.close()
})

const stored = (id: string) => store.read(tenant.businessId, (reading) => reading.findDocument(id))

async function found(id: string): Promise<Document> {
  const document = await stored(id)
  if (document === null) throw new Error("The document is not there.")
  return document
}

const contentOf = (document: Document, range?: { start: number; end: number }) =>
  collect(store.blobs.readContent(document, range))

async function objectOf(name: string): Promise<Buffer> {
  const { Body } = await s3.administrator.send(
    new GetObjectCommand({ Bucket: s3.settings.bucket, Key: name }),
  )
  return Buffer.from((await Body?.transformToByteArray()) ?? [])
}

const looseNames = async () =>
  (await store.database.db.selectFrom("loose_blob").selectAll().execute()).map(({ name }) => name)

it.each([0, 1, SEGMENT_BYTES, 3 * SEGMENT_BYTES + 12_345])(
  "a document of %i bytes is held, kept, owned, read, removed, swept and gone",
  async (size) => {
    const bytes = randomBytes(size)
    const held = await store.blobs.holdBytes(
      { businessId: tenant.businessId, kind: "production" },
      once(bytes),
    )
    expect(held.sha256).toBe(createHash("sha256").update(bytes).digest("hex"))
    expect((await collect(store.blobs.readHeld(held))).equals(bytes)).toBe(true)
    expect(await looseNames()).toEqual([])

    const document = await kept(store.blobs, tenant, bytes)
    const { name } = document.blob
    expect(await looseNames()).toEqual([name])
    await held.release()
    await held.release()
    expect(existsSync(held.file.path)).toBe(false)

    await store.transact(tenant.businessId, (tx) => tx.insertDocument(document))
    expect(await looseNames()).toEqual([])
    expect(await stored(document.id)).toEqual(document)
    expect((await contentOf(await found(document.id))).equals(bytes)).toBe(true)
    expect((await objectOf(name)).length).toBe(sealedSize(size))

    await store.remove(document)
    expect(await stored(document.id)).toBeNull()
    expect(await looseNames()).toEqual([name])
    expect(await store.findings()).toEqual([])
    expect(await store.sweep()).toEqual([name])
    expect(await looseNames()).toEqual([])
    await expect(contentOf(document)).rejects.toThrow(ObjectMissing)
    expect(await store.findings()).toEqual([])
  },
)

it("any range is read as it was put", async () => {
  const bytes = randomBytes(2 * SEGMENT_BYTES + 1_000)
  const { id } = await store.upload(tenant, bytes)
  const document = await found(id)
  const place = fc.oneof(
    fc.integer({ min: 0, max: bytes.length }),
    fc.constantFrom(0, SEGMENT_BYTES - 1, SEGMENT_BYTES, SEGMENT_BYTES + 1, 2 * SEGMENT_BYTES, bytes.length),
  )
  await fc.assert(
    fc.asyncProperty(place, place, async (one, other) => {
      const [start, end] = [Math.min(one, other), Math.max(one, other)]
      expect((await contentOf(document, { start, end })).equals(bytes.subarray(start, end))).toBe(true)
    }),
    { numRuns: 40 },
  )
  await expect(contentOf(document, { start: 0, end: bytes.length + 1 })).rejects.toThrow(RangeError)
})

it("two equal documents have different objects and different keys", async () => {
  const bytes = Buffer.alloc(300_000, "a canary in the coal mine ")
  const [one, other] = await Promise.all([store.upload(tenant, bytes), store.upload(tenant, bytes)])
  expect(one.sha256).toBe(other.sha256)
  const [a, b] = await Promise.all([objectOf(one.blob.name), objectOf(other.blob.name)])
  expect(a.equals(b)).toBe(false)
  expect(await store.blobs.keyOf(one)).not.toEqual(await store.blobs.keyOf(other))
  for (const object of [a, b]) expect(object.includes("canary")).toBe(false)
})

describe("what is kept", () => {
  it("is what was held here, once", async () => {
    const held = await store.blobs.holdBytes(
      { businessId: tenant.businessId, kind: "production" },
      once(randomBytes(10)),
    )
    await expect(store.blobs.keepHeld({ ...held })).rejects.toThrow("not on their way in")
    const document = await store.upload(tenant, randomBytes(10))
    const brought = await store.blobs.holdDocument(document)
    await expect(store.blobs.keepHeld(brought)).rejects.toThrow("not on their way in")
    await store.blobs.abandon(await store.blobs.keepHeld(held))
    await expect(store.blobs.keepHeld(held)).rejects.toThrow("not on their way in")
    await store.sweep()
    await Promise.all([held.release(), brought.release()])
    expect(await looseNames()).toEqual([])
  })

  it("of a business without a key is not stored", async () => {
    const nobody = randomUUID()
    const held = await store.blobs.holdBytes(
      { businessId: nobody, kind: "production" },
      once(randomBytes(10)),
    )
    await expect(store.blobs.keepHeld(held)).rejects.toThrow("has no key newest")
    expect(await looseNames()).toEqual([])
    await held.release()
  })

  it("is not kept when the bucket took so long that the sweep may have come before it", async () => {
    const slow = await createOwnStore({
      database: store.database,
      bucket: {
        ...bucket,
        put: async (name, file) => {
          await bucket.put(name, file)
          slow.clock.now = new Date(NOW.getTime() + OWNED_WITHIN_MS - 1)
        },
      },
    })
    const other = await slow.tenant()
    await expect(kept(slow.blobs, other, randomBytes(10))).rejects.toThrow("took too long")
    slow.clock.now = new Date(NOW.getTime() + OWNED_WITHIN_MS)
    expect(await slow.sweep()).toHaveLength(1)
    expect(await slow.findings()).toEqual([])
    await slow.close()
  })
})

describe("a document is not read", () => {
  it("from the object of another that was put in its place", async () => {
    const bytes = randomBytes(600_000)
    const [mine, theirs] = await Promise.all([store.upload(tenant, bytes), store.upload(tenant, bytes)])
    const CopySource = `${s3.settings.bucket}/${theirs.blob.name}`
    const Key = mine.blob.name
    await s3.administrator.send(new CopyObjectCommand({ Bucket: s3.settings.bucket, Key, CopySource }))
    await expect(contentOf(mine)).rejects.toThrow(SealBroken)
    await expect(contentOf(mine, { start: 400_000, end: 500_000 })).rejects.toThrow(SealBroken)
    const held = await store.blobs.holdDocument(mine)
    await expect(collect(store.blobs.readHeld(held))).rejects.toThrow(SealBroken)
    await held.release()
    expect((await contentOf(theirs)).equals(bytes)).toBe(true)
  })

  it("with the wrapped key of another in its row", async () => {
    const [mine, theirs] = await Promise.all([1, 2].map(() => store.upload(tenant, randomBytes(100))))
    if (mine === undefined || theirs === undefined) throw new Error("A document is missing.")
    await store.database.db
      .updateTable("document")
      .set({ wrapped_key: Buffer.from(theirs.blob.wrappedKey) })
      .where("id", "=", mine.id)
      .execute()
    await expect(found(mine.id)).rejects.toThrow(SealBroken)
    const swapped = { ...mine, blob: { ...mine.blob, wrappedKey: theirs.blob.wrappedKey } }
    await expect(contentOf(swapped)).rejects.toThrow(SealBroken)
    await expect(store.blobs.holdDocument(swapped)).rejects.toThrow(SealBroken)
  })

  it("with another version of the business's key in its row", async () => {
    const { businessId } = tenant
    const document = await store.upload(tenant, randomBytes(100))
    const { id: kekId, wrapped: wrappedKey } = await store.ring.wrap(newKey(), businessContext(businessId, 2))
    const { db } = store.database
    await insertBusinessKey(db, { businessId, version: 2, kekId, wrappedKey, now: NOW })
    const set = (key_version: number) =>
      db.updateTable("document").set({ key_version }).where("id", "=", document.id).execute()
    await set(2)
    await expect(found(document.id)).rejects.toThrow(SealBroken)
    const moved = { ...document, blob: { ...document.blob, keyVersion: 2 } }
    await expect(contentOf(moved)).rejects.toThrow(SealBroken)
    await expect(set(3)).rejects.toThrow("foreign key")
    await set(1)
    expect((await contentOf(await found(document.id))).length).toBe(100)
  })

  it("in the name of another business, whatever its row says", async () => {
    const stranger = await store.tenant()
    const document = await store.upload(tenant, randomBytes(100))
    await expect(contentOf({ ...document, businessId: stranger.businessId })).rejects.toThrow(SealBroken)
  })
})
