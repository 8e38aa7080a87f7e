import { afterAll, beforeAll, describe, expect, it } from "vitest"
import {
  API,
  addMember,
  codeMailedTo,
  codeOf,
  PASSWORD,
  type Person,
  person,
  registered,
  tokenOf,
  withSecondFactor,
} from "../service/account.ts"
import { type Answer, type Api, call, type Json } from "../service/api.ts"
import { newPasskey } from "../service/authenticator.ts"
import {
  CLIENT,
  type Claims,
  type IdentityProvider,
  logInAtProvider,
  startProvider,
} from "../service/identity-provider.ts"
import { memberApi } from "../service/members.ts"
import { type Service, startService } from "../service/service.ts"
import { addBusiness } from "../service/users.ts"

const DOMAIN = "acme-sso.example"
const SETTINGS = "/v3/settings/single-sign-on"
const at = (name: string) => `${name}-${crypto.randomUUID().slice(0, 8)}@${DOMAIN}`

let service: Service
let provider: IdentityProvider
/** An owner whose address is of no granted domain. */
let owner: Api
/** What the provider tells of those who are not simply who they say. */
const told = new Map<string, Claims>()
const claimsOf = (login: string): Claims =>
  told.get(login) ?? { email: login, email_verified: true, name: "Ada Lovelace" }

beforeAll(async () => {
  service = await startService({ env: { IDENTITY_ALLOWED_HOSTS: "localhost" } })
  provider = await startProvider([`${service.url}/account/sso/callback/${service.business}`], claimsOf)
  owner = await memberApi(service, "owner")
  await service.paraph("admin", "grant-domain", "--business", service.business, "--domain", DOMAIN)
  await mustBeSet({})
}, 300_000)
afterAll(async () => {
  await service?.close()
  await provider?.close()
})

const settings = (more: object) => ({ issuer: provider.issuer, ...CLIENT, enforced: false, ...more })
async function mustBeSet(more: object): Promise<void> {
  const answer = await owner.put(SETTINGS, settings(more))
  if (answer.status !== 200) throw new Error(`Setting it answered ${answer.status}: ${answer.bytes}`)
}
async function start(who: Person, email: string, next?: string): Promise<string> {
  const answer = await who.post(`${API}/single-sign-on/start`, { email, ...(next && { next }) })
  if (answer.status !== 200) throw new Error(`The start answered ${answer.status}: ${answer.bytes}`)
  return answer.body.url
}
const pathOf = (url: URL) => url.pathname + url.search
/** There and back; answers where the browser stands at the end. */
async function goThrough(who: Person, email: string, login = email, next?: string): Promise<string> {
  const back = await logInAtProvider(await start(who, email, next), login)
  return locationOf(await who.get(pathOf(back)))
}
const locationOf = (answer: Answer): string => {
  expect(answer.status).toBe(303)
  return answer.headers.get("location") ?? ""
}
const refused = (why: string) => expect.stringContaining(`/account/login?sso=${why}`)
const isIn = async (who: Person) => (await who.get(API)).status === 200
/** A member of the business with an address of the granted domain, and nothing to log in with. */
async function member(name = "ada"): Promise<string> {
  const email = at(name)
  await service.sql(`
    with a as (insert into account (id, email, name, created_at) values (gen_random_uuid(), '${email}', 'Ada', now()) returning *),
      m as (insert into membership (business_id, account_id, role, created_at, accepted_at)
        select '${service.business}', id, 'admin', now(), now() from a)
    insert into api_user (id, business_id, username, created_at, account_id)
      select gen_random_uuid(), '${service.business}', email, now(), id from a`)
  return email
}

