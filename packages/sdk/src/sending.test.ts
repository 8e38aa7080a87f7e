import { afterEach, describe, expect, it } from "vitest"
import { ConnectionError, ProblemError } from "./index.ts"
import { askedPause } from "./sending.ts"
import { type Reply, type Script, startTestService, type TestService } from "./testing/service.ts"

const ID = "4f7f2f4e-2b5c-4f3e-9a43-0d5a4dfb1c11"
const path = { id: ID }

let service: TestService
afterEach(() => service?.close())

/** Says these one after the other, then that all is well. */
const saying =
  (...replies: Reply[]): NonNullable<Script["answer"]> =>
  (_, count) =>
    replies[count - 1] ?? { body: { id: ID } }

const started = async (answer: NonNullable<Script["answer"]>) => {
  service = await startTestService({ answer })
  return service.connect()
}
const keys = () => service.asked.map(({ headers }) => headers["idempotency-key"])

describe("what may be sent again", () => {
  it.each([429, 502, 503, 504])("a POST after %i, with the same Idempotency-Key", async (status) => {
    const { v2 } = await started(saying({ status }, { status }))
    expect(await v2.post("/signature-requests", { body: { title: "Lease" } })).toEqual({ id: ID })
    expect(service.asked).toHaveLength(3)
    expect(new Set(keys()).size).toBe(1)
    expect(keys()[0]).toMatch(/^[0-9a-f-]{36}$/)
    expect(service.asked.map(({ body }) => JSON.parse(body.toString()))).toEqual(
      Array(3).fill({ title: "Lease" }),
    )
  })

  it("a POST whose connection broke, with the same key; two calls have two", async () => {
    const { v2 } = await started(saying("break"))
    await v2.post("/signature-requests", { body: { title: "Lease" } })
    await v2.post("/signature-requests", { body: { title: "Lease" } })
    const [first, repeated, other] = keys()
    expect(repeated).toBe(first)
    expect(other).not.toBe(first)
  })

  it("with the key that the caller chose", async () => {
    const { v2 } = await started(saying("break"))
    const headers = { "Idempotency-Key": "order-17" }
    await v2.post("/signature-requests", { body: { title: "Lease" }, headers })
    expect(keys()).toEqual(["order-17", "order-17"])
  })

  it("a POST whose first attempt is still at work (409 with Retry-After), but no other conflict", async () => {
    const { v2 } = await started(
      saying({ status: 409, headers: { "retry-after": "5" } }, {}, { status: 409, body: { key: "error.x" } }),
    )
    await v2.post("/signature-requests/{id}/remind", { path, body: {} })
    expect(service.clock.pauses[0]).toBeGreaterThanOrEqual(5000)
    await expect(v2.post("/signature-requests/{id}/remind", { path, body: {} })).rejects.toMatchObject({
      status: 409,
      key: "error.x",
    })
  })

  it.each(["get", "delete"] as const)("a %s", async (verb) => {
    const { v2 } = await started(saying("break", { status: 503 }))
    await v2.client.request(verb, "/signature-requests/{id}", { params: { path } })
    expect(service.asked).toHaveLength(3)
    expect(keys()).toEqual([undefined, undefined, undefined])
  })

  it("a PATCH only where it was not looked at: after 429, not after 503 or a broken connection", async () => {
    const { v2 } = await started(saying({ status: 429 }, { body: { id: ID } }, { status: 503 }, "break"))
    const patch = () => v2.patch("/signature-requests/{id}", { path, body: {} })
    expect(await patch()).toEqual({ id: ID })
    await expect(patch()).rejects.toMatchObject({ status: 503 })
    await expect(patch()).rejects.toThrow(ConnectionError)
    expect(service.asked).toHaveLength(4)
  })

  it("nothing that depends on a version: the second attempt would conflict with the first", async () => {
    const { v2 } = await started(saying({ status: 503 }))
    const asked = v2.put("/signature-requests", { body: { id: ID }, headers: { "If-Match": '"1"' } })
    await expect(asked).rejects.toMatchObject({ status: 503 })
    expect(service.asked).toHaveLength(1)
  })
})

