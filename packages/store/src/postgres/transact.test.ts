import { randomUUID } from "node:crypto"
import type { Document } from "@paraph/core/document/model"
import type { Reading, Transact, Tx } from "@paraph/core/ports"
import { apply } from "@paraph/core/signature-request/apply"
import type { Event } from "@paraph/core/signature-request/event"
import { type SignatureRequest, statusOf } from "@paraph/core/signature-request/model"
import { sql } from "kysely"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { createEnqueue } from "../jobs/enqueue.ts"
import { type Jobs, openJobs } from "../jobs/jobs.ts"
import * as own from "../testing/own-database.ts"
import { createRead, createTransact } from "./transact.ts"

let database: own.OwnDatabase
let jobs: Jobs
let transact: Transact
let tenant: own.Tenant

beforeAll(async () => {
  database = await own.createOwnDatabase({ migrated: true })
  jobs = await openJobs(database.url, { worker: false, onError: () => undefined })
  transact = createTransact({ db: database.db, enqueue: createEnqueue(jobs.boss), sealer: own.plainDetails })
  tenant = await own.insertTenant(database)
})

afterAll(async () => {
  await jobs?.stop(5_000)
  await database?.close()
})

describe("a document", () => {
  it("is read as it was written", async () => {
    const document = await own.storedDocument(database, tenant, { title: "Vertrag \u{1f58a} – “Zürich”" })
    await as(tenant, (tx) => tx.insertDocument(document))
    expect(await as(tenant, (tx) => tx.findDocument(document.id))).toEqual(document)
  })

  it("is found among others in the order asked for; what is not there is left out", async () => {
    const ids = [(await insertedDocument()).id, (await insertedDocument()).id, (await insertedDocument()).id]
    for (const wanted of [ids, [...ids].reverse()]) {
      const found = await seenBy(tenant, (reading) => reading.findDocuments([...wanted, randomUUID()]))
      expect(found.map((document) => document.id)).toEqual(wanted)
    }
  })

  it("of one business is not found by another", async () => {
    const document = await insertedDocument()
    const stranger = await own.insertTenant(database)
    expect(await as(stranger, (tx) => tx.findDocument(document.id))).toBeNull()
    expect(await seenBy(stranger, (reading) => reading.findDocuments([document.id]))).toEqual([])
  })
})

describe("a request", () => {
  it("is read as it was written, draft and signed, with all its documents in their order", async () => {
    const documents = [await insertedDocument(), await insertedDocument(), await insertedDocument()]
    const request = own.sampleRequest(tenant, documents, 3, {
      message: "Please.",
      callbacks: { success: "https://a.example/s", error: "https://a.example/e" },
      legislation: "EIDAS",
      readAccess: ["reader@example.org"],
    })
    await as(tenant, (tx) => tx.insertRequest(request))
    expect(await read(request)).toEqual(request)

    await step(request, { type: "start", members: [], at: later(1) })
    await agree(request, 1)
    const newest = await mark(request, 1, documents[2])
    const stored = await read(request)
    expect(stored.documents.map((d) => d.newestId)).toEqual([documents[0]?.id, documents[1]?.id, newest])
    expect(stored.signatures[1]).toMatchObject({ state: "open", consent: { name: "Ann", at: later(2) } })
    expect(stored.signatures[1]?.marks.map((m) => m.versionId)).toEqual([null, null, newest])
  })

  it("without signers is read as it was written", async () => {
    const request = own.sampleRequest(tenant, [await insertedDocument()], 0)
    await as(tenant, (tx) => tx.insertRequest(request))
    expect(await read(request)).toEqual(request)
  })

  it("keeps a signer who was added, behind the others", async () => {
    const request = await startedRequest(1)
    const fresh = { id: randomUUID(), email: "added@example.org", place: 3, invitedAt: null }
    const signature = { ...entry(request, 0), ...fresh }
    const after = await step(request, { type: "add-signer", signature, at: later(1) })
    expect(after.signatures[1]).toEqual({ ...signature, invitedAt: later(1) })
    expect(await read(request)).toEqual(after)
  })

  it("keeps a mark that was made, whatever is saved over it", async () => {
    const request = await startedRequest(2)
    await agree(request, 0)
    const made = await mark(request, 0)
    const { id: forged } = await insertedDocument()
    const stored = await read(request)
    const signatures = stored.signatures.map((s) => ({
      ...s,
      marks: s.marks.map((m) => ({ ...m, versionId: m.versionId === null ? null : forged })),
    }))
    await as(tenant, (tx) => tx.saveRequest({ ...stored, signatures }, stored))
    expect((await read(request)).signatures[0]?.marks[0]?.versionId).toBe(made)
  })

  it("of one business is neither found nor locked by another", async () => {
    const request = await startedRequest(1)
    const stranger = await own.insertTenant(database)
    expect(await seenBy(stranger, (reading) => reading.findRequest(request.id))).toBeNull()
    expect(await as(stranger, (tx) => tx.lockRequest(request.id))).toBeNull()
  })

  it("whose stored status is not the one that its signatures say is refused on reading", async () => {
    const request = await startedRequest(1)
    await sql`update signature_request set status = 'SIGNED' where id = ${request.id}`.execute(database.db)
    await expect(read(request)).rejects.toThrow("stored as SIGNED, its signatures say OPEN")
  })
})