describe("how it is set up", () => {
  it("is for owners and admins, who never see the secret again", async () => {
    const { status, body } = await owner.get(SETTINGS)
    expect(status).toBe(200)
    expect(body).toEqual({
      issuer: provider.issuer,
      client_id: CLIENT.client_id,
      enforced: false,
      join: "nobody",
      domains: [DOMAIN],
      redirect_uri: `${service.url}/account/sso/callback/${service.business}`,
    })
    const byKey = await service.caller.get(SETTINGS)
    expect([byKey.status, byKey.body.key]).toEqual([403, "error.role.needed"])
    const developer = await memberApi(service, "developer")
    const answers = [
      developer.get(SETTINGS),
      developer.put(SETTINGS, settings({})),
      developer.delete(SETTINGS),
    ]
    for (const answer of answers) expect((await answer).status).toBe(403)
    // Whoever names the provider can come in as an owner.
    const admin = await memberApi(service, "admin")
    const byAdmin = [admin.get(SETTINGS), admin.put(SETTINGS, settings({})), admin.delete(SETTINGS)]
    expect((await Promise.all(byAdmin)).map(({ status }) => status)).toEqual([200, 403, 403])
    const kept = await service.sql("select encode(secret, 'escape') from single_sign_on")
    expect(kept).not.toContain(CLIENT.client_secret)
    const record = await service.sql(
      "select act, before, after from audit_log where act like '%single-sign-on'",
    )
    expect(record).toContain('"new_secret": true')
    expect(record).not.toContain(CLIENT.client_secret)
  })

  it.each([
    ["an address without TLS", { issuer: "http://login.example.org" }, 400],
    ["a page behind the name, by which the name would not be compared", { issuer: "/.well-known/x" }, 400],
    ["an address inside the network that the operator did not name", { issuer: "https://127.0.0.1:1" }, 400],
    ["another issuer with the secret of the first", { client_id: "other", client_secret: undefined }, 400],
    ["to lock all others out before it has worked", { enforced: true }, 409],
  ])("refuses %s", async (_, more, status) => {
    const { issuer = "" } = more as { issuer?: string }
    const body = { ...more, ...(issuer.startsWith("/") && { issuer: `${provider.issuer}${issuer}` }) }
    expect((await owner.put(SETTINGS, settings(body))).status).toBe(status)
  })

  it("takes each domain for one business", async () => {
    const other = await addBusiness(service, "Grasping AG")
    const grant = ["grant-domain", "--business", other, "--domain", DOMAIN.toUpperCase()]
    await expect(service.paraph("admin", ...grant)).rejects.toThrow("another business")
  })
})

