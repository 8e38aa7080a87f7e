import { randomUUID } from "node:crypto"
import type { Caller } from "@paraph/core/access/caller"
import type { Document } from "@paraph/core/document/model"
import type { Read, Transact } from "@paraph/core/ports"
import { apply, applyRemoval } from "@paraph/core/signature-request/apply"
import type { Event } from "@paraph/core/signature-request/event"
import type { SignatureRequest } from "@paraph/core/signature-request/model"
import type { ListRequests } from "@paraph/core/signature-request/new-request"
import { sql } from "kysely"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { createEnqueue } from "../jobs/enqueue.ts"
import { type Jobs, openJobs } from "../jobs/jobs.ts"
import * as own from "../testing/own-database.ts"
import { dueToExpire, dueToRetire, dueToWarn } from "./due-requests.ts"
import { createRead, createTransact } from "./transact.ts"

let database: own.OwnDatabase
let jobs: Jobs
let transact: Transact
let read: Read
let tenant: own.Tenant

beforeAll(async () => {
  database = await own.createOwnDatabase({ migrated: true })
  jobs = await openJobs(database.url, { worker: false, onError: () => undefined })
  transact = createTransact({ db: database.db, enqueue: createEnqueue(jobs.boss), sealer: own.plainDetails })
  read = createRead(database.db, own.plainDetails)
  tenant = await own.insertTenant(database)
})

afterAll(async () => {
  await jobs?.stop(5_000)
  await database?.close()
})

const at = own.NOW
const whole: Partial<SignatureRequest> = {
  creator: "cleo@example.org",
  custom: '{"deal": 7}',
  attachOnSuccess: ["SIGNED_DOCUMENT"],
  ccEmailAddresses: ["cc@example.org"],
  expiresAt: { date: "2026-12-24", passesAt: new Date("2026-12-24T23:00:00Z") },
  autoDeleteAt: { date: "2027-02-01", beginsAt: new Date("2027-01-31T23:00:00Z") },
}

describe("a request with everything", () => {
  it("is read as it was written: dates stay dates, wherever the process runs", async () => {
    const document = await insertedDocument()
    const draft = own.sampleRequest(tenant, [document], 2, whole)
    const identity = {
      provider: "demo_ident",
      firstName: "Ida",
      lastName: "Dent",
      mobileNumber: "+41790000000",
      issuingCountry: "CH",
      identityReference: null,
    }
    const visual = { type: "positions", positions: [{ page: 0, x: 1, y: 2, width: 3.5, height: 4 }] } as const
    const signatures = draft.signatures.map((s, index) =>
      index === 0
        ? {
            ...s,
            email: null,
            identity,
            notify: false,
            restricted: true,
            marks: s.marks.map((m) => ({ ...m, visual })),
          }
        : {
            ...s,
            groupId: randomUUID(),
            mailProblem: "full",
            waitingFor: "revocation" as const,
            lastViewedAt: at,
            remindedAt: at,
            invitedAt: at,
          },
    )
    const request = { ...draft, signatures }
    await insert(request)
    expect(await found(request)).toEqual(request)
  })

  it("is read by who has prepared to read it while a later version gives its tables more columns", async () => {
    const document = await insertedDocument()
    const draft = own.sampleRequest(tenant, [document], 2, whole)
    await transact(tenant.businessId, (tx) => tx.insertRequest(draft))
    const found = () => read(tenant.businessId, (reading) => reading.findRequest(draft.id))
    // So often that PostgreSQL has settled for one plan, on every connection.
    for (let n = 0; n < 20; n += 1) expect(await found()).toEqual(draft)
    for (const table of ["signature_request", "signature", "mark", "request_document", "observer"])
      await sql`alter table ${sql.table(table)} add column of_a_later_version text default 'x'`.execute(
        database.db,
      )
    for (let n = 0; n < 20; n += 1) expect(await found()).toEqual(draft)
  })

  it("changes as a whole, and a signer or a document that goes leaves nothing behind", async () => {
    const [one, two] = [await insertedDocument(), await insertedDocument()]
    const draft = own.sampleRequest(tenant, [one, two], 3, whole)
    await insert(draft)
    const removed = draft.signatures[1]?.id ?? ""
    await transact(tenant.businessId, (tx) => tx.insertLink(removed, Buffer.from(randomUUID()), at))
    await step(draft, { type: "update", changes: { title: "Another", custom: null, expiresAt: null }, at })
    await step(draft, { type: "remove-signer", signatureId: removed, at })
    const after = await step(draft, { type: "remove-document", documentId: one.id, at })
    expect(await found(draft)).toEqual(after)
    expect(after).toMatchObject({ title: "Another", custom: null, expiresAt: null })
    expect(after.signatures).toHaveLength(2)
    expect(after.documents.map((d) => d.id)).toEqual([two.id])
    expect(await count(sql`signing_link where signature_id = ${removed}`)).toBe(0)
  })
})

