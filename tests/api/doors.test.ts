import { createLocalJWKSet, jwtVerify } from "jose"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Answer, type Api, call, VERSIONS, type Version } from "../service/api.ts"
import { contractPdf } from "../service/pdf.ts"
import { type Service, startService } from "../service/service.ts"
import { freePort } from "../service/settings.ts"
import { addUser } from "../service/users.ts"

const content = contractPdf().toString("base64")
const ID = "00000000-0000-4000-8000-000000000000"
const [WRITES, READS, PAGES] = [15, 20, 60]

let service: Service
beforeAll(async () => {
  const limits = { WRITES_PER_KEY: WRITES, READS_PER_KEY: READS, PAGES_PER_ADDRESS: PAGES }
  const env = Object.fromEntries(Object.entries(limits).map(([name, value]) => [name, String(value)]))
  service = await startService({ worker: false, env })
})
afterAll(() => service?.close())

const ask = (path: string, headers: Record<string, string> = {}) =>
  call(service.url, "GET", path, undefined, headers)

/** The methods and addresses of a version as its own description names them, but for login. */
async function operations(v: Version): Promise<readonly (readonly [string, string])[]> {
  const { body } = await ask(`/${v}/api-docs`)
  const paths = Object.entries<object>(body.paths).filter(([path]) => !path.endsWith("/access/login"))
  return paths.flatMap(([path, methods]) => {
    const address = path.startsWith(`/${v}/`) ? path : `/${v}${path}`
    return Object.keys(methods)
      .filter((method) => /^(get|post|put|patch|delete)$/.test(method))
      .map((method) => [method.toUpperCase(), address.replaceAll(/\{\w+\}/g, ID)] as const)
  })
}

describe("limits", () => {
  let aheadMs = 0
  const move = (ms: number) => {
    aheadMs += ms
    service.moveClock(aheadMs)
  }
  const seconds = ({ headers }: Answer, name: string) => Number(headers.get(name) ?? Number.NaN)

  /** From the beginning of a window, so that it does not end while we look; then until nothing is left of it. */
  const exhaust = async (limit: number, send: () => Promise<Answer>) => {
    move(seconds(await send(), "ratelimit-reset") * 1000)
    const answers: Answer[] = []
    for (let sent = 0; sent <= limit; sent += 1) answers.push(await send())
    const left = answers.map((answer) => seconds(answer, "ratelimit-remaining"))
    expect(left).toEqual([...Array(limit).keys()].reverse().concat(0))
    expect(answers.map(({ status }) => status === 429)).toEqual([...Array(limit).fill(false), true])
    for (const answer of answers) expect(seconds(answer, "ratelimit-limit")).toBe(limit)
    expectLimited(answers.at(-1))
  }
  const expectLimited = (answer: Answer | undefined) => {
    expect([answer?.status, answer?.body.key]).toEqual([429, "error.rate_limit.exceeded"])
    const wait = answer === undefined ? Number.NaN : seconds(answer, "retry-after")
    expect(wait).toBeGreaterThanOrEqual(1)
    expect(wait).toBeLessThanOrEqual(60)
  }

  it("[R11] [ERR-05 v1, ERR-05 v2, ERR-05 v3] every operation answers 429 with Retry-After until the window resets", async () => {
    const all = (await Promise.all(VERSIONS.map(operations))).flat()
    for (const v of VERSIONS)
      expect(all.filter(([, path]) => path.startsWith(`/${v}/`)).length).toBeGreaterThan(10)
    const limited = await addUser(service, "limited")
    const headers = { authorization: `Bearer ${limited.token}` }
    const send = (method: string, path: string) => call(service.url, method, path, undefined, headers)
    const kinds = [
      [READS, ["GET"], () => limited.get(`/v2/documents/${ID}`)],
      [WRITES, ["POST", "PUT", "PATCH", "DELETE"], () => limited.delete(`/v2/documents/${ID}`)],
    ] as const
    for (const [limit, methods, spend] of kinds) {
      await exhaust(limit, spend)
      for (const [method, path] of all.filter(([each]) => (methods as readonly string[]).includes(each)))
        expect([method, path, (await send(method, path)).status]).toEqual([method, path, 429])
      expectLimited(await spend())
      move(60_000)
      expect((await spend()).status).toBe(404)
    }
  })

  it("of one key are not those of another", async () => {
    const [one, other]: Api[] = [await addUser(service, "one"), await addUser(service, "other")]
    await exhaust(READS, () => one?.get(`/v2/documents/${ID}`) as Promise<Answer>)
    expect((await other?.get(`/v2/documents/${ID}`))?.status).toBe(404)
  })

  it("[AUTH-09 v1, AUTH-09 v3] login says how many are left", async () => {
    const form = { "content-type": "application/x-www-form-urlencoded" }
    const answers = [
      await call(service.url, "POST", "/v1/access/login", "username=x&api-key=y", form),
      await call(service.url, "POST", "/v3/access/login", { username: "x", "api-key": "y" }, {}),
    ]
    for (const answer of answers) expect(seconds(answer, "ratelimit-limit")).toBe(1000)
    expect(answers.map((answer) => seconds(answer, "ratelimit-remaining"))).toEqual([999, 998])
  })

  it("whatever needs no key is limited by address, refused tokens too, and nobody talks himself out of it", async () => {
    await exhaust(PAGES, () => ask("/management/health/liveness"))
    const paths = [
      "/management/health",
      "/problem/limit-exceeded",
      "/.well-known/jwks.json",
      "/app/door.css",
      "/sign/some-link",
      "/no-such-thing",
      ...VERSIONS.flatMap((v) => [`/${v}/api-docs`, `/${v}/documents`, `/${v}/no-such-thing`]),
    ]
    for (const path of paths) expect([path, (await ask(path)).status]).toEqual([path, 429])
    expect((await ask("/problem/limit-exceeded", { "x-forwarded-for": "192.0.2.7" })).status).toBe(429)
    // Who has a key is not held up by others at the same address.
    expect((await service.caller.get(`/v2/documents/${ID}`)).status).toBe(404)
    move(60_000)
    expect((await ask("/problem/limit-exceeded")).status).toBe(200)
  })
})

