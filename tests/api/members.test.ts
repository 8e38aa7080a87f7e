import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { API, addMember, type Person, registered } from "../service/account.ts"
import { type Answer, type Api, call, type Json } from "../service/api.ts"
import { mailsTo } from "../service/mailbox.ts"
import { memberApi } from "../service/members.ts"
import { createRequest, newAddress, uploadTo } from "../service/requests.ts"
import { type Service, startService } from "../service/service.ts"
import { until } from "../service/until.ts"
import { addBusiness, addUser } from "../service/users.ts"

type MemberApi = Api & { readonly email: string }

let service: Service
let owner: MemberApi
let admin: MemberApi
let developer: MemberApi
let member: MemberApi
let stranger: MemberApi
beforeAll(async () => {
  service = await startService({ env: { MAILS_PER_RECIPIENT: "2" } })
  const business = await addBusiness(service, "Other AG")
  ;[owner, admin, developer, member, stranger] = await Promise.all([
    memberApi(service, "owner"),
    memberApi(service, "admin"),
    memberApi(service, "developer"),
    memberApi(service, "member"),
    memberApi(service, "owner", { business }),
  ])
}, 300_000)
afterAll(() => service?.close())

const told = ({ status, body }: Answer) => [status, body?.key ?? body?.detail ?? body?.role ?? null]
const list = async (by: Api = owner): Promise<Json[]> => (await by.get("/v3/members")).body
const find = async (email: string, by: Api = owner): Promise<Json> =>
  (await list(by)).find((one) => one.email === email)
const idOf = async (who: MemberApi): Promise<string> => (await find(who.email)).id
const add = (by: Api, role: string, email = newAddress(role), more: object = {}) =>
  by.post("/v3/members", { email, role, ...more })
const NEEDED = [403, "error.role.needed"]
const say = (who: Person, what: "accept" | "decline", body: object = {}, business = service.business) =>
  who.post(`${API}/invitations/${business}/${what}`, body)
const tokenFor = (who: Person, businessId = service.business) =>
  who.post(`${API}/token`, { businessId, kind: "demo" })

