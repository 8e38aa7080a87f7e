import { checkStory } from "@paraph/evidence/check-story"
import { readStory } from "@paraph/evidence/story"
import { readVerifierKey } from "@paraph/tlog/note-key"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Api, createApi, type Json, VERSIONS } from "../service/api.ts"
import { memberApi } from "../service/members.ts"
import { createRequest, newAddress, sentTo, uploadTo } from "../service/requests.ts"
import { type Service, startService } from "../service/service.ts"
import { storyOf } from "../service/stories.ts"
import { until } from "../service/until.ts"
import { addBusiness } from "../service/users.ts"

const DAY_MS = 86_400_000
const UNKNOWN = "00000000-0000-4000-8000-000000000000"

let service: Service
let owner: Api & { readonly email: string }
let member: Api
let stranger: Api
beforeAll(async () => {
  service = await startService()
  await service.paraph("admin", "set-retention", "--business", service.business, "--days", "30")
  const business = await addBusiness(service, "Other AG")
  owner = await memberApi(service, "owner")
  member = await memberApi(service, "member")
  stranger = await memberApi(service, "owner", { business })
}, 300_000)
afterAll(() => service?.close())

const newDraft = async (api: Api): Promise<string> =>
  (await createRequest(api, "v3", await uploadTo(api, "v3"))).body.id
const receiptsOf = async (api: Api, id: string): Promise<Json> =>
  (await api.get(`/v3/deletion-receipts?erased_id=${id}`)).body
const storyRows = (id: string): Promise<string> =>
  service.sql(`select (select count(*) from story_key where story_id = '${id}'),
    (select erased_at is not null from story where id = '${id}'), (select count(*) from evidence where request_id = '${id}')`)

describe("what is deleted", () => {
  it("[R38] is erased, and a receipt says so that anybody can check", async () => {
    const api = service.caller
    const email = newAddress("gone")
    const { id } = await sentTo(api, "v3", [email])
    expect(await receiptsOf(api, id)).toEqual([])
    expect(await storyRows(id)).toMatch(/^1\|f\|/)
    expect((await api.delete(`/v3/signature-requests/${id}`)).status).toBe(204)

    const [events] = (await storyRows(id)).split("|").slice(2)
    expect(await storyRows(id)).toBe(`0|t|${events}`)
    const [receipt, ...more] = await receiptsOf(api, id)
    expect(more).toEqual([])
    expect(receipt).toMatchObject({
      erased_id: id,
      erased_type: "SIGNATURE_REQUEST",
      reason: "DELETED",
      by: await service.sql(
        `select id from api_key where kind = 'demo' and business_id = '${service.business}'`,
      ),
      events: Number(events),
    })
    expect((await api.get(`/v3/deletion-receipts/${receipt.id}`)).body).toEqual(receipt)

    // A head is signed once a minute.
    service.moveClock(61_000)
    const { body: file, text } = await provedOf(api, receipt.id)
    const key = readVerifierKey(
      await (await fetch(`${service.url}/log/demo/key`)).text().then((t) => t.trim()),
    )
    const checked = checkStory(readStory(text), key)
    expect(checked.faults).toEqual([])
    expect(checked.events.map(({ type, data }) => [type, data])).toEqual([
      [
        "story.erased",
        {
          story: id,
          about: "signature-request",
          events: Number(events),
          entries_sha256: await service.sql(
            `select encode(sha256(string_agg(entry, ''::bytea order by seq)), 'hex') from evidence where request_id = '${id}'`,
          ),
          rows_sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
          reason: "deleted",
          by: receipt.by,
          log: "demo",
        },
      ],
    ])
    // It could be another: then it does not hold.
    const other = {
      ...file,
      events: [{ ...file.events[0], body: file.events[0].body.replace("deleted", "Deleted") }],
    }
    expect(checkStory(other, key).faults).not.toEqual([])
  })

  it("is not told by an answer that was kept either, and a repeated request makes nothing anew", async () => {
    const again = { "idempotency-key": newAddress("again") }
    const documentId = await uploadTo(service.caller, "v3")
    const create = () =>
      service.caller.post("/v3/signature-requests", { title: "Lease", document_id: documentId }, again)
    const { id } = (await create()).body
    expect((await create()).body.id).toBe(id)
    await service.caller.delete(`/v3/signature-requests/${id}`)
    const { status, body } = await create()
    expect([status, body.key]).toEqual([409, "error.idempotency.conflict"])
    const answers = `select count(answer), count(*) from idempotency_key where result = 'signature-requests/${id}'`
    expect(await service.sql(answers)).toBe("0|1")
  })

  it("is told to whoever acts for the business by a key of that kind, and to nobody else", async () => {
    const id = await newDraft(service.caller)
    await service.caller.delete(`/v3/signature-requests/${id}`)
    const [receipt] = await receiptsOf(service.caller, id)
    const production = await createApi(service.url, service.username, service.productionKey)
    for (const api of [owner, member]) expect(await receiptsOf(api, id)).toEqual([receipt])
    for (const api of [stranger, production]) {
      expect(await receiptsOf(api, id)).toEqual([])
      for (const path of ["", "/story"]) {
        const { status, body } = await api.get(`/v3/deletion-receipts/${receipt.id}${path}`)
        const { body: unknown } = await api.get(`/v3/deletion-receipts/${UNKNOWN}${path}`)
        expect([status, body.detail]).toEqual([404, unknown.detail])
      }
    }
    const first = await service.caller.get("/v3/deletion-receipts?page_size=1")
    expect(first.body).toHaveLength(1)
    const next = /<([^>]+)>; rel="next"/.exec(first.headers.get("link") ?? "")?.[1] ?? ""
    const second = await service.caller.get(next.slice(service.url.length))
    expect(second.body).toHaveLength(1)
    expect(second.body[0].id).not.toBe(first.body[0].id)
  })
})

