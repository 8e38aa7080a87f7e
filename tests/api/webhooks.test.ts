import { createHmac, createPublicKey, generateKeyPairSync, randomUUID, verify } from "node:crypto"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Api, createApi, type Json } from "../service/api.ts"
import { contractPdf } from "../service/pdf.ts"
import { type Received, type Receiver, type Reply, startReceiver } from "../service/receiver.ts"
import { sentTo } from "../service/requests.ts"
import { type Service, startService } from "../service/service.ts"
import { until } from "../service/until.ts"
import { addBusiness, addUser } from "../service/users.ts"

const signingKey = generateKeyPairSync("ed25519")
  .privateKey.export({ type: "pkcs8", format: "pem" })
  .toString()

describe("webhooks and the journal", () => {
  const scripts = new Map<string, Reply[]>()
  let service: Service
  let api: Api
  let receiver: Receiver
  beforeAll(async () => {
    receiver = await startReceiver(({ path }) => scripts.get(path)?.shift() ?? { status: 204 })
    service = await startService({ env: { DELIVERY_PAUSE_MS: "100", WEBHOOK_SIGNING_KEY: signingKey } })
    api = service.caller
  })
  afterAll(async () => {
    await service?.close()
    await receiver?.close()
  })

  const newUrl = () => `${receiver.url}/hook-${randomUUID()}`
  const callsAt = (url: string) => receiver.received.filter(({ path }) => path === new URL(url).pathname)
  const callsOf = (url: string, count: number) =>
    until(`${count} events come`, () => callsAt(url).length >= count && callsAt(url))
  const typesOf = (calls: readonly Received[]) => calls.map(({ text }) => JSON.parse(text).type)
  const created = async (as: Api, body: object, version = "v2"): Promise<Json> => {
    const answer = await as.post(`/${version}/webhooks`, body)
    expect(answer).toMatchObject({ status: 200 })
    return answer.body
  }
  const removed = (id: string) => api.delete(`/v2/webhooks/${id}`)
  const withdrawn = async (as: Api = api): Promise<string> => {
    const { id } = await sentTo(as, "v2", [`signer-${randomUUID()}@example.org`])
    await as.post(`/v2/signature-requests/${id}/withdraw`, {})
    return id
  }

  describe.each(["v2", "v3"] as const)("in %s", (version) => {
    it("are made, listed, read and removed; the secret is shown once, and no other user sees them", async () => {
      const url = newUrl()
      const made = await created(api, { url, types: ["signature_request.signed"] }, version)
      const { secret, ...shown } = made
      expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
      expect(shown).toMatchObject({
        url,
        types: ["signature_request.signed"],
        public_key: expect.stringMatching(/^whpk_/),
      })
      expect((await api.get(`/${version}/webhooks`)).body).toEqual([shown])
      expect((await api.get(`/${version}/webhooks/${made.id}`)).body).toEqual(shown)
      const stranger = await addUser(service, `webhook-stranger-${version}`)
      expect((await stranger.get(`/${version}/webhooks`)).body).toEqual([])
      for (const answer of [
        await stranger.get(`/${version}/webhooks/${made.id}`),
        await stranger.delete(`/${version}/webhooks/${made.id}`),
        await stranger.post(`/${version}/webhooks/${made.id}/rotate-secret`, undefined),
        await stranger.post(`/${version}/events/replay`, { webhook_id: made.id }),
      ])
        expect(answer.status).toBe(404)
      expect((await api.delete(`/${version}/webhooks/${made.id}`)).status).toBe(204)
      expect((await api.get(`/${version}/webhooks/${made.id}`)).status).toBe(404)
    })

    it("take https addresses outside and known types alone", async () => {
      for (const body of [
        { url: "http://example.org/" },
        { url: "https://ann:secret@example.org/" },
        { url: newUrl(), types: ["signature_request.unknown"] },
        {},
      ])
        expect((await api.post(`/${version}/webhooks`, body)).status).toBe(400)
      const more = await api.post(`/${version}/webhooks`, { url: newUrl(), more: 1 })
      expect(more.status).toBe(version === "v3" ? 400 : 200)
      if (more.status === 200) await removed(more.body.id)
    })

    it("the journal tells page by page what happened, with a cursor that goes on", async () => {
      const before = await allEvents(api, version)
      const id = await withdrawn()
      const page = await until("the journal has it all", async () => {
        const { body } = await api.get(
          `/${version}/events?page_size=500${before.next && `&after=${before.next}`}`,
        )
        return body.events.some((e: Json) => e.type === "signature_request.withdrawn") && body
      })
      const of = page.events.filter((e: Json) => e.data.signature_request_id === id)
      expect(of.map((e: Json) => e.type)).toEqual([
        "signature_request.created",
        "signature_request.initiated",
        "signature.invited",
        "signature_request.withdrawn",
      ])
      expect(of[3]).toEqual({
        id: expect.any(String),
        type: "signature_request.withdrawn",
        created_at: expect.any(String),
        data: { signature_request_id: id, document_id: expect.any(String), status_overall: "WITHDRAWN" },
      })
      expect(page.events.map((e: Json) => e.type)).toContain("document.created")
      const small = await api.get(`/${version}/events?page_size=1`)
      expect(small.body).toMatchObject({ events: [{}], has_more: true })
      for (const query of ["after=nonsense", "page_size=0", "page_size=501"])
        expect((await api.get(`/${version}/events?${query}`)).status).toBe(400)
    })
  })

  it("[R16] carry each event as JSON, signed by the secret and by the service's key, with one id over all attempts", async () => {
    const url = newUrl()
    const { id, secret, public_key } = await created(api, { url })
    scripts.set(new URL(url).pathname, [{ status: 500 }, "reset"])
    const requestId = await withdrawn()
    const calls = await callsOf(url, 7)
    for (const call of calls) {
      expect(call).toMatchObject({ method: "POST", headers: { "content-type": "application/json" } })
      expect(isSignedBy(call, secret)).toBe(true)
      expect(isSignedBy(call, "whsec_b3RoZXI=")).toBe(false)
      expect(isSignedByKey(call, public_key)).toBe(true)
      expect(JSON.parse(call.text).id).toBe(call.headers["webhook-id"])
    }
    expect(new Set(calls.map((call) => call.headers["webhook-id"])).size).toBe(5)
    const ofRequest = calls.filter(
      (call) => call.text.includes(requestId) && JSON.parse(call.text).data.signature_request_id,
    )
    expect(new Set(typesOf(ofRequest))).toEqual(
      new Set([
        "signature_request.created",
        "signature_request.initiated",
        "signature.invited",
        "signature_request.withdrawn",
      ]),
    )
    expect(typesOf(ofRequest).at(-1)).toBe("signature_request.withdrawn")
    await removed(id)
  })

  it("send what is asked for alone, and nothing that their owner may not read", async () => {
    const [url, others] = [newUrl(), newUrl()]
    const mine = await created(api, { url, types: ["signature_request.withdrawn"] })
    const other = await addUser(service, "webhook-other")
    await created(other, { url: others })
    await withdrawn()
    const shared = await sentTo(api, "v2", ["x@example.org"], { read_access: ["webhook-other"] })
    expect(typesOf(await callsOf(url, 1))).toEqual(["signature_request.withdrawn"])
    const told = await callsOf(others, 1)
    expect(new Set(told.map(({ text }) => JSON.parse(text).data.signature_request_id))).toEqual(
      new Set([shared.id]),
    )
    await removed(mine.id)
  })

  it("[R16] have two secrets while one takes over from the other, for a day", async () => {
    const url = newUrl()
    const first = await created(api, { url, types: ["document.created"] })
    const answer = await api.post(`/v2/webhooks/${first.id}/rotate-secret`, undefined)
    const { secret, previous_secret_valid_until: until_ } = answer.body
    expect(secret).not.toBe(first.secret)
    expect(Date.parse(until_) - Date.parse(answer.body.updated_at)).toBe(24 * 3_600_000)
    const upload = (as: Api) =>
      as.post("/v2/documents", { title: "T", content: contractPdf().toString("base64") })
    await upload(api)
    const [call] = await callsOf(url, 1)
    if (call === undefined) throw new Error("Nothing came.")
    expect([secret, first.secret].map((each) => isSignedBy(call, each))).toEqual([true, true])
    service.moveClock(25 * 3_600_000)
    const later = await createApi(service.url, service.username, service.demoKey)
    await upload(later)
    const [, after] = await callsOf(url, 2)
    if (after === undefined) throw new Error("Nothing came.")
    expect([secret, first.secret].map((each) => isSignedBy(after, each))).toEqual([true, false])
    service.moveClock(0)
    await removed(first.id)
  })

  it("stop with the key that their secret was shown to, and go on with a secret that it never saw", async () => {
    const types = ["document.created"]
    const upload = () => api.post("/v2/documents", { title: "T", content: contractPdf().toString("base64") })
    const made = await service.paraph("admin", "create-key", "--user", service.username, "--kind", "demo")
    const thief = await createApi(service.url, service.username, made["api-key"] ?? "")
    const [url, other, known] = [newUrl(), newUrl(), newUrl()]
    const planted = await created(thief, { url, types })
    const mine = await created(api, { url: other, types })
    const rotated = await created(api, { url: known, types })
    expect((await thief.post(`/v2/webhooks/${rotated.id}/rotate-secret`, undefined)).status).toBe(200)
    const reset = await service.paraph("admin", "reset-key", "--key", made.key ?? "")
    expect([...((reset["stopped-webhooks"] ?? []) as readonly string[])].sort()).toEqual(
      [planted.id, rotated.id].sort(),
    )

    await upload()
    await callsOf(other, 1)
    const { body: shown } = await api.get("/v2/webhooks")
    const stopped = shown.filter((one: Json) => one.stopped_at !== undefined).map((one: Json) => one.id)
    expect(stopped.sort()).toEqual([planted.id, rotated.id].sort())
    const replay = await api.post("/v2/events/replay", { webhook_id: planted.id })
    expect(replay.status).toBe(400)

    const { body: mended } = await api.post(`/v2/webhooks/${rotated.id}/rotate-secret`, undefined)
    expect([mended.stopped_at, mended.previous_secret_valid_until]).toEqual([undefined, undefined])
    await upload()
    const [call] = await callsOf(known, 1)
    if (call === undefined) throw new Error("Nothing came.")
    expect(isSignedBy(call, mended.secret)).toBe(true)
    await callsOf(other, 2)
    expect([callsAt(known).length, callsAt(url).length]).toEqual([1, 0])
    for (const { id } of [planted, mine, rotated]) await removed(id)
  })

  it("are sent events again, by id or by time; what was removed gets nothing", async () => {
    const url = newUrl()
    const id = await withdrawn()
    const events = await until("the journal has it", async () => {
      const { events: all } = await allEvents(api, "v2")
      const of = all.filter((e) => e.data.signature_request_id === id)
      return of.length === 4 && of
    })
    const { id: webhook_id } = await created(api, { url })
    const replay = async (body: object) => (await api.post("/v2/events/replay", { webhook_id, ...body })).body
    expect(await replay({ ids: events.map((e) => e.id) })).toEqual({ replayed: 4 })
    expect(typesOf(await callsOf(url, 4))).toEqual(events.map((e) => e.type))
    const types = ["signature_request.withdrawn"]
    expect(await replay({ after: events[0]?.created_at, types })).toEqual({ replayed: 1 })
    await callsOf(url, 5)
    expect((await api.post("/v2/events/replay", { webhook_id, ids: [webhook_id], types })).status).toBe(400)
    await removed(webhook_id)
    await withdrawn()
    expect(callsAt(url)).toHaveLength(5)
  })

  it("are at most 20 of a business, also when many are made at once", async () => {
    const business = await addBusiness(service, "Hooks AG")
    const user = await addUser(service, "hooks-user", { business })
    const made = await Promise.all(
      Array.from({ length: 24 }, () => user.post("/v2/webhooks", { url: newUrl() })),
    )
    expect(made.map(({ status }) => status).toSorted()).toEqual([
      ...Array(20).fill(200),
      ...Array(4).fill(400),
    ])
  })
})

