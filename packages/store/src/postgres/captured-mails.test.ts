import { randomUUID } from "node:crypto"
import type { SignatureRequest } from "@paraph/core/signature-request/model"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { rewrapDocuments, rotateBusinessKey } from "../keys/rotate.ts"
import { NOW, sampleRequest, type Tenant } from "../testing/own-database.ts"
import { createOwnStore, type OwnStore } from "../testing/own-store.ts"
import { keepCopy, type NewCopy, removeOldCopies } from "./captured-mails.ts"
import { noteAttempt, noteBounce, noteGivenUp, noteOutcome, removeOldMailLog } from "./mail-log.ts"

let store: OwnStore
let tenant: Tenant
beforeAll(async () => {
  store = await createOwnStore()
})
beforeEach(async () => {
  tenant = await store.tenant()
})
afterAll(() => store?.close())

const db = () => store.database.db
const query = async (text: string, values: readonly unknown[] = []) =>
  (await store.database.pool.query(text, [...values])).rows
const later = (ms: number) => new Date(NOW.getTime() + ms)

async function newRequest(kind: "demo" | "production" = "demo"): Promise<SignatureRequest> {
  const document = await store.upload(tenant, Buffer.from("a document"), { kind })
  const request = sampleRequest(tenant, [document], 1, { kind })
  await store.transact(tenant.businessId, (tx) => tx.insertRequest(request))
  return request
}

const copyOf = (request: SignatureRequest, more: Partial<NewCopy> = {}): NewCopy => ({
  id: randomUUID(),
  businessId: tenant.businessId,
  requestId: request.id,
  type: "invitation",
  channel: "mail",
  to: "ada@example.org",
  subject: "Contract",
  text: "https://localhost/sign/first",
  html: "<p>first</p>",
  createdAt: NOW,
  ...more,
})

const find = (id: string) =>
  store.read(tenant.businessId, (reading) =>
    reading.findMail(
      { ...tenant, userId: tenant.ownerId, username: tenant.owner, keyId: "k", kind: "demo" },
      "of own requests",
      id,
    ),
  )

describe("a copy of a mail", () => {
  it("takes the place of that of an earlier attempt, and keeps its time", async () => {
    const copy = copyOf(await newRequest())
    await keepCopy(db(), store.sealer, copy)
    await keepCopy(db(), store.sealer, {
      ...copy,
      text: "https://localhost/sign/second",
      createdAt: later(60_000),
    })
    expect(await find(copy.id)).toMatchObject({ text: "https://localhost/sign/second", createdAt: NOW })
  })

  it("is not kept of a production request, of another business's, or of one that is gone", async () => {
    const elsewhere = await store.tenant()
    for (const copy of [
      copyOf(await newRequest("production")),
      copyOf(await newRequest(), { businessId: elsewhere.businessId }),
      copyOf(await newRequest(), { requestId: randomUUID() }),
    ]) {
      await keepCopy(db(), store.sealer, copy)
      expect(await query("select from captured_mail where id = $1", [copy.id])).toEqual([])
    }
  })

  it("opens as itself alone: what is put into another row, or into the other part of it, does not", async () => {
    const request = await newRequest()
    const [one, other] = [copyOf(request), copyOf(request)]
    for (const copy of [one, other]) await keepCopy(db(), store.sealer, copy)
    await query(
      "update captured_mail set content = (select content from captured_mail where id = $1) where id = $2",
      [one.id, other.id],
    )
    await expect(find(other.id)).rejects.toThrow()
    await query("update captured_mail set content = envelope where id = $1", [one.id])
    await expect(find(one.id)).rejects.toThrow()
  })

  it("comes along to a new key of its business, and an older key stays as long as a copy needs it", async () => {
    const copy = copyOf(await newRequest())
    await keepCopy(db(), store.sealer, copy)
    await rotateBusinessKey(db(), store.ring, tenant.businessId, NOW)
    expect(await query("select key_version from captured_mail where id = $1", [copy.id])).toEqual([
      { key_version: 2 },
    ])
    store.clock.now = later(3_600_000)
    const { retired } = await rewrapDocuments(db(), store.ring, tenant.businessId, later(86_400_000))
    expect(retired).toBe(1)
    expect(await find(copy.id)).toMatchObject({ to: "ada@example.org", text: copy.text })
    store.clock.now = NOW
  })

  it("is swept by an index, the oldest first, as the log is", async () => {
    await query("delete from captured_mail; delete from mail_log")
    const request = await newRequest()
    const ages = [3, 2, 1].map((days) => copyOf(request, { createdAt: later(-days * 86_400_000) }))
    for (const copy of ages) {
      await keepCopy(db(), store.sealer, copy)
      await noteAttempt(db(), logged(copy.id, copy.createdAt))
    }
    const before = later(-1.5 * 86_400_000)
    expect(await removeOldCopies(db(), before, 1)).toBe(1)
    expect(await removeOldCopies(db(), before, 10)).toBe(1)
    expect(await removeOldMailLog(db(), before, 10)).toBe(2)
    const left = [{ id: ages[2]?.id }]
    expect(await query("select id from captured_mail")).toEqual(left)
    expect(await query("select id from mail_log")).toEqual(left)
    for (const table of ["captured_mail", "mail_log"]) {
      const plan = await store.database.pool.query(
        `begin; set local enable_seqscan = off; explain select id from ${table} where created_at < now() order by created_at limit 10; commit`,
      )
      expect(JSON.stringify(plan)).toMatch(/Index (Only )?Scan/)
    }
  })
})

