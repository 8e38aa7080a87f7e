import { randomUUID } from "node:crypto"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import {
  API,
  codeMailedTo,
  operatorOf,
  PASSWORD,
  type Person,
  person,
  registered,
  withSecondFactor,
} from "../service/account.ts"
import { createApi, type Json } from "../service/api.ts"
import { newPasskey } from "../service/authenticator.ts"
import { mailsComeTo, mailsTo } from "../service/mailbox.ts"
import { memberApi } from "../service/members.ts"
import { newAddress, sentTo } from "../service/requests.ts"
import { type Service, startService } from "../service/service.ts"
import { until } from "../service/until.ts"
import { addBusiness } from "../service/users.ts"

const AT = "/app/api/operator"

describe("the operator's area", () => {
  let service: Service
  let operator: Person
  const email = newAddress("operator")
  /** Logged in by a password alone, from before the app was there. */
  let weak: Person
  let business: string
  type MemberApi = Awaited<ReturnType<typeof memberApi>>
  let owner: MemberApi
  let developer: MemberApi
  beforeAll(async () => {
    service = await startService()
    business = service.business
    owner = await memberApi(service, "owner")
    developer = await memberApi(service, "developer")
    ;({ operator, weak } = await operatorOf(service, email))
  })
  afterAll(() => service?.close())

  const audited = async (act: string): Promise<Json[]> =>
    (await operator.get(`${AT}/audit?business=${business}`)).body.filter((row: Json) => row.act === act)

  it("is for operators alone, by more than a password, from our own page; to others there is nothing", async () => {
    const paths = ["overview", "businesses", `businesses/${business}`, "mails", "audit", "jobs/failed"]
    const stranger = await registered(service.url, newAddress("stranger"))
    const key = randomUUID()
    for (const path of paths) {
      expect([path, (await operator.get(`${AT}/${path}`)).status]).toEqual([path, 200])
      expect((await person(service.url).get(`${AT}/${path}`)).status).toBe(401)
      expect((await stranger.get(`${AT}/${path}`)).status).toBe(404)
      expect(await weak.get(`${AT}/${path}`)).toMatchObject({
        status: 403,
        body: { title: "A second factor is needed" },
      })
    }
    const refused: readonly [Person, number][] = [
      [person(service.url), 401],
      [stranger, 404],
      [weak, 403],
    ]
    for (const [who, status] of refused)
      for (const answer of [
        await who.put(`${AT}/businesses/${business}/features`, { features: [] }),
        await who.put(`${AT}/businesses/${business}/credits`, { price: 0, included: null }),
        await who.post(`${AT}/businesses/${business}/keys/${key}/reset`),
        await who.delete(`${AT}/businesses/${business}/keys/${key}`),
        await who.post(`${AT}/businesses/${business}/sender-name/confirm`, { sender_name: "Bank" }),
        await who.post(`${AT}/jobs/${key}/retry`),
        await who.post(`${AT}/accounts/reset-factors`, { email, reason: "lost" }),
        await who.post(`${AT}/accounts/reset-factors/confirm`, { email }),
      ])
        expect(answer.status).toBe(status)
    const forged = await operator.post(
      `${AT}/accounts/reset-factors`,
      { email, reason: "lost" },
      { origin: "https://elsewhere.example" },
    )
    expect(forged).toMatchObject({ status: 403, body: { title: expect.stringMatching(/page|site/i) } })
  })

  it("is open to who logs in with a passkey, which is both factors at once", async () => {
    const passkey = newPasskey(service.url)
    const { body: made } = await operator.post(`${API}/passkeys/options`)
    const answer = { step: made.step, response: passkey.register(made.options), name: "Key" }
    expect((await operator.post(`${API}/passkeys`, answer)).status).toBe(201)
    const bare = person(service.url)
    const { body: asked } = await bare.post(`${API}/login/passkey/options`)
    await bare.post(`${API}/login/passkey/verify`, {
      step: asked.step,
      response: passkey.logIn(asked.options),
    })
    expect((await bare.get(`${AT}/overview`)).status).toBe(200)
  })

  it("shows numbers, certificates with their days, and businesses; nothing of what is signed, or by whom", async () => {
    const signer = newAddress("signer")
    const request = await sentTo(service.caller, "v3", [signer], { title: "Secret merger" })
    await mailsComeTo(signer)
    const { body: overview } = await operator.get(`${AT}/overview`)
    expect(overview.queue.map(({ name }: Json) => name).toSorted()).toEqual([
      "ask-identity-provider",
      "invite-signer",
      "prepare-release",
      "seal-batch",
      "seal-document",
      "seal-protocol",
      "seal-report",
      "send-code",
      "send-mail",
      "sign-document",
      "sign-remotely",
      "write-to-account",
    ])
    expect(overview.certificates.length).toBeGreaterThanOrEqual(2)
    for (const one of overview.certificates)
      expect([one.name, one.days_left]).toEqual([
        one.name,
        Math.floor((Date.parse(one.not_after) - Date.now()) / 86_400_000),
      ])
    expect(overview.certificates.map(({ name }: Json) => name)).toContain("production signatures")
    expect(overview).toMatchObject({
      deliveries: { open: 0, resigned: 0 },
      versions: { node: process.version },
    })

    await addBusiness(service, "100% Fish & Co_Ltd")
    const found = async (q: string) =>
      (await operator.get(`${AT}/businesses?q=${encodeURIComponent(q)}`)).body.map(({ name }: Json) => name)
    expect(await found("acme")).toEqual(["Acme AG"])
    expect(await found("0% f")).toEqual(["100% Fish & Co_Ltd"])
    expect(await found("_")).toEqual(["100% Fish & Co_Ltd"])
    expect(await found(business)).toEqual(["Acme AG"])
    const { body: one } = await operator.get(`${AT}/businesses/${business}`)
    expect(one).toMatchObject({ id: business, name: "Acme AG", features: [], requests30d: 1 })
    expect(one.keys.map(({ kind }: Json) => kind).toSorted()).toEqual(["demo", "production"])
    expect((await operator.get(`${AT}/businesses/${randomUUID()}`)).status).toBe(404)

    const mails = await until("the mail is in the log", async () => {
      const { body } = await operator.get(`${AT}/mails?business=${business}&state=SENT`)
      return body.length > 0 && body
    })
    expect(mails[0]).toEqual({
      id: expect.any(String),
      at: expect.any(String),
      type: "invitation",
      channel: "mail",
      to: "s•••@example.org",
      state: "SENT",
      attempts: 1,
      business_id: business,
    })
    expect(
      (await operator.get(`${AT}/mails?business=${business}&older_than=${mails.at(-1).id}`)).body,
    ).toEqual([])
    for (const path of [
      "overview",
      "mails",
      "jobs/failed",
      "audit",
      "businesses",
      `businesses/${business}`,
    ]) {
      const seen = (await operator.get(`${AT}/${path}`)).bytes.toString()
      for (const secret of ["Secret merger", signer, "/sign/", request.id]) expect(seen).not.toContain(secret)
    }
    // That somebody looked is on the record of the business, once an hour.
    expect(await audited("look-at-business")).toMatchObject([{ actor: email, business_id: business }])
  })

  it("[AUTH-14] resets and revokes a key that is out, and switches features; all of it is on record", async () => {
    const made = await service.paraph("admin", "create-key", "--user", service.username, "--kind", "demo")
    const thief = await createApi(service.url, service.username, made["api-key"] ?? "")
    const reset = await operator.post(`${AT}/businesses/${business}/keys/${made.key}/reset`)
    // The operator ends it, and sees no key.
    expect([reset.status, reset.bytes.length]).toEqual([204, 0])
    const at = performance.now()
    await until("the thief is out", async () => (await thief.get("/v3/webhooks")).status === 401)
    expect(performance.now() - at).toBeLessThan(5_000)
    expect((await operator.post(`${AT}/businesses/${business}/keys/${made.key}/reset`)).status).toBe(400)
    const [first] = await audited("end-key-for-reset")
    expect(first).toMatchObject({ actor: email, shell_user: null, target: `key ${made.key}` })

    // Somebody of the business claims the one in its place, once; the owners were written to.
    const keyOf = async (id: string) =>
      (await owner.get("/v3/api-keys")).body.find((key: Json) => key.id === id)
    expect(await keyOf(made.key ?? "")).toMatchObject({ reset_by_operator_at: expect.any(String) })
    const [letter] = await mailsComeTo(owner.email)
    expect(letter?.subject).toBe("An API key of Acme AG was ended")
    expect(letter?.text).not.toContain(made["api-key"])
    const claimed = await developer.post(`/v3/api-keys/${made.key}/reset`, {})
    expect(claimed).toMatchObject({ status: 200, body: { kind: "demo", username: service.username } })
    const mended = await createApi(service.url, service.username, claimed.body.api_key)
    expect((await mended.get("/v3/webhooks")).status).toBe(200)
    expect((await developer.post(`/v3/api-keys/${made.key}/reset`, {})).status).toBe(400)
    expect(await keyOf(made.key ?? "")).not.toHaveProperty("reset_by_operator_at")
    expect(await audited("claim-key")).toMatchObject([{ actor: developer.email, target: `key ${made.key}` }])

    expect((await operator.delete(`${AT}/businesses/${business}/keys/${claimed.body.id}`)).status).toBe(204)
    await until("that one is dead too", async () => (await mended.get("/v3/webhooks")).status === 401)
    expect(await audited("revoke-key")).toMatchObject([{ target: `key ${claimed.body.id}` }])
    // Of another business than the address says it is no key.
    const other = await addBusiness(service, "Other AG")
    for (const of of [other, randomUUID()])
      expect((await operator.post(`${AT}/businesses/${of}/keys/${made.key}/reset`)).status).toBe(404)

    const features = (wanted: readonly string[]) =>
      operator.put(`${AT}/businesses/${business}/features`, { features: wanted })
    expect((await features(["sealing", "expires_at"])).body).toEqual({ features: ["sealing", "expires_at"] })
    expect((await features(["expires_at"])).status).toBe(200)
    expect((await features(["unknown"])).status).toBe(400)
    expect((await audited("set-feature")).map(({ before, after }) => [before, after])).toEqual([
      [{ sealing: true }, { sealing: false }],
      [{ expires_at: false }, { expires_at: true }],
      [{ sealing: false }, { sealing: true }],
    ])
  })

  it("says whether a sender's name is one of the business: as it was looked at, and on record", async () => {
    const asks = (sender_name: string) => owner.patch("/v3/settings", { branding: { sender_name } })
    const judge = (verdict: string, sender_name: string) =>
      operator.post(`${AT}/businesses/${business}/sender-name/${verdict}`, { sender_name })
    const waiting = async () => (await operator.get(`${AT}/businesses/${business}`)).body.pending_sender_name
    await asks("Acme Legal")
    expect(await waiting()).toBe("Acme Legal")
    await asks("Alpha Bank")
    expect((await judge("confirm", "Acme Legal")).status).toBe(400)
    expect((await judge("refuse", "Alpha Bank")).status).toBe(204)
    await asks("Acme Legal")
    expect((await judge("confirm", "Acme Legal")).status).toBe(204)
    expect((await judge("refuse", "Acme Legal")).status).toBe(400)
    expect(await waiting()).toBeNull()
    expect((await owner.get("/v3/settings")).body.branding).toMatchObject({
      sender_name: "Acme Legal",
      sender_name_state: "CONFIRMED",
    })
    expect(await audited("confirm-sender-name")).toMatchObject([{ actor: email }])
    expect(await audited("refuse-sender-name")).toMatchObject([{ before: { sender_name: "Alpha Bank" } }])
  })

  it("shows jobs that failed without whom they are about, and has them tried at once", async () => {
    const id = randomUUID()
    await service.sql(`insert into jobs.job (id, name, data, state, start_after, retry_count, retry_limit, output) values
      ('${id}', 'invite-signer', '{"task":"invite-signer","letter":"reminder","businessId":"${business}",
        "requestId":"${randomUUID()}","signatureId":"${randomUUID()}","title":"Secret merger"}',
       'retry', now() + interval '1 hour', 3, 5000,
       '{"message":"nobody@example.org was not reached at https://localhost/sign/abc"}')`)
    const { body: jobs } = await operator.get(`${AT}/jobs/failed`)
    const job = jobs.find((one: Json) => one.id === id)
    expect(job).toMatchObject({ name: "invite-signer", state: "retry", attempts: 3, business_id: business })
    expect(job.error).toBe("••• was not reached at •••")
    expect(JSON.stringify(jobs)).not.toContain("Secret")
    expect((await operator.post(`${AT}/jobs/${id}/retry`)).status).toBe(204)
    await until(
      "a worker has done it",
      async () => (await service.sql(`select state from jobs.job where id = '${id}'`)) === "completed",
    )
    expect((await operator.post(`${AT}/jobs/${id}/retry`)).status).toBe(404)
    expect(await audited("retry-job")).toMatchObject([{ actor: email, target: `job ${id}` }])
  })

  const secondOperator = async () => {
    const address = newAddress("second-operator")
    return { ...(await operatorOf(service, address)), email: address }
  }

  it("[ASVS 6.4.4] takes a lost second factor away where another operator confirms it, with everything else that opened the account; the mailbox gets it back", async () => {
    const lost = newAddress("lost")
    const who = await registered(service.url, lost)
    await withSecondFactor(who)
    const ask = (whose: string) =>
      operator.post(`${AT}/accounts/reset-factors`, { email: whose, reason: "Lost the phone; called back" })
    const confirm = (by: Person) => by.post(`${AT}/accounts/reset-factors/confirm`, { email: lost })
    const second = await secondOperator()
    expect((await confirm(second.operator)).status).toBe(404)
    expect((await ask(newAddress("nobody"))).status).toBe(404)
    expect((await ask(email)).status).toBe(400)
    expect((await ask(lost)).status).toBe(202)
    await until("the person is told before it happens", async () =>
      (await mailsTo(lost)).some(({ subject }) => subject === "A reset of your account was asked for"),
    )
    const { body: open } = await second.operator.get(`${AT}/accounts/reset-factors`)
    expect(open.resets).toMatchObject([{ email: lost, asked_by: email, own: false }])
    // The one who asked confirms nothing, and nothing has happened yet.
    expect((await confirm(operator)).status).toBe(400)
    expect((await who.get(API)).status).toBe(200)
    await service.sql("update factor_reset set asked_at = asked_at - interval '25 hours'")
    expect((await confirm(second.operator)).status).toBe(404)
    expect((await ask(lost)).status).toBe(202)
    expect((await confirm(second.operator)).status).toBe(204)
    expect((await who.get(API)).status).toBe(401)
    expect((await who.post(`${API}/login`, { email: lost, password: PASSWORD })).status).toBe(401)
    await until("the letter is there", async () =>
      (await mailsComeTo(lost, 3)).some(({ subject }) => subject === "How you sign in was reset"),
    )
    const again = person(service.url)
    const code = await codeMailedTo(lost, () => again.post(`${API}/recover`, { email: lost }))
    const password = "another walk by the lake"
    const recovered = await again.post(`${API}/recover/confirm`, { email: lost, code, password })
    expect(recovered.status).toBeLessThan(300)
    expect((await again.get(API)).body.factors).toMatchObject({ password: true, passkeys: 0, totp: false })
    const { body: all } = await operator.get(`${AT}/audit`)
    expect(all.find((row: Json) => row.act === "reset-factors")).toMatchObject({
      actor: second.email,
      target: `person ${lost}`,
      before: { app: true, passkeys: 0 },
      after: { reason: "Lost the phone; called back", asked_by: email, operators: 2 },
    })
    expect(all.filter((row: Json) => row.act === "ask-factor-reset")).toHaveLength(2)
  })

  it("lets who logged in a while ago look, and change nothing", async () => {
    service.moveClock(16 * 60_000)
    try {
      await until("the clock is ahead", async () => {
        const { status, body } = await operator.put(`${AT}/businesses/${business}/features`, { features: [] })
        return status === 403 && body.title === "Log in again"
      })
      expect((await operator.get(`${AT}/overview`)).status).toBe(200)
    } finally {
      service.moveClock(0)
    }
  })
})
