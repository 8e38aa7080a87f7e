import { randomBytes, randomUUID } from "node:crypto"
import type { Transact } from "@paraph/core/ports"
import type { SignatureRequest } from "@paraph/core/signature-request/model"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import * as own from "../testing/own-database.ts"
import { removeOldSessions } from "./due-requests.ts"
import { LOOK_EVERY_MS, removeOldDeliveries, removeOldEvents, removeOldLinks } from "./past.ts"
import { findLink } from "./signers.ts"
import { createTransact } from "./transact.ts"

const DAY_MS = 86_400_000
const daysAgo = (days: number) => new Date(own.NOW.getTime() - days * DAY_MS)
const BEFORE = daysAgo(90)

let database: own.OwnDatabase
let tenant: own.Tenant
let transact: Transact
beforeAll(async () => {
  database = await own.createOwnDatabase({ migrated: true })
  transact = createTransact({ db: database.db, enqueue: async () => undefined, sealer: own.plainDetails })
  tenant = await own.insertTenant(database)
})
beforeEach(() => database.pool.query("delete from delivery; delete from event; delete from webhook"))
afterAll(() => database?.close())

const query = async (text: string, values: readonly unknown[] = []) =>
  (await database.pool.query(text, [...values])).rows
/** As it is where a table is too large to be read from its beginning. */
const planOf = async (text: string): Promise<string> =>
  JSON.stringify(await database.pool.query(`begin; set local enable_seqscan = off; explain ${text}; commit`))
const idsOf = async (table: string): Promise<string[]> =>
  (await query(`select id from ${table}`)).map(({ id }) => id)

async function insertEvent(at: Date): Promise<string> {
  const id = randomUUID()
  await query(
    "insert into event (id, business_id, kind, type, readers, created_at) values ($1, $2, 'demo', 'document.created', '{}', $3)",
    [id, tenant.businessId, at],
  )
  return id
}

async function insertWebhook(): Promise<string> {
  const id = randomUUID()
  await query(
    `insert into webhook (id, business_id, kind, owner_id, url, types, secrets, key_version, created_at, updated_at)
     values ($1, $2, 'demo', $3, 'https://a.example/', '{}', '', 1, $4, $4)`,
    [id, tenant.businessId, tenant.ownerId, own.NOW],
  )
  return id
}

type Owed = { state?: "OPEN" | "COMPLETED" | "RESIGNED"; at?: Date; of?: { webhook: string; event: string } }

async function insertDelivery({ state = "COMPLETED", at = daysAgo(91), of }: Owed): Promise<string> {
  const id = randomUUID()
  await query(
    `insert into delivery (id, business_id, kind, subject_id, line, type, url, readers, state, due_at, give_up_at,
                           created_at, updated_at, webhook_id, event_id)
     values ($1, $2, 'demo', $1, '', $3, 'https://a.example/', '{}', $4, $5, $5, $5, $5, $6, $7)`,
    [id, tenant.businessId, of ? "webhook" : "update", state, at, of?.webhook, of?.event],
  )
  return id
}

describe("calls that are over", () => {
  it("go when they have been over for long enough, so many at a time; what is owed stays, however old", async () => {
    const kept = [
      await insertDelivery({ state: "OPEN", at: daysAgo(400) }),
      await insertDelivery({ state: "COMPLETED", at: daysAgo(89) }),
      await insertDelivery({ state: "RESIGNED", at: daysAgo(89) }),
    ]
    for (const state of ["COMPLETED", "RESIGNED", "COMPLETED"] as const) await insertDelivery({ state })
    expect(await removeOldDeliveries(database.db, BEFORE, 2)).toBe(2)
    expect(await removeOldDeliveries(database.db, BEFORE, 2)).toBe(1)
    expect(await removeOldDeliveries(database.db, BEFORE, 2)).toBe(0)
    expect((await idsOf("delivery")).sort()).toEqual(kept.sort())
  })

  it("are found by an index", async () => {
    expect(
      await planOf(
        "select id from delivery where state <> 'OPEN' and updated_at < now() order by updated_at limit 200",
      ),
    ).toContain("delivery_over")
  })
})