describe("[SR-20] a request that is deleted", () => {
  it("takes its rows with it and marks its documents, in every version; its evidence stays", async () => {
    const document = await insertedDocument()
    const request = own.sampleRequest(tenant, [document], 1)
    await insert(request)
    const signatureId = request.signatures[0]?.id ?? ""
    await step(request, { type: "start", members: [], at })
    const consent = {
      name: "Ann",
      version: "x",
      language: "en",
      sha256: "00",
      shown: [],
      look: { type: "plain" },
      places: [],
      at,
    } as const
    await step(request, { type: "consent", signatureId, consent, at })
    const version = await insertedDocument({ parentId: document.id })
    const onto = { documentId: document.id, onto: document.id, versionId: version.id }
    await step(request, { type: "mark", signatureId, ...onto, at })
    // Its time-stamp was renewed, twice; no mark names these versions. A watermark is its owner's own work.
    const renewed: Document[] = [version]
    for (const _ of [1, 2]) {
      const before = renewed.at(-1)?.id ?? ""
      const next = await insertedDocument({ parentId: before })
      const of = { documentId: document.id, onto: before, versionId: next.id }
      await step(request, { type: "renew", ...of, renewAt: null, at })
      renewed.push(next)
    }
    const watermarked = await insertedDocument({ parentId: document.id })
    await transact(tenant.businessId, (tx) => applyRemoval(tx, request.id, at))
    expect(await read(tenant.businessId, (reading) => reading.findRequest(request.id))).toBeNull()
    for (const one of [document, ...renewed]) expect(await removing(one)).toBe(true)
    expect(await removing(watermarked)).toBe(false)
    expect(await count(sql`evidence where request_id = ${request.id} and type = 'request.deleted'`)).toBe(1)
    expect(await count(sql`request_reader where request_id = ${request.id}`)).toBe(0)
  })

  it("leaves alone what another request needs, and what its owner may only read", async () => {
    const [shared, foreign] = [await insertedDocument(), await insertedDocument()]
    const other = own.sampleRequest(tenant, [shared], 1)
    const request = own.sampleRequest(tenant, [shared, foreign], 1)
    const { ownerId } = await own.insertTenant(database)
    await sql`update document set owner_id = ${ownerId} where id = ${foreign.id}`.execute(database.db)
    for (const one of [other, request]) await insert(one)
    await transact(tenant.businessId, (tx) => applyRemoval(tx, request.id, at))
    expect([await removing(shared), await removing(foreign)]).toEqual([false, false])
    await transact(tenant.businessId, (tx) => applyRemoval(tx, other.id, at))
    expect(await removing(shared)).toBe(true)
  })
})

