import { randomBytes, randomUUID } from "node:crypto"
import type { Document } from "@paraph/core/document/model"
import { SealBroken } from "@paraph/seal/broken"
import { wrapKey } from "@paraph/seal/wrap"
import { sql } from "kysely"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { createBusinessKeys } from "../keys/business-keys.ts"
import type { DocumentRow } from "../postgres/tables.ts"
import { NOW, type Tenant } from "../testing/own-database.ts"
import { createOwnStore, type OwnStore } from "../testing/own-store.ts"
import { blobContext } from "./context.ts"

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

const SIZES = [
  { count: 2, width: 595.28, height: 841.89 },
  { count: 1, width: 841.89, height: 595.28 },
]

it.each([
  { signatureFields: [FIELD] },
  { pdfa: "PDF/A-1B" },
  { pageSizes: SIZES },
  { viewChecked: false },
  { flattened: { originalSha256: "ab", changes: ["A layer ends."] } },
])("each of them is kept (%j)", async (more) => {
  expect(await read(await upload(more))).toMatchObject(more)
})

it("a PDF that says nothing has some too, and a row of the time before has none", async () => {
  const document = await upload({})
  expect(await sealedOf(document)).not.toBeNull()
  expect(await read(document)).toEqual(document)
  await put(document, null)
  expect(await read(document)).toEqual({ ...document, pageSizes: null, viewChecked: false })
})

it("a row of the time before pages were measured is read, without their sizes", async () => {
  // JSON leaves out what is undefined, as the code of that time did.
  const document = await upload({ pdfa: "PDF/A-1B", pageSizes: undefined as unknown as null })
  expect(await read(document)).toMatchObject({ pdfa: "PDF/A-1B", pageSizes: null })
})

describe("a row that is not that of its document", () => {
  const OF_THE_BYTES = ["blob_name", "wrapped_key", "key_version", "size_bytes", "sha256", "page_count"]

  const swap = async (columns: readonly string[], mine: Document, theirs: Document) => {
    const { db } = store.database
    const names = sql.join(columns.map((column) => sql.ref(column)))
    const rowOf = async ({ id }: Document) => {
      const found = await sql<Partial<DocumentRow>>`select ${names} from document where id = ${id}`.execute(
        db,
      )
      return found.rows[0] ?? {}
    }
    const put = ({ id }: Document, row: Partial<DocumentRow>) =>
      db.updateTable("document").set(row).where("id", "=", id).execute()
    const [ofMine, ofTheirs] = [await rowOf(mine), await rowOf(theirs)]
    // A name is of one row at any moment.
    await put(theirs, { blob_name: "swapped" })
    await put(mine, ofTheirs)
    await put(theirs, { blob_name: theirs.blob.name, ...ofMine })
  }

  it("is not read with all that the row of another says of its bytes", async () => {
    const [mine, theirs] = [await upload({}), await upload({ pageCount: 4 })]
    await swap(OF_THE_BYTES, mine, theirs)
    for (const one of [mine, theirs]) await expect(read(one)).rejects.toThrow(SealBroken)
  })

  it("is not read either when the other's details came along", async () => {
    const [mine, theirs] = [await upload({}), await upload({ pageCount: 4 })]
    await swap([...OF_THE_BYTES, "details"], mine, theirs)
    for (const one of [mine, theirs]) await expect(read(one)).rejects.toThrow(SealBroken)
  })

  it.each(["size_bytes", "sha256", "page_count"])("is not read with the %s of another", async (column) => {
    const theirs = await store.upload(tenant, randomBytes(11), { pageCount: 4 })
    const mine = await upload({})
    await swap([column], mine, theirs)
    await expect(read(mine)).rejects.toThrow("The row is not that of its document.")
  })

  it("is not read with the name of another object, even where the key was wrapped for that", async () => {
    const mine = await upload({})
    const name = `documents/${randomUUID()}`
    const keys = createBusinessKeys(store.database.db, store.ring, () => NOW)
    const { key } = await keys.newest(tenant.businessId)
    const context = blobContext(tenant.businessId, name)
    const wrapped_key = wrapKey(key, await store.blobs.keyOf(mine), context)
    await store.database.db
      .updateTable("document")
      .set({ blob_name: name, wrapped_key })
      .where("id", "=", mine.id)
      .execute()
    await expect(read(mine)).rejects.toThrow("The row is not that of its document.")
  })
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