const logged = (id: string, at: Date, signatureId: string | null = null) => ({
  id,
  at,
  signatureId,
  businessId: tenant.businessId,
  requestId: null,
  type: "invitation",
  recipient: "a•••@example.org",
  channel: "mail" as "mail" | "sms",
  attempt: 1,
})

describe("the log of mails", () => {
  const states = async (signatureId: string) =>
    (
      await query("select state from mail_log where signature_id = $1 order by created_at", [signatureId])
    ).map(({ state }) => state)

  it("takes a mail that came back for the last one to its signer, and does not forget it", async () => {
    const signatureId = randomUUID()
    const [first, last] = [randomUUID(), randomUUID()]
    await noteAttempt(db(), logged(first, NOW, signatureId))
    await noteOutcome(db(), first, { state: "SENT", error: null, at: NOW })
    await noteAttempt(db(), logged(last, later(1000), signatureId))
    // A text message never comes back by mail.
    await noteAttempt(db(), { ...logged(randomUUID(), later(1500), signatureId), channel: "sms" })
    // A report may come twice.
    for (const at of [later(2000), later(2500)])
      await noteBounce(db(), signatureId, { error: "5.1.1 The mailbox does not exist.", at })
    // The worker that sent it comes to note so only now.
    await noteOutcome(db(), last, { state: "SENT", error: null, at: later(3000) })
    expect(await states(signatureId)).toEqual(["SENT", "BOUNCED", "WAITING"])
  })

  it("gives up what failed and is not tried again, and nothing that may have been sent", async () => {
    const signatureId = randomUUID()
    const [failed, unknown, sent] = [randomUUID(), randomUUID(), randomUUID()]
    for (const [nth, id] of [failed, unknown, sent].entries())
      await noteAttempt(db(), logged(id, later(nth), signatureId))
    await noteOutcome(db(), failed, { state: "WAITING", error: "It answered 503.", at: NOW })
    await noteOutcome(db(), sent, { state: "SENT", error: null, at: NOW })
    for (const id of [failed, unknown, sent]) await noteGivenUp(db(), id, NOW)
    expect(await states(signatureId)).toEqual(["FAILED", "WAITING", "SENT"])
  })

  it("counts attempts by the number of the job, so that one that is noted twice is one", async () => {
    const signatureId = randomUUID()
    const id = randomUUID()
    await noteAttempt(db(), logged(id, NOW, signatureId))
    await noteOutcome(db(), id, { state: "WAITING", error: "The mail server did not take it.", at: NOW })
    for (const attempt of [2, 2])
      await noteAttempt(db(), { ...logged(id, later(1000), signatureId), attempt })
    expect(await query("select attempts, error, created_at from mail_log where id = $1", [id])).toEqual([
      { attempts: 2, error: "The mail server did not take it.", created_at: NOW },
    ])
  })
})
