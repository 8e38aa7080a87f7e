import { randomUUID } from "node:crypto"
import type { Caller } from "@paraph/core/access/caller"
import type { Tx } from "@paraph/core/ports"
import type { DifferencePictures, Validation } from "@paraph/core/validation/model"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { RETIRED_AFTER_MS, rewrapDocuments, rotateBusinessKey } from "../keys/rotate.ts"
import { NOW, plainDetails, type Tenant } from "../testing/own-database.ts"
import { createOwnStore, type OwnStore } from "../testing/own-store.ts"
import { orderName, waitingReports } from "./validation-reports.ts"
import { removeOldValidations } from "./validations.ts"

let store: OwnStore
let tenant: Tenant
beforeAll(async () => {
  store = await createOwnStore()
})
beforeEach(async () => {
  tenant = await store.tenant()
  store.clock.now = NOW
})
afterAll(() => store?.close())

const later = (ms: number) => new Date(NOW.getTime() + ms)
const TEN_MINUTES = 10 * 60_000
const callerOf = (of: Tenant, more: Partial<Caller> = {}): Caller => ({
  businessId: of.businessId,
  userId: of.ownerId,
  username: of.owner,
  keyId: "k",
  kind: "demo",
  ...more,
})

const validationOf = (of: Tenant): Validation => ({
  id: randomUUID(),
  businessId: of.businessId,
  kind: "demo",
  ownerId: of.ownerId,
  asked: {
    quality: "AES",
    legislation: null,
    longTermValidation: false,
    rejectVisualDifferences: true,
    rejectUndefinedChanges: true,
  },
  report: {
    validatedAt: NOW.toISOString(),
    indication: "INDETERMINATE",
    subIndication: "SIGNED_DATA_NOT_FOUND",
    format: { fileType: "PDF", producer: "a canary of a producer" },
    signatures: [],
  },
  createdAt: NOW,
  expiresAt: later(TEN_MINUTES),
})

const picture: DifferencePictures = {
  n: 1,
  before: Buffer.from("a canary before"),
  after: Buffer.from("a canary after"),
  difference: Buffer.from("a canary between"),
}
/** Of a page that was put in. */
const added: DifferencePictures = {
  n: 2,
  before: null,
  after: Buffer.from("a canary added"),
  difference: null,
}

async function kept(of = tenant, pictures: readonly DifferencePictures[] = []): Promise<Validation> {
  const validation = validationOf(of)
  await store.transact(of.businessId, (tx) => tx.insertValidation(validation, pictures))
  return validation
}

const find = (by: Caller, id: string, at = NOW) =>
  store.read(by.businessId, (reading) => reading.findValidation(by, id, at))

