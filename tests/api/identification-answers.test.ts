import type { IdentityMisbehaviour } from "@paraph/trust-sandbox/identity"
import { visitIdentityProvider } from "@paraph/trust-sandbox/identity-person"
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest"
import { type Api, createApi, type Json } from "../service/api.ts"
import {
  ADA,
  beginAs,
  comeBackTo,
  comesToStatus,
  type Identifying,
  identificationStatus,
  identifyAs,
  startIdentifying,
  toIdentify,
  visitorOf,
} from "../service/identification.ts"
import { mailsComeTo } from "../service/mailbox.ts"
import type { Service } from "../service/service.ts"
import { storyOf } from "../service/stories.ts"
import { until } from "../service/until.ts"
import { signAs, type Visitor } from "../service/visitor.ts"

let world: Identifying
let service: Service
let caller: Api

beforeAll(async () => {
  world = await startIdentifying()
  service = world.service
  caller = service.caller
}, 300_000)
afterAll(() => world?.close())
afterEach(() => world.provider.misbehave({}))

const statusOf = (at: string) => identificationStatus(caller, at)
const comesTo = (at: string, status: string) => comesToStatus(caller, at, status)
const screenOf = async (visitor: Visitor) => (await visitor.view()).screen

describe("an identification that does not go straight", () => {
  it("[XQ-01 v2] waits for a provider that reviews, and writes to the signer when that is over", async () => {
    const { at, email } = await toIdentify(service, "v2")
    const visitor = await visitorOf(service, email)
    await identifyAs(service, visitor, { ...ADA, answer: "pending" })
    expect(await comesTo(at, "PENDING_REVIEW")).toMatchObject({ reason: "PROVIDER_REVIEWS" })
    expect(await screenOf(visitor)).toBe("identify")
    expect((await visitor.post("/signature/identify")).status).toBe(400)
    expect((await caller.get(at)).body).toMatchObject({ verified_claims: null, files: [] })
    const kept = await service.sql(
      "select encode(tokens, 'escape') from identification where tokens is not null",
    )
    expect(kept).not.toContain("accessToken")
    const before = (await mailsComeTo(email)).length
    world.provider.decide("accept")
    await comesTo(at, "ACCEPTED")
    expect((await mailsComeTo(email, before + 1)).length).toBe(before + 1)
    const left = await service.sql(
      `select count(*) from identification where tokens is not null and state = 'ACCEPTED'`,
    )
    expect(left).toBe("0")
    expect((await signAs(visitor)).status).toBe(202)
  })

  it("[XQ-01 v2] is rejected by a review that ends so, and can be begun again", async () => {
    const { at, email } = await toIdentify(service, "v2")
    const visitor = await visitorOf(service, email)
    await identifyAs(service, visitor, { ...ADA, answer: "pending" })
    await comesTo(at, "PENDING_REVIEW")
    world.provider.decide("refuse")
    expect(await comesTo(at, "REJECTED")).toMatchObject({ reason: "NOT_VERIFIED" })
    await identifyAs(service, visitor)
    await comesTo(at, "ACCEPTED")
    expect((await caller.get(at)).body.attempts).toBe(2)
  })

  it("[XQ-01 v3] is for the sender to look at where a name is another one, who alone may say so", async () => {
    const { id, at, email } = await toIdentify(service, "v3")
    const visitor = await visitorOf(service, email)
    await identifyAs(service, visitor, { ...ADA, familyName: "King" })
    expect(await comesTo(at, "PENDING_REVIEW")).toMatchObject({ reason: "NAME_DIFFERS" })
    expect(await visitor.view()).toMatchObject({
      screen: "identify",
      identification: { stated: "Ada Lovelace", name: "Ada Augusta King" },
    })
    expect((await signAs(visitor)).status).toBe(403)
    expect((await caller.post(`${at}/review`, { decision: "MAYBE" })).status).toBe(400)
    const reviewed = await caller.post(`${at}/review`, { decision: "ACCEPTED" })
    expect([reviewed.status, reviewed.body.status]).toEqual([200, "ACCEPTED"])
    const again = await caller.post(`${at}/review`, { decision: "REJECTED" })
    expect([again.status, again.body.key]).toEqual([400, "error.identification.invalid_state"])
    const [said] = (await storyOf(service, id)).filter(({ type }) => type === "identification.accepted")
    expect(said?.data).toMatchObject({ reviewed: "yes", by: service.username })
  })

  it("[XQ-01 v2] is refused at the provider, or left there, and begun again; an accepted one is paid for once", async () => {
    const { at, email } = await toIdentify(service, "v2")
    const visitor = await visitorOf(service, email)
    await identifyAs(service, visitor, { ...ADA, answer: "refuse" })
    expect(await statusOf(at)).toMatchObject({ status: "REJECTED", reason: "REFUSED" })
    const left = await beginAs(visitor)
    const second = await beginAs(visitor)
    const paid = world.provider.identifications()
    const [late, good] = [
      await visitIdentityProvider(left.url, ADA),
      await visitIdentityProvider(second.url, ADA),
    ]
    await comeBackTo(service, late, second.cookie)
    expect((await statusOf(at)).status).toBe("STARTED")
    await comeBackTo(service, good, second.cookie)
    await comesTo(at, "ACCEPTED")
    expect(world.provider.identifications()).toBe(paid + 2)
    expect((await visitor.post("/signature/identify")).status).toBe(400)
    // The same way leads nowhere a second time.
    await comeBackTo(service, good, second.cookie)
    expect((await caller.get(at)).body.attempts).toBe(3)
  })

  it("[XQ-01 v2] counts for the browser that began it, by the state that it was given, and for nobody else", async () => {
    const { at, email } = await toIdentify(service, "v2")
    const visitor = await visitorOf(service, email)
    const other = await toIdentify(service, "v2")
    const elsewhere = await beginAs(await visitorOf(service, other.email))
    const { url, cookie } = await beginAs(visitor)
    const back = await visitIdentityProvider(url, ADA)
    await comeBackTo(service, back, visitor.cookie)
    await comeBackTo(service, back, elsewhere.cookie)
    const changed = new URL(back)
    changed.searchParams.set("state", "another")
    await comeBackTo(service, changed, cookie)
    expect([(await statusOf(at)).status, (await statusOf(other.at)).status]).toEqual(["STARTED", "STARTED"])
    await comeBackTo(service, back, cookie)
    await comesTo(at, "ACCEPTED")
    expect((await statusOf(other.at)).status).toBe("STARTED")
  })

  it("[XQ-01 v2] goes on days later, when the session has long ended, and expires after 72 hours", async () => {
    const [one, two] = [await toIdentify(service, "v2"), await toIdentify(service, "v2")]
    const going = await beginAs(await visitorOf(service, one.email))
    const tooLate = await beginAs(await visitorOf(service, two.email))
    service.moveClock(70 * 3_600_000)
    try {
      const back = await visitIdentityProvider(going.url, ADA)
      expect((await comeBackTo(service, back, going.cookie)).status).toBe(303)
      const api = await createApi(service.url, service.username, service.demoKey)
      await until(
        "it is accepted",
        async () => (await api.get(`${one.at}/status`)).body.status === "ACCEPTED",
      )
      service.moveClock(73 * 3_600_000)
      const over = await visitIdentityProvider(tooLate.url, ADA)
      await comeBackTo(service, over, tooLate.cookie)
      const later = await createApi(service.url, service.username, service.demoKey)
      expect((await later.get(`${two.at}/status`)).body.status).toBe("EXPIRED")
      service.moveClock(34 * 86_400_000)
      const muchLater = await createApi(service.url, service.username, service.demoKey)
      expect((await muchLater.get(`${one.at}/status`)).body.status).toBe("EXPIRED")
    } finally {
      service.moveClock(0)
    }
  })

  it.each<[string, IdentityMisbehaviour, typeof ADA?]>([
    ["the answer to another question", { idToken: "nonce" }],
    ["a token for another audience", { idToken: "audience" }],
    ["a token of another issuer", { idToken: "issuer" }],
    ["a token of a strange key", { idToken: "key" }],
    ["a token without a signature", { idToken: "alg-none" }],
    ["somebody who was not identified", { idToken: "acr" }],
    ["claims of a strange key", { userInfo: "key" }],
    ["claims that nobody signed", { userInfo: "not-signed" }],
    ["claims for another audience", { userInfo: "no-audience" }],
    ["claims of another person", { userInfo: "subject" }],
    ["claims that nobody verified", { userInfo: "claims-of-nobody" }],
    [
      "a framework that does not count",
      { claims: (right) => ({ ...right, verification: { trust_framework: "nist_800_63A" } }) },
    ],
    ["somebody else's passport", {}, { givenName: "Eve", familyName: "Mallory" }],
    ["nothing of an object", { claims: () => "yes" }],
    ["a file that holds malware", { claims: withFile(eicar()) }],
  ])("[XQ-01 v2, XQ-01 v3] is never accepted by %s", async (_, how, person = ADA) => {
    const { at, email } = await toIdentify(service, "v2")
    const visitor = await visitorOf(service, email)
    world.provider.misbehave(how)
    await identifyAs(service, visitor, person)
    const { reason } = await comesTo(at, "REJECTED")
    expect(["ANSWER_INVALID", "NOT_VERIFIED", "OTHER_PERSON"]).toContain(reason)
    expect((await signAs(visitor)).status).toBe(403)
    expect((await caller.get(`${at}/jwt`)).status).toBe(404)
    expect((await caller.get(at)).body).toMatchObject({ verified_claims: null, files: [] })
  })

  it("[XQ-01 v2] a provider that is down is asked again until it is there, by another worker when the first has died", async () => {
    const { at, email } = await toIdentify(service, "v2")
    const visitor = await visitorOf(service, email)
    world.provider.misbehave({ answers: "down" })
    await identifyAs(service, visitor)
    await until("it was asked in vain", async () => {
      const tried = await service.sql(
        "select count(*) from jobs.job where name = 'ask-identity-provider' and retry_count > 0",
      )
      return Number(tried) > 0
    })
    expect(await visitor.view()).toMatchObject({ screen: "identify", identification: { returned: true } })
    await service.worker.kill()
    await service.startWorker()
    world.provider.misbehave({})
    await comesTo(at, "ACCEPTED")
  })
})

/** The test file that every scanner knows; not in one piece, so that this source is none. */
function eicar(): string {
  const parts = ["X5O!P%@AP[4", "\\PZX54(P^)7CC)7}$", "EICAR-STANDARD-ANTIVIRUS-TEST-FILE!", "$H+H*"]
  return Buffer.from(parts.join("")).toString("base64")
}

function withFile(content: string): NonNullable<IdentityMisbehaviour["claims"]> {
  return (right: Json) => {
    const [evidence] = right.verification.evidence
    const attachments = [{ desc: "Passport", content_type: "text/plain", content }]
    return { ...right, verification: { ...right.verification, evidence: [{ ...evidence, attachments }] } }
  }
}
