// Sole control of advanced production signatures (ADR 0090): both attacks of finding B3, and the ways that are meant to work.
import { visitIdentityProvider } from "@paraph/trust-sandbox/identity-person"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import {
  API,
  addMember,
  codeMailedTo,
  type Person,
  person,
  registered,
  withSecondFactor,
} from "../service/account.ts"
import { type Api, createApi, type Json } from "../service/api.ts"
import { newPasskey } from "../service/authenticator.ts"
import {
  ADA,
  beginAs,
  comeBackTo,
  comesToStatus,
  type Identifying,
  pathOf,
  startIdentifying,
} from "../service/identification.ts"
import { linkMailedTo } from "../service/mailbox.ts"
import {
  askedToRelease,
  type PasskeyHolder,
  passkeyHolder,
  RELEASE,
  releaseWith,
} from "../service/release.ts"
import { createRequest, FIVE, newAddress, sentTo, uploadTo } from "../service/requests.ts"
import type { Service } from "../service/service.ts"
import { openSession } from "../service/signer.ts"
import { storyOf } from "../service/stories.ts"
import { until } from "../service/until.ts"
import { validate } from "../service/validation.ts"
import { enter, signAs } from "../service/visitor.ts"
import { agedHolder, loggedInByPasskey, newVoucher, PASSPORT, vouchAs as vouch } from "../service/vouching.ts"

let world: Identifying
let service: Service
let production: Api
let bob = ""
const anna = newAddress("anna")
let bobsPasskey: PasskeyHolder
beforeAll(async () => {
  world = await startIdentifying({
    kind: "production",
    validation: true,
    env: { PRODUCTION_QUALITIES: "SES,AES,AES_MINIMAL", IDENTIFICATION_ALLOWED_HOSTS: "127.0.0.1" },
  })
  service = world.service
  ;({ email: bob, holder: bobsPasskey } = await newVoucher(service))
  await agedHolder(service, anna, "Anna Muster")
  production = await createApi(service.url, service.username, service.productionKey)
}, 300_000)
afterAll(() => world?.close())

const aesFor = async (email: string, more: object = {}) =>
  (await sentTo(production, "v3", [email], { quality: "AES", write_access: [bob], ...more })) as Json
const sessionOf = async (email: string) => openSession(service.url, await linkMailedTo(email))
const pressed = async (email: string) => (await (await sessionOf(email)).press("Somebody")).body
const passkeyIn = (who: PasskeyHolder) => loggedInByPasskey(service, who)
const vouchAs = (who: Person, request: Json) => vouch(service, who, request)
const turnOf = async (id: string) =>
  (await storyOf(service, id)).find(({ type }) => type === "signature.turn-taken")?.data