describe("a request on hold", () => {
  it("[R38] is not deleted, in any version, until the hold ends", async () => {
    const id = await newDraft(service.caller)
    const path = `/v3/signature-requests/${id}/hold`
    const free = { held_since: null, reason: null }
    expect((await owner.get(path)).body).toEqual(free)
    const held = await owner.put(path, { reason: "Proceedings 12/2026" })
    const told = { held_since: expect.any(String), reason: "Proceedings 12/2026" }
    expect([held.status, held.body]).toEqual([200, told])
    // Why is not for those who only read the request, nor in the story, which signers read.
    expect(JSON.stringify(await storyOf(service, id))).not.toContain("Proceedings")
    expect((await owner.get(path)).body).toEqual(held.body)
    // Twice is once.
    expect((await owner.put(path, { reason: "Another" })).body).toEqual(held.body)
    expect((await service.caller.get(path)).body).toEqual({ ...held.body, reason: null })
    for (const v of VERSIONS) {
      const { status, body } = await service.caller.delete(`/${v}/signature-requests/${id}`)
      expect([v, status, body.key]).toEqual([v, 409, "error.sr.held"])
    }
    expect(await storyRows(id)).toMatch(/^1\|f\|/)
    expect((await owner.delete(path)).status).toBe(204)
    expect((await owner.delete(path)).status).toBe(204)
    const acts = (await owner.get("/v3/audit-log?page_size=3")).body
    expect(acts.map(({ act, target, actor }: Json) => [act, target, actor])).toEqual([
      ["end-hold", `signature request ${id}`, owner.email],
      // Above, by the operator.
      ["tell-story", `story ${id}`, "operator"],
      ["hold-request", `signature request ${id}`, owner.email],
    ])
    expect(
      await service.sql(`select string_agg(type, ' ' order by seq) from evidence where request_id = '${id}'`),
    ).toBe("request.created request.held request.hold-ended")
    expect((await service.caller.delete(`/v3/signature-requests/${id}`)).status).toBe(204)
  })

  it("is held by owners and admins, as people; nobody else is told that it is there", async () => {
    const id = await newDraft(service.caller)
    const path = `/v3/signature-requests/${id}/hold`
    for (const api of [service.caller, member])
      expect((await api.put(path, { reason: "Mine" })).status).toBe(403)
    expect((await member.get(path)).status).toBe(404)
    expect((await stranger.put(path, { reason: "Mine" })).status).toBe(404)
    expect((await stranger.get(path)).status).toBe(404)
    expect((await owner.put(path, { reason: "" })).status).toBe(400)
    expect((await owner.put(path, {})).status).toBe(400)
    expect((await owner.get(path)).body).toEqual({ held_since: null, reason: null })
  })

  it("[SR-23] is passed by when its date comes, and goes when the hold ends", async () => {
    const [held, other] = [await newDraft(service.caller), await newDraft(service.caller)]
    await owner.put(`/v3/signature-requests/${held}/hold`, { reason: "Proceedings" })
    service.moveClock(31 * DAY_MS)
    const later = await createApi(service.url, service.username, service.demoKey)
    const isGone = (id: string) => async () =>
      (await later.get(`/v3/signature-requests/${id}`)).status === 404
    await until("the other one is gone", isGone(other))
    expect((await receiptsOf(later, other))[0]).toMatchObject({ reason: "RETENTION", by: "retention" })
    expect(await isGone(held)()).toBe(false)
    // The owner's login is of today.
    service.moveClock(0)
    expect((await owner.delete(`/v3/signature-requests/${held}/hold`)).status).toBe(204)
    service.moveClock(31 * DAY_MS)
    await until("it is gone", isGone(held))
    expect(await receiptsOf(later, held)).toHaveLength(1)
  })
})

/** 503 until the log has signed a head. */
async function provedOf(api: Api, id: string): Promise<{ readonly body: Json; readonly text: string }> {
  return until("the log has signed it", async () => {
    const { status, body, headers } = await api.get(`/v3/deletion-receipts/${id}/story`)
    if (status === 503) expect(headers.get("retry-after")).toBe("60")
    return status === 200 && { body, text: JSON.stringify(body) }
  })
}