async function allEvents(api: Api, version: string): Promise<{ events: Json[]; next: string }> {
  const events: Json[] = []
  for (let next = ""; ; ) {
    const { body } = await api.get(`/${version}/events?page_size=500${next && `&after=${next}`}`)
    events.push(...body.events)
    next = body.next ?? ""
    if (!body.has_more) return { events, next }
  }
}

/** As a receiver checks it: written from the specification, with nothing of ours. */
const signedText = ({ headers, text }: Received) =>
  `${headers["webhook-id"]}.${headers["webhook-timestamp"]}.${text}`
const signaturesOf = ({ headers }: Received, version: string) =>
  String(headers["webhook-signature"])
    .split(" ")
    .flatMap((each) => (each.startsWith(`${version},`) ? [each.slice(version.length + 1)] : []))

function isSignedBy(call: Received, secret: string): boolean {
  const key = Buffer.from(secret.replace("whsec_", ""), "base64")
  return signaturesOf(call, "v1").includes(
    createHmac("sha256", key).update(signedText(call)).digest("base64"),
  )
}

function isSignedByKey(call: Received, publicKey: string): boolean {
  const x = Buffer.from(publicKey.replace("whpk_", ""), "base64").toString("base64url")
  const key = createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" })
  const [value = ""] = signaturesOf(call, "v1a")
  return verify(null, Buffer.from(signedText(call)), key, Buffer.from(value, "base64"))
}