describe("the members of a business", () => {
  it("are listed to each other, and to nobody else", async () => {
    for (const by of [owner, admin, developer, member])
      expect((await list(by)).map(({ email }) => email)).toEqual(
        expect.arrayContaining([owner, admin, developer, member].map(({ email }) => email)),
      )
    expect(await find(owner.email)).toMatchObject({ role: "owner", registered: true, name: "Ada Lovelace" })
    expect(await find(member.email, stranger)).toBeUndefined()
    expect(told(await service.caller.get("/v3/members"))).toEqual(NEEDED)
  })

  it("are invited by mail in their language, and come in by proving the address and accepting", async () => {
    const email = newAddress("newcomer")
    const added = await add(admin, "developer", email, { name: "Nora New", language: "de" })
    expect(added.body).toMatchObject({
      email,
      role: "developer",
      name: "Nora New",
      registered: false,
      accepted_at: null,
    })
    expect(added.body).not.toHaveProperty("last_seen_at")
    const [mail] = await until("the mail comes", async () => {
      const mails = await mailsTo(email)
      return mails.length > 0 && mails
    })
    expect(mail?.subject).toBe("Acme AG lädt Sie bei Paraph ein")
    expect(mail?.text.replaceAll("\u200C", "")).toContain(admin.email)
    expect(mail?.text).toContain(`${service.url}/account/register`)

    const who = await registered(service.url, email, "Nora Newman")
    // Until she has been here, she is called what she was called here.
    expect(await find(email)).toMatchObject({ name: "Nora New", registered: true })
    expect((await say(who, "accept", { role: "developer" })).status).toBe(204)
    const { body } = await tokenFor(who)
    const ask = (path: string) =>
      call(service.url, "GET", path, undefined, { authorization: `Bearer ${body.token}` })
    expect((await ask("/v3/api-keys")).status).toBe(200)
    const seen = await until("she was seen", async () => {
      const found = await find(email)
      return found.last_seen_at !== undefined && found
    })
    expect(seen).toMatchObject({ name: "Nora Newman", registered: true })
  })

  it("who were invited are nothing here until they accept: no token, no reading, no sender, no administrator", async () => {
    const email = newAddress("unasked")
    const who = await registered(service.url, email)
    await add(owner, "admin", email)
    const documentId = await uploadTo(service.caller, "v3")
    const request = await createRequest(service.caller, "v3", documentId, { read_access: [email] })
    const { body } = await who.get(API)
    expect(body.businesses).toEqual([])
    const invitation = { businessId: service.business, name: "Acme AG", role: "admin", by: owner.email }
    expect(body.invitations).toEqual([{ ...invitation, at: expect.any(String) }])
    const opens = async () => [
      (await tokenFor(who)).status,
      (await who.get(`/view/${request.body.id}`)).headers.get("location")?.split("?")[0],
    ]
    expect(await opens()).toEqual([404, "/account/wrong"])

    // Nobody says yes for them, nor to something else than they were shown, nor from another page.
    const other = await registered(service.url, newAddress("other"))
    expect((await say(other, "accept", { role: "admin" })).status).toBe(404)
    expect((await say(who, "accept", { role: "member" })).status).toBe(400)
    const elsewhere = { origin: "https://evil.example" }
    const path = `${API}/invitations/${service.business}/accept`
    expect((await who.post(path, { role: "admin" }, elsewhere)).status).toBe(403)
    expect(await opens()).toEqual([404, "/account/wrong"])

    expect((await say(who, "accept", { role: "admin" })).status).toBe(204)
    expect(await opens()).toEqual([200, `/console/requests/${request.body.id}`])
    expect((await find(email)).accepted_at).toMatch(/^20/)
    expect((await say(who, "decline")).status).toBe(404)
    const [entry] = (await owner.get("/v3/audit-log?page_size=1")).body
    expect(entry).toMatchObject({ act: "accept-membership", actor: email, after: { role: "admin" } })
  })

  it("who decline are gone, on record, and whom the operator adds are there at once", async () => {
    const email = newAddress("decliner")
    const who = await registered(service.url, email)
    await add(owner, "member", email)
    expect((await say(who, "decline")).status).toBe(204)
    expect(await find(email)).toBeUndefined()
    expect((await who.get(API)).body).toMatchObject({ businesses: [], invitations: [] })
    const [entry] = (await owner.get("/v3/audit-log?page_size=1")).body
    expect(entry).toMatchObject({ act: "decline-membership", actor: email, before: { role: "member" } })
    await addMember(service, email, "developer")
    expect(await find(email)).toMatchObject({ role: "developer", accepted_at: expect.any(String) })
    expect((await tokenFor(who)).status).toBe(200)
  })

  it("who were invited are no sender of a request, and no owner to leave the business to", async () => {
    const email = newAddress("unasked")
    const who = await registered(service.url, email)
    await add(owner, "owner", email)
    const documentId = await uploadTo(service.caller, "v3")
    const asSender = async () =>
      (await createRequest(service.caller, "v3", documentId, { creator: email })).status
    expect(await asSender()).toBe(400)
    const business = await addBusiness(service, "Hasty AG")
    const first = await memberApi(service, "owner", { business })
    const leave = async () =>
      (await first.delete(`/v3/members/${(await find(first.email, first)).id}`)).status
    expect((await add(first, "owner", email)).status).toBe(200)
    expect(await leave()).toBe(409)
    const mistaken = (await add(first, "owner")).body.id
    expect((await first.delete(`/v3/members/${mistaken}`)).status).toBe(204)
    for (const each of [service.business, business]) await say(who, "accept", { role: "owner" }, each)
    expect([await asSender(), await leave()]).toEqual([200, 204])
  })

  it("who have an account are told where to go, and another business learns their name from themselves alone", async () => {
    const email = newAddress("known")
    await registered(service.url, email, "Secret Agent")
    const { body } = await add(stranger, "member", email.toUpperCase().replace("EXAMPLE.ORG", "example.org"))
    expect([body.email, body.name, body.registered]).toEqual([email, email, true])
    const mail = await until("the mail comes", async () =>
      (await mailsTo(email)).find(({ subject }) => subject === "Other AG invites you on Paraph"),
    )
    expect(mail.text).toContain(`${service.url}/console/`)
    expect((await stranger.get("/v3/members")).bytes.toString()).not.toContain("Secret Agent")
  })

  it.each([
    ["owner", ["owner", "admin", "developer", "member"]],
    ["admin", ["developer", "member"]],
    ["developer", []],
    ["member", []],
  ] as const)("role %s adds, changes and removes these alone: %j", async (role, may) => {
    const by = { owner, admin, developer, member }[role]
    for (const other of ["owner", "admin", "developer", "member"] as const) {
      const allowed = (may as readonly string[]).includes(other)
      expect([other, told(await add(by, other))]).toEqual([other, allowed ? [200, other] : NEEDED])
      const { id } = (await add(owner, other)).body
      const changed = told(await by.put(`/v3/members/${id}`, { role: "member" }))
      expect([other, changed]).toEqual([other, allowed ? [200, "member"] : NEEDED])
      if (!allowed) expect((await by.delete(`/v3/members/${id}`)).status).toBe(403)
      const raised = told(await by.put(`/v3/members/${id}`, { role: "admin" }))
      expect([other, raised]).toEqual([other, role === "owner" ? [200, "admin"] : NEEDED])
    }
    const { id } = (await add(owner, "member")).body
    const removed = await by.delete(`/v3/members/${id}`)
    expect(told(removed)).toEqual(may.length > 0 ? [204, null] : NEEDED)
  })

  it("nobody gives themselves more, and no API key manages people", async () => {
    for (const [who, role] of [
      [admin, "owner"],
      [developer, "admin"],
      [member, "owner"],
    ] as const)
      expect(told(await who.put(`/v3/members/${await idOf(who)}`, { role }))).toEqual(NEEDED)
    expect(told(await add(service.caller, "member"))).toEqual(NEEDED)
    expect(told(await service.caller.delete(`/v3/members/${await idOf(member)}`))).toEqual(NEEDED)
  })

  it("of another business are not there", async () => {
    const id = await idOf(member)
    expect((await stranger.put(`/v3/members/${id}`, { role: "owner" })).status).toBe(404)
    expect((await stranger.delete(`/v3/members/${id}`)).status).toBe(404)
    expect((await find(member.email)).role).toBe("member")
  })

  it("are not added twice, nor under the name of an API user", async () => {
    expect(told(await add(owner, "admin", member.email))).toEqual([
      400,
      "This person is a member already, or invited.",
    ])
    expect((await find(member.email)).role).toBe("member")
    const name = newAddress("integration")
    await addUser(service, name)
    expect((await add(owner, "member", name)).status).toBe(400)
    for (const email of ["nobody", "a@b@c", `${"x".repeat(250)}@example.org`])
      expect((await add(owner, "member", email)).status).toBe(400)
    expect((await add(owner, "operator")).status).toBe(400)
  })

  it("[R03] who are removed are out within 5 seconds, with what they set up, and their account stays", async () => {
    const email = newAddress("leaving")
    const who = await registered(service.url, email)
    const { id } = (await add(owner, "developer", email)).body
    await say(who, "accept", { role: "developer" })
    const token = async () => (await tokenFor(who)).body?.token
    const authorization = `Bearer ${await token()}`
    const ask = (method: string, path: string, sent?: unknown) =>
      call(service.url, method, path, sent, { authorization })
    await ask("POST", "/v3/webhooks", { url: "https://hooks.example.org/left" })
    expect((await admin.delete(`/v3/members/${id}`)).status).toBe(204)
    await until("the token is dead", async () => (await ask("GET", "/v3/members")).status === 401, 4_000)
    expect(await find(email)).toBeUndefined()
    expect((await admin.delete(`/v3/members/${id}`)).status).toBe(404)
    const stopped = await service.sql(
      `select count(*) from webhook w join api_user u on u.id = w.owner_id
        where u.account_id = '${id}' and w.stopped_at is not null`,
    )
    expect(stopped.trim()).toBe("1")
    expect((await who.get(API)).body).toMatchObject({ email, businesses: [] })
    expect(await token()).toBeUndefined()
  })

  it("may leave by themselves, whatever they are, but for the last owner, who stays", async () => {
    const leaving = await memberApi(service, "member")
    expect((await leaving.delete(`/v3/members/${await idOf(leaving)}`)).status).toBe(204)
    const business = await addBusiness(service, "Lonely AG")
    const first = await memberApi(service, "owner", { business })
    const { id } = await find(first.email, first)
    const LAST = [409, "error.member.last_owner"]
    expect(told(await first.delete(`/v3/members/${id}`))).toEqual(LAST)
    expect(told(await first.put(`/v3/members/${id}`, { role: "admin" }))).toEqual(LAST)
    // Nor does the operator leave a business without one, nor the database, whoever asks it.
    const of = ["--business", business, "--email", first.email]
    for (const words of [
      ["remove-member", ...of],
      ["add-member", ...of, "--name", "A", "--role", "admin"],
    ])
      await expect(service.paraph("admin", ...words)).rejects.toThrow("Make somebody else an owner first.")
    const behind = service.sql(`delete from membership where business_id = '${business}'`)
    await expect(behind).rejects.toThrow("the last owner of a business stays")
    const second = await memberApi(service, "owner", { business })
    const { id: other } = await find(second.email, second)
    // Each of the two takes the other's role at the same time: one of them stays, and the other is no owner any more by then.
    const answers = await Promise.all([
      first.put(`/v3/members/${other}`, { role: "member" }),
      second.put(`/v3/members/${id}`, { role: "member" }),
    ])
    expect(answers.map(told)).toEqual(expect.arrayContaining([[200, "member"], NEEDED]))
  })

  it("are written to no more often than a business may write", async () => {
    const email = newAddress("often")
    const statuses: number[] = []
    for (let n = 0; n < 3; n++) {
      const { status, body } = await add(owner, "member", email)
      statuses.push(status)
      if (status === 200) await owner.delete(`/v3/members/${body.id}`)
    }
    expect(statuses).toEqual([200, 200, 429])
    expect(await find(email)).toBeUndefined()
  })
})
