import { describe, expect, it } from "vitest"
import type { Caller } from "../access/caller.ts"
import { agreeOnCredits } from "../credits/agree.ts"
import type { Booking, CreditAgreement } from "../credits/model.ts"
import { readCreditInfos, readCreditUsage, readInvoiced } from "../credits/read.ts"
import { LIMITS } from "../limits.ts"
import type { Reading, Tx } from "../ports.ts"
import { Refusal } from "../refusal.ts"
import { asking, reportOf } from "../testing/reports.ts"
import type { DifferencePictures, Validation } from "./model.ts"
import { readDifference, readReported, readValidation, removeValidation } from "./read.ts"
import { validateDocument } from "./validate.ts"

const caller: Caller = {
  businessId: "b1",
  userId: "u1",
  username: "acme",
  keyId: "k1",
  kind: "production",
}
const USUAL = { price: 1, included: null }
const START = new Date("2026-11-16T10:00:00Z")

/** One business in memory; a transaction that fails leaves nothing. */
function newWorld(report = reportOf({}), pictures: readonly DifferencePictures[] = []) {
  let now = START
  let agreement: CreditAgreement | null = null
  let validations = new Map<string, Validation>()
  let bookings: Booking[] = []
  const shown = new Map<string, readonly DifferencePictures[]>()
  const audits: object[] = []
  let released = 0
  let looked = 0
  const reading = {
    creditAgreement: async (usual: typeof USUAL) => agreement ?? { ...usual, validFrom: START },
    creditsBooked: async (kind: string, { from, to }: { from: string; to: string }) => {
      const within = bookings.filter((one) => {
        const day = one.at.toISOString().slice(0, 10)
        return one.kind === kind && from <= day && day <= to
      })
      if (within.length === 0) return []
      const credits = within.reduce((sum, one) => sum + one.credits, 0)
      return [{ sku: "validate-document", requests: within.length, credits }]
    },
    findValidation: async (by: Caller, id: string, at: Date) => {
      const found = validations.get(id)
      return found !== undefined && found.ownerId === by.userId && found.expiresAt > at ? found : null
    },
    listDifferences: async (id: string) => shown.get(id) ?? [],
    findDifference: async (id: string, n: number, view: "before" | "after" | "difference") =>
      shown.get(id)?.find((one) => one.n === n)?.[view] ?? null,
  }
  const tx = {
    ...reading,
    lockCredits: async () => undefined,
    bookCredits: async (booking: Booking) => void bookings.push(booking),
    saveCreditAgreement: async (to: CreditAgreement | null) => {
      agreement = to
    },
    appendAudit: async (entry: object) => void audits.push(entry),
    insertValidation: async (validation: Validation, of: readonly DifferencePictures[]) => {
      validations.set(validation.id, validation)
      shown.set(validation.id, of)
    },
    removeValidation: async (_: Caller, id: string) => validations.delete(id),
    eraseStory: async () => undefined,
  }
  let ids = 0
  const parts = {
    now: () => now,
    newId: () => `v${++ids}`,
    timeZone: "Europe/Zurich",
    usualCredits: USUAL,
    read: <T>(_: string, work: (one: Reading) => Promise<T>) => work(reading as unknown as Reading),
    transact: async <T>(_: string, work: (one: Tx) => Promise<T>) => {
      const before = { validations: new Map(validations), bookings: [...bookings] }
      try {
        return await work(tx as unknown as Tx)
      } catch (error) {
        ;({ validations, bookings } = before)
        throw error
      }
    },
    validatePdf: async () => {
      looked += 1
      return { report, pictures }
    },
  }
  const release = async () => {
    released += 1
  }
  const held = { release } as never
  return {
    parts,
    held,
    tx: tx as unknown as Tx,
    audits,
    pass: (ms: number) => (now = new Date(now.getTime() + ms)),
    agree: (to: { price: number; included: number | null }) => (agreement = { ...to, validFrom: START }),
    bookings: () => bookings,
    kept: () => [...validations.values()],
    shown,
    released: () => released,
    looked: () => looked,
  }
}

