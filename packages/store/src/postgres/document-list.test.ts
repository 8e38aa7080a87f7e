import { randomUUID } from "node:crypto"
import type { Caller } from "@paraph/core/access/caller"
import type { Document, DocumentPage, ListDocuments } from "@paraph/core/document/model"
import type { Read, Transact } from "@paraph/core/ports"
import { CompiledQuery, Kysely, PostgresDialect, sql } from "kysely"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import * as own from "../testing/own-database.ts"
import { insertUser } from "./businesses.ts"
import { listDocuments } from "./document-list.ts"
import type { Tables } from "./tables.ts"
import { createRead, createTransact } from "./transact.ts"

let database: own.OwnDatabase
let transact: Transact
let read: Read

beforeAll(async () => {
  database = await own.createOwnDatabase({ migrated: true })
  transact = createTransact({ db: database.db, enqueue: async () => undefined, sealer: own.plainDetails })
  read = createRead(database.db, own.plainDetails)
})
afterAll(() => database?.close())

const callerOf = (tenant: own.Tenant, more: Partial<Caller> = {}): Caller => ({
  businessId: tenant.businessId,
  userId: tenant.ownerId,
  username: tenant.owner,
  keyId: randomUUID(),
  kind: "demo",
  ...more,
})

async function insert(tenant: own.Tenant, more: Partial<Document> = {}): Promise<Document> {
  const document = await own.storedDocument(database, tenant, { readAccess: [], ...more })
  await transact(tenant.businessId, (tx) => tx.insertDocument(document))
  return document
}

const FIRST_PAGE: ListDocuments = { pageSize: 100, search: null, from: { type: "page", number: 1 } }
const list = (caller: Caller, asked: Partial<ListDocuments> = {}): Promise<DocumentPage> =>
  read(caller.businessId, (reading) => reading.listDocuments(caller, { ...FIRST_PAGE, ...asked }))

const idsOf = ({ documents }: DocumentPage) => documents.map(({ id }) => id)
const minute = (n: number) => new Date(own.NOW.getTime() + n * 60_000)

/** A place in the list, from the document that stands there. */
function cursorOf(document: Document | undefined) {
  if (document === undefined) throw new Error("There is no document to go on from.")
  return { createdAt: document.createdAt, id: document.id }
}

const newestFirst = (documents: readonly Document[]) =>
  [...documents].sort((a, b) => b.createdAt.getTime() - a.createdAt.getTime() || (a.id < b.id ? 1 : -1))

describe("a list of 237 documents", () => {
  let caller: Caller
  let tenant: own.Tenant
  let documents: Document[]

  beforeAll(async () => {
    tenant = await own.insertTenant(database)
    caller = callerOf(tenant)
    documents = []
    // Ten at a time have one time: their ids say which comes first.
    for (let n = 0; n < 237; n += 1)
      documents.push(await insert(tenant, { title: `Nr. ${n}`, createdAt: minute(Math.floor(n / 10)) }))
    documents = newestFirst(documents)
  })

  it("has the newest first, and of those of one moment the one with the greater id", async () => {
    const page = await list(caller)
    expect(page).toEqual({ documents: documents.slice(0, 100), hasNext: true, hasPrevious: false })
  })

  it("is the same by page number, and ends where it ends", async () => {
    const pages = await Promise.all(
      [1, 2, 3, 4].map((number) => list(caller, { from: { type: "page", number } })),
    )
    expect(pages.flatMap(idsOf)).toEqual(documents.map(({ id }) => id))
    expect(
      pages.map(({ documents: { length }, hasNext, hasPrevious }) => ({ length, hasNext, hasPrevious })),
    ).toEqual([
      { length: 100, hasNext: true, hasPrevious: false },
      { length: 100, hasNext: true, hasPrevious: true },
      { length: 37, hasNext: false, hasPrevious: true },
      { length: 0, hasNext: false, hasPrevious: true },
    ])
    const exact = await list(caller, { pageSize: 79, from: { type: "page", number: 3 } })
    expect([exact.documents.length, exact.hasNext]).toEqual([79, false])
  })

  it.each([1, 7, 20, 100, 237, 500])(
    "by cursor, %i at a time, has each once, forward and back",
    async (pageSize) => {
      const forward = [await list(caller, { pageSize })]
      for (let page = forward[0]; page?.hasNext; forward.push(page))
        page = await list(caller, {
          pageSize,
          from: { type: "after", cursor: cursorOf(page.documents.at(-1)) },
        })
      expect(forward.flatMap(idsOf)).toEqual(documents.map(({ id }) => id))
      expect(forward.slice(1).every(({ hasPrevious }) => hasPrevious)).toBe(true)

      const back = [{ ...forward.at(-1), hasPrevious: forward.length > 1 } as DocumentPage]
      for (let page = back[0]; page?.hasPrevious; back.unshift(page))
        page = await list(caller, { pageSize, from: { type: "before", cursor: cursorOf(page.documents[0]) } })
      expect(back.flatMap(idsOf)).toEqual(documents.map(({ id }) => id))
      expect(back.slice(0, -1).every(({ hasNext }) => hasNext)).toBe(true)
    },
  )

  it("by cursor has each of those that were there once, while new ones come", async () => {
    const seen: string[] = []
    const added: Document[] = []
    let page = await list(caller, { pageSize: 20 })
    for (let n = 0; ; n += 1) {
      seen.push(...idsOf(page))
      if (!page.hasNext) break
      added.push(await insert(tenant, { createdAt: minute(1_000 + n) }))
      page = await list(caller, {
        pageSize: 20,
        from: { type: "after", cursor: cursorOf(page.documents.at(-1)) },
      })
    }
    expect(seen).toEqual(documents.map(({ id }) => id))
    expect(added.length).toBeGreaterThan(5)
    const before = await list(caller, { from: { type: "before", cursor: cursorOf(documents[0]) } })
    expect(idsOf(before)).toEqual(newestFirst(added).map(({ id }) => id))
    for (const document of added)
      await transact(tenant.businessId, (tx) => tx.removeDocument(document, own.NOW))
  })

  it("goes on from a document that was removed meanwhile", async () => {
    const [gone, next] = [await insert(tenant, { createdAt: minute(2_000) }), documents[0]]
    await transact(tenant.businessId, (tx) => tx.removeDocument(gone, own.NOW))
    const page = await list(caller, { pageSize: 1, from: { type: "after", cursor: cursorOf(gone) } })
    expect(page.documents).toEqual([next])
  })
})

