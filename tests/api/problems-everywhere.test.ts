import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { plantedText } from "../../scripts/stack/clamd.ts"
import { type Answer, type Api, call, VERSIONS, type Version } from "../service/api.ts"
import { contractPdf } from "../service/pdf.ts"
import { type Service, startService } from "../service/service.ts"
import { addUser } from "../service/users.ts"

const content = contractPdf().toString("base64")
const ID = "00000000-0000-4000-8000-000000000000"
const MINUTE_MS = 60_000

let service: Service
let reader: Api
beforeAll(async () => {
  // Without a worker nothing is swept: a deleted request's documents stay on their way out.
  service = await startService({ worker: false })
  reader = await addUser(service, "reader")
})
afterAll(() => service?.close())

/** An OPEN request with one signer, in the words of the version. */
async function openRequest(v: Version, more: object = {}): Promise<{ id: string; document_id: string }> {
  const { post } = service.caller
  const email = "ann@example.org"
  const signatures = [v === "v1" ? { signer_email_address: email } : { account_email: email }]
  const document = await post(`/${v}/documents`, { title: "C", content })
  const body = { title: "C", document_id: document.body.id, signatures, ...more }
  const created = await post(`/${v}/signature-requests`, body)
  expect(created.status).toBe(200)
  if (v !== "v3") return created.body
  return (await post(`/v3/signature-requests/${created.body.id}/initiate`, undefined)).body
}

const login = (v: Version, username: string, key: string) =>
  v === "v1"
    ? call(service.url, "POST", "/v1/access/login", `username=${username}&api-key=${key}`, {
        "content-type": "application/x-www-form-urlencoded",
      })
    : call(service.url, "POST", `/${v}/access/login`, { username, "api-key": key }, {})

describe("refusals everywhere", () => {
  it("[ERR-03 v1, ERR-03 v2, ERR-03 v3] carry the keys of the interface", async () => {
    for (const v of VERSIONS) {
      const { post, get, delete: remove } = service.caller
      const { id, document_id } = await openRequest(v)
      const upload = (bytes: Buffer) =>
        post(`/${v}/documents`, { title: "C", content: bytes.toString("base64") })
      const executable = { filename: "a.exe", content_type: "image/png", content: "TVqQAAMAAAAEAAAA" }
      await post(`/${v}/signature-requests/${id}/remind`, undefined)
      const table: readonly (readonly [string, Answer])[] = [
        ["error.auth.credentials_invalid", await login(v, "nobody", "api_demo_x")],
        ["error.auth.token_invalid", await get(`/${v}/documents`, { authorization: "Bearer x" })],
        ["error.rate_limit.reminder", await post(`/${v}/signature-requests/${id}/remind`, undefined)],
        ["file.pdf.corrupt", await upload(Buffer.from("%PDF-1.7 and nothing more"))],
        ["file.malware.detected", await upload(contractPdf(plantedText))],
        ["error.sr.last_document_cannot_be_removed", await remove(`/${v}/documents/${document_id}`)],
        ...(v === "v1"
          ? []
          : ([
              [
                "file.attachment.unsupported",
                await post(`/${v}/signature-requests/${id}/attachments`, executable),
              ],
            ] as const)),
      ]
      for (const [key, { body }] of table) expect([v, body.key]).toEqual([v, key])
    }
  })

  it("[ERR-04 v1, ERR-04 v2, ERR-04 v3] have the status that part 7 gives them", async () => {
    for (const v of VERSIONS) {
      const { post, get, delete: remove } = service.caller
      const { id, document_id } = await openRequest(v, { read_access: ["reader"] })
      const request = `/${v}/signature-requests/${id}`
      const going = await openRequest(v)
      expect((await remove(`/${v}/signature-requests/${going.id}`)).status).toBe(204)
      expect((await post(`${request}/remind`, undefined)).status).toBe(200)
      const table: readonly (readonly [number, string, Answer])[] = [
        [400, "last document", await remove(`/${v}/documents/${document_id}`)],
        [401, "wrong credentials", await login(v, service.username, "api_demo_x")],
        [401, "no token", await get(request, { authorization: "" })],
        [403, "reading, not writing", await reader.delete(request)],
        [403, "during the cascade", await remove(`/${v}/documents/${going.document_id}`)],
        [404, "deleted", await remove(`/${v}/signature-requests/${going.id}`)],
        [404, "never there", await remove(`/${v}/signature-requests/${ID}`)],
        [
          406,
          "content in no form we have",
          await get(`/${v}/documents/${document_id}/content`, { accept: "text/html" }),
        ],
        [429, "reminded within the hour", await post(`${request}/remind`, undefined)],
      ]
      for (const [status, what, answer] of table) expect([v, what, answer.status]).toEqual([v, what, status])
    }
  })

  it("[ERR-04 v3] and so do those that version 3 alone has", async () => {
    const { post, get, delete: remove } = service.caller
    const { id } = await openRequest("v3")
    const path = `/v3/signature-requests/${id}`
    const off = await remove(`${path}/expires-at`)
    expect([off.status, new URL(off.body.type).pathname]).toEqual([403, "/problem/feature-not-enabled"])
    await service.paraph(
      "admin",
      "set-feature",
      "--business",
      service.business,
      "--feature",
      "expires_at",
      "--on",
    )
    expect((await remove(`${path}/expires-at`)).status).toBe(400)
    expect((await get(path, { accept: "text/html" })).status).toBe(406)
    expect((await get(path, { accept: "application/json" })).status).toBe(200)
    expect((await get("/v3/signature-requests/no-id/observers")).status).toBe(400)
    expect((await post(`${path}/observers`, { type: "ROBOT" })).status).toBe(400)
  })

  it("[ERR-04 v1, ERR-04 v2, ERR-04 v3] an expired token is told from a wrong one", async () => {
    const lifetimes = { v1: 60, v2: 20, v3: 20 } as const
    for (const v of VERSIONS) {
      const token = (await login(v, service.username, service.demoKey)).bytes.toString()
      const ask = () =>
        call(service.url, "GET", `/${v}/documents`, undefined, { authorization: `Bearer ${token}` })
      service.moveClock(lifetimes[v] * MINUTE_MS - 30_000)
      expect([v, (await ask()).status]).toEqual([v, 200])
      service.moveClock(lifetimes[v] * MINUTE_MS + 1_000)
      const { status, body } = await ask()
      expect([v, status, body.key]).toEqual([v, 401, "error.auth.token_expired"])
      service.moveClock(0)
    }
  })
})

