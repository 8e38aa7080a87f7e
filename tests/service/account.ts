import { createHmac } from "node:crypto"
import { type Answer, call } from "./api.ts"
import { mailsTo } from "./mailbox.ts"
import type { Service } from "./service.ts"
import { until } from "./until.ts"

/** A person with a browser of their own: what our pages send, and the cookies that they keep. */
export type Person = {
  readonly get: (path: string) => Promise<Answer>
  readonly post: (path: string, body?: unknown, headers?: Record<string, string>) => Promise<Answer>
  readonly put: (path: string, body?: unknown) => Promise<Answer>
  readonly delete: (path: string) => Promise<Answer>
  readonly cookies: Map<string, string>
}

export function person(url: string, userAgent = "Firefox/140.0 Windows"): Person {
  const cookies = new Map<string, string>()
  const ask = async (method: string, path: string, body?: unknown, more = {}) => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ")
    const headers = { origin: url, "user-agent": userAgent, ...(cookie !== "" && { cookie }), ...more }
    const answer = await call(url, method, path, body, headers)
    for (const set of answer.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(set) ?? []
      if (value === "") cookies.delete(name)
      else cookies.set(name, value)
    }
    return answer
  }
  return {
    cookies,
    get: (path) => ask("GET", path),
    post: (path, body = {}, headers = {}) => ask("POST", path, body, headers),
    put: (path, body = {}) => ask("PUT", path, body),
    delete: (path) => ask("DELETE", path),
  }
}

export const API = "/app/api/account"

/** Waits for a mail with a code beyond those that were there, and takes the code out of it. */
export async function codeMailedTo(email: string, ask: () => Promise<unknown>): Promise<string> {
  const before = (await mailsTo(email)).length
  await ask()
  return until(`a code comes to ${email}`, async () => {
    const mails = (await mailsTo(email)).slice(before)
    return mails.flatMap((mail) => /^\D*:\s(\d{4} \d{4})$/m.exec(mail.text)?.[1] ?? []).at(-1)
  })
}

export const PASSWORD = "a long walk by the lake"

/** Somebody who has registered, with a password, and is logged in. */
export async function registered(url: string, email: string, name = "Ada Lovelace"): Promise<Person> {
  const who = person(url)
  const code = await codeMailedTo(email, () => who.post(`${API}/register`, { email }))
  const done = await who.post(`${API}/register/confirm`, { email, code, name, password: PASSWORD })
  if (done.status !== 200) throw new Error(`Registering answered ${done.status}: ${done.bytes}`)
  return who
}

/** RFC 6238, by hand. The server accepts the step of now and the one before. */
export function codeOf(secret: string, stepsAhead = 0): string {
  const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
  const bits = Array.from(secret, (letter) => letters.indexOf(letter).toString(2).padStart(5, "0")).join("")
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
  const step = Buffer.alloc(8)
  step.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000) + stepsAhead))
  const mac = createHmac("sha1", key).update(step).digest()
  const at = (mac.at(-1) ?? 0) & 15
  return String((mac.readUInt32BE(at) & 0x7fffffff) % 1_000_000).padStart(6, "0")
}

/** Confirms with the code of the step before, so that the code of now can be used at once. */
export async function withSecondFactor(who: Person) {
  const { body: begun } = await who.post(`${API}/totp`)
  // At the end of a step, the code would be two steps old when it arrives.
  await until("the step is not about to end", async () => Date.now() % 30_000 < 27_000 || undefined)
  const confirmed = await who.post(`${API}/totp/confirm`, { code: codeOf(begun.secret, -1) })
  if (confirmed.status !== 200) throw new Error(`The code was refused: ${confirmed.bytes}`)
  return { secret: begun.secret as string, recoveryCodes: confirmed.body.recoveryCodes as string[] }
}

/**
 * Who runs the service, works for no business, and came in with an authenticator app. `weak` is the same person in another
 * browser, by a password alone.
 */
export async function operatorOf(service: Service, email: string, name = "Olga") {
  await service.paraph("admin", "add-operator", "--email", email, "--name", name)
  const weak = await registered(service.url, email, name)
  const { secret } = await withSecondFactor(weak)
  const operator = person(service.url)
  const { body } = await operator.post(`${API}/login`, { email, password: PASSWORD })
  const second = await operator.post(`${API}/login/second`, { step: body.step, code: codeOf(secret) })
  if (second.status >= 300) throw new Error(`The operator is not in: ${second.status} ${second.bytes}`)
  return { operator, weak }
}

/** Calls the interface in the name of a member who is logged in. */
export async function tokenOf(who: Person, businessId: string) {
  const { body } = await who.post(`${API}/token`, { businessId, kind: "demo" })
  return { authorization: `Bearer ${body.token}` }
}

export const addMember = (service: Service, email: string, role = "admin") =>
  service.paraph(
    "admin",
    "add-member",
    ...["--business", service.business, "--email", email, "--name", "B", "--role", role],
  )