describe("entries of the journal", () => {
  it("go with the calls that told of them, but for those that are still owed to a webhook", async () => {
    const webhook = await insertWebhook()
    const [old, owed, young] = [
      await insertEvent(daysAgo(91)),
      await insertEvent(daysAgo(91)),
      await insertEvent(daysAgo(89)),
    ]
    await insertDelivery({ at: daysAgo(2), of: { webhook, event: old } })
    const open = await insertDelivery({ state: "OPEN", at: daysAgo(1), of: { webhook, event: owed } })
    await insertEvent(daysAgo(500))
    expect(await removeOldEvents(database.db, BEFORE, 1)).toBe(1)
    expect(await removeOldEvents(database.db, BEFORE, 100)).toBe(1)
    expect((await idsOf("event")).sort()).toEqual([owed, young].sort())
    expect(await idsOf("delivery")).toEqual([open])
    await query("update delivery set state = 'COMPLETED'")
    expect(await removeOldEvents(database.db, BEFORE, 100)).toBe(1)
    expect(await idsOf("event")).toEqual([young])
  })
})

describe("links", () => {
  const linkOf = async (request: SignatureRequest, at: Date): Promise<Buffer> => {
    const hash = randomBytes(32)
    await transact(tenant.businessId, (tx) => tx.insertLink(request.signatures[0]?.id ?? "", hash, at))
    return hash
  }
  const requestOf = async (more: Partial<SignatureRequest>): Promise<SignatureRequest> => {
    const document = await own.storedDocument(database, tenant)
    const request = own.sampleRequest(tenant, [document], 1, more)
    await transact(tenant.businessId, async (tx) => {
      await tx.insertDocument(document)
      await tx.insertRequest(request)
    })
    return request
  }
  const sweep = async (now: Date) => {
    while ((await removeOldLinks(database.db, now, new Date(now.getTime() - 90 * DAY_MS), 2)) === 2);
  }

  it("go some time after what they opened has ended; one of an OPEN request works for years, and costs one look a month", async () => {
    const long = daysAgo(400)
    const open = await linkOf(await requestOf({ lifecycle: "started", updatedAt: long }), long)
    const withdrawn = await linkOf(await requestOf({ lifecycle: "withdrawn", updatedAt: daysAgo(91) }), long)
    const justNow = await linkOf(await requestOf({ lifecycle: "withdrawn", updatedAt: daysAgo(1) }), long)
    const young = await linkOf(
      await requestOf({ lifecycle: "withdrawn", updatedAt: daysAgo(91) }),
      daysAgo(1),
    )
    await sweep(own.NOW)
    const there = async () =>
      Promise.all(
        [open, withdrawn, justNow, young].map(async (hash) => (await findLink(database.db, hash)) !== null),
      )
    expect(await there()).toEqual([true, false, true, true])
    // None is looked at before its day.
    expect(await removeOldLinks(database.db, own.NOW, own.NOW, 100)).toBe(0)
    await sweep(new Date(own.NOW.getTime() + LOOK_EVERY_MS))
    expect(await there()).toEqual([true, false, true, false])
    await sweep(new Date(own.NOW.getTime() + 120 * DAY_MS))
    expect(await there()).toEqual([true, false, false, false])
  })

  it("lead to sessions, which go half a day later, by an index", async () => {
    const { signatures } = await requestOf({ lifecycle: "started" })
    const id = signatures[0]?.id
    for (const at of [daysAgo(2), daysAgo(0)])
      await query(
        "insert into signer_session (id_hash, signature_id, created_at, seen_at, preview) values ($1, $2, $3, $3, false)",
        [randomBytes(32), id, at],
      )
    expect(await removeOldSessions(database.db, daysAgo(1), 100)).toBe(1)
    expect(await query("select created_at from signer_session where signature_id = $1", [id])).toEqual([
      { created_at: own.NOW },
    ])
    const plan = await planOf("select id_hash from signer_session where created_at < now() limit 200")
    expect(plan).toContain("signer_session_created_at_idx")
  })
})
