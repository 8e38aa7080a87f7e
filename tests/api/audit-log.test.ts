import { afterAll, beforeAll, expect, it } from "vitest"
import type { Api, Json } from "../service/api.ts"
import { memberApi } from "../service/members.ts"
import { newAddress } from "../service/requests.ts"
import { type Service, startService } from "../service/service.ts"
import { addBusiness } from "../service/users.ts"

let service: Service
let owner: Api & { readonly email: string }
let stranger: Api
beforeAll(async () => {
  service = await startService({ worker: false })
  const business = await addBusiness(service, "Other AG")
  ;[owner, stranger] = await Promise.all([
    memberApi(service, "owner"),
    memberApi(service, "owner", { business }),
  ])
}, 300_000)
afterAll(() => service?.close())

it("has one row for each act on people and keys: who, what, when, before and after; the newest first", async () => {
  const email = newAddress("audited")
  const { id } = (await owner.post("/v3/members", { email, role: "member" })).body
  await owner.put(`/v3/members/${id}`, { role: "developer" })
  await owner.put(`/v3/members/${id}`, { role: "developer" })
  await owner.delete(`/v3/members/${id}`)
  const key = (await owner.post("/v3/api-keys", { name: "Shop", kind: "production" })).body
  await owner.patch(`/v3/api-keys/${key.id}`, { name: "Shop 2" })
  const reset = (await owner.post(`/v3/api-keys/${key.id}/reset`, {})).body
  await owner.delete(`/v3/api-keys/${reset.id}`)
  await owner.delete(`/v3/api-keys/${reset.id}`)
  // What is refused is not in it.
  await owner.put(`/v3/members/${id}`, { role: "owner" })

  const { body } = await owner.get("/v3/audit-log?page_size=8")
  const user = key.username
  const of = { user, kind: "production" }
  expect(body.map(({ act, target, before, after }: Json) => [act, target, before, after])).toEqual([
    ["revoke-key", `key ${reset.id}`, { ...of, name: "Shop 2", expires: reset.expires_at }, anything()],
    [
      "reset-key",
      `key ${key.id}`,
      { ...of, name: "Shop 2", expires: key.expires_at },
      { key: reset.id, expires: reset.expires_at },
    ],
    ["rename-key", `key ${key.id}`, { name: "Shop" }, { name: "Shop 2" }],
    ["create-key", `key ${key.id}`, undefined, { ...of, name: "Shop", expires: key.expires_at }],
    ["create-user", `user ${user}`, undefined, undefined],
    ["remove-member", `person ${email}`, { role: "developer" }, { role: null }],
    ["change-role", `person ${email}`, { role: "member" }, { role: "developer" }],
    ["invite-member", `person ${email}`, undefined, { role: "member" }],
  ])
  for (const { actor, at } of body) {
    expect(actor).toBe(owner.email)
    expect(Math.abs(Date.now() - Date.parse(at))).toBeLessThan(60_000)
  }
  for (const { api_key: secret } of [key, reset]) expect(JSON.stringify(body)).not.toContain(secret.slice(-8))
})

const anything = () => expect.anything()

it("tells what the operator did, and not who used the shell; of another business it tells nothing", async () => {
  const words = ["admin", "set-retention", "--business", service.business, "--days", "44"]
  await service.paraph(...words)
  const [entry] = (await owner.get("/v3/audit-log?page_size=1")).body
  expect(entry).toMatchObject({ act: "set-retention", actor: "operator", after: { days: 44 } })
  expect(Object.keys(entry).toSorted()).toEqual(["act", "actor", "after", "at", "before", "id", "target"])
  const others = (await stranger.get("/v3/audit-log?page_size=500")).bytes.toString()
  expect(others).not.toContain(service.business)
  expect(others).not.toContain(owner.email)
})

it("is read page by page, each entry once, also while it grows", async () => {
  const all: Json[] = (await owner.get("/v3/audit-log?page_size=500")).body
  const seen: string[] = []
  let path: string | null = "/v3/audit-log?page_size=3"
  while (path !== null) {
    const page: { headers: Headers; body: Json } = await owner.get(path)
    seen.push(...page.body.map(({ id }: Json) => id))
    await owner.post("/v3/api-keys", { name: "Meanwhile", kind: "demo", username: service.username })
    const next = /<([^>]+)>; rel="next"/.exec(page.headers.get("link") ?? "")?.[1]
    path = next === undefined ? null : next.replace(service.url, "")
  }
  expect(seen).toEqual(all.map(({ id }) => id))
  for (const query of ["page_size=0", "page_size=501", "cursor=x", "page=2"])
    expect((await owner.get(`/v3/audit-log?${query}`)).status).toBe(400)
})

it("is for owners and admins", async () => {
  const [admin, developer, member] = await Promise.all(
    (["admin", "developer", "member"] as const).map((role) => memberApi(service, role)),
  )
  const statuses = await Promise.all(
    [owner, admin, developer, member, service.caller].map(
      async (by) => (await (by as Api).get("/v3/audit-log")).status,
    ),
  )
  expect(statuses).toEqual([200, 200, 403, 403, 403])
})