describe("a login by the provider", () => {
  it("tells by the domain alone where to go, of no person", async () => {
    const ask = async (domain: string) =>
      (await person(service.url).post(`${API}/single-sign-on`, { domain })).body
    expect(await ask(DOMAIN.toUpperCase())).toEqual({ business: "Acme AG", enforced: false })
    expect(await ask("example.org")).toEqual({})
    const foreign = await person(service.url).post(
      `${API}/single-sign-on`,
      { domain: DOMAIN },
      { origin: "https://evil.example" },
    )
    expect(foreign.status).toBe(403)
  })

  it("opens the account of a member, who acts for the business, and changes nothing that opens it", async () => {
    const email = await member()
    const who = person(service.url)
    expect(await goThrough(who, email, email, "/console/requests")).toBe("/console/requests")
    expect((await who.get(API)).body.email).toBe(email)
    const { status } = await call(
      service.url,
      "GET",
      "/v3/groups",
      undefined,
      await tokenOf(who, service.business),
    )
    expect(status).toBe(200)
    for (const path of ["/password", "/totp", "/passkeys/options"]) {
      const answer = await who.post(`${API}${path}`, { password: "another long walk by the lake" })
      expect([answer.status, answer.body.key]).toEqual([403, "error.account.own_login_needed"])
    }
    const events = (await who.get(`${API}/events`)).body.events
    expect(events[0]).toMatchObject({ act: "logged-in", detail: "single sign-on" })
  })

  it("counts once, in the browser that began it, at the address of its own business", async () => {
    const email = await member()
    const [who, other] = [person(service.url), person(service.url)]
    const back = await logInAtProvider(await start(who, email), email)
    // Another browser, which has begun one of its own; and none at all.
    await start(other, email)
    expect(locationOf(await other.get(pathOf(back)))).toEqual(refused("again"))
    expect(locationOf(await person(service.url).get(pathOf(back)))).toEqual(refused("again"))
    // At the address of another business, as where one provider poses as another (RFC 9700, 4.4).
    const elsewhere = pathOf(back).replace(service.business, await addBusiness(service, "Elsewhere AG"))
    expect(locationOf(await who.get(elsewhere))).toEqual(refused("again"))
    expect(await isIn(who)).toBe(false)
    // None of them has used it up.
    expect(locationOf(await who.get(pathOf(back)))).toBe("/account/security")
    expect(locationOf(await who.get(pathOf(back)))).toEqual(refused("again"))
    expect(await isIn(other)).toBe(false)
  })

  it("does not take an answer that names another issuer, nor a code of another one's way", async () => {
    const email = await member()
    const who = person(service.url)
    const posed = await logInAtProvider(await start(who, email), email)
    posed.searchParams.set("iss", "https://login.evil.example")
    expect(locationOf(await who.get(pathOf(posed)))).toEqual(refused("unproved"))
    const bare = await logInAtProvider(await start(who, email), email)
    bare.searchParams.delete("iss")
    expect(locationOf(await who.get(pathOf(bare)))).toEqual(refused("unproved"))
    // Somebody else's code, put into the answer to one's own (PKCE).
    const [mine, theirs] = [person(service.url), person(service.url)]
    const stolen = await logInAtProvider(await start(theirs, email), email)
    const own = await logInAtProvider(await start(mine, email), email)
    own.searchParams.set("code", stolen.searchParams.get("code") ?? "")
    expect(locationOf(await mine.get(pathOf(own)))).toEqual(refused("unproved"))
    for (const each of [who, mine]) expect(await isIn(each)).toBe(false)
  })

  it.each([
    ["an address that the provider does not vouch for", "email-unverified", { email_verified: false }],
    ["one that it does not say so of", "email-unverified", { email_verified: undefined }],
    ["a word that is no yes", "email-unverified", { email_verified: "true" }],
    ["no address at all", "email-unverified", { email: undefined }],
    ["an address of another domain", "other-domain", { email: "ceo@victim.example" }],
    ["one that ends like it", "other-domain", { email: `eve@not${DOMAIN}` }],
    ["one that has it in the midst", "other-domain", { email: `eve@${DOMAIN}.evil.example` }],
    ["one in whose name it stands", "email-unverified", { email: `"eve@${DOMAIN}"@evil.example` }],
    ["one that is two", "email-unverified", { email: `eve@evil.example,ada@${DOMAIN}` }],
    ["somebody who is no member", "no-member", { email: at("stranger") }],
  ])("refuses %s", async (_, why, claims) => {
    const email = at("plain")
    told.set("odd", { email, email_verified: true, ...claims })
    const who = person(service.url)
    expect(await goThrough(who, email, "odd")).toEqual(refused(why))
    expect(await isIn(who)).toBe(false)
  })

  it("knows people by the provider's own name for them, not by an address that was given to somebody else", async () => {
    const email = await member()
    expect(await goThrough(person(service.url), email)).toBe("/account/security")
    told.set("successor", { email, email_verified: true })
    expect(await goThrough(person(service.url), email, "successor")).toEqual(refused("other-person"))
    // Whoever looks after the members settles it.
    const of = ["--business", service.business, "--email", email]
    await service.paraph("admin", "remove-member", ...of)
    await addMember(service, email)
    expect(await goThrough(person(service.url), email, "successor")).toBe("/account/security")
  })

  it("opens what is of this business, and nothing of another that the person works for too", async () => {
    const email = await member()
    const business = await addBusiness(service, "Second AG")
    const of = ["--business", business, "--email", email, "--name", "Ada", "--role", "owner"]
    await service.paraph("admin", "add-member", ...of)
    const who = person(service.url)
    await goThrough(who, email)
    const token = (businessId: string) => who.post(`${API}/token`, { businessId, kind: "demo" })
    expect([(await token(service.business)).status, (await token(business)).status]).toEqual([200, 404])
    const { businesses } = (await who.get(API)).body
    expect(businesses).toMatchObject([{ businessId: service.business }])
  })

  it("asks for the authenticator app of whoever has one", async () => {
    const email = at("app")
    const { secret } = await withSecondFactor(await registered(service.url, email))
    await addMember(service, email)
    const who = person(service.url)
    const at2 = await goThrough(who, email, email, "/view/6f1c")
    const [, step = ""] = /^\/account\/login\?next=%2Fview%2F6f1c#second=([\w-]+)$/.exec(at2) ?? []
    expect(step).not.toBe("")
    expect(await isIn(who)).toBe(false)
    const wrong = await who.post(`${API}/login/second`, { step, code: "000000" })
    expect(wrong.status).toBe(400)
    const done = await who.post(`${API}/login/second`, { step, code: codeOf(secret) })
    expect(done.status).toBe(200)
    const { events } = (await who.get(`${API}/events`)).body
    expect(events[0].detail).toBe("single sign-on and second factor")
    expect((await who.post(`${API}/password`, { password: PASSWORD })).body.key).toBe(
      "error.account.own_login_needed",
    )
  })

  it("goes nowhere else afterwards, whatever it is asked for", async () => {
    for (const next of [
      "https://evil.example/",
      "//evil.example/",
      "/\\evil.example",
      "/view//x",
      "/app/api",
    ]) {
      const answer = await person(service.url).post(`${API}/single-sign-on/start`, { email: at("x"), next })
      expect(answer.status).toBe(400)
    }
  })

  it("[B11] makes a member of somebody new where the business says so, but not of whom it has taken out", async () => {
    const [email, clash] = [at("new"), at("integration")]
    await service.paraph("admin", "create-user", "--business", service.business, "--username", clash)
    await mustBeSet({ join: "member" })
    told.set(email, { email, email_verified: true, name: "Ada\r\n\u202eLove\u200blace" })
    const who = person(service.url)
    expect(await goThrough(who, email)).toBe("/account/security")
    const { body } = await who.get(API)
    // The provider's word for them is this business's; their own name is theirs to give.
    expect(body).toMatchObject({ email, name: email, businesses: [{ role: "member" }] })
    const members: Json[] = (await owner.get("/v3/members")).body
    expect(members.find((each) => each.email === email)).toMatchObject({ name: "Ada Lovelace" })
    await service.paraph("admin", "remove-member", "--business", service.business, "--email", email)
    // The login that this provider opened ends with the membership.
    expect(await isIn(who)).toBe(false)
    expect(await goThrough(person(service.url), email)).toEqual(refused("no-member"))
    // Access lists name people by their address, and this is the name of a key's user.
    expect(await goThrough(person(service.url), clash)).toEqual(refused("no-member"))
    expect(await service.sql(`select count(*) from account where email = '${clash}'`)).toBe("0")
    await mustBeSet({})
  })
})

