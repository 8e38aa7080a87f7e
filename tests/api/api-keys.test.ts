import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Answer, type Api, createApi, type Json, VERSIONS } from "../service/api.ts"
import { askWith, logIn } from "../service/login.ts"
import { memberApi } from "../service/members.ts"
import { uploadTo } from "../service/requests.ts"
import { type Service, startService } from "../service/service.ts"
import { until } from "../service/until.ts"
import { addBusiness } from "../service/users.ts"

let service: Service
let owner: Api & { readonly email: string }
let developer: Api & { readonly email: string }
let stranger: Api
beforeAll(async () => {
  service = await startService({ worker: false })
  const business = await addBusiness(service, "Other AG")
  ;[owner, developer, stranger] = await Promise.all([
    memberApi(service, "owner"),
    memberApi(service, "developer"),
    memberApi(service, "owner", { business }),
  ])
}, 300_000)
afterAll(() => service?.close())

const create = async (more: object = {}, by: Api = developer): Promise<Json> => {
  const { status, body } = await by.post("/v3/api-keys", { name: "Web shop", kind: "demo", ...more })
  expect([status, body]).toEqual([200, expect.anything()])
  return body
}
const listed = async (id: string, by: Api = developer): Promise<Json> =>
  (await by.get("/v3/api-keys")).body.find((key: Json) => key.id === id)
const tokensBy = ({ username, api_key }: Json) =>
  Promise.all(VERSIONS.map(async (v) => (await logIn(service.url, v, username, api_key)).bytes.toString()))
const statuses = (tokens: readonly string[]) =>
  Promise.all(tokens.map(async (token) => (await askWith(service.url, "v3", token)).status))
const told = ({ status, body }: Answer) => [status, body?.key ?? body?.detail]