describe("between attempts", () => {
  it("as long as Retry-After says, in seconds or as a date, and a little more", async () => {
    const at = (ms: number) => new Date(Date.parse("2026-11-02T09:00:00Z") + ms).toUTCString()
    const { v2 } = await started(
      saying(
        { status: 503, headers: { "retry-after": "7" } },
        { status: 429, headers: { "retry-after": at(20_000) } },
      ),
    )
    await v2.get("/signature-requests/{id}", { path })
    const [first = 0, second = 0] = service.clock.pauses
    expect(first).toBeGreaterThanOrEqual(7000)
    expect(first).toBeLessThan(7300)
    expect(first + second).toBeGreaterThanOrEqual(20_000)
    expect(first + second).toBeLessThan(21_000)
  })

  it("one second, two, four where it says nothing; then what it said last is thrown", async () => {
    const { v2 } = await started(() => ({
      status: 503,
      headers: { "x-request-id": "r-1" },
      body: { key: "error.part_down", message: "Later, please." },
    }))
    const error = await v2.get("/signature-requests/{id}", { path }).catch((caught: unknown) => caught)
    expect(error).toBeInstanceOf(ProblemError)
    expect(error).toMatchObject({
      status: 503,
      key: "error.part_down",
      requestId: "r-1",
      message: "Later, please.",
    })
    expect(service.clock.pauses).toHaveLength(3)
    for (const [index, pause] of service.clock.pauses.entries()) {
      expect(pause).toBeGreaterThanOrEqual(1000 * 2 ** index)
      expect(pause).toBeLessThanOrEqual(1250 * 2 ** index)
    }
  })

  it("a minute, the window of most limits, is waited for", async () => {
    const { v2 } = await started(saying({ status: 429, headers: { "retry-after": "60" } }))
    await v2.get("/signature-requests/{id}", { path })
    expect(service.clock.pauses[0]).toBeGreaterThanOrEqual(60_000)
  })

  it.each(["-1", "soon", "Thu, 31 Feb 2026 00:00:00 GMT", "1.5", "Invalid Date"])(
    "what is no pause (%s) is not taken for none at all",
    (header) => expect(askedPause(header, 0)).toBeNull(),
  )

  it("where the service asks for an hour, as for reminders, the caller is told instead", async () => {
    const { v2 } = await started(saying({ status: 429, headers: { "retry-after": "3600" } }))
    await expect(v2.post("/signature-requests/{id}/remind", { path, body: {} })).rejects.toMatchObject({
      status: 429,
      retryAfterSeconds: 3600,
    })
    expect(service.clock.pauses).toEqual([])
  })

  it("no connection at all: as often as was set, with the cause", async () => {
    service = await startTestService({ answer: () => "break" })
    const { v2 } = service.connect({ retries: 1 })
    const error = await v2.get("/documents").catch((caught: unknown) => caught)
    expect(error).toBeInstanceOf(ConnectionError)
    expect(error).toMatchObject({
      message: expect.stringContaining("asked 2 times"),
      cause: expect.any(TypeError),
    })
  })

  it("a caller who goes away is not kept, neither in a pause nor while the service thinks", async () => {
    const leaving = new AbortController()
    service = await startTestService({
      answer: (_, n) => (n === 1 ? { status: 503 } : new Promise(() => {})),
    })
    const clock = {
      ...service.clock,
      pause: async (_: number, signal?: AbortSignal) => {
        leaving.abort(new Error("gone"))
        signal?.throwIfAborted()
      },
    }
    const paused = service.connect({ clock }).v2.get("/documents", { signal: leaving.signal })
    await expect(paused).rejects.toThrow("gone")
    expect(service.asked).toHaveLength(1)
    const asked = service.connect().v2.get("/documents", { signal: AbortSignal.timeout(50) })
    await expect(asked).rejects.toMatchObject({ name: "TimeoutError" })
    expect(service.asked).toHaveLength(2)
  })
})

it("the token goes nowhere that an answer points to", async () => {
  const elsewhere = await startTestService()
  const { v2 } = await started(() => ({
    status: 307,
    headers: { location: `${elsewhere.url}/v2/documents` },
  }))
  await expect(v2.get("/documents")).rejects.toMatchObject({ status: 307 })
  expect(elsewhere.asked).toEqual([])
  await elsewhere.close()
})
