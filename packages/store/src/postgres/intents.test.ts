import { randomBytes, randomUUID } from "node:crypto"
import type { Transact } from "@paraph/core/ports"
import type { Intent } from "@paraph/core/signature-request/intent"
import type { SignatureRequest } from "@paraph/core/signature-request/model"
import { afterAll, beforeAll, expect, it } from "vitest"
import * as own from "../testing/own-database.ts"
import { createRead, createTransact } from "./transact.ts"

let database: own.OwnDatabase
let tenant: own.Tenant
let transact: Transact

beforeAll(async () => {
  database = await own.createOwnDatabase({ migrated: true })
  tenant = await own.insertTenant(database)
  transact = createTransact({ db: database.db, enqueue: async () => undefined, sealer: own.plainDetails })
})

afterAll(() => database?.close())

it("an intent is read as it was kept, once for each version that it is made on", async () => {
  const intent = await newIntent()
  expect(await find(intent)).toBeNull()
  expect(await keep(intent)).toEqual(intent)
  expect(await find(intent)).toEqual(intent)
  expect(await find({ ...intent, baseId: randomUUID() })).toBeNull()
})

it("of 20 workers that keep an intent at once the first is kept, and all are told the same", async () => {
  const intent = await newIntent()
  const racers = Array.from({ length: 20 }, () => ({ ...intent, versionId: randomUUID() }))
  const told = await Promise.all(racers.map(keep))
  expect(new Set(told.map((t) => t.versionId)).size).toBe(1)
  expect(racers.map((r) => r.versionId)).toContain(told[0]?.versionId)
  expect(await find(intent)).toEqual(told[0])
})

it("[R32] of 20 workers that keep a value at once the first is kept, and all are told the same", async () => {
  const intent = await keep(await newIntent())
  const values = Array.from({ length: 20 }, () => randomBytes(64))
  const told = await Promise.all(
    values.map((value) => transact(tenant.businessId, (tx) => tx.keepValue(intent, value))),
  )
  const kept = new Set(told.map((t) => Buffer.from(t.value ?? []).toString("hex")))
  expect(kept.size).toBe(1)
  expect(values.map((value) => value.toString("hex"))).toContain([...kept][0])
})

it("a value that is kept is never replaced, also not by keeping the intent again", async () => {
  const intent = await keep(await newIntent())
  const first = Buffer.from("first")
  await transact(tenant.businessId, (tx) => tx.keepValue(intent, first))
  const again = await transact(tenant.businessId, (tx) => tx.keepValue(intent, Buffer.from("second")))
  expect(again.value).toEqual(first)
  expect((await keep(intent)).value).toEqual(first)
})

it("of 20 workers that bring a time-stamp at once the first is kept, and none without a value", async () => {
  const intent = await keep(await newIntent())
  const stamp = (bytes: Buffer) => transact(tenant.businessId, (tx) => tx.keepStamp(intent, bytes))
  expect((await stamp(Buffer.from("too early"))).stamp).toBeNull()
  await transact(tenant.businessId, (tx) => tx.keepValue(intent, Buffer.from("value")))
  const told = await Promise.all(Array.from({ length: 20 }, () => stamp(randomBytes(32))))
  expect(new Set(told.map((t) => Buffer.from(t.stamp ?? []).toString("hex"))).size).toBe(1)
  expect((await keep(intent)).stamp).toEqual(told[0]?.stamp)
})

it("an intent of a certificate of the past gives way, as long as it has no value", async () => {
  const old = await keep(await newIntent())
  const renewed = { ...old, versionId: randomUUID(), prepared: { ...old.prepared, certificateSha256: "new" } }
  expect((await keep(renewed)).versionId).toBe(renewed.versionId)
  await transact(tenant.businessId, (tx) => tx.keepValue(renewed, Buffer.from("value")))
  expect((await keep(old)).versionId).toBe(renewed.versionId)
})

