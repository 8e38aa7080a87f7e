import { afterEach, expect, it } from "vitest"
import { NotSignedError, WaitTimeoutError } from "./index.ts"
import { type Reply, startTestService, type TestService } from "./testing/service.ts"
import type { AnyRequest } from "./wait.ts"

const ID = "4f7f2f4e-2b5c-4f3e-9a43-0d5a4dfb1c11"
const is = (status_overall: string, etag = `"${status_overall}"`): Reply => ({
  headers: { etag },
  body: { id: ID, status_overall, signatures: [] },
})
const same: Reply = { status: 304 }

let service: TestService
afterEach(() => service?.close())

const said = async (...replies: Reply[]) => {
  service = await startTestService({ answer: (_, count) => replies[count - 1] ?? replies.at(-1) ?? same })
  return service.connect({ retries: 0 })
}

it.each(["v2", "v3"] as const)(
  "%s: gives the request once it is SIGNED, and asks by ETag until then",
  async (v) => {
    const paraph = await said(is("DRAFT"), same, is("OPEN", '"o-1"'), same, same, is("SIGNED"))
    const changes: string[] = []
    const options = { onChange: (request: AnyRequest) => void changes.push(request.status_overall) }
    expect(await paraph[v].waitUntilSigned(ID, options)).toMatchObject({ id: ID, status_overall: "SIGNED" })
    expect(changes).toEqual(["DRAFT", "OPEN"])
    expect(service.asked.map(({ path }) => path)).toEqual(Array(6).fill(`/${v}/signature-requests/${ID}`))
    expect(service.asked.map(({ headers }) => headers["if-none-match"])).toEqual([
      undefined,
      '"DRAFT"',
      '"DRAFT"',
      '"o-1"',
      '"o-1"',
      '"o-1"',
    ])
    expect(service.clock.pauses).toEqual([1000, 1500, 1000, 1500, 2250])
  },
)

it.each(["DECLINED", "WITHDRAWN", "EXPIRED", "ERROR"] as const)("%s ends it", async (status) => {
  const { v2 } = await said(is("OPEN"), is(status))
  const error = await v2.waitUntilSigned(ID).catch((caught: unknown) => caught)
  expect(error).toBeInstanceOf(NotSignedError)
  expect(error).toMatchObject({ status, request: { id: ID, signatures: [] } })
})

it("pauses grow to half a minute, and the service may ask for longer ones", async () => {
  const { v2 } = await said(is("OPEN"), ...Array(12).fill(same), is("SIGNED"))
  await v2.waitUntilSigned(ID)
  expect(service.clock.pauses.at(-1)).toBe(30_000)
  await service.close()
  const hinted = await said({ status: 200, headers: { "retry-after": "45" }, body: { id: ID } }, is("SIGNED"))
  await hinted.v2.waitUntilSigned(ID)
  expect(service.clock.pauses).toEqual([45_000])
})

it("ends at the time that was given, after one last look", async () => {
  const { v2 } = await said(is("OPEN"), same)
  await expect(v2.waitUntilSigned(ID, { timeout: 4000 })).rejects.toThrow(WaitTimeoutError)
  expect(service.clock.pauses).toEqual([1000, 1500, 1500])
  expect(service.asked).toHaveLength(4)
})

it("an outage on the way is passed over; one at the beginning, and a request that is gone, are not", async () => {
  const { v2 } = await said(is("OPEN"), { status: 503 }, "break", { status: 429 }, is("SIGNED"))
  expect(await v2.waitUntilSigned(ID)).toMatchObject({ status_overall: "SIGNED" })
  await service.close()
  const down = await said({ status: 503 })
  await expect(down.v2.waitUntilSigned(ID)).rejects.toMatchObject({ status: 503 })
  await service.close()
  const deleted = await said(is("OPEN"), { status: 404, body: { key: "error.not_found" } })
  await expect(deleted.v2.waitUntilSigned(ID)).rejects.toMatchObject({ status: 404, key: "error.not_found" })
})

it("ends with the signal", async () => {
  const { v2 } = await said(is("OPEN"), same)
  const leaving = new AbortController()
  const onChange = () => leaving.abort(new Error("gone"))
  await expect(v2.waitUntilSigned(ID, { signal: leaving.signal, onChange })).rejects.toThrow("gone")
  expect(service.asked).toHaveLength(1)
})