describe("a search", () => {
  let caller: Caller
  const titles = [
    "Vertrag 100% gültig",
    "a_b",
    "axb",
    "back\\slash",
    "100 Prozent",
    "ZÜRICH, Straße 1",
    "%",
    "\\",
  ]

  beforeAll(async () => {
    const tenant = await own.insertTenant(database)
    caller = callerOf(tenant)
    for (const title of titles) await insert(tenant, { title })
  })

  it.each([
    ["100%", ["Vertrag 100% gültig"]],
    ["%", ["%", "Vertrag 100% gültig"]],
    ["_", ["a_b"]],
    ["A_B", ["a_b"]],
    ["\\", ["\\", "back\\slash"]],
    ["k\\S", ["back\\slash"]],
    ["vertrag", ["Vertrag 100% gültig"]],
    ["GÜLTIG", ["Vertrag 100% gültig"]],
    ["zürich", ["ZÜRICH, Straße 1"]],
    ["100", ["100 Prozent", "Vertrag 100% gültig"]],
    ["\\%", []],
    ["nothing like it", []],
    ["", titles],
  ])("for %s finds those that have it in their title, as it is", async (search, expected) => {
    const { documents } = await list(caller, { search })
    expect(documents.map(({ title }) => title).sort()).toEqual([...expected].sort())
  })

  it("has pages and cursors of its own", async () => {
    const first = await list(caller, { search: "100", pageSize: 1 })
    expect([first.documents.length, first.hasNext]).toEqual([1, true])
    const from = { type: "after", cursor: cursorOf(first.documents[0]) } as const
    const second = await list(caller, { search: "100", pageSize: 1, from })
    expect([second.documents.length, second.hasNext]).toEqual([1, false])
    expect(idsOf(second)).not.toEqual(idsOf(first))
  })
})

describe("somebody sees", () => {
  let tenant: own.Tenant
  let colleague: Caller
  let caller: Caller

  beforeAll(async () => {
    tenant = await own.insertTenant(database)
    caller = callerOf(tenant)
    colleague = callerOf(tenant, { userId: randomUUID(), username: `colleague-${randomUUID()}` })
    const { userId: id, businessId, username } = colleague
    await insertUser(database.db, { id, businessId, username, now: own.NOW })
  })

  it("their own, those they may read and those they may write, each once", async () => {
    const { username } = colleague
    const mine = await insert(tenant)
    const shared = [
      await insert(tenant, { readAccess: [username] }),
      await insert(tenant, { writeAccess: [username, username] }),
      await insert(tenant, { readAccess: [username, caller.username], writeAccess: [username] }),
    ]
    const theirs = await insert({ ...tenant, ownerId: colleague.userId, owner: username })
    expect(idsOf(await list(caller)).sort()).toEqual([mine, ...shared].map(({ id }) => id).sort())
    expect(idsOf(await list(colleague)).sort()).toEqual([theirs, ...shared].map(({ id }) => id).sort())
  })

  it("nothing of another business, even where it names them", async () => {
    const stranger = await own.insertTenant(database)
    const before = idsOf(await list(colleague))
    const document = await insert(stranger, {
      readAccess: [colleague.username],
      writeAccess: [colleague.username],
    })
    expect(idsOf(await list(colleague))).toEqual(before)
    expect(idsOf(await list(callerOf(stranger)))).toEqual([document.id])
    expect(idsOf(await list(callerOf(stranger, { username: tenant.owner })))).toEqual([])
  })

  it("with a demo key what demo keys made, and with a production key the rest", async () => {
    const other = await own.insertTenant(database)
    const [demo, production] = [await insert(other), await insert(other, { kind: "production" })]
    expect(idsOf(await list(callerOf(other)))).toEqual([demo.id])
    expect(idsOf(await list(callerOf(other, { kind: "production" })))).toEqual([production.id])
  })

  it("what was shared with them from that moment on, and what was taken from them no more", async () => {
    const document = await insert(tenant)
    const sees = async () => idsOf(await list(colleague)).includes(document.id)
    const save = (access: Pick<Document, "readAccess" | "writeAccess">) =>
      transact(tenant.businessId, (tx) => tx.saveAccess({ ...document, ...access, updatedAt: minute(1) }))
    const history = [await sees()]
    await save({ readAccess: [colleague.username], writeAccess: [] })
    history.push(await sees())
    await save({ readAccess: [], writeAccess: [colleague.username] })
    history.push(await sees())
    await save({ readAccess: [], writeAccess: [] })
    history.push(await sees())
    expect(history).toEqual([false, true, true, false])
    expect(idsOf(await list(caller))).toContain(document.id)
  })
})

