import { randomBytes } from "node:crypto"
import type { Document } from "@paraph/core/document/model"
import { SealBroken } from "@paraph/seal/broken"
import { afterAll, beforeAll, expect, it } from "vitest"
import type { Tenant } from "../testing/own-database.ts"
import { createOwnStore, type OwnStore } from "../testing/own-store.ts"

const FIELD = { name: "Canary ✍ of the CFO", signed: false, positions: [] }
const DETAILS = { signatureFields: [FIELD], pdfa: "PDF/A-2B" }

let store: OwnStore
let tenant: Tenant

beforeAll(async () => {
  store = await createOwnStore()
  tenant = await store.tenant()
})
afterAll(() => store?.close())

const upload = (more: Partial<Document>) => store.upload(tenant, randomBytes(10), more)
const read = ({ id }: Document) => store.read(tenant.businessId, (reading) => reading.findDocument(id))

async function sealedOf({ id }: Document): Promise<Buffer | null> {
  const row = await store.database.db
    .selectFrom("document")
    .select("details")
    .where("id", "=", id)
    .executeTakeFirstOrThrow()
  return row.details
}

const put = ({ id }: Document, details: Buffer | null) =>
  store.database.db.updateTable("document").set({ details }).where("id", "=", id).execute()

it("what a PDF says is read as it was written, and is not in the row as it is", async () => {
  const document = await upload(DETAILS)
  expect(await read(document)).toEqual(document)
  const sealed = await sealedOf(document)
  for (const part of ["Canary", "CFO", "PDF/A", "signatureFields"]) expect(sealed?.includes(part)).toBe(false)
  const again = await upload(DETAILS)
  expect(await sealedOf(again)).not.toEqual(sealed)
})

it.each([{ signatureFields: [FIELD] }, { pdfa: "PDF/A-1B" }])(
  "either of the two is kept (%j)",
  async (more) => {
    expect(await read(await upload(more))).toMatchObject(more)
  },
)

it("a PDF that says nothing has none", async () => {
  const document = await upload({})
  expect(await sealedOf(document)).toBeNull()
  expect(await read(document)).toEqual(document)
})

it("what one PDF says is not read as another's, nor when a bit of it is changed", async () => {
  const [mine, theirs] = [await upload(DETAILS), await upload(DETAILS)]
  const sealed = await sealedOf(mine)
  await put(mine, await sealedOf(theirs))
  await expect(read(mine)).rejects.toThrow(SealBroken)
  const changed = Buffer.from(sealed ?? [])
  changed.writeUInt8(changed.readUInt8(20) ^ 1, 20)
  await put(mine, changed)
  await expect(read(mine)).rejects.toThrow(SealBroken)
  await put(mine, sealed)
  expect(await read(mine)).toEqual(mine)
})

it("not even in a row with the same key: it is bound to the document's id", async () => {
  const mine = await upload(DETAILS)
  const sealed = await sealedOf(mine)
  const opened = store.database.db.transaction().execute(async (trx) => {
    const row = await trx
      .selectFrom("document")
      .selectAll()
      .where("id", "=", mine.id)
      .executeTakeFirstOrThrow()
    return store.sealer.open(
      { ...row, id: "00000000-0000-4000-8000-000000000000" },
      sealed ?? Buffer.alloc(0),
      trx,
    )
  })
  await expect(opened).rejects.toThrow(SealBroken)
})
