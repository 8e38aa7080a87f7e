import { randomUUID } from "node:crypto"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Api, call, createApi, VERSIONS, type Version } from "../service/api.ts"
import { mailsTo } from "../service/mailbox.ts"
import { contractPdf } from "../service/pdf.ts"
import { type Service, startService } from "../service/service.ts"
import { freePort } from "../service/settings.ts"
import { until } from "../service/until.ts"

const HOUR_MS = 3_600_000
const content = contractPdf().toString("base64")
const keyed = (key: string) => ({ "idempotency-key": key })

describe("a POST with an Idempotency-Key", () => {
  let service: Service
  beforeAll(async () => {
    service = await startService()
  })
  afterAll(() => service?.close())

  const count = async (table: string, title: string) =>
    Number(await service.sql(`select count(*) from ${table} where title = '${title}'`))
  const again = (): Promise<Api> => createApi(service.url, service.username, service.demoKey)

  it.each(VERSIONS)("%s: is done once, and answers the same each time", async (v) => {
    const [key, title] = [randomUUID(), randomUUID()]
    const post = (more: object = {}, headers = keyed(key)) =>
      service.caller.post(`/${v}/documents`, { title, content, ...more }, headers)
    const first = await post()
    expect(first.status).toBe(200)
    const second = await post()
    expect([second.status, second.bytes.toString()]).toEqual([200, first.bytes.toString()])
    expect(second.headers.get("content-type")).toBe(first.headers.get("content-type"))
    expect([first, second].map(({ headers }) => headers.get("idempotent-replayed"))).toEqual([null, "true"])
    expect(await count("document", title)).toBe(1)

    const others = [
      await post({ title: `${title}.` }),
      await post({ content: contractPdf("Another").toString("base64") }),
      await service.caller.post(`/${v}/documents?x=1`, { title, content }, keyed(key)),
      await service.caller.post(`/${v}/documents/${first.body.id}/watermark`, { text: "COPY" }, keyed(key)),
    ]
    for (const { status, body } of others)
      expect([status, body.key]).toEqual([409, "error.idempotency.conflict"])

    expect((await post({}, keyed(randomUUID()))).body.id).not.toBe(first.body.id)
    expect(await count("document", title)).toBe(2)
  })

  it("keeps a refusal too, but not one of the body's form", async () => {
    const key = randomUUID()
    const post = (body: object) => service.caller.post("/v2/documents", body, keyed(key))
    expect((await post({ content })).status).toBe(400)
    const damaged = { title: "C", content: "aGVsbG8=" }
    const [first, second] = [await post(damaged), await post(damaged)]
    expect([first.status, first.body.key]).toEqual([400, "file.pdf.corrupt"])
    expect(second.body).toEqual(first.body)
    expect((await post({ title: "C", content })).status).toBe(409)
  })

  it("takes keys of 1 to 255 printable characters, and only on POST", async () => {
    const post = (key: string) => service.caller.post("/v2/documents", { title: "C", content }, keyed(key))
    expect((await post("x".repeat(255))).status).toBe(200)
    for (const key of ["", "x".repeat(256), "clé"]) expect((await post(key)).status, key).toBe(400)
    const { body } = await post("one")
    for (const path of [`/v2/documents/${body.id}`, "/v2/documents"])
      expect((await service.caller.get(path, keyed("one"))).status).toBe(200)
    const login = { username: service.username, "api-key": service.demoKey }
    const tokens = await Promise.all(
      [1, 2].map(() => service.caller.post("/v2/access/login", login, keyed("one"))),
    )
    expect(new Set(tokens.map(({ bytes }) => bytes.toString())).size).toBe(2)
  })

  it.each(VERSIONS)("[R05] %s: 32 at once: one request, one mail, 32 equal answers", async (v) => {
    const [key, title] = [randomUUID(), randomUUID()]
    const signer = `${title}@example.org`
    const body = await creating(v, title, signer)
    const send = (sent: object, with_: string) =>
      service.caller.post(`/${v}/signature-requests`, sent, keyed(with_))
    const answers = await Promise.all(Array.from({ length: 32 }, () => send(body, key)))
    expect(new Set(answers.map(({ status, bytes }) => `${status} ${bytes}`)).size).toBe(1)
    expect(answers[0]?.status).toBe(200)
    expect(await count("signature_request", title)).toBe(1)
    expect(await count("document", title)).toBe(1)
    // A draft writes to nobody; initiating it, 32 times at once as well, does.
    if (v === "v3") {
      const initiate = `/v3/signature-requests/${answers[0]?.body.id}/initiate`
      const started = await Promise.all(
        Array.from({ length: 32 }, () => service.caller.post(initiate, undefined, keyed("initiate"))),
      )
      expect(new Set(started.map(({ status, bytes }) => `${status} ${bytes}`)).size).toBe(1)
      expect(started[0]?.body.status_overall).toBe("OPEN")
    }
    await until("the mail comes", async () => (await mailsTo(signer)).length > 0)
    // Whatever else was to be sent would come before this.
    const last = `last-${title}@example.org`
    await service.caller.post("/v2/signature-requests", await creating("v2", title, last))
    await until("the last mail comes", async () => (await mailsTo(last)).length > 0)
    expect(await mailsTo(signer)).toHaveLength(1)
  })

  /** What makes a request with one signer, in the words of the version. */
  const creating = async (v: Version, title: string, email: string) => {
    if (v === "v1") return { title, content, signatures: [{ signer_email_address: email }] }
    const signatures = [{ account_email: email }]
    if (v === "v2") return { title, content, signatures }
    const { body } = await service.caller.post("/v3/documents", { title, content })
    return { title, document_id: body.id, signatures }
  }

  it("is repeated without being done again, where doing it again would be refused", async () => {
    const created = await service.caller.post(
      "/v2/signature-requests",
      await creating("v2", "Remind", "remind@example.org"),
    )
    const remind = (key: string) =>
      service.caller.post(`/v2/signature-requests/${created.body.id}/remind`, undefined, keyed(key))
    const key = randomUUID()
    expect([(await remind(key)).status, (await remind(key)).status]).toEqual([200, 200])
    // "Too often" is no answer to keep: the same key may try again.
    expect((await remind("later")).status).toBe(429)
    service.moveClock(HOUR_MS + 1_000)
    const later = await again()
    const path = `/v2/signature-requests/${created.body.id}/remind`
    expect((await later.post(path, undefined, keyed("later"))).status).toBe(200)
    service.moveClock(0)
  })

  it("whose answer holds a secret is answered once, and the secret is not kept", async () => {
    const key = randomUUID()
    const create = () =>
      service.caller.post("/v2/webhooks", { url: "https://hooks.example.org/paraph" }, keyed(key))
    const [first, second] = [await create(), await create()]
    expect([first.status, typeof first.body.secret]).toEqual([200, "string"])
    expect([second.status, second.body.key]).toEqual([409, "error.idempotency.conflict"])
    const kept = await service.sql(
      "select count(*) from idempotency_key where status = 200 and answer is null",
    )
    expect(kept).toBe("1")
    expect((await service.caller.get("/v2/webhooks")).body).toHaveLength(1)
  })

  it("[R05] keeps its answer for 24 hours, sealed; then it is forgotten", async () => {
    const [key, title] = [randomUUID(), randomUUID()]
    const body = { title, content }
    const first = await service.caller.post("/v2/documents", body, keyed(key))
    const rows = await service.sql("select encode(answer, 'escape'), k::text from idempotency_key k")
    expect(rows).toContain(first.body.id)
    for (const plain of [title, key, "application/json", service.username])
      expect(rows.includes(plain), plain).toBe(false)
    service.moveClock(24 * HOUR_MS - 60_000)
    expect((await (await again()).post("/v2/documents", body, keyed(key))).body).toEqual(first.body)
    service.moveClock(24 * HOUR_MS + 60_000)
    const later = await (await again()).post("/v2/documents", body, keyed(key))
    expect([later.status, later.body.id === first.body.id]).toEqual([200, false])
    service.moveClock(49 * HOUR_MS)
    const left = () => service.sql("select count(*) from idempotency_key")
    await until("the rows are swept", async () => (await left()) === "0")
    service.moveClock(0)
  })

  describe("to a process that is killed", () => {
    /** Another process of the service, which dies in the middle of it. */
    const killedAt = async (point: string, path: string, body: object, key: string) => {
      const port = String(await freePort())
      const doomed = await service.startApi({ PORT: port, FAULT_POINT: point })
      const headers = { authorization: `Bearer ${service.caller.token}`, ...keyed(key) }
      await expect(call(`http://localhost:${port}`, "POST", path, body, headers)).rejects.toThrow()
      expect(await doomed.died).toBe("SIGKILL")
    }
    /** Its claim ends with the lease; until then nobody can know that it is dead. */
    const LEASE_MS = 11_000

    it("after the commit, before the answer: the next one is told what was made, and nothing is made twice", async () => {
      const [key, title] = [randomUUID(), randomUUID()]
      const signer = `${title}@example.org`
      const body = await creating("v2", title, signer)
      await killedAt("answer-made", "/v2/signature-requests", body, key)
      expect(await count("signature_request", title)).toBe(1)
      service.moveClock(LEASE_MS)
      const post = () => service.caller.post("/v2/signature-requests", body, keyed(key))
      const answers = await Promise.all([post(), post(), post()])
      expect(answers[0]?.body).toMatchObject({ title, status_overall: "OPEN" })
      for (const { status, body: told } of answers) expect([status, told]).toEqual([200, answers[0]?.body])
      expect(await count("signature_request", title)).toBe(1)
      await until("the mail comes", async () => (await mailsTo(signer)).length > 0)
      service.moveClock(0)
    })

    it("before the commit: the next one does the work", async () => {
      const [key, title] = [randomUUID(), randomUUID()]
      await killedAt("object-stored", "/v2/documents", { title, content }, key)
      expect(await count("document", title)).toBe(0)
      service.moveClock(LEASE_MS)
      const post = () => service.caller.post("/v2/documents", { title, content }, keyed(key))
      const answers = await Promise.all([post(), post(), post()])
      expect(new Set(answers.map(({ status, body }) => `${status} ${body.id}`)).size).toBe(1)
      expect(answers[0]?.status).toBe(200)
      expect(await count("document", title)).toBe(1)
      service.moveClock(0)
    })
  })
})
