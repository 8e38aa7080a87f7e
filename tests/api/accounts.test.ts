import { afterAll, beforeAll, describe, expect, it } from "vitest"
import {
  API,
  addMember,
  codeMailedTo,
  codeOf,
  PASSWORD,
  person,
  registered,
  withSecondFactor,
} from "../service/account.ts"
import { call } from "../service/api.ts"
import { newPasskey, WITH_CERTIFICATE } from "../service/authenticator.ts"
import { mailsComeTo, mailsTo } from "../service/mailbox.ts"
import { newAddress } from "../service/requests.ts"
import { type Service, startService } from "../service/service.ts"
import { until } from "../service/until.ts"

const TRIES = 12
const WRONG_CODE = 400
let service: Service
beforeAll(async () => {
  service = await startService({ env: { LOGINS_PER_USER: String(TRIES) } })
})
afterAll(() => service?.close())

const logIn = (email: string, password = PASSWORD, who = person(service.url)) =>
  who.post(`${API}/login`, { email, password })
const subjects = async (email: string) => (await mailsTo(email)).map(({ subject }) => subject)

describe("registration", () => {
  it("proves the address first, then takes a name and a password; the person is logged in", async () => {
    const email = newAddress("new")
    const ada = await registered(service.url, email, "Ada Lovelace")
    const { body } = await ada.get(API)
    expect(body).toMatchObject({ email, name: "Ada Lovelace", businesses: [] })
    expect(body.factors).toEqual({ password: true, passkeys: 0, totp: false, recoveryCodes: 0 })
    expect((await logIn(email)).body).toEqual({ next: "done" })
    const { body: log } = await ada.get(`${API}/events`)
    expect(log.events.map(({ act }: { act: string }) => act)).toEqual(["logged-in", "registered"])
    await expect(service.sql("delete from account_event")).rejects.toThrow("append-only")
  })

  it("answers the same for an address that is known; its owner alone is told, and no code works", async () => {
    const email = newAddress("known")
    await registered(service.url, email)
    const stranger = person(service.url)
    const [known, unknown] = [
      await stranger.post(`${API}/register`, { email: email.toUpperCase() }),
      await stranger.post(`${API}/register`, { email: newAddress("unknown") }),
    ]
    expect([known.status, known.bytes.toString()]).toEqual([unknown.status, unknown.bytes.toString()])
    await until("the owner is told", async () => (await subjects(email)).some((each) => /already/.test(each)))
    const guess = { email, code: "00000000", name: "Eve", password: PASSWORD }
    const wrong = await stranger.post(`${API}/register/confirm`, guess)
    const nobody = await stranger.post(`${API}/register/confirm`, { ...guess, email: newAddress("nobody") })
    expect([wrong.status, wrong.body.detail]).toEqual([nobody.status, nobody.body.detail])
    expect(wrong.status).toBe(WRONG_CODE)
  })

  it("takes a code once, and no sixth guess, even the right one", async () => {
    const email = newAddress("guess")
    const eve = person(service.url)
    const code = await codeMailedTo(email, () => eve.post(`${API}/register`, { email }))
    const confirm = (tried: string) =>
      eve.post(`${API}/register/confirm`, { email, code: tried, name: "Eve", password: PASSWORD })
    const wrong = code === "1111 1111" ? "22222222" : "11111111"
    for (let guess = 0; guess < 5; guess++) expect((await confirm(wrong)).status).toBe(WRONG_CODE)
    expect((await confirm(code)).status).toBe(WRONG_CODE)
    const newer = await codeMailedTo(email, () => eve.post(`${API}/register`, { email }))
    expect((await confirm(newer)).status).toBe(200)
    expect((await confirm(newer)).status).toBe(WRONG_CODE)
  })

  it.each(["too short", "passwordpassword", "aaaaaaaaaaaaaaaa", "1234567890123456"])(
    "refuses %j as a password, and the code is still good",
    async (password) => {
      const email = newAddress("weak")
      const who = person(service.url)
      const code = await codeMailedTo(email, () => who.post(`${API}/register`, { email }))
      const refused = await who.post(`${API}/register/confirm`, { email, code, name: "Bo", password })
      expect([refused.status, refused.body.key]).toEqual([400, "error.account.password_weak"])
      const good = { email, code, name: "Bo", password: PASSWORD }
      expect((await who.post(`${API}/register/confirm`, good)).status).toBe(200)
    },
  )

  it("gives a member whom an operator added the account that is there", async () => {
    const email = newAddress("member")
    const { account } = await addMember(service, email)
    const who = await registered(service.url, email, "Bo Member")
    const { body } = await who.get(API)
    expect(body.businesses).toEqual([{ businessId: service.business, name: "Acme AG", role: "admin" }])
    expect(await service.sql(`select id from account where email = '${email}'`)).toBe(account)
  })
})

