import { randomBytes, randomUUID } from "node:crypto"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { createOwnDatabase, NOW, type OwnDatabase } from "../testing/own-database.ts"
import * as authorities from "./authorities.ts"
import { createCertificateRequests } from "./certificate-requests.ts"
import * as issued from "./issued-certificates.ts"

const later = (ms: number) => new Date(NOW.getTime() + ms)
const DAY_MS = 86_400_000

let database: OwnDatabase
let issuerId: string
beforeAll(async () => {
  database = await createOwnDatabase({ migrated: true })
  issuerId = await anAuthority("issuing", 1)
})
afterAll(() => database.close())

async function anAuthority(role: "root" | "issuing", generation: number): Promise<string> {
  const id = randomUUID()
  const row = { id, kind: "demo", role, generation, issuerId: null, keyLabel: id } as const
  await authorities.addAuthority(database.db, { ...row, state: "making", at: NOW })
  const made = {
    certificate: Buffer.from("der"),
    chain: [Buffer.from("above")],
    notBefore: NOW,
    notAfter: later(DAY_MS),
  }
  await authorities.completeAuthority(database.db, id, made)
  return id
}

const orderOf = (more: Partial<issued.NewIssued> = {}): issued.NewIssued => ({
  issuerId,
  serial: randomBytes(16),
  kind: "demo",
  orderId: randomUUID(),
  orderHash: randomBytes(32),
  notBefore: NOW,
  notAfter: later(30 * DAY_MS),
  ...more,
})

const answerAt = (ms: number, text = "answer"): issued.DueAnswer => ({
  answer: { bytes: Buffer.from(text), at: NOW, until: later(ms + DAY_MS) },
  dueAt: later(ms),
})

async function completed(answer = answerAt(0), more: Partial<issued.NewIssued> = {}): Promise<issued.Issued> {
  const order = await issued.recordOrder(database.db, orderOf(more), NOW)
  await issued.completeOrder(database.db, order, Buffer.from("certificate"), answer)
  return order
}

const claim = (now: Date, againAt: Date) =>
  issued.claimDueAnswers(database.db, { now, future: later(1000 * DAY_MS), againAt, limit: 100 })

describe("an order of a certificate", () => {
  it("is on record once, whoever comes first, and its first certificate stands", async () => {
    const orderId = randomUUID()
    const both = await Promise.all(
      [1, 2].map(() => issued.recordOrder(database.db, orderOf({ orderId }), NOW)),
    )
    expect(both[0]?.serial).toEqual(both[1]?.serial)
    const [order] = both
    if (order === undefined) throw new Error("no order")
    const complete = (text: string) =>
      issued.completeOrder(database.db, order, Buffer.from(text), answerAt(DAY_MS))
    const [one, other] = await Promise.all([complete("one"), complete("other")])
    expect(one).toEqual(other)
    expect(await complete("a third")).toEqual(one)
  })

  it("stays what it is: the database lets nobody change or unrevoke it", async () => {
    const { serial } = await completed()
    const set = (what: string) =>
      database.pool.query(`update issued_certificate set ${what} where serial = $1`, [serial])
    await set("revoked_at = now(), reason = 'superseded'")
    for (const change of ["certificate = 'x'", "order_hash = 'x'", "revoked_at = null, reason = null"])
      await expect(set(change), change).rejects.toThrow("stays what it is")
  })
})

