import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { readCommonPasswords } from "../../apps/server/src/password-strength/common-passwords.ts"
import { API, codeMailedTo, PASSWORD, type Person, person, registered } from "../service/account.ts"
import { entry, newAddress, openRequest, uploadTo } from "../service/requests.ts"
import { type Service, startService } from "../service/service.ts"

const TRIES = 20
let service: Service
beforeAll(async () => {
  service = await startService({ env: { LOGINS_PER_USER: String(TRIES) } })
})
afterAll(() => service?.close())

const WEAK = ["passw0rd1234", "Sommer2026!!"]
const refused = [400, "error.account.password_weak"]

describe("[B14] a password of a dictionary", () => {
  it("is refused at the registration, and the code stays valid for another one", async () => {
    const [who, email] = [person(service.url), newAddress("weak")]
    const code = await codeMailedTo(email, () => who.post(`${API}/register`, { email }))
    const register = (password: string) =>
      who.post(`${API}/register/confirm`, { email, code, name: "Ada Lovelace", password })
    for (const password of [...WEAK, "Lovelace2026!!"]) {
      const { status, body } = await register(password)
      expect([status, body.key]).toEqual(refused)
    }
    expect((await register(PASSWORD)).status).toBe(200)
  })

  it("is refused at a change and at the recovery", async () => {
    const email = newAddress("changes")
    const who = await registered(service.url, email)
    for (const password of WEAK) {
      const { status, body } = await who.post(`${API}/password`, { password, current: PASSWORD })
      expect([status, body.key]).toEqual(refused)
    }
    const lost = person(service.url)
    const code = await codeMailedTo(email, () => lost.post(`${API}/recover`, { email }))
    const recover = (password: string) => lost.post(`${API}/recover/confirm`, { email, code, password })
    const { status, body } = await recover("Sommer2026!!")
    expect([status, body.key]).toEqual(refused)
    expect((await recover("another long walk by a lake")).status).toBe(200)
  })
})

describe("[ASVS 6.2.4] the most common passwords of 12 characters and more", () => {
  it("are refused, and so are a town, a year and a symbol", async () => {
    const who = await registered(service.url, newAddress("common"))
    const rows = readCommonPasswords()
    const sample = [rows[0], rows[1_499], rows[2_999], rows.at(-1), "Zuerich2026!"]
    for (const password of sample) {
      const { status, body } = await who.post(`${API}/password`, { password, current: PASSWORD })
      expect([password, status, body.key]).toEqual([password, ...refused])
    }
  })
})

describe("[ASVS 6.2.3] a change of the password", () => {
  const NEWER = "another long walk by a lake"

  it("needs the current password, although the login is fresh", async () => {
    const email = newAddress("current")
    const who = await registered(service.url, email)
    const change = (current?: string) => who.post(`${API}/password`, { password: NEWER, current })
    const wrong = [401, "error.auth.credentials_invalid"]
    for (const current of [undefined, "not the password at all"]) {
      const { status, body } = await change(current)
      expect([status, body.key]).toEqual(wrong)
    }
    expect((await who.get(API)).status).toBe(200)
    const { events } = (await who.get(`${API}/events`)).body
    expect(events[0].act).toBe("login-failed")
    expect((await change(PASSWORD)).status).toBe(204)
    const login = (password: string) => person(service.url).post(`${API}/login`, { email, password })
    expect([(await login(PASSWORD)).status, (await login(NEWER)).status]).toEqual([401, 200])
  })

  it("lets a session that is stolen guess no more than the login does", async () => {
    const who = await registered(service.url, newAddress("guesses"))
    const statuses = []
    for (let guess = 0; guess <= TRIES; guess++)
      statuses.push(
        (await who.post(`${API}/password`, { password: NEWER, current: `guess ${guess}` })).status,
      )
    expect(statuses.at(-1)).toBe(429)
  })

  it("needs none where the account has a passkey alone", async () => {
    const email = newAddress("first-password")
    const who = person(service.url)
    const code = await codeMailedTo(email, () => who.post(`${API}/register`, { email }))
    await who.post(`${API}/register/confirm`, { email, code, name: "Ada Lovelace" })
    expect((await who.post(`${API}/password`, { password: NEWER })).status).toBe(204)
  })
})

describe("[B14] a login in a browser that has a session", () => {
  const copyOf = (who: Person): Person => {
    const copy = person(service.url)
    for (const [name, value] of who.cookies) copy.cookies.set(name, value)
    return copy
  }
  const logIn = (who: Person, email: string) => who.post(`${API}/login`, { email, password: PASSWORD })
  const statusOf = async (who: Person) => (await who.get(API)).status

  it("gives a new session and ends the one that the browser presented, and no other one", async () => {
    const email = newAddress("again")
    const who = await registered(service.url, email)
    const elsewhere = person(service.url)
    await logIn(elsewhere, email)
    const before = copyOf(who)
    expect((await logIn(who, email)).status).toBe(200)
    expect(who.cookies).not.toEqual(before.cookies)
    expect([await statusOf(before), await statusOf(who), await statusOf(elsewhere)]).toEqual([401, 200, 200])
    expect((await who.get(`${API}/sessions`)).body.sessions).toHaveLength(2)
  })

  it("ends the session of another person too", async () => {
    const [ada, bob] = [newAddress("ada"), newAddress("bob")]
    await registered(service.url, bob)
    const who = await registered(service.url, ada)
    const before = copyOf(who)
    await logIn(who, bob)
    expect((await who.get(API)).body.email).toBe(bob)
    expect(await statusOf(before)).toBe(401)
    const { events } = (
      await (async () => {
        await logIn(before, ada)
        return before.get(`${API}/events`)
      })()
    ).body
    expect(events.slice(0, 2).map(({ act }: { act: string }) => act)).toEqual(["logged-in", "logged-out"])
  })

  it("does not end it where the password is wrong", async () => {
    const email = newAddress("wrong")
    const who = await registered(service.url, email)
    const before = copyOf(who)
    expect((await who.post(`${API}/login`, { email, password: "no such password" })).status).toBe(401)
    expect(await statusOf(before)).toBe(200)
  })

  it("keeps the document open that the same person signs, and closes it for another person", async () => {
    const [email, other] = [newAddress("signs"), newAddress("other")]
    await registered(service.url, other)
    const who = await registered(service.url, email)
    const documentId = await uploadTo(service.caller, "v2")
    const { id } = await openRequest(service.caller, "v2", documentId, { signatures: [entry("v2", email)] })
    await who.post(`/view/${id}`)
    await logIn(who, email)
    expect((await who.get("/app/api/signature")).body.screen).toBe("read")
    const signer = copyOf(who)
    await logIn(who, other)
    expect((await signer.get("/app/api/signature")).status).toBe(401)
  })
})