describe("login", () => {
  it("answers a wrong password, an account without one and an unknown address alike", async () => {
    const [email, passwordless] = [newAddress("login"), newAddress("passwordless")]
    await registered(service.url, email)
    await addMember(service, passwordless)
    const told = new Set<string>()
    for (const address of [email, passwordless, newAddress("nobody")]) {
      const { status, body, headers } = await logIn(address, "not the right password")
      told.add(JSON.stringify([status, body.title, body.detail, headers.getSetCookie()]))
    }
    expect([...told]).toEqual([
      JSON.stringify([401, "Invalid credentials", "The address or the password is wrong.", []]),
    ])
  })

  it("is limited by account, whether there is one or not, and says when to come back", async () => {
    const email = newAddress("limited")
    const answers = []
    for (let guess = 0; guess <= TRIES; guess++) answers.push(await logIn(email, "some wrong password"))
    expect(answers.slice(0, TRIES).map(({ status }) => status)).toEqual(Array(TRIES).fill(401))
    expect(answers.at(-1)?.status).toBe(429)
    expect(Number(answers.at(-1)?.headers.get("retry-after"))).toBeGreaterThan(0)
  })

  it("is for our own pages alone, and its cookie is kept from scripts", async () => {
    const email = newAddress("cookie")
    await registered(service.url, email)
    const headers = { origin: "https://evil.example", "sec-fetch-site": "cross-site" }
    const body = { email, password: PASSWORD }
    expect((await call(service.url, "POST", `${API}/login`, body, headers)).status).toBe(403)
    const cookie = (await logIn(email)).headers.get("set-cookie") ?? ""
    expect(cookie).toMatch(/^paraph-account=[\w-]{43};.*HttpOnly; SameSite=Lax/)
    expect(await service.sql("select count(*) from account_session where id_hash is null")).toBe("0")
  })
})

describe("the second factor", () => {
  it("[R29] is asked for after the password; a code counts once, also between two who have it", async () => {
    const email = newAddress("totp")
    const { secret } = await withSecondFactor(await registered(service.url, email))
    const begin = async () => (await logIn(email)).body
    const { next, step } = await begin()
    expect(next).toBe("second-factor")
    const [ada, eve] = [person(service.url), person(service.url)]
    expect((await ada.get(API)).status).toBe(401)
    const { step: other } = await begin()
    const code = codeOf(secret)
    const both = await Promise.all([
      ada.post(`${API}/login/second`, { step, code }),
      eve.post(`${API}/login/second`, { step: other, code }),
    ])
    expect(both.map(({ status }) => status).sort()).toEqual([200, WRONG_CODE])
    const { step: third } = await begin()
    expect((await eve.post(`${API}/login/second`, { step: third, code })).status).toBe(WRONG_CODE)
    // The same login cannot be gone on with twice.
    const used = both[0]?.status === 200 ? step : other
    expect((await eve.post(`${API}/login/second`, { step: used, code: codeOf(secret) })).status).toBe(403)
  })

  it("may be a recovery code, each of them once; a step is not guessed at more than five times", async () => {
    const email = newAddress("recovery")
    const { recoveryCodes } = await withSecondFactor(await registered(service.url, email))
    expect(new Set(recoveryCodes).size).toBe(10)
    const [first = ""] = recoveryCodes
    const use = async (code: string) => {
      const { step } = (await logIn(email)).body
      return person(service.url).post(`${API}/login/second`, { step, code })
    }
    expect((await use(first.toLowerCase())).status).toBe(200)
    expect((await use(first)).status).toBe(WRONG_CODE)
    const { step } = (await logIn(email)).body
    const guesser = person(service.url)
    for (let guess = 0; guess < 5; guess++)
      await guesser.post(`${API}/login/second`, { step, code: `AAAA-AAAA-AAAA-AAA${guess}` })
    const last = await guesser.post(`${API}/login/second`, { step, code: recoveryCodes[1] ?? "" })
    expect([last.status, last.body.title]).toEqual([403, "Log in again"])
    expect(
      await service.sql(`select count(*) from account_recovery_code r join account a on a.id = r.account_id
      where a.email = '${email}'`),
    ).toBe("9")
  })

  it("lies sealed in the database, and a new operator's key wraps it anew", async () => {
    const email = newAddress("sealed")
    const { secret } = await withSecondFactor(await registered(service.url, email))
    const stored = () =>
      service.sql(`select encode(totp_wrapped, 'hex') from account_credentials c join account a
        on a.id = c.account_id where email = '${email}'`)
    const before = await stored()
    const plain = Buffer.from(before, "hex").toString("latin1")
    expect(plain).not.toContain(secret)
    await service.paraph("keys", "rewrap", "--all")
    expect(await stored()).not.toBe(before)
    const { step } = (await logIn(email)).body
    const again = await person(service.url).post(`${API}/login/second`, { step, code: codeOf(secret) })
    expect(again.status).toBe(200)
  })
})