describe("a change and what follows from it", () => {
  it("are one commit: the state, its evidence and its jobs", async () => {
    const request = await startedRequest(2, { callbacks: { update: "https://a.example/u" } })
    await agree(request, 0)
    await mark(request, 0)
    expect(await traces(request)).toEqual({
      evidence: ["request.started", "signature.consented", "mark.made", "signature.signed"],
      jobs: ["invite-signer", "invite-signer", "sign-document"],
      callbacks: ["update"],
    })
  })

  it("are all undone together when the work fails afterwards", async () => {
    const request = await startedRequest(1, { callbacks: { error: "https://a.example/e" } })
    const before = await traces(request)
    const run = as(tenant, async (tx) => {
      const { id: signatureId } = entry(request, 0)
      await apply(tx, request.id, { type: "decline", signatureId, reason: null, at: later(1) })
      throw new Error("a fault after the change")
    })
    await expect(run).rejects.toThrow("a fault after the change")
    expect(await traces(request)).toEqual(before)
    expect(statusOf(await read(request))).toBe("OPEN")
  })

  it("leave no row, no job and no evidence of a request whose creation fails", async () => {
    const document = await own.storedDocument(database, tenant)
    const request = own.sampleRequest(tenant, [document], 2)
    const run = as(tenant, async (tx) => {
      await tx.insertDocument(document)
      await tx.insertRequest(request)
      await tx.appendEvidence(request.id, [{ type: "request.created", at: own.NOW }])
      await apply(tx, request.id, { type: "start", members: [], at: own.NOW })
      throw new Error("a fault at the very end")
    })
    await expect(run).rejects.toThrow("a fault at the very end")
    expect(await seenBy(tenant, (reading) => reading.findRequest(request.id))).toBeNull()
    expect(await as(tenant, (tx) => tx.findDocument(document.id))).toBeNull()
    expect(await traces(request)).toEqual({ evidence: [], jobs: [], callbacks: [] })
  })

  it("of a second consent are nothing", async () => {
    const request = await startedRequest(1)
    await agree(request, 0)
    const before = await traces(request)
    await agree(request, 0)
    expect(await traces(request)).toEqual(before)
  })

  it("of one request wait for each other: of two marks onto one version the second is refused", async () => {
    const request = await startedRequest(2)
    await Promise.all([agree(request, 0), agree(request, 1)])
    const outcomes = await Promise.allSettled([mark(request, 0), mark(request, 1)])
    expect(outcomes.map((o) => o.status).sort()).toEqual(["fulfilled", "rejected"])
    const refused = outcomes.find((o) => o.status === "rejected")
    expect(refused?.reason).toMatchObject({ code: "document-moved-on" })
    const { signatures } = await read(request)
    expect(signatures.map((s) => s.state).sort()).toEqual(["open", "signed"])
  })

  it("of one request number their evidence without a gap, however many come at once", async () => {
    const request = await startedRequest(12)
    await Promise.all(request.signatures.map((_, index) => agree(request, index)))
    const rows = await database.db
      .selectFrom("evidence")
      .select("seq")
      .where("request_id", "=", request.id)
      .orderBy("seq")
      .execute()
    expect(rows.map((row) => row.seq)).toEqual([1, ...request.signatures.map((_, index) => index + 2)])
  })
})