describe("the list", () => {
  it("[SR-16] shows what a caller may read, newest first, by every filter and both ways along the cursor", async () => {
    const mine = await own.insertTenant(database)
    const document = await insertedDocument({}, mine)
    const requests: SignatureRequest[] = []
    for (let n = 0; n < 7; n += 1) {
      const createdAt = new Date(at.getTime() + n * 1000)
      const more = {
        title: n === 3 ? "50% off_" : `Request ${n}`,
        createdAt,
        readAccess: n === 5 ? ["rita"] : [],
      }
      const request = own.sampleRequest(mine, [document], 1, more)
      requests.push(request)
      await insert(request, mine)
      if (n % 2 === 0) await step(request, { type: "start", members: [], at }, mine)
    }
    const caller = callerOf(mine)
    const list = async (asked: Partial<ListRequests>, by = caller) => {
      const page = await read(mine.businessId, (reading) =>
        reading.listRequests(by, { ...EVERYTHING, ...asked }),
      )
      return { ...page, numbers: page.requests.map((r) => requests.findIndex(({ id }) => id === r.id)) }
    }
    expect((await list({})).numbers).toEqual([6, 5, 4, 3, 2, 1, 0])
    expect((await list({ status: "OPEN" })).numbers).toEqual([6, 4, 2, 0])
    expect((await list({ search: "0% OFF_" })).numbers).toEqual([3])
    expect((await list({ signatureState: "signed" })).numbers).toEqual([])
    expect((await list({ signerEmail: "SIGNER0@example.org" })).numbers).toHaveLength(7)
    expect((await list({}, { ...caller, username: "rita", userId: randomUUID() })).numbers).toEqual([5])
    expect((await list({}, { ...caller, kind: "production" })).numbers).toEqual([])
    const first = await list({ pageSize: 3 })
    expect([first.numbers, first.hasNext, first.hasPrevious]).toEqual([[6, 5, 4], true, false])
    const last = first.requests.at(-1)
    if (last === undefined) throw new Error("The page is empty.")
    const next = await list({ pageSize: 3, from: { type: "after", cursor: last } })
    expect([next.numbers, next.hasNext, next.hasPrevious]).toEqual([[3, 2, 1], true, true])
    const [begin] = next.requests
    if (begin === undefined) throw new Error("The page is empty.")
    const back = await list({ pageSize: 3, from: { type: "before", cursor: begin } })
    expect([back.numbers, back.hasPrevious]).toEqual([[6, 5, 4], false])
    expect((await list({ pageSize: 3, from: { type: "page", number: 3 } })).numbers).toEqual([0])
  })
})

describe("a date that comes", () => {
  it("finds what is due, and nothing else", async () => {
    const document = await insertedDocument()
    const expiresAt = { date: "2026-11-09", passesAt: new Date(at.getTime() + 7 * 86_400_000) }
    const autoDeleteAt = { date: "2026-12-02", beginsAt: new Date(at.getTime() + 30 * 86_400_000) }
    const request = own.sampleRequest(tenant, [document], 1, { expiresAt, autoDeleteAt })
    await insert(request)
    const has = async (found: Promise<readonly { requestId: string }[]>) =>
      (await found).some(({ requestId }) => requestId === request.id)
    const { db } = database
    const day = (days: number) => new Date(at.getTime() + days * 86_400_000)
    expect(await has(dueToExpire(db, day(8), 100))).toBe(false)
    await step(request, { type: "start", members: [], at })
    expect(await has(dueToWarn(db, day(4), 2 * 86_400_000, 100))).toBe(false)
    expect(await has(dueToWarn(db, day(5), 2 * 86_400_000, 100))).toBe(true)
    expect(await has(dueToWarn(db, day(7), 2 * 86_400_000, 100))).toBe(false)
    expect(await has(dueToExpire(db, day(6.9), 100))).toBe(false)
    expect(await has(dueToExpire(db, day(7), 100))).toBe(true)
    expect(await has(dueToRetire(db, day(29), 100))).toBe(false)
    expect(await has(dueToRetire(db, day(30), 100))).toBe(true)
  })
})

const EVERYTHING: ListRequests = {
  pageSize: 50,
  search: null,
  status: null,
  signatureState: null,
  signerEmail: null,
  from: { type: "page", number: 1 },
}

const callerOf = (who: own.Tenant): Caller => ({
  businessId: who.businessId,
  userId: who.ownerId,
  username: who.owner,
  keyId: randomUUID(),
  kind: "demo",
})

const insert = (request: SignatureRequest, who = tenant) =>
  transact(who.businessId, (tx) => tx.insertRequest(request))
const step = ({ id }: SignatureRequest, event: Event, who = tenant) =>
  transact(who.businessId, (tx) => apply(tx, id, event))
const found = ({ id }: SignatureRequest) => read(tenant.businessId, (reading) => reading.findRequest(id))

async function insertedDocument(more: Partial<Document> = {}, who = tenant): Promise<Document> {
  const document = await own.storedDocument(database, who, more)
  await transact(who.businessId, (tx) => tx.insertDocument(document))
  return document
}

async function removing({ id }: Document): Promise<boolean> {
  return (await count(sql`document where id = ${id} and removing_since is not null`)) === 1
}

async function count(of: ReturnType<typeof sql>): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int from ${of}`.execute(database.db)
  return rows[0]?.count ?? 0
}
