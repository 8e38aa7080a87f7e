import { createHash, createHmac, createPrivateKey } from "node:crypto"
import { readFileSync } from "node:fs"
import { decodeJwt, SignJWT } from "jose"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { call, VERSIONS } from "../service/api.ts"
import { forgedWithKey, forgedWithoutKey, madeAnew } from "../service/forged-tokens.ts"
import { contractPdf } from "../service/pdf.ts"
import { type Service, startService } from "../service/service.ts"

describe("login and tokens", () => {
  let service: Service
  beforeAll(async () => {
    service = await startService({ worker: false })
  })
  afterAll(() => service?.close())

  const logIn = (username: string, key: string) =>
    call(service.url, "POST", "/v2/access/login", { username, "api-key": key }, {})
  const withToken = (token: string) =>
    call(service.url, "GET", `/v2/signature-requests/${crypto.randomUUID()}`, undefined, {
      authorization: `Bearer ${token}`,
    })

  /** How many rows each table holds, those of the queue included; the counters of the limits count everybody. */
  const rowCounts = async () => {
    const tables = await service.sql(`select string_agg(format('select %L, count(*) from %I.%I',
      relid::regclass, schemaname, relname), ' union all ') from pg_stat_user_tables
      where (schemaname = 'public' and relname not in ('rate_limit', 'rate_window')) or (schemaname, relname) = ('jobs', 'job')`)
    return (await service.sql(tables)).split("\n").sort()
  }

  it("[AUTH-02 v2] takes JSON and answers the token as a bare string, text/plain", async () => {
    const { status, headers, bytes } = await logIn(service.username, service.demoKey)
    expect(status).toBe(200)
    expect(headers.get("content-type")).toMatch(/^text\/plain/)
    expect(headers.get("cache-control")).toBe("no-store")
    expect(bytes.toString()).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/)
  })

  it("refuses a login whose body is not what it should be, with a reason", async () => {
    for (const body of [{}, { username: "x" }, { username: 1, "api-key": "y" }, "{", ""]) {
      const answer = await call(service.url, "POST", "/v2/access/login", body, {
        "content-type": "application/json",
      })
      expect(answer.status).toBe(400)
      expect(answer.body.message).not.toBe("")
    }
  })

  it.each(VERSIONS)(
    "[AUTH-03 v1, AUTH-03 v2, AUTH-03 v3] in %s every operation that the description tells of but login answers 401 without a valid token, and changes nothing",
    async (v) => {
      const { body } = await call(service.url, "GET", `/${v}/api-docs`, undefined, {})
      const told = Object.entries<object>(body.paths).flatMap(([path, operations]) =>
        Object.keys(operations).map((method) => [method.toUpperCase(), `/${v}${path}`] as const),
      )
      const operations = told.filter(([, path]) => path !== `/${v}/access/login`)
      expect(operations.length).toBe(told.length - 1)
      expect(operations.length).toBeGreaterThan(20)
      const before = await rowCounts()
      const { token } = service.caller
      for (const [method, path] of operations) {
        const address = path.replaceAll(/\{\w+\}/g, () => crypto.randomUUID())
        const sent = method === "GET" || method === "DELETE" ? undefined : {}
        for (const authorization of ["", "Bearer", "Bearer a.b.c", `Basic ${token}`, token]) {
          const answer = await call(service.url, method, address, sent, { authorization })
          expect([method, path, authorization, answer.status]).toEqual([method, path, authorization, 401])
          expect(answer.body.key).toBe("error.auth.token_invalid")
          expect(answer.headers.get("www-authenticate")).toBe("Bearer")
        }
      }
      expect(await rowCounts()).toEqual(before)
    },
  )

  it("what would succeed with a token answers 401 without, and changes nothing", async () => {
    const content = contractPdf().toString("base64")
    const signer = { account_email: "nobody@example.org" }
    const create = { title: "Contract", content, signatures: [signer] }
    const { body } = await service.caller.post("/v2/signature-requests", create)
    // Each would succeed with a token.
    const operations = [
      ["POST", "/v2/documents", { title: "Contract", content, content_type: "application/pdf" }],
      ["GET", `/v2/documents/${body.document_id}`, undefined],
      ["GET", `/v2/documents/${body.document_id}/content`, undefined],
      ["POST", "/v2/signature-requests", create],
      ["GET", `/v2/signature-requests/${body.id}`, undefined],
      ["POST", `/v2/signature-requests/${body.id}/signatures`, signer],
    ] as const
    const before = await rowCounts()
    const headers = [
      "",
      "Bearer",
      "Bearer x",
      "Bearer a.b.c",
      `Basic ${service.caller.token}`,
      service.caller.token,
    ]
    for (const [method, path, sent] of operations)
      for (const authorization of headers) {
        const answer = await call(service.url, method, path, sent, { authorization })
        expect([method, path, authorization, answer.status]).toEqual([method, path, authorization, 401])
        expect(answer.body.key).toBe("error.auth.token_invalid")
      }
    expect(await rowCounts()).toEqual(before)
    const authorization = `Bearer ${service.caller.token}`
    for (const [method, path, sent] of operations)
      expect((await call(service.url, method, path, sent, { authorization })).status).toBe(200)
    expect(await rowCounts()).not.toEqual(before)
  })

  it("[R03] [AUTH-04 v2] a token lives 20 minutes; an expired one answers 401 and says so", async () => {
    const { iat = 0, exp = 0, ...claims } = decodeJwt(service.caller.token)
    expect(exp - iat).toBe(20 * 60)
    const key = createPrivateKey(readFileSync(service.env.TOKEN_KEY_FILE ?? ""))
    const old = await new SignJWT({ ...claims, iat: iat - 1201, exp: exp - 1201 })
      .setProtectedHeader({ alg: "EdDSA", typ: "at+jwt" })
      .sign(key)
    const answer = await withToken(old)
    expect(answer.status).toBe(401)
    expect(answer.body.key).toBe("error.auth.token_expired")
  })

  it("[R03] refuses more than 40 forged tokens: of another algorithm, key, kind, time or place", async () => {
    const key = createPrivateKey(readFileSync(service.env.TOKEN_KEY_FILE ?? ""))
    const { token } = service.caller
    const forged = [...(await forgedWithoutKey(token, key)), ...(await forgedWithKey(token, key))]
    expect(new Set(forged.map(([, each]) => each)).size).toBe(forged.length)
    expect(forged.length).toBeGreaterThanOrEqual(40)
    const taken: string[] = []
    for (const [about, each] of forged) {
      const { status, body } = await withToken(each)
      if (status !== 401 || !/^error\.auth\.token_(invalid|expired)$/.test(body.key)) taken.push(about)
    }
    expect(taken).toEqual([])
    // Not for another reason: what is made anew in the same way is taken, and there is nothing under that id.
    expect((await withToken(await madeAnew(token, key))).status).toBe(404)
  })

  it("[R04] keeps no API key in the database, only its HMAC", async () => {
    const rows = (await service.sql("select k::text from api_key k")).replaceAll(/[\s"(),\\]/g, " ")
    const pepper = Buffer.from(readFileSync(service.env.KEY_PEPPER_FILE ?? "", "utf8").trim(), "hex")
    for (const key of [service.demoKey, service.productionKey]) {
      expect(rows).toContain(createHmac("sha256", pepper).update(key).digest("hex"))
      const random = key.slice(-43)
      for (const secret of [key, random, Buffer.from(random, "base64url")]) {
        expect(rows).not.toContain(Buffer.from(secret).toString())
        expect(rows).not.toContain(Buffer.from(secret).toString("hex"))
        expect(rows).not.toContain(createHash("sha256").update(secret).digest("hex"))
        expect(rows).not.toContain(createHash("sha256").update(secret).digest("base64url"))
      }
      // What is kept to tell keys apart must not help to guess one: at most 6 of its 43 characters.
      for (let at = 0; at + 7 <= random.length; at += 1) expect(rows).not.toContain(random.slice(at, at + 7))
    }
  })
})

describe("login limits", () => {
  let service: Service
  beforeAll(async () => {
    const limits = { LOGINS_PER_USER: "10", LOGINS_PER_ADDRESS: "25" }
    service = await startService({ worker: false, env: { ...limits, TRUSTED_PROXIES: "127.0.0.1,::1" } })
  })
  afterAll(() => service?.close())

  const logIn = (username: string, from = "192.0.2.1", key = "api_demo_wrong") =>
    call(service.url, "POST", "/v2/access/login", { username, "api-key": key }, { "x-forwarded-for": from })

  it("[R02] a stranger who tries in somebody's name, from some networks, locks nobody out but themselves", async () => {
    const { username, demoKey } = service
    for (const stranger of ["198.51.100.7", "198.51.100.8"]) {
      for (let i = 0; i < 10; i += 1) expect((await logIn(username, stranger)).status).toBe(401)
      expect((await logIn(username, stranger)).status).toBe(429)
      expect((await logIn(username, stranger, demoKey)).status).toBe(429)
    }
    expect((await logIn(username, "203.0.113.1", demoKey)).status).toBe(200)
  })

  it("[R02] [AUTH-09 v2] the eleventh login of a minute answers 429 with Retry-After, also from another process", async () => {
    const answers = []
    for (let i = 0; i < 11; i += 1) answers.push(await logIn("mallory"))
    expect(answers.slice(0, 10).map((a) => a.status)).toEqual(Array(10).fill(401))
    expect(answers[10]?.status).toBe(429)
    expect(answers[10]?.body.key).toBe("error.rate_limit.exceeded")
    expect(Number(answers[10]?.headers.get("retry-after"))).toBeGreaterThan(0)
    expect(Number(answers[10]?.headers.get("retry-after"))).toBeLessThanOrEqual(60)

    await service.api.kill()
    await service.startApi()
    expect((await logIn("mallory")).status).toBe(429)
  })

  it("[R02] [AUTH-09 v2] and so does an address that tries many user names", async () => {
    const statuses = []
    for (let i = 0; i < 20; i += 1) statuses.push((await logIn(`guess-${i}`)).status)
    expect(statuses).toContain(401)
    expect(statuses.at(-1)).toBe(429)
  })
})