describe("the pages of problems", () => {
  const TYPES = [
    "problem-with-message",
    "entity-not-found",
    "feature-not-enabled",
    "constraint-violation",
    "parameterized",
    "limit-exceeded",
  ]

  it("[ERR-02] each type has one that explains it, for people and for programs", async () => {
    const seen = new Set<string>()
    for (const type of TYPES) {
      const page = await ask(`/problem/${type}`, { accept: "text/html,application/xhtml+xml,*/*;q=0.8" })
      expect([type, page.status, page.headers.get("content-type")]).toEqual([
        type,
        200,
        "text/html; charset=utf-8",
      ])
      const { status, body } = await ask(`/problem/${type}`, { accept: "application/json" })
      expect([status, body.type]).toEqual([200, `${service.url}/problem/${type}`])
      expect(page.bytes.toString()).toContain(`<h1>${body.title}</h1>`)
      expect(body.description.length).toBeGreaterThan(80)
      seen.add(body.description)
    }
    expect(seen.size).toBe(TYPES.length)
    expect((await ask("/problem/no-such-type")).status).toBe(404)
  })

  it("[ERR-02] the type of a disabled feature leads there, and so does that of every refusal", async () => {
    const refused = [
      await ask("/v2/documents"),
      await service.caller.get(`/v3/documents/${ID}`),
      await service.caller.get("/v1/documents/x"),
    ]
    for (const { body } of refused) expect((await fetch(body.type)).status).toBe(200)
    const document = await service.caller.post("/v3/documents", { title: "C", content })
    const dated = { title: "C", document_id: document.body.id, expires_at: "2026-12-24" }
    const { status, body } = await service.caller.post("/v3/signature-requests", dated)
    expect([status, new URL(body.type).pathname]).toEqual([403, "/problem/feature-not-enabled"])
    expect((await fetch(body.type)).status).toBe(200)
  })
})

it("the published keys are those that tokens are signed with, and no secret is among them", async () => {
  const { status, headers, body } = await ask("/.well-known/jwks.json")
  expect([status, headers.get("cache-control")]).toEqual([200, "public, max-age=300"])
  const { payload, protectedHeader } = await jwtVerify(service.caller.token, createLocalJWKSet(body), {
    issuer: service.url,
    audience: service.url,
  })
  expect(payload.exp).toBeGreaterThan(0)
  expect(protectedHeader.kid).toBe(body.keys[0].kid)
  for (const key of body.keys)
    expect(Object.keys(key).sort()).toEqual(["alg", "crv", "kid", "kty", "use", "x"])
})

