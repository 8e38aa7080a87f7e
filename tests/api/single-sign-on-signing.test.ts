import { afterAll, beforeAll, expect, it } from "vitest"
import { API, addMember, PASSWORD, person, registered } from "../service/account.ts"
import type { Api } from "../service/api.ts"
import {
  CLIENT,
  type IdentityProvider,
  logInAtProvider,
  startProvider,
} from "../service/identity-provider.ts"
import { linkMailedTo } from "../service/mailbox.ts"
import { memberApi } from "../service/members.ts"
import { entry, openRequest, uploadTo } from "../service/requests.ts"
import { type Service, startService } from "../service/service.ts"
import { openSession } from "../service/signer.ts"
import { addBusiness, addUser } from "../service/users.ts"

const DOMAIN = "acme-signs.example"

let service: Service
let provider: IdentityProvider
/** A key of a business whose identity provider is another one, or none. */
let elsewhere: Api
let other: string

beforeAll(async () => {
  service = await startService({ env: { IDENTITY_ALLOWED_HOSTS: "localhost" } })
  provider = await startProvider([`${service.url}/account/sso/callback/${service.business}`], (login) => ({
    email: login,
    email_verified: true,
    name: "Ada Lovelace",
  }))
  const owner = await memberApi(service, "owner")
  await service.paraph("admin", "grant-domain", "--business", service.business, "--domain", DOMAIN)
  const settings = { issuer: provider.issuer, ...CLIENT, enforced: false, join: "member" }
  expect((await owner.put("/v3/settings/single-sign-on", settings)).status).toBe(200)
  other = await addBusiness(service, "Elsewhere AG")
  elsewhere = await addUser(service, "elsewhere", { business: other })
}, 300_000)
afterAll(async () => {
  await service?.close()
  await provider?.close()
})

const newAddress = (name: string) => `${name}-${crypto.randomUUID().slice(0, 8)}@${DOMAIN}`
async function requestFor(caller: Api, email: string): Promise<string> {
  const documentId = await uploadTo(caller, "v2")
  const { id } = await openRequest(caller, "v2", documentId, { signatures: [entry("v2", email)] })
  return id
}
async function throughProvider(email: string) {
  const who = person(service.url)
  const { body } = await who.post(`${API}/single-sign-on/start`, { email })
  const back = await logInAtProvider(body.url, email)
  expect((await who.get(back.pathname + back.search)).headers.get("location")).toBe("/account/security")
  return who
}
const isSigner = ([name]: [string, string]) => name.includes("signer")

it("[B7] a session of one business's identity provider opens and signs no request of another business", async () => {
  const email = newAddress("ada")
  const [own, foreign] = await Promise.all([requestFor(service.caller, email), requestFor(elsewhere, email)])
  const who = await throughProvider(email)
  const wrong = `/account/wrong?next=${encodeURIComponent(`/view/${foreign}`)}`
  for (const answer of [await who.get(`/view/${foreign}`), await who.post(`/view/${foreign}`)])
    expect([answer.status, answer.headers.get("location")]).toEqual([303, wrong])
  expect([...who.cookies].filter(isSigner)).toEqual([])
  // The page there says why, which it knows of the session alone.
  expect((await who.get(API)).body.singleSignOn).toBe(true)

  const opened = await who.post(`/view/${own}`)
  expect([opened.status, opened.headers.get("location")]).toEqual([303, "/app/"])
  expect((await who.get("/app/api/signature")).body.screen).toBe("read")
})

it("[B7] a session that was opened across businesses before ends", async () => {
  const email = newAddress("before")
  const foreign = await requestFor(elsewhere, email)
  const signs = await registered(service.url, email)
  await signs.post(`/view/${foreign}`)
  expect((await signs.get("/app/api/signature")).status).toBe(200)
  await addMember(service, email)
  await service.sql(`update account_session set sso_business_id = '${service.business}'
    where account_id = (select id from account where email = '${email}')`)
  expect((await signs.get("/app/api/signature")).status).toBe(401)
})

it("[B7] a member of both businesses is led to the console of the provider's business alone", async () => {
  const email = newAddress("both")
  const signer = `signer-${crypto.randomUUID()}@example.org`
  const foreign = await requestFor(elsewhere, signer)
  const of = ["--business", other, "--email", email, "--name", "Ada", "--role", "owner"]
  await service.paraph("admin", "add-member", ...of)
  const observer = { type: "USER", email }
  expect((await elsewhere.post(`/v3/signature-requests/${foreign}/observers`, observer)).status).toBe(200)
  const signedIn = await registered(service.url, email)
  expect((await signedIn.get(`/view/${foreign}`)).headers.get("location")).toContain("/console/requests/")
  const who = await throughProvider(email)
  expect((await who.get(`/view/${foreign}`)).headers.get("location")).toContain("/account/wrong")
})

it("[B7] the mailed link and the person's own password open the request of the other business", async () => {
  const email = newAddress("own")
  const foreign = await requestFor(elsewhere, email)
  const byLink = await openSession(service.url, await linkMailedTo(email))
  expect((await byLink.view()).body.screen).toBe("read")
  await registered(service.url, email)
  const who = person(service.url)
  expect((await who.post(`${API}/login`, { email, password: PASSWORD })).status).toBe(200)
  expect((await who.get(API)).body.singleSignOn).toBe(false)
  await who.post(`/view/${foreign}`)
  expect((await who.get("/app/api/signature")).body.screen).toBe("read")
})
