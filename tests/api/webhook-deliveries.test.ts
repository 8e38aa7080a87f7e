import { randomUUID } from "node:crypto"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { Api, Json } from "../service/api.ts"
import { type Receiver, startReceiver } from "../service/receiver.ts"
import { sentTo } from "../service/requests.ts"
import { type Service, startService } from "../service/service.ts"
import { until } from "../service/until.ts"
import { addUser } from "../service/users.ts"

describe("the deliveries of a webhook", () => {
  /** What a path answers; 204 where nothing is said. */
  const answers = new Map<string, number>()
  let service: Service
  let api: Api
  let receiver: Receiver
  beforeAll(async () => {
    receiver = await startReceiver(({ path }) => ({ status: answers.get(path) ?? 204 }))
    service = await startService({ env: { DELIVERY_PAUSE_MS: "50" } })
    api = service.caller
  })
  afterAll(async () => {
    await service?.close()
    await receiver?.close()
  })

  const newHook = async (status: number) => {
    const path = `/hook-${randomUUID()}`
    answers.set(path, status)
    const { body } = await api.post("/v3/webhooks", { url: `${receiver.url}${path}` })
    const calls = () => receiver.received.filter((call) => call.path === path)
    return { id: body.id as string, path, calls, list: `/v3/webhooks/${body.id}/deliveries` }
  }
  const listed = async (list: string, wanted: (all: Json[]) => boolean) =>
    until("the deliveries are as they are to be", async () => {
      const { body } = await api.get(list)
      return wanted(body) && (body as Json[])
    })
  const isDone = (one: Json) => one.state === "COMPLETED"

  it("are told with what came of them, the newest first, page by page and by their state", async () => {
    const hook = await newHook(204)
    const request = await sentTo(api, "v3", ["signer@example.org"])
    const all = await listed(hook.list, (found) => found.length >= 4 && found.every(isDone))
    expect(all[0]).toEqual({
      id: expect.any(String),
      event_id: expect.any(String),
      type: expect.any(String),
      signature_request_id: request.id,
      state: "COMPLETED",
      attempts: 1,
      messages: ["answered 204"],
      created_at: expect.any(String),
      updated_at: expect.any(String),
    })
    expect(all.map(({ type }) => type)).toContain("document.created")
    const times = all.map(({ created_at }) => Date.parse(created_at))
    expect(times).toEqual(times.toSorted((a, b) => b - a))
    expect(new Set(hook.calls().map(({ headers }) => headers["webhook-id"]))).toEqual(
      new Set(all.map(({ event_id }) => event_id)),
    )

    const pages: Json[] = []
    for (let at: string | undefined = `${hook.list}?page_size=3`; at !== undefined; ) {
      const page = await api.get(at)
      expect(page.body.length).toBeLessThanOrEqual(3)
      pages.push(...page.body)
      at = /<[^>]*(\/v3[^>]*)>; rel="next"/.exec(page.headers.get("link") ?? "")?.[1]
    }
    expect(pages).toEqual(all)
    expect((await api.get(`${hook.list}?state=RESIGNED`)).body).toEqual([])
    expect((await api.get(`${hook.list}?state=COMPLETED`)).body).toHaveLength(all.length)
    for (const wrong of ["state=DONE", "page_size=0", "cursor=nonsense", "more=1"])
      expect((await api.get(`${hook.list}?${wrong}`)).status).toBe(400)
  })

  it("are sent once more under the same id: a failed one at once, and one that was delivered before", async () => {
    const hook = await newHook(500)
    await sentTo(api, "v3", ["signer@example.org"])
    const [failing] = await listed(hook.list, (found) => found.some(({ attempts }) => attempts >= 2)).then(
      (found) => found.filter(({ attempts }) => attempts >= 2),
    )
    expect(failing).toMatchObject({ state: "OPEN" })
    expect(failing.messages.slice(0, 2)).toEqual(["answered 500", "answered 500"])
    answers.set(hook.path, 204)
    const replay = (id: string) => api.post(`${hook.list}/${id}/replay`, undefined)
    expect(await replay(failing.id)).toMatchObject({ status: 200, body: { id: failing.id } })
    const all = await listed(hook.list, (found) => found.every(isDone))

    const done = all[0]
    const before = hook.calls().length
    expect(await replay(done.id)).toMatchObject({ status: 200, body: { id: done.id, state: "OPEN" } })
    await until("it comes once more", () => hook.calls().length > before)
    expect(hook.calls().at(-1)?.headers["webhook-id"]).toBe(done.event_id)
    const again = await listed(hook.list, (found) => found.every(isDone))
    expect(again.find(({ id }) => id === done.id).attempts).toBe(done.attempts + 1)
  })

  it("are seen and repeated by the owner of the webhook alone, and not while it is stopped", async () => {
    const hook = await newHook(204)
    const other = await newHook(204)
    await sentTo(api, "v3", ["signer@example.org"])
    const [one] = await listed(hook.list, (found) => found.length > 0 && found.every(isDone))
    const stranger = await addUser(service, "deliveries-stranger")
    expect((await stranger.get(hook.list)).status).toBe(404)
    expect((await stranger.post(`${hook.list}/${one.id}/replay`, undefined)).status).toBe(404)
    // A delivery of another webhook, of the same owner, is none of this one.
    expect((await api.post(`${other.list}/${one.id}/replay`, undefined)).status).toBe(404)
    expect((await api.post(`${hook.list}/${randomUUID()}/replay`, undefined)).status).toBe(404)
    await service.sql(`update webhook set stopped_at = now() where id = '${hook.id}'`)
    expect((await api.post(`${hook.list}/${one.id}/replay`, undefined)).status).toBe(400)
  })
})
