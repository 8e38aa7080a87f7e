import { createPrivateKey } from "node:crypto"
import { readFileSync } from "node:fs"
import { decodeJwt, SignJWT } from "jose"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { call, VERSIONS, type Version } from "../service/api.ts"
import { askWith, logIn } from "../service/login.ts"
import { contractPdf } from "../service/pdf.ts"
import { type Service, startService } from "../service/service.ts"
import { documentCount } from "../service/stored.ts"

const FORM = { "content-type": "application/x-www-form-urlencoded" }

describe("login in each version", () => {
  let service: Service
  beforeAll(async () => {
    service = await startService({ worker: false })
  })
  afterAll(() => service?.close())

  const tokenOf = async (v: Version) => {
    const { status, headers, bytes } = await logIn(service.url, v, service.username, service.demoKey)
    expect(status).toBe(200)
    expect(headers.get("content-type")).toMatch(/^text\/plain/)
    expect(headers.get("cache-control")).toBe("no-store")
    expect(bytes.toString()).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/)
    return bytes.toString()
  }
  const list = (v: Version, token: string) => askWith(service.url, v, token)

  it("[AUTH-01] v1 takes a form and answers the token as a bare string, text/plain; JSON it does not take", async () => {
    expect((await list("v1", await tokenOf("v1"))).status).toBe(200)
    const json = await call(service.url, "POST", "/v1/access/login", { username: "x", "api-key": "y" }, {})
    expect(json.status).toBe(415)
    for (const form of ["", "username=x", "username=x&username=y&api-key=z", "username=%00&api-key=z"])
      expect([form, (await call(service.url, "POST", "/v1/access/login", form, FORM)).status]).toEqual([
        form,
        400,
      ])
  })

  it("[AUTH-02 v3] v3 takes JSON and answers the token as a bare string, text/plain; a form it does not take", async () => {
    expect((await list("v3", await tokenOf("v3"))).status).toBe(200)
    const form = await call(service.url, "POST", "/v3/access/login", "username=x&api-key=y", FORM)
    expect(form.status).toBe(415)
    const more = { username: service.username, "api-key": service.demoKey, remember: true }
    expect((await call(service.url, "POST", "/v3/access/login", more, {})).status).toBe(400)
  })

  it("[R03] [AUTH-04 v1] [AUTH-04 v3] tokens live 60 minutes in v1 and 20 in v3; an expired one answers 401", async () => {
    const key = createPrivateKey(readFileSync(service.env.TOKEN_KEY_FILE ?? ""))
    for (const [v, minutes] of [
      ["v1", 60],
      ["v3", 20],
    ] as const) {
      const { iat = 0, exp = 0, ...claims } = decodeJwt(await tokenOf(v))
      expect(exp - iat).toBe(minutes * 60)
      const ago = minutes * 60 + 1
      const old = await new SignJWT({ ...claims, iat: iat - ago, exp: exp - ago })
        .setProtectedHeader({ alg: "EdDSA", typ: "at+jwt" })
        .sign(key)
      const { status, body } = await list(v, old)
      expect([status, body.key]).toEqual([401, "error.auth.token_expired"])
    }
  })

  it("one token works in every version", async () => {
    for (const from of VERSIONS) {
      const token = await tokenOf(from)
      for (const to of VERSIONS) expect([from, to, (await list(to, token)).status]).toEqual([from, to, 200])
    }
  })

  it("[AUTH-05] there is no refresh and no logout: a token lives beside the one before it, and nothing ends it but its time", async () => {
    for (const v of VERSIONS) {
      const [first, second] = [await tokenOf(v), await tokenOf(v)]
      expect(first).not.toBe(second)
      // Part 4.1: the token, and nothing that could be exchanged for another.
      expect(Object.keys(decodeJwt(first)).sort()).toEqual(["aud", "exp", "iat", "iss", "jti", "key", "sub"])
      const authorization = `Bearer ${first}`
      for (const word of ["logout", "refresh", "token", "revoke", "login/refresh"])
        for (const method of ["GET", "POST", "DELETE", "PUT"]) {
          const path = `/${v}/access/${word}`
          const { status } = await call(service.url, method, path, undefined, { authorization })
          expect([method, path, status]).toEqual([method, path, 404])
        }
      for (const method of ["DELETE", "PUT", "GET"]) {
        const { status } = await call(service.url, method, `/${v}/access/login`, undefined, { authorization })
        expect([method, v, status]).toEqual([method, v, 404])
      }
      expect((await list(v, first)).status).toBe(200)
      expect((await list(v, second)).status).toBe(200)
    }
  })

  it("[R02] [AUTH-06] wrong user name, wrong key, expired key and revoked key are told the same 401", async () => {
    const newKey = () => service.paraph("admin", "create-key", "--user", service.username, "--kind", "demo")
    const [expired, revoked] = [await newKey(), await newKey()]
    await service.sql(`update api_key set expires_at = now() - interval '1 s' where id = '${expired.key}'`)
    await service.paraph("admin", "revoke-key", "--key", revoked.key ?? "")
    const wrong: [string, string][] = [
      ["nobody", service.demoKey],
      [service.username, "api_demo_wrong"],
      [service.username, "api_production_wrong"],
      [service.username, expired["api-key"] ?? ""],
      [service.username, revoked["api-key"] ?? ""],
    ]
    for (const v of VERSIONS) {
      const answers = await Promise.all(wrong.map((credentials) => logIn(service.url, v, ...credentials)))
      for (const { status, headers, body } of answers) {
        expect([v, status, body.key]).toEqual([v, 401, "error.auth.credentials_invalid"])
        expect(body).toEqual({ ...answers[0]?.body, instance: body.instance })
        expect([...headers.keys()]).toEqual([...(answers[0]?.headers.keys() ?? [])])
      }
    }
  })

  it("[AUTH-07] keys carry the prefix of their kind, api_prod means api_production, and the kind decides what is seen", async () => {
    expect(service.demoKey).toMatch(/^api_demo_[\w-]{43}$/)
    expect(service.productionKey).toMatch(/^api_production_[\w-]{43}$/)
    const content = contractPdf().toString("base64")
    const short = service.productionKey.replace(/^api_production_/, "api_prod_")
    for (const v of VERSIONS) {
      const keys = { demo: service.demoKey, production: service.productionKey, short }
      const tokens = Object.entries(keys).map(async ([name, key]) => {
        const { status, bytes } = await logIn(service.url, v, service.username, key)
        expect([v, name, status]).toEqual([v, name, 200])
        return bytes.toString()
      })
      const [demo = "", production = "", prod = ""] = await Promise.all(tokens)
      const authorization = `Bearer ${demo}`
      const made = await call(
        service.url,
        "POST",
        `/${v}/documents`,
        { title: "D", content },
        { authorization },
      )
      const read = async (token: string) =>
        (
          await call(service.url, "GET", `/${v}/documents/${made.body.id}`, undefined, {
            authorization: `Bearer ${token}`,
          })
        ).status
      expect([await read(demo), await read(production), await read(prod)]).toEqual([200, 404, 404])
      for (const [from, to] of [
        [service.demoKey, "api_production_"],
        [service.productionKey, "api_demo_"],
        [service.demoKey, "api_prod_"],
      ] as const) {
        const crossed = from.replace(/^api_[a-z]+_/, to)
        expect([v, to, (await logIn(service.url, v, service.username, crossed)).status]).toEqual([v, to, 401])
      }
    }
  })

  it.each(VERSIONS)(
    "%s: no operation on documents is done without a token, and none of them is looked at",
    async (v) => {
      const content = contractPdf().toString("base64")
      const { body } = await service.caller.post(`/${v}/documents`, { title: "C", content })
      const path = `/${v}/documents/${body.id}`
      const operations = [
        ["POST", `/${v}/documents`, { title: "C", content }],
        ["POST", `/${v}/documents`, "not even JSON"],
        ["GET", `/${v}/documents`, undefined],
        ["GET", path, undefined],
        ["HEAD", path, undefined],
        ["GET", `${path}/content`, undefined],
        ["GET", `${path}/pages/0`, undefined],
        ["PUT", `${path}/access`, { read_access: ["mallory"] }],
        ["POST", `${path}/watermark`, { text: "DRAFT" }],
        ["DELETE", path, undefined],
        ["GET", `/${v}/documents/no-uuid`, undefined],
      ] as const
      const before = await documentCount(service)
      for (const [method, address, sent] of operations)
        for (const authorization of ["", "Bearer x"]) {
          const answer = await call(service.url, method, address, sent, { authorization })
          expect([method, address, answer.status]).toEqual([method, address, 401])
          expect(answer.headers.get("www-authenticate")).toBe("Bearer")
        }
      expect(await documentCount(service)).toBe(before)
      expect((await service.caller.get(path)).body).toEqual(body)
    },
  )
})

describe("the limit of logins", () => {
  let service: Service
  beforeAll(async () => {
    service = await startService({ worker: false, env: { LOGINS_PER_USER: "10" } })
  })
  afterAll(() => service?.close())

  it("[AUTH-09 v1] [AUTH-09 v3] is one for all versions: 429 with Retry-After", async () => {
    const statuses = []
    for (let i = 0; i < 10; i += 1)
      statuses.push((await logIn(service.url, i % 2 === 0 ? "v1" : "v3", "mallory", "wrong")).status)
    expect(statuses).toEqual(Array(10).fill(401))
    for (const v of VERSIONS) {
      const { status, headers, body } = await logIn(service.url, v, "mallory", "wrong")
      expect([v, status, body.key]).toEqual([v, 429, "error.rate_limit.exceeded"])
      expect(Number(headers.get("retry-after"))).toBeGreaterThan(0)
    }
  })
})