describe("the keys of a business", () => {
  it("[R04] [REG-03] [AUTH-08] are made, shown once, named, listed, reset and revoked by its people", async () => {
    const made = await create({ name: "  Web shop ÄÖ  " })
    expect(made).toMatchObject({ name: "Web shop ÄÖ", kind: "demo", created_by: developer.email })
    expect(made.api_key).toMatch(/^api_demo_[\w-]{43}$/)
    expect(made.username).toMatch(/^web-shop-ao-[0-9a-f]{8}$/)
    expect(made.hint).toBe(made.api_key.slice(-4))
    const [first, second, third] = await tokensBy(made)
    expect(await statuses([first, second, third] as string[])).toEqual([200, 200, 200])

    const renamed = await developer.patch(`/v3/api-keys/${made.id}`, { name: "Shop of Bern" })
    expect([renamed.status, renamed.body.name]).toEqual([200, "Shop of Bern"])
    const { api_key: _, ...shown } = { ...made, name: "Shop of Bern" }
    expect(await listed(made.id)).toMatchObject(shown)
    const list = await developer.get("/v3/api-keys")
    expect(list.bytes.toString()).not.toContain(made.api_key.slice(9, -4))
    const times = list.body.map((key: Json) => key.created_at)
    expect(times).toEqual([...times].sort().reverse())

    const reset = await owner.post(`/v3/api-keys/${made.id}/reset`, {})
    const since = performance.now()
    expect(reset.headers.get("cache-control")).toBe("no-store")
    const { name, username, kind } = renamed.body
    expect(reset.body).toMatchObject({ name, username, kind, created_by: owner.email, stopped_webhooks: [] })
    for (const v of VERSIONS)
      expect(told(await logIn(service.url, v, made.username, made.api_key))).toEqual([
        401,
        "error.auth.credentials_invalid",
      ])
    const old = [first, second, third] as string[]
    const areDead = async () => (await statuses(old)).every((status) => status === 401)
    await until("the old tokens are dead", areDead, 4_000)
    expect(performance.now() - since).toBeLessThan(5_000)
    expect(await listed(made.id)).toHaveProperty("revoked_at")
    const again = await owner.post(`/v3/api-keys/${made.id}/reset`, {})
    expect(told(again)).toEqual([400, "This key is revoked already."])

    const tokens = await tokensBy(reset.body)
    expect(await statuses(tokens)).toEqual([200, 200, 200])
    const revoke = () => developer.delete(`/v3/api-keys/${reset.body.id}`)
    expect((await revoke()).status).toBe(204)
    const gone = async () => (await statuses(tokens)).every((status) => status === 401)
    await until("the tokens of the revoked key are dead", gone, 4_000)
    expect((await listed(reset.body.id)).revoked_at).toMatch(/Z$/)
    expect((await revoke()).status).toBe(204)
  })

  it("[AUTH-08] live as long as was agreed with the business", async () => {
    const days = ({ created_at, expires_at }: Json) =>
      Math.round((Date.parse(expires_at) - Date.parse(created_at)) / 86_400_000)
    const first = await create()
    await service.paraph(...["admin", "set-key-lifetime", "--business", service.business, "--days", "30"])
    const { body } = await owner.post(`/v3/api-keys/${first.id}/reset`, {})
    expect([days(first), days(body), days(await create())]).toEqual([365, 30, 30])
  })

  it("are of an API user that is there, or of one of their own: then two do not see each other's documents", async () => {
    const named = await create({ username: service.username, name: "Second key" })
    expect(named.username).toBe(service.username)
    const [one, other] = [await create(), await create()]
    expect(one.username).not.toBe(other.username)
    const apiOf = (key: Json) => createApi(service.url, key.username, key.api_key)
    const mine = await apiOf(one)
    const id = await uploadTo(mine, "v3")
    expect((await mine.get(`/v3/documents/${id}`)).status).toBe(200)
    expect((await (await apiOf(other)).get(`/v3/documents/${id}`)).status).toBe(404)
    const unknown = async (username: string) =>
      told(await developer.post("/v3/api-keys", { name: "x", kind: "demo", username }))
    // A member is no such user, and of another business nobody is told.
    const nobody = [404, "There is no such API user."]
    expect([await unknown(developer.email), await unknown("nobody")]).toEqual([nobody, nobody])
    const elsewhere = { name: "x", kind: "demo", username: service.username }
    expect(told(await stranger.post("/v3/api-keys", elsewhere))).toEqual(nobody)
  })

  it("tell when they were last used: at the login, by a token, and not for what was refused", async () => {
    const made = await create()
    expect(made).not.toHaveProperty("last_used_at")
    await logIn(service.url, "v2", made.username, `${made.api_key}x`)
    expect(await listed(made.id)).not.toHaveProperty("last_used_at")
    const [token = ""] = await tokensBy(made)
    const used = await until("the login is noted", async () => (await listed(made.id)).last_used_at)
    expect(Math.abs(Date.now() - Date.parse(used))).toBeLessThan(60_000)
    service.moveClock(120_000)
    expect((await askWith(service.url, "v3", token)).status).toBe(200)
    await until("the token is noted", async () => (await listed(made.id)).last_used_at > used)
    service.moveClock(0)
  })

  it("of another business are not there, and no key manages keys", async () => {
    const made = await create()
    for (const by of [stranger, service.caller]) {
      const status = by === stranger ? 404 : 403
      const answers = [
        await by.patch(`/v3/api-keys/${made.id}`, { name: "Mine" }),
        await by.post(`/v3/api-keys/${made.id}/reset`, {}),
        await by.delete(`/v3/api-keys/${made.id}`),
      ]
      expect(answers.map((answer) => answer.status)).toEqual([status, status, status])
    }
    expect(await listed(made.id, stranger)).toBeUndefined()
    expect(await listed(made.id)).toMatchObject({ name: "Web shop" })
    expect((await logIn(service.url, "v3", made.username, made.api_key)).status).toBe(200)
  })

  it("stop the webhooks that they made when they are reset, and say which", async () => {
    const made = await create()
    const api = await createApi(service.url, made.username, made.api_key)
    const hook = (await api.post("/v3/webhooks", { url: "https://hooks.example.org/a" })).body.id
    const { body } = await owner.post(`/v3/api-keys/${made.id}/reset`, {})
    expect(body.stopped_webhooks).toEqual([hook])
  })

  it("have a name that can be read, and are so many", async () => {
    for (const name of ["", " \t ", "x".repeat(101), "a\u0000b"])
      expect((await developer.post("/v3/api-keys", { name, kind: "demo" })).status).toBe(400)
    expect((await developer.post("/v3/api-keys", { name: "x", kind: "real" })).status).toBe(400)
    const id = (await create()).id
    await service.sql(
      `insert into api_key (id, business_id, api_user_id, name, kind, key_hash, hint, created_at, expires_at)
       select gen_random_uuid(), business_id, api_user_id, 'Many', kind, sha256(n::text::bytea), 'abcd', created_at, expires_at
         from api_key, generate_series(1, 100) n where id = '${id}'`,
    )
    const { status, body } = await developer.post("/v3/api-keys", { name: "One more", kind: "demo" })
    expect([status, body.detail]).toEqual([400, expect.stringContaining("at most 100 keys")])
    // A reset makes none more, but for one that had expired: it is counted no longer, and listed among those that are over.
    const expired = (await service.sql("select min(id::text) from api_key where name = 'Many'")).trim()
    await service.sql(`update api_key set expires_at = now() - interval '400 days' where id = '${expired}'`)
    expect((await owner.post(`/v3/api-keys/${expired}/reset`, {})).status).toBe(400)
    const over = `insert into api_key (id, business_id, api_user_id, name, kind, key_hash, hint, created_at, expires_at, revoked_at)
       select gen_random_uuid(), business_id, api_user_id, 'Over', kind, sha256(('over' || n)::bytea), 'abcd', created_at, expires_at, now()
         from api_key, generate_series(1, 200) n where id = '${id}'`
    await service.sql(over)
    expect(await listed(id)).toBeDefined()
    expect(await listed(expired)).toBeUndefined()
    expect((await owner.post(`/v3/api-keys/${id}/reset`, {})).status).toBe(200)
  })

  it("are not made twice by a call that is repeated, and the key is not kept for it", async () => {
    await service.sql("delete from api_key where name in ('Many', 'Over')")
    const headers = { "idempotency-key": crypto.randomUUID() }
    const name = `Once ${headers["idempotency-key"]}`
    const ask = () => developer.post("/v3/api-keys", { name, kind: "demo" }, headers)
    const first = await ask()
    expect(first.status).toBe(200)
    expect((await ask()).status).toBe(409)
    const all: Json[] = (await developer.get("/v3/api-keys")).body
    expect(all.filter((key) => key.name === name)).toHaveLength(1)
  })
})
