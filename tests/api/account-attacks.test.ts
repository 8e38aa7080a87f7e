import { afterAll, beforeAll, describe, expect, it } from "vitest"
import {
  API,
  codeMailedTo,
  codeOf,
  PASSWORD,
  type Person,
  person,
  registered,
  withSecondFactor,
} from "../service/account.ts"
import { newPasskey } from "../service/authenticator.ts"
import { mailsTo } from "../service/mailbox.ts"
import { newAddress } from "../service/requests.ts"
import { type Service, startService } from "../service/service.ts"
import { until } from "../service/until.ts"

const TRIES = 12
const WRONG_CODE = 400
const NEWER = "quite another walk by the lake"
let service: Service
beforeAll(async () => {
  const limits = { LOGINS_PER_USER: String(TRIES), LOGINS_PER_ADDRESS: "2000" }
  service = await startService({ env: { ...limits, TRUSTED_PROXIES: "127.0.0.1,::1" } })
})
afterAll(() => service?.close())

const logIn = (email: string, password = PASSWORD) =>
  person(service.url).post(`${API}/login`, { email, password })
const isTold = (email: string, of: RegExp) =>
  until(`${email} is told of ${of}`, async () =>
    (await mailsTo(email)).some(({ subject, text }) => of.test(`${subject}\n${text}`)),
  )
const withoutPassword = (email: string) =>
  service.sql(`update account_credentials set password_hash = null from account a
    where a.id = account_id and email = '${email}'`)

async function addPasskey(who: Person, name: string): Promise<readonly string[]> {
  const { body } = await who.post(`${API}/passkeys/options`)
  const response = newPasskey(service.url).register(body.options)
  const added = await who.post(`${API}/passkeys`, { step: body.step, response, name })
  expect(added.status).toBe(201)
  return added.body.recoveryCodes
}

describe("a mailed code", () => {
  it("is used by many at once, also without a password: nobody waits for a second connection", async () => {
    const asking = Array.from({ length: 15 }, async () => {
      const [email, who] = [newAddress("many"), person(service.url)]
      return { email, who, code: await codeMailedTo(email, () => who.post(`${API}/register`, { email })) }
    })
    const done = (await Promise.all(asking)).map(({ who, email, code }) =>
      who.post(`${API}/register/confirm`, { email, code, name: "Many" }),
    )
    expect((await Promise.all(done)).map(({ status }) => status)).toEqual(Array(15).fill(200))
  })

  it("has eight digits and is of the browser that asked; a stranger neither uses it nor uses it up", async () => {
    const email = newAddress("bound")
    const [ada, eve, bare] = [person(service.url), person(service.url), person(service.url)]
    const code = await codeMailedTo(email, () => ada.post(`${API}/register`, { email }))
    expect(code).toMatch(/^\d{4} \d{4}$/)
    const other = await codeMailedTo(email, () => eve.post(`${API}/register`, { email }))
    const confirm = (who: Person, tried: string) =>
      who.post(`${API}/register/confirm`, { email, code: tried, name: "Ada", password: PASSWORD })
    for (let guess = 0; guess < 6; guess++) expect((await confirm(eve, code)).status).toBe(WRONG_CODE)
    for (const tried of [code, other]) expect((await confirm(bare, tried)).status).toBe(WRONG_CODE)
    expect((await confirm(ada, code.replace(" ", ""))).status).toBe(200)
  })

  it("is mailed to whoever has the address, when a stranger has used up their own share of mails", async () => {
    const email = newAddress("flooded")
    const ask = (from: string) =>
      person(service.url).post(`${API}/register`, { email }, { "x-forwarded-for": from })
    for (let mail = 0; mail < 5; mail++) expect((await ask("2001:db8:1:7::1")).status).toBe(202)
    // A site of IPv6 has many networks.
    for (const near of ["2001:db8:1:7::1", "2001:db8:1:8::1"]) expect((await ask(near)).status).toBe(429)
    expect((await ask("192.0.2.7")).status).toBe(202)
  })

  it("does not open an account in which an authenticator app was set up", async () => {
    const email = newAddress("app-only")
    const { secret } = await withSecondFactor(await registered(service.url, email))
    await withoutPassword(email)
    const who = person(service.url)
    await who.post(`${API}/register`, { email })
    await isTold(email, /You already have an account/)
    const code = await codeMailedTo(email, () => who.post(`${API}/recover`, { email }))
    const given = { email, code, password: NEWER }
    expect((await who.post(`${API}/recover/confirm`, given)).body.title).toBe("A second factor is needed")
    const done = await who.post(`${API}/recover/confirm`, { ...given, second: codeOf(secret) })
    expect(done.status).toBe(200)

    const [bare, other] = [person(service.url), newAddress("bare")]
    const first = await codeMailedTo(other, () => bare.post(`${API}/register`, { email: other }))
    await bare.post(`${API}/register/confirm`, { email: other, code: first, name: "Bo" })
    expect((await bare.post(`${API}/totp`)).status).toBe(400)
  })
})