describe("an advanced production signature is not made", () => {
  it("[B3] under a name that the signer gave to an account a moment ago", async () => {
    const email = newAddress("lagarde")
    await withSecondFactor(await registered(service.url, email, "Christine Lagarde"))
    await aesFor(email)
    const session = await sessionOf(email)
    expect((await session.view()).body.factor).toMatchObject({ name: null, kinds: [], identityNeeded: true })
    expect((await session.press("Christine Lagarde")).body).toMatchObject({
      status: 409,
      key: "error.signature.identity_needed",
      detail: expect.stringContaining("provider of identification or a member of the business"),
    })
  })

  it("[B3] under a name and a telephone number that the sender states", async () => {
    const email = newAddress("stated")
    const signer = { first_name: "Anna", last_name: "Muster", mobile_number: "+41791234567" }
    await sentTo(production, "v2", [], {
      quality: "AES",
      signatures: [{ account_email: email, signer_identity_data: { ...FIVE, ...signer } }],
    })
    expect(await pressed(email)).toMatchObject({ status: 409, key: "error.signature.identity_needed" })
  })

  it("[B3] with a factor that was added after the mailbox was taken over", async () => {
    const email = newAddress("mailbox")
    await registered(service.url, email, "Anna Muster")
    const request = await aesFor(email)
    expect((await vouchAs(await passkeyIn(bobsPasskey), request)).status).toBe(200)
    const thief = person(service.url)
    expect((await recoveredBy(thief, email)).status).toBe(200)
    const passkey = newPasskey(service.url)
    const { body } = await thief.post(`${API}/passkeys/options`)
    const response = passkey.register(body.options)
    expect((await thief.post(`${API}/passkeys`, { step: body.step, response, name: "New" })).status).toBe(201)
    const refused = await pressed(email)
    expect(refused).toMatchObject({ status: 409, key: "error.signature.factor_held" })
    expect(refused.detail).toMatch(/from 20\d\d-/)
  })

  it("[B3] by a mailbox alone, where the account has a passkey", async () => {
    const { status, body } = await recoveredBy(person(service.url), anna)
    expect([status, body.key]).toEqual([403, "error.account.second_factor_needed"])
  })

  async function recoveredBy(thief: ReturnType<typeof person>, email: string) {
    const code = await codeMailedTo(email, () => thief.post(`${API}/recover`, { email }))
    return thief.post(`${API}/recover/confirm`, { email, code, password: "another walk by the lake" })
  }
})

describe("a member vouches for a signer", () => {
  it("[B3] who signs with a passkey of more than 72 hours, under the name that was checked", async () => {
    const email = newAddress("vouched")
    const holder = await agedHolder(service, email, "Somebody Else")
    const request = await aesFor(email)
    expect(await pressed(email)).toMatchObject({ key: "error.signature.identity_needed" })
    const vouched = await vouchAs(await passkeyIn(bobsPasskey), request)
    expect(vouched.body.signatures[0].vouch).toMatchObject({ ...PASSPORT, mobile_number: null, by: bob })
    await signWith(email, holder, request.id)
    expect(await turnOf(request.id)).toMatchObject({ name: "Anna Muster", nameBy: "member", nameSource: bob })
    const { body: report } = await production.get(`/v3/signature-requests/${request.id}/report?type=JSON`)
    expect(report.protocol.people).toMatchObject([
      { name: "Anna Muster", name_established_by: "member", name_established_source: bob },
    ])
    const { body: signed } = await production.get(`/v3/signature-requests/${request.id}`)
    const { bytes } = await production.get(`/v3/documents/${signed.document_id}/content`)
    const checked = (await validate(production, bytes, "infos=signer")).body
    expect(checked.additionalInfos.signer).toMatchObject([
      {
        ...{ signer: "Anna Muster", quality: "AES" },
        certificate: { nameEstablished: { by: "member", provider: null, at: expect.stringMatching(/^20/) } },
      },
    ])
    // The name stands for the account from now on.
    const known = await linkMailedTo(email)
    const next = await aesFor(email)
    await until("another link comes", async () => (await linkMailedTo(email)) !== known)
    await signWith(email, holder, next.id)
    expect(await turnOf(next.id)).toMatchObject({ name: "Anna Muster", nameBy: "account", nameSource: bob })
  }, 300_000)

  it("[B3] and neither an API key, nor the sender, nor the signer, nor a login without a second factor can", async () => {
    const email = newAddress("signer")
    const request = await aesFor(email, { creator: bob })
    const path = `/v3/signature-requests/${request.id}/signatures/${request.signatures[0].sid}/vouch`
    const byKey = await production.put(path, PASSPORT)
    expect([byKey.status, byKey.body.key]).toEqual([403, "error.account.second_factor_needed"])
    expect((await vouchAs(await passkeyIn(bobsPasskey), request)).status).toBe(403)
    const weak = newAddress("weak")
    await addMember(service, weak)
    const forWeak = await aesFor(email, { write_access: [weak] })
    expect((await vouchAs(await registered(service.url, weak), forWeak)).body.key).toBe(
      "error.account.second_factor_needed",
    )
    expect((await vouchAs(await passkeyIn(bobsPasskey), await aesFor(bob))).status).toBe(403)
  })

  it("[B3] and only where the operator has agreed it with the business", async () => {
    const feature = ["set-feature", "--business", service.business, "--feature", "vouching"]
    const request = await aesFor(newAddress("unagreed"))
    await service.paraph("admin", ...feature, "--off")
    const refused = await vouchAs(await passkeyIn(bobsPasskey), request)
    await service.paraph("admin", ...feature, "--on")
    expect(refused.status).toBe(403)
    expect((await vouchAs(await passkeyIn(bobsPasskey), request)).status).toBe(200)
  })
})