describe("answers that are due", () => {
  it("are taken by one of several at once, and again by somebody when that one has died", async () => {
    await claim(later(100 * DAY_MS), later(1000 * DAY_MS))
    for (let n = 0; n < 20; n += 1) await completed()
    const taken = await Promise.all([1, 2, 3].map(() => claim(NOW, later(60_000))))
    const serials = taken.flat().map(({ serial }) => Buffer.from(serial).toString("hex"))
    expect(serials).toHaveLength(20)
    expect(new Set(serials).size).toBe(20)
    expect(await claim(NOW, later(60_000))).toEqual([])
    expect(await claim(later(60_000), later(120_000))).toHaveLength(20)
  })

  it("are also those that a clock signed which was ahead, once each, and those that were the last ones", async () => {
    const ahead = { bytes: Buffer.from("answer"), at: later(50 * DAY_MS), until: later(54 * DAY_MS) }
    const orders = await Promise.all([
      completed({ answer: ahead, dueAt: later(51 * DAY_MS) }),
      completed({ answer: ahead, dueAt: null }),
    ])
    const ids = orders.map(({ orderId }) => orderId).sort()
    const claimed = async (now: Date) => {
      const due = { now, future: later(DAY_MS), againAt: new Date(now.getTime() + 60_000), limit: 100 }
      const rows = await issued.claimDueAnswers(database.db, due)
      return rows.map(({ orderId }) => orderId).filter((id) => ids.includes(id))
    }
    expect((await claimed(NOW)).sort()).toEqual(ids)
    expect(await claimed(NOW)).toEqual([])
    // Whoever took them has died.
    expect((await claimed(later(60_000))).sort()).toEqual(ids)
  })

  it("are not kept over a revocation that came meanwhile", async () => {
    const order = await completed()
    const [before] = (await claim(NOW, later(60_000))).filter(({ orderId }) => orderId === order.orderId)
    if (before === undefined) throw new Error("It was not due.")
    expect(await issued.revokeIssued(database.db, order, { at: later(1), reason: "keyCompromise" })).toBe(
      true,
    )
    await issued.keepAnswer(database.db, before, answerAt(DAY_MS, "good"))
    const after = await issued.findIssued(database.db, order.issuerId, order.serial)
    expect(after?.answer?.bytes.toString()).toBe("answer")
    // And the one that tells of it is due.
    expect((await claim(later(1), later(60_000))).map(({ orderId }) => orderId)).toEqual([order.orderId])
  })
})

describe("lists", () => {
  it("have numbers that only grow, and are due at once after a revocation", async () => {
    const at = (number: number) => ({
      number,
      list: Buffer.from(`list ${number}`),
      issuedAt: NOW,
      until: later(7 * DAY_MS),
      dueAt: later(DAY_MS),
    })
    for (const number of [1, 3, 2]) await authorities.keepList(database.db, issuerId, at(number))
    expect(await authorities.findList(database.db, issuerId)).toEqual(at(3))
    const order = await completed()
    await issued.revokeIssued(database.db, order, { at: later(5), reason: "superseded" })
    expect((await authorities.findList(database.db, issuerId))?.dueAt).toEqual(later(5))
    const revoked = await issued.listRevoked(database.db, issuerId)
    expect(revoked).toContainEqual({ serial: order.serial, at: later(5), reason: "superseded" })
  })
})

describe("authorities", () => {
  it("are made by one at a time, and a generation once", async () => {
    const holding = Promise.withResolvers<void>()
    const begun = Promise.withResolvers<void>()
    const first = authorities.oneAtATime(database.db, () => {
      begun.resolve()
      return holding.promise.then(() => "first")
    })
    await begun.promise
    expect(await authorities.oneAtATime(database.db, async () => "second")).toBeUndefined()
    holding.resolve()
    expect(await first).toBe("first")
    expect(await authorities.oneAtATime(database.db, async () => "third")).toBe("third")
    await anAuthority("issuing", 1)
    const rows = (await authorities.listAuthorities(database.db, "demo")).filter(
      ({ role }) => role === "issuing",
    )
    expect(rows).toMatchObject([{ id: issuerId, state: "active" }])
  })

  it("that are revoked by their own order issue no more", async () => {
    const rootId = await anAuthority("root", 1)
    const issuing = await anAuthority("issuing", 2)
    const order = await completed(answerAt(DAY_MS), { issuerId: rootId, orderId: `authority ${issuing}` })
    await issued.revokeIssued(database.db, order, { at: NOW, reason: "cACompromise" })
    const rows = await authorities.listAuthorities(database.db, "demo")
    expect(rows.filter(({ state }) => state === "revoked").map(({ id }) => id)).toEqual([issuing])
  })
})

describe("a certificate that somebody else is asked for", () => {
  it("is asked for by one at a time, not before its time, and the first that came stands", async () => {
    const requests = createCertificateRequests(database.db)
    const of = { kind: "demo", orderId: randomUUID() } as const
    const first = { ...of, orderHash: randomBytes(32), request: Buffer.from("first") }
    await Promise.all([
      requests.record(first, NOW),
      requests.record({ ...first, request: Buffer.from("second") }, NOW),
    ])
    const claims = await Promise.all([1, 2, 3].map(() => requests.claim(of, NOW, later(1000))))
    expect(claims.filter(Boolean)).toHaveLength(1)
    expect(await requests.claim(of, later(999), later(2000))).toBe(false)
    expect(await requests.claim(of, later(1000), later(2000))).toBe(true)
    for (const text of ["one", "other"])
      await requests.complete(of, { certificate: Buffer.from(text), chain: [] })
    expect((await requests.find(of))?.issued?.certificate.toString()).toBe("one")
    expect(await requests.claim(of, later(9999), later(99_999))).toBe(false)
  })
})
