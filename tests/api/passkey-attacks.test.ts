import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { API, codeMailedTo, type Person, person, registered } from "../service/account.ts"
import { type Lies, newPasskey } from "../service/authenticator.ts"
import { newAddress } from "../service/requests.ts"
import { type Service, startService } from "../service/service.ts"

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service?.close())

type Passkey = ReturnType<typeof newPasskey>

async function holder(name: string): Promise<{ who: Person; passkey: Passkey }> {
  const who = await registered(service.url, newAddress(name))
  const passkey = newPasskey(service.url)
  expect(await add(who, passkey)).toBe(201)
  return { who, passkey }
}

async function add(who: Person, passkey: Passkey, lies: Lies = {}): Promise<number> {
  const { body } = await who.post(`${API}/passkeys/options`)
  const response = passkey.register(body.options, undefined, lies)
  return (await who.post(`${API}/passkeys`, { step: body.step, response, name: "Phone" })).status
}

/** The status of a login with an answer that lies, and whether it opened anything. */
async function logIn(passkey: Passkey, lies: Lies = {}, flags = 0x05): Promise<readonly [number, boolean]> {
  const who = person(service.url)
  const { body } = await who.post(`${API}/login/passkey/options`)
  const proof = { step: body.step, response: passkey.logIn(body.options, flags, lies) }
  const { status } = await who.post(`${API}/login/passkey/verify`, proof)
  return [status, (await who.get(API)).status === 200]
}

describe("a login by a passkey", () => {
  it("is refused for another origin, another relying party, another ceremony, and without presence or verification", async () => {
    const { passkey } = await holder("lies")
    const { hostname, port } = new URL(service.url)
    const lies: readonly Lies[] = [
      { origin: "https://evil.example" },
      { origin: `http://${hostname}:${Number(port) + 1}` },
      { origin: `https://${hostname}:${port}` },
      { origin: `http://login.${hostname}:${port}` },
      { origin: `${service.url}.evil.example` },
      { origin: "null" },
      { rpId: "evil.example" },
      { rpId: `login.${hostname}` },
      { rpId: "" },
      { type: "webauthn.create" },
      { type: "payment.get" },
    ]
    for (const lie of lies) expect([lie, ...(await logIn(passkey, lie))]).toEqual([lie, 401, false])
    for (const flags of [0x00, 0x01, 0x04]) expect(await logIn(passkey, {}, flags)).toEqual([401, false])
    expect(await logIn(passkey)).toEqual([200, true])
  })

  it("is refused where the counter does not grow, as that of a copied authenticator", async () => {
    const { passkey } = await holder("copied")
    expect(await logIn(passkey, { counter: 10 })).toEqual([200, true])
    for (const counter of [10, 9, 1, 0]) expect(await logIn(passkey, { counter })).toEqual([401, false])
    expect(await logIn(passkey, { counter: 11 })).toEqual([200, true])
  })

  it("is refused with the id of another person's credential", async () => {
    const [ada, eve] = [await holder("ada"), await holder("eve")]
    expect(await logIn(eve.passkey, { id: ada.passkey.id })).toEqual([401, false])
    expect(await logIn(newPasskey(service.url), { id: ada.passkey.id })).toEqual([401, false])
    // A credential id belongs to one account.
    expect(await add(eve.who, ada.passkey)).toBe(401)
  })

  it("does not take the challenge of a registration, of another person or of another step", async () => {
    const [ada, eve] = [await holder("asked"), await holder("thief")]
    const { body: made } = await ada.who.post(`${API}/passkeys/options`)
    const byRegistration = { step: made.step, response: ada.passkey.logIn(made.options) }
    const who = person(service.url)
    expect((await who.post(`${API}/login/passkey/verify`, byRegistration)).status).toBe(401)
    // Eve finishes what Ada began: the passkey would be Ada's.
    const { body: hers } = await ada.who.post(`${API}/passkeys/options`)
    const stolen = { step: hers.step, response: newPasskey(service.url).register(hers.options), name: "Eve" }
    expect((await eve.who.post(`${API}/passkeys`, stolen)).status).toBe(401)
    const [{ body: one }, { body: other }] = [
      await who.post(`${API}/login/passkey/options`),
      await who.post(`${API}/login/passkey/options`),
    ]
    const crossed = { step: one.step, response: ada.passkey.logIn(other.options) }
    expect((await who.post(`${API}/login/passkey/verify`, crossed)).status).toBe(401)
    expect((await who.get(API)).status).toBe(401)
  })

  it("is sent twice at once, and counts once", async () => {
    const { passkey } = await holder("twice")
    const who = person(service.url)
    const { body } = await who.post(`${API}/login/passkey/options`)
    const proof = { step: body.step, response: passkey.logIn(body.options) }
    const sent = Array.from({ length: 6 }, () =>
      person(service.url).post(`${API}/login/passkey/verify`, proof),
    )
    const statuses = (await Promise.all(sent)).map(({ status }) => status)
    expect(statuses.toSorted()).toEqual([200, 401, 401, 401, 401, 401])
  })

  it("is not added under a lie about the origin or the relying party", async () => {
    const { who } = await holder("added")
    for (const lies of [
      { origin: "https://evil.example" },
      { rpId: "evil.example" },
      { type: "webauthn.get" },
    ])
      expect([lies, await add(who, newPasskey(service.url), lies)]).toEqual([lies, 401])
  })
})

describe("a recovery", () => {
  it("that is confirmed several times at once with one code sets one password", async () => {
    const email = newAddress("raced")
    await registered(service.url, email)
    const who = person(service.url)
    const code = await codeMailedTo(email, () => who.post(`${API}/recover`, { email }))
    const passwords = Array.from({ length: 6 }, (_, i) => `walk number ${i} by the quiet lake`)
    const confirm = (password: string) => who.post(`${API}/recover/confirm`, { email, code, password })
    const statuses = (await Promise.all(passwords.map(confirm))).map(({ status }) => status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(1)
    const logins = passwords.map((password) => person(service.url).post(`${API}/login`, { email, password }))
    const opened = (await Promise.all(logins)).map(({ status }) => status === 200)
    expect(opened).toEqual(statuses.map((status) => status === 200))
  })

  it("and a new password at the same time leave one of the two passwords", async () => {
    const email = newAddress("crossed")
    const ada = await registered(service.url, email)
    const thief = person(service.url)
    const code = await codeMailedTo(email, () => thief.post(`${API}/recover`, { email }))
    const [changed, recovered] = ["a new walk by the lake", "another walk by the lake"]
    const done = await Promise.all([
      ada.post(`${API}/password`, { password: changed }),
      thief.post(`${API}/recover/confirm`, { email, code, password: recovered }),
    ])
    const logins = [changed, recovered].map((password) =>
      person(service.url).post(`${API}/login`, { email, password }),
    )
    const opened = (await Promise.all(logins)).map(({ status }) => status === 200)
    expect(opened.filter(Boolean)).toHaveLength(1)
    expect(done.some(({ status }) => status < 300)).toBe(true)
  })
})
