import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Answer, call, VERSIONS, type Version } from "../service/api.ts"
import { contractPdf } from "../service/pdf.ts"
import { type Service, startService } from "../service/service.ts"
import { addUser } from "../service/users.ts"

const TYPES: Readonly<Record<Version, string>> = {
  v1: "application/json; charset=utf-8",
  v2: "application/json; charset=utf-8",
  v3: "application/problem+json; charset=utf-8",
}
const content = contractPdf().toString("base64")

describe("refusals", () => {
  let service: Service
  beforeAll(async () => {
    service = await startService({ worker: false })
  })
  afterAll(() => service?.close())

  /** One of each status that documents have; each is made as an integrator would make it. */
  const refusals = async (v: Version): Promise<readonly (readonly [number, Promise<Answer>])[]> => {
    const { caller, url } = service
    const { body } = await caller.post(`/${v}/documents`, { title: "C", content })
    await caller.put(`/${v}/documents/${body.id}/access`, { read_access: ["reader"] })
    const reader = await readerOf()
    const path = `/${v}/documents/${body.id}`
    return [
      [400, caller.post(`/${v}/documents`, "{")],
      [400, caller.post(`/${v}/documents`, { content })],
      [400, caller.get(`/${v}/documents/no-uuid`)],
      [400, caller.get(`/${v}/documents?page_size=0`)],
      [401, call(url, "GET", path, undefined, {})],
      [401, call(url, "POST", `/${v}/access/login`, ...wrongLogin(v))],
      [403, reader.delete(path)],
      [404, caller.get(`/${v}/documents/${crypto.randomUUID()}`)],
      [404, caller.get(`/${v}/no-such-thing`)],
      [404, call(url, "PATCH", path, undefined, { authorization: `Bearer ${caller.token}` })],
      [406, caller.get(`${path}/content`, { accept: "text/html" })],
      [413, caller.put(`${path}/access`, { read_access: ["x".repeat(2_000_000)] })],
      [415, caller.post(`/${v}/documents`, "x", { "content-type": "text/plain" })],
      [416, caller.get(`${path}/content`, { range: "bytes=9999999-" })],
    ]
  }
  let reader: ReturnType<typeof addUser> | undefined
  const readerOf = () => {
    reader ??= addUser(service, "reader")
    return reader
  }

  it.each(VERSIONS)("%s: have the members of a problem, in the type of their version", async (v) => {
    for (const [status, answering] of await refusals(v)) {
      const { headers, body, ...answer } = await answering
      expect([answer.status, headers.get("content-type")]).toEqual([status, TYPES[v]])
      expect(body).toMatchObject({
        type: expect.stringMatching(new RegExp(`^${service.url}/problem/[a-z-]+$`)),
        title: expect.stringMatching(/./),
        status,
        detail: expect.stringMatching(/./),
        instance: `urn:uuid:${headers.get("x-request-id")}`,
        path: expect.stringMatching(new RegExp(`^/${v}/`)),
        message: body.detail,
      })
    }
  })

  it("[R10] [ERR-01] v3: are application/problem+json, with a key where there is one", async () => {
    const encrypted = await service.caller.post("/v3/documents", { title: "C", content: "aGVsbG8=" })
    expect(encrypted.headers.get("content-type")).toBe(TYPES.v3)
    expect(encrypted.body).toMatchObject({
      status: 400,
      key: "file.pdf.corrupt",
      message: expect.any(String),
    })
    const missing = await service.caller.get(`/v3/documents/${crypto.randomUUID()}`)
    expect(missing.headers.get("content-type")).toBe(TYPES.v3)
    expect(missing.body).not.toHaveProperty("key")
  })

  it("[R09] v3 takes no member and no parameter that it does not know; v1 and v2 pass over them", async () => {
    const known = async (v: Version) => {
      const { post, put, get } = service.caller
      const { body } = await post(`/${v}/documents`, { title: "C", content })
      const path = `/${v}/documents/${body.id}`
      const pdf = { "content-type": "application/pdf" }
      const answers = [
        await post(`/${v}/documents`, { title: "C", content, colour: "red" }),
        await post(`/${v}/documents?title=C&colour=red`, contractPdf(), pdf),
        await put(`${path}/access`, { read_access: [], colour: "red" }),
        await post(`${path}/watermark`, { text: "DRAFT", colour: "red" }),
        await get(`/${v}/documents?colour=red`),
        await get(`${path}/pages/0?scale=20&colour=red`),
      ]
      return answers.map(({ status }) => (status === 202 ? 200 : status))
    }
    expect(await known("v1")).toEqual([200, 200, 200, 200, 200, 200])
    expect(await known("v2")).toEqual([200, 200, 200, 200, 200, 200])
    expect(await known("v3")).toEqual([400, 400, 400, 400, 400, 400])
  })
})

const wrongLogin = (v: Version): [unknown, Record<string, string>] =>
  v === "v1"
    ? ["username=x&api-key=y", { "content-type": "application/x-www-form-urlencoded" }]
    : [{ username: "x", "api-key": "y" }, {}]
