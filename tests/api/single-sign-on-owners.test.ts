import { afterAll, beforeAll, expect, it } from "vitest"
import { API, person, tokenOf } from "../service/account.ts"
import { type Api, call, type Json } from "../service/api.ts"
import {
  CLIENT,
  type IdentityProvider,
  logInAtProvider,
  startProvider,
} from "../service/identity-provider.ts"
import { mailsComeTo, mailsTo } from "../service/mailbox.ts"
import { memberApi } from "../service/members.ts"
import { type Service, startService } from "../service/service.ts"
import { until } from "../service/until.ts"
import { addBusiness } from "../service/users.ts"

const DOMAIN = "acme-owners.example"
const SETTINGS = "/v3/settings/single-sign-on"

let service: Service
let provider: IdentityProvider
let owner: Api & { readonly email: string }
beforeAll(async () => {
  service = await startService({ env: { IDENTITY_ALLOWED_HOSTS: "localhost" } })
  const redirectUri = `${service.url}/account/sso/callback/${service.business}`
  provider = await startProvider([redirectUri], (email) => ({ email, email_verified: true }))
  owner = await memberApi(service, "owner")
  await service.paraph("admin", "grant-domain", "--business", service.business, "--domain", DOMAIN)
}, 300_000)
afterAll(async () => {
  await service?.close()
  await provider?.close()
})

const settings = (more: object = {}) => ({ issuer: provider.issuer, ...CLIENT, enforced: false, ...more })
const age = (interval: string) =>
  service.sql(`update account_session s set created_at = now() - interval '${interval}' from account a
    where a.id = s.account_id and a.email = '${owner.email}'`)
const letterTo = (email: string, subject: string) =>
  until("the letter comes", async () => {
    const letters = (await mailsTo(email)).filter((mail) => mail.subject === subject)
    return letters.at(-1)?.text.replaceAll("\u200C", "")
  })

it("is changed by an owner who logged in a moment ago, and every owner is told what, when and by whom", async () => {
  const second = await memberApi(service, "owner")
  await age("16 minutes")
  for (const answer of [await owner.put(SETTINGS, settings()), await owner.delete(SETTINGS)])
    expect([answer.status, answer.body.key]).toEqual([403, "error.account.login_again"])
  expect((await owner.get(SETTINGS)).body.issuer).toBeNull()
  await age("14 minutes")
  expect((await owner.put(SETTINGS, settings(), { "accept-language": "de-CH" })).status).toBe(200)
  await age("0 minutes")
  for (const { email } of [owner, second]) {
    const text = await letterTo(email, "Single Sign-on von Acme AG wurde geändert")
    expect(text).toContain(`${owner.email} hat das Single Sign-on von Acme AG am`)
    expect(text).toContain(`Der Anbieter ist jetzt ${provider.issuer}`)
    expect(text).toContain("Es gibt ein neues Client-Secret.")
    expect(text).not.toContain(CLIENT.client_secret)
    expect(text).not.toContain("vorgeschrieben")
  }
  expect((await second.delete(SETTINGS)).status).toBe(204)
  expect(await letterTo(owner.email, "Single sign-on of Acme AG was changed")).toContain("was switched off")
})

it("counts for nobody who was invited before they accept, but where the business has people join by it", async () => {
  const email = `invited-${crypto.randomUUID().slice(0, 8)}@${DOMAIN}`
  const elsewhere = await memberApi(service, "owner", { business: await addBusiness(service, "Other AG") })
  await elsewhere.post("/v3/members", { email, role: "member", name: "Typed Elsewhere" })
  await owner.post("/v3/members", { email, role: "owner" })
  await owner.put(SETTINGS, settings())
  const goThrough = async (who = person(service.url)) => {
    const { body } = await who.post(`${API}/single-sign-on/start`, { email })
    const back = await logInAtProvider(body.url, email)
    return (await who.get(back.pathname + back.search)).headers.get("location")
  }
  expect(await goThrough()).toContain("/account/login?sso=no-member")
  await owner.put(SETTINGS, settings({ join: "member" }))
  const who = person(service.url)
  expect(await goThrough(who)).toBe("/account/security")
  expect((await who.get(API)).body.businesses).toMatchObject([{ role: "owner" }])
  const [entry] = (await owner.get("/v3/audit-log?page_size=1")).body
  expect(entry).toMatchObject({ act: "accept-membership", actor: email })
  // What another business calls them is not heard here, though they gave no name themselves and have been here.
  await call(service.url, "GET", "/v3/members", undefined, await tokenOf(who, service.business))
  const seen = await until("they were seen", async () => {
    const members: Json[] = (await owner.get("/v3/members")).body
    return members.find((each) => each.email === email && each.last_seen_at !== undefined)
  })
  expect(seen.name).toBe(email)
  // While they were invited they were no owner to be told anything.
  const subjects = (await mailsComeTo(email, 2)).map(({ subject }) => subject)
  expect(subjects.toSorted()).toEqual(["Acme AG invites you on Paraph", "Other AG invites you on Paraph"])
})