describe("where the business wants nothing else", () => {
  it("no password, mailbox or login of before opens what is a member's, until it is over", async () => {
    const email = at("boss")
    const before = await registered(service.url, email)
    await addMember(service, email, "owner")
    const passkey = newPasskey(service.url)
    const { body: made } = await before.post(`${API}/passkeys/options`)
    const kept = { step: made.step, response: passkey.register(made.options), name: "My key" }
    const { body: added } = await before.post(`${API}/passkeys`, kept)
    const token = await tokenOf(before, service.business)
    const who = person(service.url)
    await goThrough(who, email)
    const enforcing = await call(
      service.url,
      "PUT",
      SETTINGS,
      settings({ enforced: true }),
      await tokenOf(who, service.business),
    )
    expect(enforcing.status).toBe(200)
    const groups = (headers: Record<string, string>) =>
      call(service.url, "GET", "/v3/groups", undefined, headers)

    const byPassword = await person(service.url).post(`${API}/login`, { email, password: PASSWORD })
    expect([byPassword.status, byPassword.body.key]).toEqual([403, "error.account.single_sign_on_needed"])
    // Nobody learns of it but who has the password.
    const guessed = await person(service.url).post(`${API}/login`, { email, password: "no such password" })
    expect([guessed.status, guessed.body.key]).toEqual([401, "error.auth.credentials_invalid"])
    const bare = person(service.url)
    const { body: options } = await bare.post(`${API}/login/passkey/options`)
    const proof = { step: options.step, response: passkey.logIn(options.options) }
    const byPasskey = await bare.post(`${API}/login/passkey/verify`, proof)
    expect([byPasskey.status, byPasskey.body.key]).toEqual([403, "error.account.single_sign_on_needed"])
    const lost = person(service.url)
    const code = await codeMailedTo(email, () => lost.post(`${API}/recover`, { email }))
    const recovery = { email, code, password: `${PASSWORD}!` }
    const recovered = await lost.post(`${API}/recover/confirm`, {
      ...recovery,
      second: added.recoveryCodes[0],
    })
    expect(recovered.body.key).toBe("error.account.single_sign_on_needed")
    expect(await isIn(before)).toBe(false)
    // Nor would a login that was under way just then.
    before.cookies.set("paraph-account", "late")
    await service.sql(`
      insert into account_session (id, id_hash, account_id, created_at, seen_at, browser, network)
        select gen_random_uuid(), sha256('late'), id, now(), now(), '', '' from account where email = '${email}'`)
    expect(await isIn(before)).toBe(true)
    const late = await before.post(`${API}/token`, { businessId: service.business, kind: "demo" })
    expect(late.status).toBe(404)
    await expect.poll(async () => (await groups(token)).status).toBe(401)
    // Who came by the provider goes on, and so does the owner, whose address is of another domain.
    expect((await groups(await tokenOf(who, service.business))).status).toBe(200)
    expect((await owner.get("/v3/groups")).status).toBe(200)

    // An account that was made for somebody has a mailbox to be opened by, but for this.
    const fresh = await member("fresh")
    const newcomer = person(service.url)
    const first = await codeMailedTo(fresh, () => newcomer.post(`${API}/register`, { email: fresh }))
    const named = { email: fresh, code: first, name: "Fresh", password: PASSWORD }
    expect((await newcomer.post(`${API}/register/confirm`, named)).body.key).toBe(
      "error.account.single_sign_on_needed",
    )

    await service.paraph("admin", "revoke-domain", "--domain", DOMAIN)
    expect(await isIn(who)).toBe(false)
    const again = await person(service.url).post(`${API}/login`, { email, password: PASSWORD })
    expect(again.status).toBe(200)
    await service.paraph("admin", "grant-domain", "--business", service.business, "--domain", DOMAIN)
    await mustBeSet({})
  })
})

describe("the end of it", () => {
  it("comes after half a day, when the provider is asked again, and when it is replaced or switched off", async () => {
    const email = await member()
    const [one, two] = [person(service.url), person(service.url)]
    await goThrough(one, email)
    service.moveClock(11.9 * 3_600_000)
    expect(await isIn(one)).toBe(true)
    service.moveClock(12.1 * 3_600_000)
    expect(await isIn(one)).toBe(false)
    expect((await one.get(`${API}/sessions`)).status).toBe(401)
    service.moveClock(0)
    await goThrough(two, email)
    const under = await logInAtProvider(await start(one, email), email)
    expect((await owner.put(SETTINGS, settings({ client_id: "another" }))).status).toBe(200)
    expect(await isIn(two)).toBe(false)
    expect(locationOf(await one.get(pathOf(under)))).toEqual(refused("again"))
    await mustBeSet({})
    await goThrough(two, email)
    expect((await owner.delete(SETTINGS)).status).toBe(204)
    expect(await isIn(two)).toBe(false)
    expect((await owner.delete(SETTINGS)).status).toBe(404)
    expect((await two.post(`${API}/single-sign-on/start`, { email })).status).toBe(404)
  })
})