describe("a login", () => {
  it("that is half-way does not go on after a new password", async () => {
    const email = newAddress("overtaken")
    const ada = await registered(service.url, email)
    const { secret } = await withSecondFactor(ada)
    const { step } = (await logIn(email)).body
    expect((await ada.post(`${API}/password`, { password: NEWER, current: PASSWORD })).status).toBe(204)
    const late = await person(service.url).post(`${API}/login/second`, { step, code: codeOf(secret) })
    expect([late.status, late.body.title]).toEqual([403, "Log in again"])
  })

  it("is not locked by a stranger who tries passwords from elsewhere", async () => {
    const email = newAddress("tried")
    await registered(service.url, email)
    const from = (address: string, password: string) =>
      person(service.url).post(`${API}/login`, { email, password }, { "x-forwarded-for": address })
    const guesses = []
    for (let guess = 0; guess <= TRIES; guess++) guesses.push(await from("198.51.100.1", "a wrong password"))
    expect(guesses.at(-1)?.status).toBe(429)
    expect((await from("192.0.2.7", PASSWORD)).status).toBe(200)
  })
})

describe("the second factor", () => {
  it("is not guessed at all day: the owner is told, and sees each failure; recovery is not locked by it", async () => {
    const email = newAddress("guessed")
    const ada = await registered(service.url, email)
    const { secret } = await withSecondFactor(ada)
    const use = async (code: string) => {
      const { step } = (await logIn(email)).body
      return person(service.url).post(`${API}/login/second`, { step, code })
    }
    for (let guess = 0; guess < 5; guess++)
      expect((await use(`AAAA-AAAA-AAAA-AAA${guess}`)).status).toBe(WRONG_CODE)
    await isTold(email, /Wrong codes for your account/)
    const { events } = (await ada.get(`${API}/events`)).body
    expect(events.filter(({ act }: { act: string }) => act === "login-failed")).toHaveLength(5)
    await service.sql(`insert into account_event (account_id, at, act, detail, browser, network)
      select id, now(), 'login-failed', 'second factor', '', '' from account, generate_series(1, 25)
        where email = '${email}'`)
    expect((await use(codeOf(secret))).status).toBe(429)
    const who = person(service.url)
    const code = await codeMailedTo(email, () => who.post(`${API}/recover`, { email }))
    const given = { email, code, password: NEWER, second: codeOf(secret) }
    expect((await who.post(`${API}/recover/confirm`, given)).status).toBe(200)
  })

  it("is set up in some tries a minute, soon after a login", async () => {
    const ada = await registered(service.url, newAddress("setup"))
    await ada.post(`${API}/totp`)
    const tries = []
    for (let guess = 0; guess < TRIES; guess++)
      tries.push((await ada.post(`${API}/totp/confirm`, { code: "000000" })).status)
    expect([tries[0], tries.at(-1)]).toEqual([WRONG_CODE, 429])
    const late = await registered(service.url, newAddress("late"))
    const { body } = await late.post(`${API}/totp`)
    try {
      service.moveClock(16 * 60_000)
      expect((await late.post(`${API}/totp/confirm`, { code: codeOf(body.secret) })).status).toBe(403)
      // Refused before anything is spent on it, the operator's key least of all.
      for (let ask = 0; ask <= TRIES; ask++) expect((await late.post(`${API}/totp`)).status).toBe(403)
    } finally {
      service.moveClock(0)
    }
  })
})

describe("passkeys", () => {
  it("are not asked for without end, and the last one stays, also when two are removed at once", async () => {
    const email = newAddress("last")
    const ada = await registered(service.url, email)
    for (const name of ["one", "two"]) await addPasskey(ada, name)
    await withoutPassword(email)
    const { passkeys } = (await ada.get(`${API}/passkeys`)).body
    const removed: Promise<{ status: number }>[] = passkeys.map(({ id }: { id: string }) =>
      ada.delete(`${API}/passkeys/${id}`),
    )
    const statuses = (await Promise.all(removed)).map(({ status }) => status)
    expect(statuses.sort()).toEqual([204, 400])
    const asked = await person(service.url).post(`${API}/login/passkey/options`)
    expect(asked.headers.get("ratelimit-limit")).toBe("2000")
  })

  it("that are young are gone after a recovery, which says so", async () => {
    const email = newAddress("thief")
    const ada = await registered(service.url, email)
    const [second] = await addPasskey(ada, "old")
    await service.sql("update account_passkey set created_at = now() - interval '8 days' where name = 'old'")
    await addPasskey(ada, "young")
    const who = person(service.url)
    const code = await codeMailedTo(email, () => who.post(`${API}/recover`, { email }))
    expect((await who.post(`${API}/recover/confirm`, { email, code, password: NEWER, second })).status).toBe(
      200,
    )
    const { passkeys } = (await who.get(`${API}/passkeys`)).body
    expect(passkeys.map(({ name }: { name: string }) => name)).toEqual(["old"])
    await isTold(email, /within the last seven days/)
  })
})