describe("behind a proxy that ends TLS", () => {
  let url: string
  const https = { "x-forwarded-proto": "https" }
  beforeAll(async () => {
    const port = String(await freePort())
    url = `http://localhost:${port}`
    await service.startApi({
      PORT: port,
      PUBLIC_URL: "https://sign.example",
      TRUSTED_PROXIES: "127.0.0.1,::1",
      PAGES_PER_ADDRESS: "1000",
      V1_SUNSET: "2027-12-31",
      SECURITY_CONTACT: "mailto:security@sign.example, https://sign.example/security",
    })
  })
  const sent = (method: string, path: string, body: unknown, headers: Record<string, string>) =>
    call(url, method, path, body, headers)

  it("[R40] [AUTH-10] what came in plain is refused, whoever sent it, and no token is given for it", async () => {
    const login = { username: service.username, "api-key": service.demoKey }
    const plain: Record<string, string>[] = [
      {},
      { "x-forwarded-proto": "http" },
      { "x-forwarded-proto": "https, http" },
      { forwarded: "proto=https" },
    ]
    for (const headers of plain) {
      const json = { ...headers, "content-type": "application/json" }
      const answers = [
        await fetch(`${url}/v2/access/login`, { method: "POST", headers: json, body: JSON.stringify(login) }),
        ...(await Promise.all(VERSIONS.map((v) => fetch(`${url}/${v}/documents`, { headers })))),
        await fetch(`${url}/.well-known/jwks.json`, { headers }),
        await fetch(`${url}/sign/some-link`, { headers }),
      ]
      for (const answer of answers) {
        const { type } = (await answer.json()) as { type: string }
        expect([answer.status, type]).toEqual([403, "https://sign.example/problem/problem-with-message"])
      }
    }
    expect((await sent("GET", "/management/health/liveness", undefined, {})).status).toBe(200)
  })

  it("[R25] [AUTH-10] what came by https is answered, with HSTS", async () => {
    const login = { username: service.username, "api-key": service.demoKey }
    const { status, bytes, headers } = await sent("POST", "/v2/access/login", login, https)
    expect([status, headers.get("strict-transport-security")]).toEqual([
      200,
      "max-age=31536000; includeSubDomains",
    ])
    const token = { ...https, authorization: `Bearer ${bytes}` }
    expect((await sent("GET", "/v2/documents", undefined, token)).status).toBe(200)
    const refused = await sent("GET", "/v2/documents", undefined, https)
    expect([refused.status, refused.headers.has("strict-transport-security")]).toEqual([401, true])
  })

  it("[AUTH-10] the word of anybody but the proxy counts for nothing", async () => {
    const port = String(await freePort())
    const other = { PORT: port, PUBLIC_URL: "https://sign.example", TRUSTED_PROXIES: "192.0.2.1" }
    await service.startApi(other)
    expect((await fetch(`http://localhost:${port}/v2/documents`, { headers: https })).status).toBe(403)
  })

  it("[R26] every cookie is bound to the host, kept from scripts, and sent by https alone", async () => {
    const from = { ...https, origin: "https://sign.example" }
    const answers = [
      await sent("POST", "/app/api/language", { language: "de" }, from),
      await sent("POST", "/app/api/account/register", { email: "cookie@example.org" }, from),
    ]
    for (const { headers } of answers)
      expect(headers.get("set-cookie")).toMatch(
        /^__Host-paraph-[a-z]+=[^;]+; Max-Age=\d+; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
      )
  })

  it("[R45] tells whom to write to about a hole, where the operator has said so, and for how long that counts", async () => {
    const told = await sent("GET", "/.well-known/security.txt", undefined, https)
    const lines = told.bytes.toString().split("\r\n")
    expect([told.status, told.headers.get("content-type")]).toEqual([200, "text/plain; charset=utf-8"])
    expect(lines.slice(0, 2)).toEqual([
      "Contact: mailto:security@sign.example",
      "Contact: https://sign.example/security",
    ])
    const days = (Date.parse(/^Expires: (\S+Z)$/.exec(lines[2] ?? "")?.[1] ?? "") - Date.now()) / 86_400_000
    expect([days > 80, days < 365]).toEqual([true, true])
    expect(lines).toContain("Canonical: https://sign.example/.well-known/security.txt")
    expect((await ask("/.well-known/security.txt")).status).toBe(404)
  })

  it("[SR-29 v1] tells when version 1 ends, where the operator has said so", async () => {
    const { headers } = await sent("GET", "/v1/documents", undefined, https)
    expect(headers.get("sunset")).toBe("Fri, 31 Dec 2027 00:00:00 GMT")
  })
})

describe("the age of a version", () => {
  const answersOf = async (v: Version) => [
    await service.caller.get(`/${v}/documents?page_size=1`),
    await service.caller.get(`/${v}/documents/${ID}`),
    await ask(`/${v}/documents`),
    await ask(`/${v}/no-such-thing`),
  ]

  it("[SR-29 v1] every answer of version 1 says that it is deprecated, and what follows it", async () => {
    for (let made = 0; made < 2; made += 1)
      await service.caller.post("/v1/documents", { title: "C", content })
    const answers = await answersOf("v1")
    for (const { headers } of answers) {
      expect(headers.get("deprecation")).toMatch(/^@\d{10}$/)
      expect(headers.has("sunset")).toBe(false)
      const links = headers.get("link") ?? ""
      for (const rel of ["deprecation", "successor-version"])
        expect(links).toMatch(new RegExp(`<${service.url}/v2/api-docs>; rel="${rel}"`))
    }
    // What the header said already is still there.
    expect(answers[0]?.headers.get("link")).toMatch(/rel="?next"?/)
    expect((await ask("/v2/api-docs")).status).toBe(200)
    for (const { headers } of await answersOf("v2"))
      expect([headers.has("deprecation"), headers.has("x-paraph-preview")]).toEqual([false, false])
  })

  it("[SR-29 v3] every answer of version 3 says that it is a preview", async () => {
    for (const { headers } of await answersOf("v3")) {
      expect(headers.get("x-paraph-preview")).toBe("true")
      expect(headers.has("deprecation")).toBe(false)
    }
  })
})