describe("passkeys", () => {
  it("[R29] open the account without a password; what was answered once opens nothing", async () => {
    const email = newAddress("passkey")
    const ada = await registered(service.url, email)
    const passkey = newPasskey(service.url)
    const { body: made } = await ada.post(`${API}/passkeys/options`)
    expect(made.options.authenticatorSelection).toMatchObject({
      residentKey: "required",
      userVerification: "required",
    })
    const answer = { step: made.step, response: passkey.register(made.options), name: "My key" }
    expect((await ada.post(`${API}/passkeys`, answer)).status).toBe(201)
    expect((await ada.post(`${API}/passkeys`, answer)).status).toBe(401)

    const bare = person(service.url)
    const { body: asked } = await bare.post(`${API}/login/passkey/options`)
    expect(asked.options.allowCredentials ?? []).toEqual([])
    const proof = { step: asked.step, response: passkey.logIn(asked.options) }
    expect((await bare.post(`${API}/login/passkey/verify`, proof)).body).toEqual({ next: "done" })
    expect((await bare.get(API)).body.email).toBe(email)

    // The same answer again, and the same answer to another question.
    const eve = person(service.url)
    expect((await eve.post(`${API}/login/passkey/verify`, proof)).status).toBe(401)
    const { body: later } = await eve.post(`${API}/login/passkey/options`)
    const replayed = { step: later.step, response: proof.response }
    expect((await eve.post(`${API}/login/passkey/verify`, replayed)).status).toBe(401)
    expect((await eve.get(API)).status).toBe(401)
    await until("its owner is told", async () => (await subjects(email)).some((each) => /passkey/.test(each)))
  })

  it("are refused where nobody was asked who they are, and where they bring certificates", async () => {
    const ada = await registered(service.url, newAddress("unverified"))
    const passkey = newPasskey(service.url)
    const { body: odd } = await ada.post(`${API}/passkeys/options`)
    const certified = passkey.register(odd.options, WITH_CERTIFICATE)
    expect((await ada.post(`${API}/passkeys`, { ...odd, response: certified, name: "" })).status).toBe(401)
    const { body: made } = await ada.post(`${API}/passkeys/options`)
    await ada.post(`${API}/passkeys`, { ...made, response: passkey.register(made.options), name: "" })
    const eve = person(service.url)
    const { body: asked } = await eve.post(`${API}/login/passkey/options`)
    const unverified = { step: asked.step, response: passkey.logIn(asked.options, 0x01) }
    expect((await eve.post(`${API}/login/passkey/verify`, unverified)).status).toBe(401)
  })
})