describe("the result of a validation", () => {
  it("is what was said, for whoever made it, until it is over", async () => {
    const validation = await kept()
    const caller = callerOf(tenant)
    expect(await find(caller, validation.id)).toEqual(validation)
    expect(await find(caller, validation.id, later(TEN_MINUTES))).toBeNull()
    expect(await find(callerOf(tenant, { kind: "production" }), validation.id)).toBeNull()
    expect(await find(callerOf(tenant, { userId: randomUUID() }), validation.id)).toBeNull()
    expect(await find(callerOf(await store.tenant()), validation.id)).toBeNull()
  })

  it("lies there sealed, and so do its pictures", async () => {
    const { id } = await kept(tenant, [picture, added])
    const { pool } = store.database
    const { rows } = await pool.query(
      "select result as sealed from validation where id = $1 union all select png from validation_picture where validation_id = $1",
      [id],
    )
    expect(rows).toHaveLength(5)
    for (const { sealed } of rows) expect(String(sealed)).not.toContain("canary")
    const at = (n: number, view: "before" | "after" | "difference", of = tenant) =>
      store.read(of.businessId, (reading) => reading.findDifference(id, n, view))
    expect(await at(1, "before")).toEqual(picture.before)
    expect(await at(1, "difference")).toEqual(picture.difference)
    expect([await at(2, "before"), await at(3, "after")]).toEqual([null, null])
    expect(await at(2, "after")).toEqual(added.after)
    expect(await at(1, "before", await store.tenant())).toBeNull()
    const all = (of: Tenant) => store.read(of.businessId, (reading) => reading.listDifferences(id))
    expect([await all(tenant), await all(await store.tenant())]).toEqual([[picture, added], []])
    // Somebody who can write to the database cannot show one for the other.
    await pool.query(
      "update validation_picture p set png = (select png from validation_picture where validation_id = $1 and view = 'after' and n = 1) where validation_id = $1 and view = 'before'",
      [id],
    )
    await expect(at(1, "before")).rejects.toThrow()
  })

  it("is removed by its owner, once, with its pictures; and by the sweep when it is over", async () => {
    const [first, second] = [await kept(tenant, [picture]), await kept(tenant, [picture])]
    const remove = (by: Caller) =>
      store.transact(by.businessId, (tx) => tx.removeValidation(by, first.id, NOW))
    expect(await remove(callerOf(tenant, { userId: randomUUID() }))).toBe(false)
    expect(await remove(callerOf(await store.tenant()))).toBe(false)
    expect([await remove(callerOf(tenant)), await remove(callerOf(tenant))]).toEqual([true, false])
    const { db, pool } = store.database
    await removeOldValidations(db, plainDetails, later(TEN_MINUTES - 1), 100)
    expect(await find(callerOf(tenant), second.id)).not.toBeNull()
    expect(await removeOldValidations(db, plainDetails, later(TEN_MINUTES), 100)).toBeGreaterThan(0)
    const left = await pool.query("select from validation_picture where validation_id = any($1)", [
      [first.id, second.id],
    ])
    expect(left.rowCount).toBe(0)
  })

  it("has reports in four languages, each ordered and kept once, which lie there sealed and go with it", async () => {
    const { id: validationId } = await kept()
    const { businessId } = tenant
    const of = { validationId, language: "de" } as const
    const [pdf, other] = [Buffer.from("a canary of a report"), Buffer.from("another one")]
    const tx = <T>(work: (tx: Tx) => Promise<T>, by = businessId) => store.transact(by, work)
    const read = (language: "de" | "fr" = "de", by = businessId) =>
      store.read(by, (reading) => reading.findReport({ validationId, language }))
    const ordered = (at = NOW, by = businessId) =>
      store.read(by, (reading) => reading.findOrderedReport(of, at))
    const stranger = (await store.tenant()).businessId

    expect([await read(), await ordered()]).toEqual([null, null])
    expect(await tx((one) => one.orderReport(of, NOW), stranger)).toBe(false)
    expect(await tx((one) => one.keepReport(of, pdf))).toBe(false)
    const orders = await Promise.all([1, 2, 3].map(() => tx((one) => one.orderReport(of, NOW))))
    expect(orders.toSorted()).toEqual([false, false, true])
    await tx((one) => one.noteReportWaits(of, "timestamp"))
    expect(await read()).toEqual({ pdf: null, waitingFor: "timestamp" })
    const { db, pool } = store.database
    const name = orderName(of)
    expect(await waitingReports(db, [name, `${validationId} fr`])).toEqual(new Map([[name, "waiting"]]))
    expect((await ordered())?.id).toBe(validationId)
    expect([await ordered(later(TEN_MINUTES)), await ordered(NOW, stranger)]).toEqual([null, null])

    expect(await tx((one) => one.keepReport(of, pdf), stranger)).toBe(false)
    expect(await tx((one) => one.keepReport(of, pdf))).toBe(true)
    expect(await tx((one) => one.keepReport(of, other))).toBe(false)
    expect([await read(), await read("fr"), await read("de", stranger), await ordered()]).toEqual([
      { pdf, waitingFor: null },
      null,
      null,
      null,
    ])
    expect(await waitingReports(db, [name])).toEqual(new Map())
    const rows = await pool.query("select pdf from validation_report where validation_id = $1", [
      validationId,
    ])
    expect(String(rows.rows[0].pdf)).not.toContain("canary")
    // Somebody who can write to the database cannot pass one language off as another.
    await pool.query("update validation_report set language = 'fr' where validation_id = $1", [validationId])
    await expect(read("fr")).rejects.toThrow()

    await tx((one) => one.removeValidation(callerOf(tenant), validationId, NOW))
    expect(await tx((one) => one.orderReport(of, NOW))).toBe(false)
    const left = await pool.query("select from validation_report where validation_id = $1", [validationId])
    expect(left.rowCount).toBe(0)
  })

  it("is of the kind that it was made with, whatever its row says", async () => {
    const { id } = await kept()
    await store.database.pool.query("update validation set kind = 'production' where id = $1", [id])
    await expect(find(callerOf(tenant, { kind: "production" }), id)).rejects.toThrow("kind")
  })

  it("keeps the older key of its business for as long as it lives", async () => {
    const validation = await kept()
    const { businessId } = tenant
    const { db } = store.database
    await rotateBusinessKey(db, store.ring, businessId, NOW)
    expect(await find(callerOf(tenant), validation.id)).toEqual(validation)
    const long = later(2 * RETIRED_AFTER_MS)
    expect((await rewrapDocuments(db, store.ring, businessId, long)).retired).toBe(0)
    await removeOldValidations(db, plainDetails, long, 100)
    expect((await rewrapDocuments(db, store.ring, businessId, long)).retired).toBe(1)
  })
})