describe("evidence", () => {
  it.each([
    ["updated", "update evidence set type = 'request.ended'"],
    ["updated where nothing matches", "update evidence set type = 'x' where false"],
    ["deleted", "delete from evidence"],
    ["truncated", "truncate evidence cascade"],
  ])("cannot be %s", async (_, statement) => {
    const request = await startedRequest(1)
    await agree(request, 0)
    await expect(database.pool.query(statement)).rejects.toThrow("append-only")
    expect((await traces(request)).evidence).toEqual(["request.started", "signature.consented"])
  })

  it("cannot have two entries with one number", async () => {
    const request = await startedRequest(1)
    await agree(request, 0)
    const again = sql`
      insert into evidence (request_id, seq, business_id, type, at, sealed, entry)
        select request_id, seq, business_id, type, at, sealed, entry from evidence where request_id = ${request.id}`
    await expect(again.execute(database.db)).rejects.toThrow("duplicate key")
  })
})

const later = (minutes: number): Date => new Date(own.NOW.getTime() + minutes * 60_000)
const as = <T>(who: own.Tenant, work: (tx: Tx) => Promise<T>): Promise<T> => transact(who.businessId, work)

const seenBy = <T>(who: own.Tenant, work: (reading: Reading) => Promise<T>): Promise<T> =>
  createRead(database.db, own.plainDetails)(who.businessId, work)

async function insertedDocument(): Promise<Document> {
  const document = await own.storedDocument(database, tenant)
  await as(tenant, (tx) => tx.insertDocument(document))
  return document
}

async function startedRequest(
  signers: number,
  more: Partial<SignatureRequest> = {},
): Promise<SignatureRequest> {
  const request = own.sampleRequest(tenant, [await insertedDocument()], signers, more)
  await as(tenant, (tx) => tx.insertRequest(request))
  return step(request, { type: "start", members: [], at: own.NOW })
}

const step = (request: SignatureRequest, event: Event): Promise<SignatureRequest> =>
  as(tenant, (tx) => apply(tx, request.id, event))

async function read(request: SignatureRequest): Promise<SignatureRequest> {
  const found = await seenBy(tenant, (reading) => reading.findRequest(request.id))
  if (found === null) throw new Error("The request is not there.")
  return found
}

function entry(request: SignatureRequest, index: number) {
  const signature = request.signatures[index]
  if (signature === undefined) throw new Error("There is no such signature.")
  return signature
}

function agree(request: SignatureRequest, index: number): Promise<SignatureRequest> {
  const at = later(2)
  const consent = {
    name: "Ann",
    version: "ses-2026-11",
    language: "en",
    sha256: "00",
    shown: [],
    look: { type: "plain" },
    places: [],
    at,
  } as const
  return step(request, { type: "consent", signatureId: entry(request, index).id, consent, at })
}

/** Makes a mark onto the version that was uploaded; answers the id of the new one. */
async function mark(request: SignatureRequest, index: number, onto?: Document): Promise<string> {
  const documentId = onto?.id ?? request.documents[0]?.id ?? ""
  const version = await own.storedDocument(database, tenant, { parentId: documentId })
  const signatureId = entry(request, index).id
  await as(tenant, async (tx) => {
    await tx.insertDocument(version)
    await apply(tx, request.id, {
      type: "mark",
      signatureId,
      documentId,
      onto: documentId,
      versionId: version.id,
      at: later(3),
    })
  })
  return version.id
}

/** What a change leaves behind, beside the state itself. */
async function traces({ id }: SignatureRequest) {
  const { db, pool } = database
  const evidence = await db
    .selectFrom("evidence")
    .select("type")
    .where("request_id", "=", id)
    .orderBy("seq")
    .execute()
  const callbacks = await db.selectFrom("delivery").select("type").where("subject_id", "=", id).execute()
  const { rows } = await pool.query("select name from jobs.job where data->>'requestId' = $1 order by name", [
    id,
  ])
  return {
    evidence: evidence.map((row) => row.type),
    jobs: rows.map((row: { name: string }) => row.name),
    callbacks: callbacks.map((row) => row.type),
  }
}
