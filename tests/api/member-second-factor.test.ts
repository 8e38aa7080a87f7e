import { afterAll, beforeAll, describe, expect, it } from "vitest"
import {
  API,
  addMember,
  codeOf,
  PASSWORD,
  type Person,
  person,
  registered,
  withSecondFactor,
} from "../service/account.ts"
import { call } from "../service/api.ts"
import { memberApi } from "../service/members.ts"
import { newAddress } from "../service/requests.ts"
import { type Service, startService } from "../service/service.ts"
import { until } from "../service/until.ts"

const NEEDED = [403, "error.account.second_factor_needed"]

describe("[ASVS 6.3.3] a second factor that a business requires of its members", () => {
  let service: Service
  beforeAll(async () => {
    service = await startService()
  })
  afterAll(() => service?.close())

  const member = async (role: string): Promise<{ who: Person; email: string }> => {
    const email = newAddress(role)
    await addMember(service, email, role)
    return { who: await registered(service.url, email), email }
  }
  const tokenFor = (who: Person) => who.post(`${API}/token`, { businessId: service.business, kind: "demo" })
  const settings = async (who: Person, method: "GET" | "PATCH", body?: object) => {
    const { token } = (await tokenFor(who)).body
    return call(service.url, method, "/v3/settings", body, { authorization: `Bearer ${token}` })
  }
  const logInStrongly = async (email: string, secret: string): Promise<Person> => {
    const who = person(service.url)
    const { step } = (await who.post(`${API}/login`, { email, password: PASSWORD })).body
    expect((await who.post(`${API}/login/second`, { step, code: codeOf(secret) })).status).toBe(200)
    return who
  }
  const change = (who: Person, to: string) => settings(who, "PATCH", { member_second_factor: to })

  it("is switched on and off by an owner with a factor; members without one get no token until they have it", async () => {
    const [owner, colleague] = [await member("owner"), await member("member")]
    const weak = await change(owner.who, "REQUIRED")
    expect([weak.status, weak.body.key]).toEqual(NEEDED)

    const { secret } = await withSecondFactor(owner.who)
    const strong = await logInStrongly(owner.email, secret)
    const before = (await tokenFor(colleague.who)).body.token
    expect((await change(strong, "REQUIRED")).body.member_second_factor).toBe("REQUIRED")

    const refused = await tokenFor(colleague.who)
    expect([refused.status, refused.body.key]).toEqual(NEEDED)
    const headers = { authorization: `Bearer ${before}` }
    await until("the token of before is dead", async () => {
      const { status } = await call(service.url, "GET", "/v3/settings", undefined, headers)
      return status === 401
    })
    expect((await colleague.who.get(API)).body.businesses[0].needsFactor).toBe(true)

    // Nobody is locked out: the member sets one up, and logs in with it.
    const own = await withSecondFactor(colleague.who)
    expect((await tokenFor(colleague.who)).status).toBe(403)
    const again = await logInStrongly(colleague.email, own.secret)
    expect((await settings(again, "GET")).body.member_second_factor).toBe("REQUIRED")
    expect((await again.get(API)).body.businesses[0].needsFactor).toBeUndefined()

    try {
      service.moveClock(16 * 60_000)
      const late = await change(strong, "OPTIONAL")
      expect([late.status, late.body.key]).toEqual([403, "error.account.login_again"])
    } finally {
      service.moveClock(0)
    }
    expect((await change(strong, "OPTIONAL")).status).toBe(200)
    expect((await tokenFor(colleague.who)).status).toBe(200)
    const acts = await service.sql(
      `select string_agg(after->>'members', ' ' order by id) from audit_log where act = 'set-member-second-factor'`,
    )
    expect(acts).toBe("REQUIRED OPTIONAL")
  })

  it("may be that of the business's provider, where the business says so, and in that business alone", async () => {
    const email = newAddress("provider")
    await addMember(service, email, "member")
    const who = await registered(service.url, email)
    const tokens = async (rule: string) => {
      await service.paraph(
        "admin",
        "set-member-second-factor",
        "--business",
        service.business,
        "--members",
        rule,
      )
      return (await tokenFor(who)).status
    }
    const bySingleSignOn = (hasFactor: boolean, business = service.business) =>
      service.sql(`update account_session s set sso_business_id = '${business}', provider_factor = ${hasFactor}
        from account a where a.id = s.account_id and a.email = '${email}'`)
    await bySingleSignOn(true)
    expect([await tokens("OPTIONAL"), await tokens("REQUIRED")]).toEqual([200, 403])
    expect(await tokens("REQUIRED_OR_PROVIDER")).toBe(200)
    await bySingleSignOn(false)
    expect((await tokenFor(who)).status).toBe(403)
    await tokens("OPTIONAL")
  })
})

it("[ASVS 6.3.3] is required by the operator in every business, whatever the business says", async () => {
  const service = await startService({ env: { MEMBERS_SECOND_FACTOR: "required" }, worker: false })
  try {
    // Logged in by a password alone, so there is no token.
    const weak = await memberApi(service, "owner")
    expect((await weak.get("/v3/settings")).status).toBe(401)
  } finally {
    await service.close()
  }
})
