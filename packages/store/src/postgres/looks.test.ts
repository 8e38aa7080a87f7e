import { randomUUID } from "node:crypto"
import type { KeptLook } from "@paraph/core/signature-request/look"
import type { SignatureRequest } from "@paraph/core/signature-request/model"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { rewrapDocuments, rotateBusinessKey } from "../keys/rotate.ts"
import { NOW, sampleRequest, type Tenant } from "../testing/own-database.ts"
import { createOwnStore, type OwnStore } from "../testing/own-store.ts"
import { removeOldLooks } from "./looks.ts"

let store: OwnStore
let tenant: Tenant
let request: SignatureRequest
beforeAll(async () => {
  store = await createOwnStore()
})
afterAll(() => store?.close())
beforeEach(async () => {
  tenant = await store.tenant()
  const document = await store.upload(tenant, Buffer.from("a document"))
  request = sampleRequest(tenant, [document], 2)
  await store.transact(tenant.businessId, (tx) => tx.insertRequest(request))
})

const db = () => store.database.db
const signatureId = (n = 0) => request.signatures[n]?.id ?? ""
const find = (businessId = tenant.businessId, id = signatureId()) =>
  store.read(businessId, (reading) => reading.findLook(id))
const keep = (look: KeptLook, at = NOW) => store.transact(tenant.businessId, (tx) => tx.keepLook(look, at))
const pictureOf = (n = 0): KeptLook => ({
  id: randomUUID(),
  signatureId: signatureId(n),
  shown: { type: "picture", png: Buffer.from("pixels of a picture") },
})
const drawingOf = (): KeptLook => ({
  id: randomUUID(),
  signatureId: signatureId(),
  shown: { type: "drawn", width: 30, height: 20, strokes: [[1, 2, 3, 4]] },
})

describe("what a person signs with", () => {
  it("is kept as it is, one for a signature, and for its business alone", async () => {
    const [picture, drawing] = [pictureOf(), drawingOf()]
    await keep(picture)
    expect(await find()).toEqual(picture)
    await keep(drawing)
    expect(await find()).toEqual(drawing)
    const other = await store.tenant()
    expect(await find(other.businessId)).toBeNull()
  })

  it("lies sealed, bound to its signature", async () => {
    const [one, two] = [pictureOf(0), pictureOf(1)]
    await keep(one)
    await keep(two)
    const rows = await db()
      .selectFrom("signature_look")
      .selectAll()
      .where("business_id", "=", tenant.businessId)
      .execute()
    for (const { sealed } of rows) expect(sealed.includes("pixels")).toBe(false)
    const swapped = rows.find((row) => row.signature_id === two.signatureId)?.sealed ?? Buffer.alloc(0)
    await db().updateTable("signature_look").set({ sealed: swapped }).where("id", "=", one.id).execute()
    await expect(find()).rejects.toThrow()
  })

  it("is sealed anew with a new key of its business, which can go only then", async () => {
    const picture = pictureOf()
    await keep(picture)
    await rotateBusinessKey(db(), store.ring, tenant.businessId, NOW)
    const later = new Date(NOW.getTime() + 86_400_000)
    const { retired } = await rewrapDocuments(db(), store.ring, tenant.businessId, later)
    expect(retired).toBe(1)
    expect(await find()).toEqual(picture)
  })

  it("goes when it is told to, with its request, and when nobody came back to sign with it", async () => {
    await keep(pictureOf())
    await store.transact(tenant.businessId, (tx) => tx.removeLooks([signatureId()]))
    expect(await find()).toBeNull()
    await keep(pictureOf())
    await store.transact(tenant.businessId, (tx) => tx.removeRequest(request, NOW))
    expect(await find()).toBeNull()
  })

  it("is swept after a day, unless the signature is being made with it", async () => {
    const old = new Date(NOW.getTime() - 2 * 86_400_000)
    await keep(pictureOf(0), old)
    await keep(pictureOf(1), old)
    const agreed = { name: "Ann", version: "x", language: "en", sha256: "00", shown: [], at: NOW }
    await db()
      .updateTable("signature")
      .set({ consent: JSON.stringify(agreed) })
      .where("id", "=", signatureId(1))
      .execute()
    while ((await removeOldLooks(db(), new Date(NOW.getTime() - 86_400_000), 100)) === 100);
    expect(await find()).toBeNull()
    expect(await find(tenant.businessId, signatureId(1))).not.toBeNull()
    // A consent of the time before there were looks.
    const found = await store.read(tenant.businessId, (reading) => reading.findRequest(request.id))
    expect(found?.signatures[1]?.consent).toMatchObject({ look: { type: "plain" }, places: [] })
  })
})
