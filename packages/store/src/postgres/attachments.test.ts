import { randomBytes, randomUUID } from "node:crypto"
import type { StoredAttachment } from "@paraph/core/attachment/ports"
import type { SignatureRequest } from "@paraph/core/signature-request/model"
import { afterAll, beforeAll, expect, it } from "vitest"
import { RETIRED_AFTER_MS, rewrapDocuments, rotateBusinessKey } from "../keys/rotate.ts"
import { NOW, sampleRequest, type Tenant } from "../testing/own-database.ts"
import { createOwnStore, kept, type OwnStore } from "../testing/own-store.ts"
import { collect } from "../testing/sealed-files.ts"

let store: OwnStore
let tenant: Tenant
let request: SignatureRequest
beforeAll(async () => {
  store = await createOwnStore()
  tenant = await store.tenant()
  request = sampleRequest(tenant, [await store.upload(tenant, randomBytes(10))], 0)
  await store.transact(tenant.businessId, (tx) => tx.insertRequest(request))
})
afterAll(() => store?.close())

/** Taken in as the service does it: in the bucket, and owned by a row. */
async function attached(bytes: Uint8Array): Promise<StoredAttachment> {
  const { sizeBytes, sha256, blob } = await kept(store.blobs, tenant, bytes)
  const { businessId } = tenant
  const named = { id: randomUUID(), filename: "Plan.txt", contentType: "text/plain", requestId: request.id }
  const attachment = { ...named, businessId, sizeBytes, sha256, blob, createdAt: NOW }
  await store.transact(businessId, (tx) => tx.insertAttachment(attachment))
  return attachment
}

const find = (id: string, requestId = request.id, businessId = tenant.businessId) =>
  store.read(businessId, (reading) => reading.findAttachment(requestId, id))

async function inBucket(): Promise<readonly string[]> {
  const names: string[] = []
  for await (const { name } of store.bucket.list()) names.push(name)
  return names
}

it("an attachment is read as it was written, by its own request and business alone", async () => {
  const bytes = randomBytes(100_000)
  const attachment = await attached(bytes)
  expect(await find(attachment.id)).toEqual(attachment)
  expect(Buffer.from(await collect(store.blobs.readContent(attachment)))).toEqual(bytes)
  expect(await find(attachment.id, randomUUID())).toBeNull()
  expect(await find(attachment.id, request.id, (await store.tenant()).businessId)).toBeNull()
  const read = await store.read(tenant.businessId, (reading) => reading.findRequest(request.id))
  const { id, filename, contentType, sizeBytes, sha256 } = attachment
  expect(read?.attachments).toEqual([{ id, filename, contentType, sizeBytes, sha256 }])
})

it("a row that was given the object, the words or the request of another one is not read", async () => {
  const { db } = store.database
  const [one, other] = [await attached(randomBytes(40)), await attached(randomBytes(40))]
  const elsewhere = sampleRequest(tenant, [await store.upload(tenant, randomBytes(10))], 0)
  await store.transact(tenant.businessId, (tx) => tx.insertRequest(elsewhere))
  const row = async ({ id }: StoredAttachment) =>
    db.selectFrom("attachment").selectAll().where("id", "=", id).executeTakeFirstOrThrow()
  const [was, foreign] = [await row(one), await row(other)]
  const { blob_name, wrapped_key, sha256, details } = foreign
  const put = (values: Partial<typeof was>) =>
    db.updateTable("attachment").set(values).where("id", "=", one.id).execute()
  await store.transact(tenant.businessId, (tx) => tx.removeAttachments(request.id, NOW, other.id))
  for (const changed of [
    { blob_name, wrapped_key },
    { blob_name, wrapped_key, sha256 },
    { blob_name, wrapped_key, sha256, details },
    { details },
    { details: null },
    { sha256 },
    { filename: "run.bat" },
    { content_type: "application/pdf" },
    { request_id: elsewhere.id },
  ] satisfies Partial<typeof was>[]) {
    await put(changed)
    await expect(
      find(one.id, changed.request_id ?? request.id),
      Object.keys(changed).join(),
    ).rejects.toThrow()
    await put(was)
  }
  expect(await find(one.id)).toEqual(one)
  await store.transact(tenant.businessId, (tx) => tx.removeAttachments(request.id, NOW, one.id))
})

it("a row of the time before there were seals is read; one that has a seal does not lose it by saying so", async () => {
  const { db } = store.database
  const bytes = randomBytes(30)
  const attachment = await attached(bytes)
  const put = (values: { unsealed?: boolean; details?: null; filename?: string }) =>
    db.updateTable("attachment").set(values).where("id", "=", attachment.id).execute()
  await put({ unsealed: true, filename: "run.bat" })
  await expect(find(attachment.id)).rejects.toThrow()
  await put({ details: null, filename: attachment.filename })
  expect(await find(attachment.id)).toEqual(attachment)
  await store.transact(tenant.businessId, (tx) => tx.removeAttachments(request.id, NOW, attachment.id))
})

it("its object is named: the audit finds it lost when it is gone, and nothing before", async () => {
  const attachment = await attached(randomBytes(50))
  expect(await store.findings()).toEqual([])
  await store.bucket.remove(attachment.blob.name)
  expect(await store.findings()).toEqual([{ type: "lost", name: attachment.blob.name }])
  await store.transact(tenant.businessId, (tx) => tx.removeAttachments(request.id, NOW, attachment.id))
  await store.sweep()
  expect(await store.findings()).toEqual([])
})

it("all of a request go at once: rows and keys with the transaction, objects with the sweep", async () => {
  const names = (await Promise.all([1, 2, 3].map((n) => attached(randomBytes(n))))).map(
    ({ blob }) => blob.name,
  )
  await store.transact(tenant.businessId, (tx) => tx.removeAttachments(request.id, NOW))
  const read = await store.read(tenant.businessId, (reading) => reading.findRequest(request.id))
  expect(read?.attachments).toEqual([])
  expect(await store.findings()).toEqual([])
  await store.sweep()
  expect((await inBucket()).filter((name) => names.includes(name))).toEqual([])
})

// The last one: the older key is gone afterwards.
it("a new key of the business wraps its key too, and the older one stays until it does", async () => {
  const { db } = store.database
  const { businessId } = tenant
  const bytes = randomBytes(70)
  const attachment = await attached(bytes)
  await rotateBusinessKey(db, store.ring, businessId, NOW)
  // As one that was on its way in when the key was changed.
  await db
    .updateTable("attachment")
    .set({ key_version: 1, wrapped_key: Buffer.from(attachment.blob.wrappedKey) })
    .where("id", "=", attachment.id)
    .execute()
  const later = new Date(NOW.getTime() + RETIRED_AFTER_MS + 1)
  expect(await rewrapDocuments(db, store.ring, businessId, later)).toEqual({ rewrapped: 1, retired: 1 })
  const rewrapped = await find(attachment.id)
  expect(rewrapped?.blob.keyVersion).toBe(2)
  if (rewrapped !== null)
    expect(Buffer.from(await collect(store.blobs.readContent(rewrapped)))).toEqual(bytes)
})