describe("among 10,000 documents and more", () => {
  let caller: Caller

  beforeAll(async () => {
    const tenant = await own.insertTenant(database)
    caller = callerOf(tenant)
    const document = await insert(tenant)
    await sql`insert into document select copy.* from document d, generate_series(1, 12000) as n,
        jsonb_populate_record(d, jsonb_build_object('id', gen_random_uuid(), 'blob_name',
          'documents/' || gen_random_uuid(), 'created_at', d.created_at + n * interval '1 second',
          'details', null)) as copy
      where d.id = ${document.id}`.execute(database.db)
    await sql`insert into document_reader select business_id, kind, ${caller.username}, created_at, id
      from document where business_id = ${caller.businessId} and id <> ${document.id}`.execute(database.db)
    await sql`vacuum analyze`.execute(database.db)
  })

  it.each(["after", "before"] as const)("a page %s a cursor is one range of one index", async (type) => {
    const cursor = { createdAt: new Date(own.NOW.getTime() + 6_000_000), id: randomUUID() }
    const { plan, visited } = await planOf({ pageSize: 50, search: null, from: { type, cursor } })
    expect(plan).not.toContain('"Node Type":"Sort"')
    expect(plan).not.toMatch(/"Node Type":"Seq Scan"[^{}]*"Relation Name":"document/)
    const reader = /"Relation Name":"document_reader"/g
    expect(plan.match(reader)).toHaveLength(1)
    expect(plan).toMatch(/"Index Name":"document_reader_pkey"[^{}]*"Index Cond":"[^"]*ROW\(/)
    // The rows of one page and the one that says whether there are more, of all twelve thousand.
    expect(visited).toBe(51)
  })

  it("a page far behind looks up the documents that it shows, and none of those before them", async () => {
    const { plan } = await planOf({ pageSize: 50, search: null, from: { type: "page", number: 200 } })
    // And the one that says whether there are more.
    expect(plan).toMatch(/"Relation Name":"document"[^{}]*"Actual Loops":51\D/)
  })

  it("the first page is the beginning of that index", async () => {
    const { visited } = await planOf({ ...FIRST_PAGE, pageSize: 50 })
    expect(visited).toBe(51)
  })

  /** What PostgreSQL did, and how many rows of `document_reader` it had in hand. */
  async function planOf(asked: ListDocuments): Promise<{ plan: string; visited: number }> {
    const statements: CompiledQuery[] = []
    const watched = new Kysely<Tables>({
      dialect: new PostgresDialect({ pool: database.pool }),
      log: ({ query }) => void (query.sql.startsWith("select") && statements.push(query)),
    })
    await watched.transaction().execute((trx) => listDocuments(trx, own.plainDetails, caller, asked))
    const [statement] = statements
    if (statement === undefined || statements.length !== 1) throw new Error("One statement was expected.")
    // As a transaction of the business: PostgreSQL plans its row policies with the statement.
    const rows = await database.db.connection().execute(async (single) => {
      await sql`select set_config('paraph.business', ${caller.businessId}, false)`.execute(single)
      const explain = CompiledQuery.raw(`explain (analyze, format json) ${statement.sql}`, [
        ...statement.parameters,
      ])
      const answer = await single.executeQuery(explain)
      await sql`select set_config('paraph.business', '', false)`.execute(single)
      return answer.rows
    })
    const plan = JSON.stringify(rows)
    const [, actual] = /"Relation Name":"document_reader"[^{}]*?"Actual Rows":(\d+)/.exec(plan) ?? []
    return { plan, visited: Number(actual) }
  }
})
