import { randomUUID } from "node:crypto"
import type { Document } from "@paraph/core/document/model"
import { sql } from "kysely"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { Mark } from "../blobs/bucket.ts"
import { NOW, sampleRequest, type Tenant } from "../testing/own-database.ts"
import { createOwnStore, type OwnStore } from "../testing/own-store.ts"
import { eraseAgain } from "./erase-again.ts"
import { removeMarked } from "./loose-blobs.ts"

let store: OwnStore
let tenant: Tenant
beforeAll(async () => {
  store = await createOwnStore()
  tenant = await store.tenant()
})
afterAll(() => store?.close())

const again = (...marks: readonly Mark[]) => eraseAgain(store.database.db, store.sealer, marks, NOW)
const request = (id: string): Mark => ({ about: "signature-request", id })
const object = ({ blob }: Document): Mark => ({ about: "object", id: blob.name.slice("documents/".length) })

async function newRequest() {
  const document = await store.upload(tenant, Buffer.from("%PDF-1.7"))
  const made = sampleRequest(tenant, [document], 1)
  await store.transact(tenant.businessId, async (tx) => {
    await tx.insertRequest(made)
    await tx.appendEvidence(made.id, [{ type: "request.created", at: NOW }])
  })
  return { id: made.id, document }
}

const found = ({ id, document }: { id: string; document: Document }) =>
  store.read(tenant.businessId, async (reading) => [
    (await reading.findRequest(id)) !== null,
    (await reading.findStory(id)) !== null,
    (await reading.findDocument(document.id)) !== null,
  ])

describe("what had been erased before the database was set back", () => {
  it("[R38] goes again: the request, its story and its documents; and what nobody had erased stays", async () => {
    const [gone, kept] = [await newRequest(), await newRequest()]
    expect(await again(request(gone.id), object(gone.document), request(randomUUID()))).toEqual({
      stories: 1,
      objects: 0,
      held: [],
    })
    await removeMarked(store.database.db, store.sealer, NOW, 100)
    expect(await found(gone)).toEqual([false, false, false])
    expect(await found(kept)).toEqual([true, true, true])
    const receipts = await sql`select reason, erased_by from erasure where story_id = ${gone.id}`.execute(
      store.database.db,
    )
    expect(receipts.rows).toEqual([{ reason: "deleted", erased_by: "restore" }])
    expect(await again(request(gone.id), object(gone.document))).toEqual({ stories: 0, objects: 0, held: [] })
  })

  it("goes document by document, too", async () => {
    const document = await store.upload(tenant, Buffer.from("%PDF-1.7"))
    expect(await again(object(document))).toMatchObject({ objects: 1 })
    await removeMarked(store.database.db, store.sealer, NOW, 100)
    const read = store.read(tenant.businessId, (reading) => reading.findDocument(document.id))
    expect(await read).toBeNull()
  })

  it("stays where it was held at that moment, and is told", async () => {
    const held = await newRequest()
    await store.transact(tenant.businessId, (tx) => tx.holdStory(held.id, { since: NOW, reason: "a case" }))
    expect(await again(request(held.id), object(held.document))).toEqual({
      stories: 0,
      objects: 0,
      held: [held.id],
    })
    expect(await found(held)).toEqual([true, true, true])
    const [document] = await store.read(tenant.businessId, (reading) =>
      reading.findDocuments([held.document.id]),
    )
    expect(document?.removingSince).toBeNull()
  })
})