describe("a validation", () => {
  it("keeps its result for ten minutes, and the document not at all", async () => {
    const world = newWorld()
    const made = await validateDocument(world.parts, caller, world.held, asking())
    expect(world.released()).toBe(1)
    expect(await readValidation(world.parts, caller, made.id)).toEqual(made)
    world.pass(LIMITS.validationMs - 1)
    expect((await readValidation(world.parts, caller, made.id)).id).toBe(made.id)
    world.pass(1)
    await expect(readValidation(world.parts, caller, made.id)).rejects.toThrow(Refusal)
  })

  it("is removed once, by whoever made it", async () => {
    const world = newWorld()
    const { id } = await validateDocument(world.parts, caller, world.held, asking())
    await removeValidation(world.parts, caller, id)
    await expect(removeValidation(world.parts, caller, id)).rejects.toMatchObject({ code: "not-found" })
    await expect(readValidation(world.parts, caller, id)).rejects.toMatchObject({ code: "not-found" })
  })

  it("keeps the report as it reads with what the caller rejects", async () => {
    const world = newWorld(reportOf({ visualDifferences: true }))
    const strict = await validateDocument(world.parts, caller, world.held, asking())
    expect(strict.report.subIndication).toBe("SIG_CONSTRAINTS_FAILURE")
    const lenient = asking({ rejectVisualDifferences: false })
    expect((await validateDocument(world.parts, caller, world.held, lenient)).report.indication).toBe(
      "TOTAL-PASSED",
    )
  })

  it("shows its pictures, as many as there is room for", async () => {
    const png = (bytes: number) => new Uint8Array(bytes)
    const one = (n: number) => ({ n, before: png(1), after: png(2), difference: png(3) })
    const pictures = Array.from({ length: LIMITS.differencePictures + 1 }, (_, n) => one(n + 1))
    const world = newWorld(reportOf({}), pictures)
    const { id } = await validateDocument(world.parts, caller, world.held, asking())
    expect(world.shown.get(id)).toHaveLength(LIMITS.differencePictures)
    expect(await readDifference(world.parts, caller, { id, n: 1, view: "difference" })).toEqual(png(3))
    const { report, pictures: all } = await readReported(world.parts, caller, id)
    expect([report.indication, all.length]).toEqual(["TOTAL-PASSED", LIMITS.differencePictures])
    await expect(readDifference(world.parts, caller, { id, n: 99, view: "after" })).rejects.toMatchObject({
      code: "not-found",
    })
  })

  it("that fails costs nothing, and the document is let go of", async () => {
    const world = newWorld()
    const parts = { ...world.parts, validatePdf: () => Promise.reject(new Refusal("pdf-corrupt", "No PDF.")) }
    await expect(validateDocument(parts, caller, world.held, asking())).rejects.toMatchObject({
      code: "pdf-corrupt",
    })
    expect([world.bookings(), world.kept(), world.released()]).toEqual([[], [], 1])
  })
})