describe("a provider identifies the signer", () => {
  it("[B3] who may use a new factor in the browser that came back, and in no other", async () => {
    const email = newAddress("identified")
    const created = await createRequest(production, "v2", await uploadTo(production, "v2"), {
      quality: "AES",
      signatures: [
        {
          account_email: email,
          signer_identity_data: { ...FIVE, provider: "demo_ident", identification_require_evidence: true },
        },
      ],
    })
    if (created.status !== 200) throw new Error(`It answered ${created.status}: ${created.bytes}`)
    const { body: request } = created
    const evidence = request.signatures[0].signer_identity_data.evidence_id
    // A signer who had an account before would not be asked to identify (SR-13).
    const holder = await passkeyHolder(service, email, "Somebody Else")
    const visitor = await enter(service, await linkMailedTo(email))
    const { url, cookie } = await beginAs(visitor)
    const back = await comeBackTo(service, await visitIdentityProvider(url, ADA), cookie)
    expect(back.status).toBe(303)
    await comesToStatus(production, pathOf("v2", request.id, evidence), "ACCEPTED")
    const elsewhere = await signAs(visitor)
    expect([elsewhere.status, elsewhere.body.key]).toEqual([409, "error.signature.factor_held"])
    const here = (more: object = {}) => ({ cookie, ...more })
    const { body: view } = await visitor.get("/signature", here())
    expect(view.factor).toEqual({
      ...{ name: "Ada Augusta Lovelace", kinds: ["passkey"], heldUntil: null, identityNeeded: false },
      setUp: expect.any(String),
    })
    const shown = view.documents.map((document: Json) => document.id)
    const agreed = { name: "x", consentVersion: view.consent.version, shown }
    expect((await visitor.post("/signature/sign", agreed, here())).status).toBe(202)
    await until("it is offered", async () => (await visitor.get("/signature", here())).body.release)
    const { body: options } = await visitor.post(`${RELEASE}/passkey/options`, {}, here())
    const response = holder.passkey.logIn(options)
    const outside = await visitor.post(`${RELEASE}/passkey`, { response })
    expect([outside.status, outside.body.key]).toEqual([409, "error.signature.factor_held"])
    const again = holder.passkey.logIn(options)
    expect((await visitor.post(`${RELEASE}/passkey`, { response: again }, here())).status).toBe(202)
    await isSigned(request.id)
    const [turn] = (await storyOf(service, request.id)).filter(({ type }) => type === "signature.turn-taken")
    expect(turn?.data).toMatchObject({ nameBy: "identification", nameSource: "demo_ident" })
  }, 120_000)
})

async function signWith(email: string, holder: PasskeyHolder, id: string): Promise<void> {
  const session = await sessionOf(email)
  const answer = await session.press("Somebody Else")
  if (answer.status !== 202) throw new Error(`The press answered ${answer.status}: ${answer.bytes}`)
  await askedToRelease(session)
  const released = await releaseWith(session, holder)
  if (released.status !== 202) throw new Error(`The release answered ${released.status}: ${released.bytes}`)
  await isSigned(id)
}

const isSigned = (id: string) =>
  until(
    "it is signed",
    async () => (await production.get(`/v3/signature-requests/${id}`)).body.status_overall === "SIGNED",
    120_000,
  )