describe("sessions", () => {
  it("[R26] are listed with browser and place, and end one by one, or all with a new password", async () => {
    const email = newAddress("sessions")
    const desk = await registered(service.url, email)
    const phone = person(service.url, "Mozilla/5.0 (iPhone) Safari/604.1")
    await logIn(email, PASSWORD, phone)
    const { sessions } = (await desk.get(`${API}/sessions`)).body
    expect(sessions).toHaveLength(2)
    expect(sessions[1]).toMatchObject({ browser: "Safari, iPhone", current: false })
    expect(sessions[0]).toMatchObject({ browser: "Firefox, Windows", current: true })
    expect(sessions[0].network).toMatch(/^127\.0\.0\.x$|::\/64$/)
    const stranger = await registered(service.url, newAddress("stranger"))
    expect((await stranger.delete(`${API}/sessions/${sessions[1].id}`)).status).toBe(404)
    expect((await phone.get(API)).status).toBe(200)
    expect((await desk.delete(`${API}/sessions/${sessions[1].id}`)).status).toBe(204)
    expect((await phone.get(API)).status).toBe(401)

    await logIn(email, PASSWORD, phone)
    const newer = "an even longer walk in the hills"
    expect((await desk.post(`${API}/password`, { password: newer, current: PASSWORD })).status).toBe(204)
    expect([(await phone.get(API)).status, (await desk.get(API)).status]).toEqual([401, 200])
    expect([(await logIn(email)).status, (await logIn(email, newer)).status]).toEqual([401, 200])
    await until("it is told", async () => (await subjects(email)).includes("Your password was changed"))
    await desk.post(`${API}/logout`)
    expect((await desk.get(API)).status).toBe(401)
  })
})

describe("recovery", () => {
  it("takes a mailed code; everybody is logged out, and the person is told", async () => {
    const email = newAddress("forgot")
    const before = await registered(service.url, email)
    const who = person(service.url)
    const code = await codeMailedTo(email, () => who.post(`${API}/recover`, { email }))
    const password = "quite another walk by the lake"
    expect((await who.post(`${API}/recover/confirm`, { email, code, password })).body.next).toBe("done")
    expect([(await before.get(API)).status, (await who.get(API)).status]).toEqual([401, 200])
    expect([(await logIn(email)).status, (await logIn(email, password)).status]).toEqual([401, 200])
    await until("it is told", async () => (await subjects(email)).includes("Your password was set anew"))
  })

  it("asks for the second factor too, and answers for unknown addresses as for known ones", async () => {
    const email = newAddress("both")
    const { secret } = await withSecondFactor(await registered(service.url, email))
    const who = person(service.url)
    const nobody = newAddress("nobody")
    const asked = await who.post(`${API}/recover`, { email: nobody })
    const code = await codeMailedTo(email, () => who.post(`${API}/recover`, { email }))
    expect([asked.status, asked.bytes.toString()]).toEqual([202, "{}"])
    const given = { email, code, password: "quite another walk by the lake" }
    expect((await who.post(`${API}/recover/confirm`, given)).body.title).toBe("A second factor is needed")
    const wrong = await who.post(`${API}/recover/confirm`, { ...given, second: "000000" })
    const unknown = await who.post(`${API}/recover/confirm`, { ...given, email: nobody, second: "000000" })
    expect([wrong.status, wrong.body.detail]).toEqual([unknown.status, unknown.body.detail])
    const done = await who.post(`${API}/recover/confirm`, { ...given, second: codeOf(secret) })
    expect(done.status).toBe(200)
    expect(await mailsTo(nobody)).toEqual([])
  })
})

describe("in time", () => {
  it("[R26] [ASVS 7.5.2] what opens an account is changed, and other sessions are ended, only soon after a login; a session ends when it is idle, or old", async () => {
    const email = newAddress("late")
    const who = await registered(service.url, email)
    await logIn(email)
    try {
      service.moveClock(16 * 60_000)
      const refused = await who.post(`${API}/password`, { password: "another long walk by the lake" })
      expect([refused.status, refused.body.title]).toEqual([403, "Log in again"])
      expect((await who.post(`${API}/passkeys/options`)).status).toBe(403)
      const { sessions } = (await who.get(`${API}/sessions`)).body
      const other = sessions.find(({ current }: { current: boolean }) => !current)
      const late = await who.delete(`${API}/sessions/${other.id}`)
      expect([late.status, late.body.title]).toEqual([403, "Log in again"])
      await logIn(email, PASSWORD, who)
      expect((await who.delete(`${API}/sessions/${other.id}`)).status).toBe(204)
      service.moveClock(12 * 3_600_000)
      expect((await who.get(API)).status).toBe(200)
      service.moveClock(25 * 3_600_000)
      expect((await who.get(API)).status).toBe(401)
    } finally {
      service.moveClock(0)
    }
    await mailsComeTo(email, 1)
  })
})