describe("[ASVS 6.4.3] the mailbox of an account that has a passkey", () => {
  it("does not recover it without a recovery code, which comes with the first passkey", async () => {
    const email = newAddress("passkey-only")
    const ada = await registered(service.url, email)
    const codes = await addPasskey(ada, "first")
    expect(new Set(codes).size).toBe(10)
    expect(codes[0]).toMatch(/^(?:[A-Z0-9]{4}-){5}[A-Z0-9]{4}$/)
    expect(await addPasskey(ada, "second")).toEqual([])
    expect((await ada.get(API)).body.factors.recoveryCodes).toBe(10)
    const thief = person(service.url)
    const code = await codeMailedTo(email, () => thief.post(`${API}/recover`, { email }))
    const given = { email, code, password: NEWER }
    const refused = await thief.post(`${API}/recover/confirm`, given)
    expect([refused.status, refused.body.title]).toEqual([403, "A second factor is needed"])
    for (const second of ["000000", "AAAA-AAAA-AAAA-AAAA-AAAA-AAAA"])
      expect((await thief.post(`${API}/recover/confirm`, { ...given, second })).status).toBe(WRONG_CODE)
    const done = await thief.post(`${API}/recover/confirm`, { ...given, second: codes[0] })
    expect(done.status).toBe(200)
    expect((await thief.get(API)).body.factors.recoveryCodes).toBe(9)
  })

  it("recovers it in the browser where the passkey has just opened it", async () => {
    const email = newAddress("passkey-there")
    const ada = await registered(service.url, email)
    const passkey = newPasskey(service.url)
    const { body } = await ada.post(`${API}/passkeys/options`)
    const response = passkey.register(body.options)
    await ada.post(`${API}/passkeys`, { step: body.step, response, name: "" })
    // A young one would be gone after the recovery.
    await service.sql(`update account_passkey p set created_at = now() - interval '8 days'
      from account a where a.id = p.account_id and a.email = '${email}'`)
    const who = person(service.url)
    const { body: asked } = await who.post(`${API}/login/passkey/options`)
    await who.post(`${API}/login/passkey/verify`, {
      step: asked.step,
      response: passkey.logIn(asked.options),
    })
    const code = await codeMailedTo(email, () => who.post(`${API}/recover`, { email }))
    expect((await who.post(`${API}/recover/confirm`, { email, code, password: NEWER })).status).toBe(200)
    // A login by the password alone is no such proof.
    const weak = person(service.url)
    await weak.post(`${API}/login`, { email, password: NEWER })
    const next = await codeMailedTo(email, () => weak.post(`${API}/recover`, { email }))
    expect(
      (await weak.post(`${API}/recover/confirm`, { email, code: next, password: PASSWORD })).status,
    ).toBe(403)
  })
})

it("[ASVS 6.5.5] a code of an app counts in its step and the next one, and never before", async () => {
  const email = newAddress("steps")
  const { secret } = await withSecondFactor(await registered(service.url, email))
  const give = async (code: string) => {
    const { step } = (await logIn(email)).body
    return (await person(service.url).post(`${API}/login/second`, { step, code })).status
  }
  expect(await give(codeOf(secret, 1))).toBe(WRONG_CODE)
  expect(await give(codeOf(secret, -2))).toBe(WRONG_CODE)
  expect(await give(codeOf(secret))).toBe(200)
})

it("[ASVS 6.4.3] an authenticator app that a thief of the password began, and never confirmed, recovers nothing", async () => {
  const email = newAddress("begun")
  await addPasskey(await registered(service.url, email), "Key")
  const thief = person(service.url)
  await thief.post(`${API}/login`, { email, password: PASSWORD })
  const { body: begun } = await thief.post(`${API}/totp`)
  const code = await codeMailedTo(email, () => thief.post(`${API}/recover`, { email }))
  const recovery = { email, code, password: NEWER, second: codeOf(begun.secret) }
  expect((await thief.post(`${API}/recover/confirm`, recovery)).status).toBe(WRONG_CODE)
  expect((await logIn(email)).status).toBe(200)
})
