import type { Booking } from "@paraph/core/credits/model"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { NOW, type Tenant } from "../testing/own-database.ts"
import { createOwnStore, type OwnStore } from "../testing/own-store.ts"

let store: OwnStore
let tenant: Tenant
beforeAll(async () => {
  store = await createOwnStore()
})
beforeEach(async () => {
  tenant = await store.tenant()
})
afterAll(() => store?.close())

const USUAL = { price: 1, included: null }
const booking = (more: Partial<Booking> = {}): Booking => ({
  kind: "production",
  sku: "validate-document",
  credits: 2,
  at: NOW,
  ...more,
})
const day = NOW.toISOString().slice(0, 10)
const booked = (kind: Booking["kind"] = "production", from = day, to = day) =>
  store.read(tenant.businessId, (reading) => reading.creditsBooked(kind, { from, to }))

describe("credits", () => {
  it("add up by day and kind, also where twenty book at once, and nobody else's count", async () => {
    const other = await store.tenant()
    await store.transact(other.businessId, (tx) => tx.bookCredits(booking()))
    await store.transact(tenant.businessId, (tx) => tx.bookCredits(booking({ kind: "demo", credits: 0 })))
    await Promise.all(
      Array.from({ length: 20 }, () => store.transact(tenant.businessId, (tx) => tx.bookCredits(booking()))),
    )
    expect(await booked()).toEqual([{ sku: "validate-document", requests: 20, credits: 40 }])
    expect(await booked("demo")).toEqual([{ sku: "validate-document", requests: 1, credits: 0 }])
    expect(await booked("production", "2000-01-01", "2000-12-31")).toEqual([])
  })

  it("are not booked where the transaction fails", async () => {
    const fails = store.transact(tenant.businessId, async (tx) => {
      await tx.bookCredits(booking())
      throw new Error("afterwards")
    })
    await expect(fails).rejects.toThrow("afterwards")
    expect(await booked()).toEqual([])
  })

  it("that are counted out are booked one after the other: of ten at once, as many as there is room for", async () => {
    const one = () =>
      store.transact(tenant.businessId, async (tx) => {
        await tx.lockCredits()
        const used = await tx.creditsBooked("production", { from: day, to: day })
        if ((used[0]?.credits ?? 0) + 2 > 7) throw new Error("used up")
        await tx.bookCredits(booking())
      })
    const done = await Promise.allSettled(Array.from({ length: 10 }, one))
    expect(done.filter(({ status }) => status === "fulfilled")).toHaveLength(3)
    expect(await booked()).toEqual([{ sku: "validate-document", requests: 3, credits: 6 }])
  })

  it("cost what is usual from the first day of the business on, until something else is agreed", async () => {
    const agreed = () => store.read(tenant.businessId, (reading) => reading.creditAgreement(USUAL))
    expect(await agreed()).toEqual({ ...USUAL, validFrom: NOW })
    const agreement = { price: 5, included: 100, validFrom: new Date(NOW.getTime() + 1000) }
    await store.transact(tenant.businessId, (tx) => tx.saveCreditAgreement(agreement))
    expect(await agreed()).toEqual(agreement)
    await store.transact(tenant.businessId, (tx) => tx.saveCreditAgreement({ ...agreement, included: null }))
    expect((await agreed()).included).toBeNull()
    await store.transact(tenant.businessId, (tx) => tx.saveCreditAgreement(null))
    expect(await agreed()).toEqual({ ...USUAL, validFrom: NOW })
  })
})