describe("credits", () => {
  it("are booked with the result, at the price of the business", async () => {
    const world = newWorld()
    world.agree({ price: 3, included: null })
    await validateDocument(world.parts, caller, world.held, asking())
    await validateDocument(world.parts, { ...caller, kind: "demo" }, world.held, asking())
    expect(world.bookings().map(({ kind, credits }) => [kind, credits])).toEqual([
      ["production", 3],
      ["demo", 0],
    ])
    expect(await readCreditUsage(world.parts, caller)).toEqual({
      period: "202611",
      from: "2026-11-01",
      to: "2026-11-30",
      consumptions: [{ endpoint: "/v1/validate/document", requests: 1, credits: 3 }],
      requests: 1,
      credits: 3,
    })
  })

  it("that are used up refuse the next one before any work, until the month ends; demo keys go on", async () => {
    const world = newWorld()
    world.agree({ price: 2, included: 5 })
    const validate = (by = caller) => validateDocument(world.parts, by, world.held, asking())
    await validate()
    await validate()
    await expect(validate()).rejects.toMatchObject({ code: "credits-exhausted" })
    expect([world.looked(), world.bookings().length, world.released()]).toEqual([2, 2, 3])
    await validate({ ...caller, kind: "demo" })
    world.pass(20 * 86_400_000)
    await validate()
    expect(await readInvoiced(world.parts, caller, null)).toMatchObject({
      period: "202611",
      requests: 2,
      credits: 4,
    })
  })

  it("that are used up meanwhile leave no result", async () => {
    const world = newWorld()
    world.agree({ price: 1, included: 1 })
    const parts = {
      ...world.parts,
      validatePdf: async () => {
        await world.tx.bookCredits({ kind: "production", sku: "validate-document", credits: 1, at: START })
        return { report: reportOf({}), pictures: [] }
      },
    }
    await expect(validateDocument(parts, caller, world.held, asking())).rejects.toMatchObject({
      code: "credits-exhausted",
    })
    expect([world.kept(), world.bookings().length]).toEqual([[], 1])
  })

  it("tell what each endpoint costs; demo keys are never billed", async () => {
    const world = newWorld()
    const { consumptions, validFrom } = await readCreditInfos(world.parts, caller)
    expect(validFrom).toEqual(START)
    expect(consumptions.filter(({ credits }) => credits > 0)).toEqual([
      { sku: "validate-document", endpoint: "/v1/validate/document", credits: 1 },
    ])
    const demo = await readCreditInfos(world.parts, { ...caller, kind: "demo" })
    expect(demo.consumptions.every(({ credits }) => credits === 0)).toBe(true)
  })

  it("tell how many are left of this month, to everybody who may use them up", async () => {
    const world = newWorld()
    const left = async (by: Caller = caller) => {
      const { included, left } = await readCreditInfos(world.parts, by)
      return [included, left]
    }
    expect(await left()).toEqual([null, null])
    world.agree({ price: 2, included: 5 })
    expect(await left()).toEqual([5, 5])
    await validateDocument(world.parts, caller, world.held, asking())
    expect(await left()).toEqual([5, 3])
    expect(await left({ ...caller, via: "session", role: "member" })).toEqual([5, 3])
    expect(await left({ ...caller, kind: "demo" })).toEqual([null, null])
    // Less was agreed on than was used already.
    world.agree({ price: 2, included: 1 })
    expect(await left()).toEqual([1, 0])
    world.pass(20 * 86_400_000)
    expect(await left()).toEqual([1, 1])
  })

  it("that were used are told to keys, and to those people who may read what the business uses", async () => {
    const world = newWorld()
    const person = (role: "owner" | "developer" | "member"): Caller => ({ ...caller, via: "session", role })
    for (const who of [caller, person("owner"), person("developer")])
      expect((await readCreditUsage(world.parts, who)).requests).toBe(0)
    const last = (parts: typeof world.parts, who: Caller) => readInvoiced(parts, who, null)
    for (const read of [readCreditUsage, last])
      await expect((async () => read(world.parts, person("member")))()).rejects.toMatchObject({
        code: "role-needed",
      })
  })

  it("are agreed on by an operator, on record", async () => {
    const world = newWorld()
    const acting = { at: START, by: "op@example.org", usual: USUAL }
    await agreeOnCredits(world.tx, acting, { businessId: "b1", to: { price: 0, included: 10 } })
    expect(world.audits).toEqual([
      {
        at: START,
        by: "op@example.org",
        act: "set-credits",
        target: "business b1",
        before: USUAL,
        after: { price: 0, included: 10 },
      },
    ])
    for (const to of [
      { price: -1, included: null },
      { price: 1, included: 1.5 },
    ])
      await expect(agreeOnCredits(world.tx, acting, { businessId: "b1", to })).rejects.toThrow(Refusal)
  })
})
