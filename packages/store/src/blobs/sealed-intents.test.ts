import { randomBytes, randomUUID } from "node:crypto"
import type { Intent } from "@paraph/core/signature-request/intent"
import { SealBroken } from "@paraph/seal/broken"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { rotateBusinessKey } from "../keys/rotate.ts"
import { NOW, sampleRequest, type Tenant } from "../testing/own-database.ts"
import { createOwnStore, type OwnStore } from "../testing/own-store.ts"

let store: OwnStore
let tenant: Tenant

beforeAll(async () => {
  store = await createOwnStore()
  tenant = await store.tenant()
})
afterAll(() => store?.close())

describe("an intent", () => {
  const prepared = {
    signedAttributes: "MQ==",
    certificateSha256: "01",
    baseSha256: "02",
    engine: { tail: "Canary of the page" },
  }

  async function keep(): Promise<Intent> {
    const document = await store.upload(tenant, randomBytes(10))
    const request = sampleRequest(tenant, [document], 1)
    const signatureId = request.signatures[0]?.id ?? ""
    const of = { signatureId, documentId: document.id, baseId: document.id }
    return store.transact(tenant.businessId, async (tx) => {
      await tx.insertRequest(request)
      return tx.keepIntent({
        ...of,
        versionId: randomUUID(),
        prepared,
        value: null,
        stamp: null,
        createdAt: NOW,
      })
    })
  }
  const find = ({ signatureId, documentId, baseId }: Intent) =>
    store.read(tenant.businessId, (reading) => reading.findIntent(signatureId, documentId, baseId))
  const rowOf = async ({ signatureId }: Intent) => {
    const query = store.database.db.selectFrom("signing_intent").select("prepared")
    return (await query.where("signature_id", "=", signatureId).executeTakeFirstOrThrow()).prepared
  }
  const putRow = ({ signatureId }: Intent, row: object) =>
    store.database.db
      .updateTable("signing_intent")
      .set({ prepared: JSON.stringify(row) })
      .where("signature_id", "=", signatureId)
      .execute()

  it("is sealed in its row, but for the certificate, and read as it was kept", async () => {
    const intent = await keep()
    expect(intent.prepared).toEqual(prepared)
    expect(await rowOf(intent)).toEqual({ certificateSha256: "01", sealed: expect.any(String) })
    const { sealed = "" } = (await rowOf(intent)) as { sealed?: string }
    for (const form of ["base64", "utf8"] as const)
      expect(Buffer.from(sealed, form).includes("Canary")).toBe(false)
    expect(await find(intent)).toEqual(intent)
  })

  it("is read after the business's key was changed", async () => {
    const intent = await keep()
    await rotateBusinessKey(store.database.db, store.ring, tenant.businessId, NOW)
    expect(await find(intent)).toEqual(intent)
  })

  it("is not read as that of another signature, nor in a form that nobody sealed", async () => {
    const [mine, theirs] = [await keep(), await keep()]
    await putRow(mine, await rowOf(theirs))
    await expect(find(mine)).rejects.toThrow(SealBroken)
    await putRow(mine, prepared)
    expect(await find(mine)).toBeNull()
  })

  it("is bound to its signature, even where the key is the same", async () => {
    const { id, businessId, blob } = await store.upload(tenant, randomBytes(10))
    const key = { signatureId: randomUUID(), documentId: id, baseId: id }
    const opened = store.database.db.transaction().execute(async (trx) => {
      const sealed = await store.sealer.sealPrepared({ businessId, blob }, key, prepared, trx)
      const other = { ...key, signatureId: randomUUID() }
      return store.sealer.openPrepared({ businessId, blob }, other, sealed, trx)
    })
    await expect(opened).rejects.toThrow(SealBroken)
  })
})