describe("whatever is sent", () => {
  const deep = `${"[".repeat(3000)}${"]".repeat(3000)}`
  const BODIES = [
    "",
    "null",
    "[null]",
    '"x"',
    "1e999",
    "{",
    deep,
    '{"__proto__":{"title":"x"}}',
    JSON.stringify({
      id: ID,
      title: "\0",
      content: {},
      signatures: [[]],
      message: 7,
      sids: {},
      members: "x",
    }),
    JSON.stringify({
      title: "x".repeat(20_000),
      text: "\ud800",
      documents: [{}],
      type: "GROUP",
      group_id: "'",
    }),
  ]
  const IDS = ["'", "%00", "..%2f..%2fetc%2fpasswd", "-1", "%ff", "x".repeat(300)]
  const QUERY =
    "page_size=-1&page_number=1e309&search=%00&status_overall=%27&signature_status=x&after=%F0&cursor=x&start_date=x&dry_run=x&scale=x"
  /** Of a stack, of a statement, of a file on the server. */
  const TELLTALE =
    /node_modules|\bat \S+ \(|\.[tj]s:\d|\bselect\b.+\bfrom\b|\binsert into\b|\bupdate \S+ set\b|\/(?:usr|var|tmp|home|etc)\//i

  const operations = async (v: Version) => {
    const { body } = await call(service.url, "GET", `/${v}/api-docs`, undefined, {})
    return Object.entries<object>(body.paths).flatMap(([path, methods]) =>
      Object.keys(methods)
        .filter((method) => /^(get|post|put|patch|delete)$/.test(method))
        .map((method) => ({
          method: method.toUpperCase(),
          path: path.startsWith(`/${v}/`) ? path : `/${v}${path}`,
        })),
    )
  }
  const at = (path: string, id: string) => path.replaceAll(/\{\w+\}/g, id)

  /** By itself, without the check against the description: no client sends this. */
  const expectCalm = async (method: string, path: string, body?: string) => {
    const authorization = `Bearer ${service.caller.token}`
    const type = body === undefined ? {} : { "content-type": "application/json" }
    const answer = await fetch(`${service.url}${path}`, {
      method,
      headers: { authorization, ...type },
      ...(body !== undefined && { body }),
    })
    const text = await answer.text()
    const what = `${method} ${path.slice(0, 120)} ${body?.slice(0, 60) ?? ""}`
    expect([what, answer.status < 500]).toEqual([what, true])
    if (answer.status < 400) return
    // Which address was asked is repeated, as it was asked.
    const { path: asked, ...told } = JSON.parse(text) as { path: string; message: string }
    expect(asked).toBe(path.split("?", 1)[0])
    expect([what, TELLTALE.exec(JSON.stringify(told))]).toEqual([what, null])
    expect(told.message).not.toContain("\n")
  }

  it("[R10] [ERR-06 v1, ERR-06 v2, ERR-06 v3] is no fault of ours, and the answer shows nothing of our insides", async () => {
    for (const v of VERSIONS) {
      const all = await operations(v)
      expect(all.length).toBeGreaterThan(10)
      for (const { method, path } of all) {
        if (path.includes("{")) await Promise.all(IDS.map((id) => expectCalm(method, at(path, id))))
        await expectCalm(method, `${at(path, ID)}?${QUERY}`)
        if (method !== "GET") await Promise.all(BODIES.map((body) => expectCalm(method, at(path, ID), body)))
      }
    }
  })

  it("finds what it looks for", () => {
    for (const told of [
      "at Object.run (file.ts)",
      'select "id" from x',
      "in /usr/lib/x",
      "a.ts:12",
      "node_modules/x",
    ])
      expect(told).toMatch(TELLTALE)
    for (const told of ["Select a document.", "The update was refused.", "body/title must be string."])
      expect(told).not.toMatch(TELLTALE)
  })
})
