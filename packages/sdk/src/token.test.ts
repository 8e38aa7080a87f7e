import { afterEach, expect, it } from "vitest"
import { createParaph } from "./index.ts"
import { jwt, startTestService, type TestService } from "./testing/service.ts"

let service: TestService
afterEach(() => service?.close())

const bearers = () => service.asked.map(({ headers }) => headers.authorization)

it("one login serves many calls at once, in every version", async () => {
  service = await startTestService()
  const { v2, v3, validation } = service.connect()
  const all = [
    () => v2.get("/documents"),
    () => v3.get("/settings"),
    () => validation.get("/billing/credits/usage"),
  ]
  await Promise.all([...all, ...all, ...all, ...all].map((ask) => ask()))
  expect(service.logins()).toBe(1)
  expect(new Set(bearers())).toEqual(new Set([`Bearer ${jwt(1)}`]))
})

it("it is renewed before it ends, by its own lifetime", async () => {
  service = await startTestService({ login: (count) => ({ body: jwt(count, 600) }) })
  const { v2 } = service.connect()
  await v2.get("/documents")
  service.clock.move(539_000)
  await v2.get("/documents")
  expect(service.logins()).toBe(1)
  service.clock.move(2_000)
  await v2.get("/documents")
  expect(bearers()).toEqual([jwt(1, 600), jwt(1, 600), jwt(2, 600)].map((token) => `Bearer ${token}`))
})

it("a token that says nothing of its lifetime is taken for 20 minutes", async () => {
  service = await startTestService({ login: (count) => ({ body: `token-${count}` }) })
  const { v2 } = service.connect()
  await v2.get("/documents")
  service.clock.move(17 * 60_000)
  await v2.get("/documents")
  service.clock.move(2 * 60_000)
  await v2.get("/documents")
  expect(bearers()).toEqual(["Bearer token-1", "Bearer token-1", "Bearer token-2"])
})

it("after a 401 one logs in again and sends the same once more; calls at the same time share that login", async () => {
  service = await startTestService({
    answer: ({ headers }) => ({ status: headers.authorization === `Bearer ${jwt(1)}` ? 401 : 200, body: {} }),
  })
  const { v2 } = service.connect()
  await Promise.all([1, 2, 3, 4].map(() => v2.post("/signature-requests", { body: { title: "Lease" } })))
  expect(service.logins()).toBe(2)
  expect(service.asked).toHaveLength(8)
  expect(new Set(service.asked.map(({ headers }) => headers["idempotency-key"])).size).toBe(4)
})

it("a second 401 is the caller's", async () => {
  service = await startTestService({ answer: () => ({ status: 401, body: { key: "error.auth.expired" } }) })
  const { v2 } = service.connect()
  await expect(v2.get("/documents")).rejects.toMatchObject({ status: 401, key: "error.auth.expired" })
  expect(service.asked).toHaveLength(2)
})

it("wrong credentials are told, and tried anew by the next call", async () => {
  service = await startTestService({
    login: (count) =>
      count === 1 ? { status: 401, body: { key: "error.auth.invalid" } } : { body: jwt(count) },
  })
  const { v2 } = service.connect()
  await expect(v2.get("/documents")).rejects.toMatchObject({ status: 401, key: "error.auth.invalid" })
  expect(service.asked).toHaveLength(0)
  await v2.get("/documents")
  expect(service.logins()).toBe(2)
})

it("a login that is sent away, or whose connection breaks, is repeated", async () => {
  const ways = [{ status: 429, headers: { "retry-after": "2" } }, "break", { status: 503 }] as const
  service = await startTestService({ login: (count) => ways[count - 1] ?? { body: jwt(count) } })
  await service.connect().v2.get("/documents")
  expect(service.logins()).toBe(4)
  expect(service.asked).toHaveLength(1)
})

it("who leaves while somebody else waits for the same login ends alone", async () => {
  let open = () => {}
  const opened = new Promise<void>((done) => {
    open = done
  })
  service = await startTestService({ login: async (count) => opened.then(() => ({ body: jwt(count) })) })
  const { v2 } = service.connect()
  const leaving = new AbortController()
  const left = v2.get("/documents", { signal: leaving.signal })
  const stayed = v2.get("/documents")
  leaving.abort(new Error("gone"))
  await expect(left).rejects.toThrow("gone")
  open()
  await stayed
  expect(service.logins()).toBe(1)
  expect(service.asked).toHaveLength(1)
})

it.each(["http://sign.example.org", "ftp://sign.example.org", "sign.example.org", "https://a.example/?x=1"])(
  "keys are not sent to %s",
  (url) => {
    expect(() => createParaph({ url, username: "u", apiKey: "k" })).toThrow(TypeError)
  },
)