it("an intent that nobody sealed is none, and gives way, even with a value", async () => {
  const intent = await keep(await newIntent())
  await transact(tenant.businessId, (tx) => tx.keepValue(intent, Buffer.from("of other bytes")))
  await database.db
    .updateTable("signing_intent")
    .set({ prepared: JSON.stringify(intent.prepared) })
    .where("signature_id", "=", intent.signatureId)
    .execute()
  expect(await find(intent)).toBeNull()
  const anew = { ...intent, versionId: randomUUID() }
  expect(await keep(anew)).toEqual(anew)
})

it("[R32] a value is never kept beside an intent that was prepared anew while it was made", async () => {
  const old = await keep(await newIntent())
  const renewed = { ...old, versionId: randomUUID(), prepared: { ...old.prepared, certificateSha256: "new" } }
  await keep(renewed)
  const told = await transact(tenant.businessId, (tx) => tx.keepValue(old, Buffer.from("of the old bytes")))
  expect(told).toMatchObject({ versionId: renewed.versionId, value: null })
})

it("an intent goes with the signature that it was for, and with the request that ends; that of another signer stays", async () => {
  const [request, mine, others] = await startedWithIntents()
  const signed = changed(request, { signatures: request.signatures.map((s, n) => (n === 0 ? done(s) : s)) })
  await save(signed, request)
  expect([await find(mine), await find(others)]).toEqual([null, others])
  await save(changed(signed, { lifecycle: "withdrawn" }), signed)
  expect(await find(others)).toBeNull()
})

it("whoever is still at a signature that was withdrawn cannot keep a value for it", async () => {
  const [request, mine] = await startedWithIntents()
  await save(changed(request, { lifecycle: "withdrawn" }), request)
  await expect(
    transact(tenant.businessId, (tx) => tx.keepValue(mine, Buffer.from("too late"))),
  ).rejects.toThrow("is gone")
})

type Signature = SignatureRequest["signatures"][number]
const done = (s: Signature): Signature => ({ ...s, state: "signed", signedAt: own.NOW })
const changed = (request: SignatureRequest, how: Partial<SignatureRequest>) => ({ ...request, ...how })
const save = (request: SignatureRequest, before: SignatureRequest) =>
  transact(tenant.businessId, (tx) => tx.saveRequest(request, before))

async function startedWithIntents(): Promise<readonly [SignatureRequest, Intent, Intent]> {
  const document = await own.storedDocument(database, tenant)
  const request = own.sampleRequest(tenant, [document], 2, { lifecycle: "started" })
  await transact(tenant.businessId, async (tx) => {
    await tx.insertDocument(document)
    await tx.insertRequest(request)
  })
  const [mine, others] = request.signatures.map(({ id }) => intentOf(id, document.id))
  if (mine === undefined || others === undefined) throw new Error("There are two signers.")
  return [request, await keep(mine), await keep(others)]
}

const keep = (intent: Intent): Promise<Intent> => transact(tenant.businessId, (tx) => tx.keepIntent(intent))

const find = ({ signatureId, documentId, baseId }: Intent): Promise<Intent | null> =>
  createRead(database.db, own.plainDetails)(tenant.businessId, (reading) =>
    reading.findIntent(signatureId, documentId, baseId),
  )

async function newIntent(): Promise<Intent> {
  const document = await own.storedDocument(database, tenant)
  const request = own.sampleRequest(tenant, [document], 1)
  await transact(tenant.businessId, async (tx) => {
    await tx.insertDocument(document)
    await tx.insertRequest(request)
  })
  return intentOf(request.signatures[0]?.id ?? "", document.id)
}

function intentOf(signatureId: string, documentId: string): Intent {
  const prepared = {
    signedAttributes: "MQ==",
    certificateSha256: "01",
    baseSha256: "02",
    engine: { hole: { start: 7, length: 9 }, tail: "é \u{1f58a}" },
  }
  return {
    signatureId,
    documentId,
    baseId: documentId,
    versionId: randomUUID(),
    prepared,
    value: null,
    stamp: null,
    createdAt: own.NOW,
  }
}
