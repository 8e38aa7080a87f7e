import { randomBytes, randomUUID } from "node:crypto"
import { newKey, wrapKey } from "@paraph/seal/wrap"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { createBlobs } from "../blobs/blobs.ts"
import { createRowSealer } from "../blobs/details.ts"
import { insertBusinessKey } from "../postgres/business-keys.ts"
import { openDatabase } from "../postgres/database.ts"
import { createRead } from "../postgres/transact.ts"
import { NOW } from "../testing/own-database.ts"
import { createOwnStore, type OwnStore } from "../testing/own-store.ts"
import { createBusinessKeys, KEPT_MS } from "./business-keys.ts"
import { businessContext, type KeyRing } from "./key-ring.ts"

let store: OwnStore
let businessId: string
let clock: Date
const at = () => clock

beforeAll(async () => {
  store = await createOwnStore()
})
afterAll(() => store?.close())
beforeEach(async () => {
  ;({ businessId } = await store.tenant())
  clock = NOW
  store.operator.unwraps.length = 0
})

const open = (ring: KeyRing = store.ring) => createBusinessKeys(store.database.db, ring, at)

async function insertKey(version: number, ring: KeyRing = store.ring): Promise<Uint8Array> {
  const key = newKey()
  const { id: kekId, wrapped: wrappedKey } = await ring.wrap(key, businessContext(businessId, version))
  await insertBusinessKey(store.database.db, { businessId, version, kekId, wrappedKey, now: NOW })
  return key
}

describe("a key of a business", () => {
  it("is unwrapped once for all who ask, at once and for some minutes, as the newest and by its number", async () => {
    const keys = open()
    const found = await Promise.all([
      ...Array.from({ length: 20 }, () => keys.newest(businessId)),
      ...Array.from({ length: 20 }, async () => ({ version: 1, key: await keys.of(businessId, 1) })),
    ])
    expect(new Set(found.map(({ key }) => Buffer.from(key).toString("hex"))).size).toBe(1)
    clock = new Date(NOW.getTime() + KEPT_MS - 1)
    await keys.of(businessId, 1)
    await keys.newest(businessId)
    expect(store.operator.unwraps).toEqual([businessContext(businessId, 1)])
    clock = new Date(NOW.getTime() + KEPT_MS)
    await keys.of(businessId, 1)
    expect(store.operator.unwraps).toHaveLength(2)
  })

  it("that is new is used when the older one was kept long enough; the older one still opens", async () => {
    const keys = open()
    const first = await keys.newest(businessId)
    const second = await insertKey(2)
    expect(await keys.newest(businessId)).toEqual(first)
    // By its number it is there at once: others may have wrapped with it already.
    expect(await keys.of(businessId, 2)).toEqual(second)
    clock = new Date(NOW.getTime() + KEPT_MS)
    expect(await keys.newest(businessId)).toEqual({ version: 2, key: second })
    expect(await keys.of(businessId, 1)).toEqual(first.key)
  })

  it("that could not be unwrapped is asked for again by the next", async () => {
    let down = true
    const keys = open({
      ...store.ring,
      unwrap: async (wrapped, context) => {
        if (down) throw new Error("the key server is down")
        return store.ring.unwrap(wrapped, context)
      },
    })
    const outcomes = await Promise.allSettled([
      keys.newest(businessId),
      keys.newest(businessId),
      keys.of(businessId, 1),
    ])
    expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"])
    down = false
    expect((await keys.newest(businessId)).version).toBe(1)
    expect(await keys.of(businessId, 1)).toHaveLength(32)
  })

  it("that is not there is an error that says which", async () => {
    await expect(open().of(businessId, 7)).rejects.toThrow(`${businessId} has no key 7`)
    await expect(open().newest(randomUUID())).rejects.toThrow("has no key newest")
  })

  it("does not open in the place of another version, nor of another business", async () => {
    await insertKey(2)
    const { businessId: other } = await store.tenant()
    const { db } = store.database
    const rows = await db
      .selectFrom("business_key")
      .selectAll()
      .where("business_id", "=", businessId)
      .execute()
    const [first, second] = [1, 2].map((version) => rows.find((row) => row.version === version)?.wrapped_key)
    const put = (id: string, version: number, wrapped_key: Buffer | undefined) =>
      db
        .updateTable("business_key")
        .set({ wrapped_key: wrapped_key ?? Buffer.alloc(0) })
        .where("business_id", "=", id)
        .where("version", "=", version)
        .execute()
    await put(businessId, 2, first)
    await expect(open().newest(businessId)).rejects.toThrow()
    await put(other, 1, first)
    await expect(open().newest(other)).rejects.toThrow()
    await put(businessId, 2, second)
    expect((await open().newest(businessId)).version).toBe(2)
  })

  it("of the time before there were providers opens with the key that was in a file", async () => {
    const ring = store.operator.ring("pkcs11:object=kek", "file:0123", "file:4567")
    const key = newKey()
    const wrapped_key = wrapKey(store.operator.keyOf("file:0123"), key, `business ${businessId}`)
    await store.database.db
      .updateTable("business_key")
      .set({ kek_id: null, wrapped_key })
      .where("business_id", "=", businessId)
      .execute()
    expect(await open(ring).newest(businessId)).toEqual({ version: 1, key })
  })
})

it("transactions that need a key wait for no other connection than their own", async () => {
  const tenant = await store.tenant()
  const document = await store.upload(tenant, randomBytes(10), { pdfa: "PDF/A-2B" })
  const small = openDatabase(store.database.url, { max: 2, name: "paraph-test" })
  try {
    for (let n = 0; n < 5; n += 1) {
      // Nothing is kept yet: every one of them has to read the row of the key.
      const keys = createBusinessKeys(small.serviceDb, store.ring, at)
      const unused = async () => undefined
      const { bucket, spool } = store
      const blobs = createBlobs({
        ...{ bucket, spool, keys, now: at, shelfBytes: 0, insertLoose: unused, makeDue: unused },
      })
      const read = createRead(small.db, createRowSealer(blobs.keyOf, keys))
      const found = await Promise.all(
        Array.from({ length: 10 }, async (_, index) => {
          // In every other round some ask without a transaction: nobody in one waits for those.
          if (n % 2 === 1 && index % 3 === 0) await blobs.keyOf(document)
          return read(tenant.businessId, (reading) => reading.findDocument(document.id))
        }),
      )
      for (const one of found) expect(one?.pdfa).toBe("PDF/A-2B")
    }
  } finally {
    await small.close()
  }
})
