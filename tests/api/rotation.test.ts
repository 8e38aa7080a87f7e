import { generateKeyPairSync, randomBytes } from "node:crypto"
import { decodeProtectedHeader } from "jose"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { API, PASSWORD, person, registered, withSecondFactor } from "../service/account.ts"
import { call, createApi, withToken } from "../service/api.ts"
import type { ServerProcess } from "../service/process.ts"
import { type Service, startService, typed } from "../service/service.ts"

const pepper = (): string => randomBytes(32).toString("hex")
const tokenKey = (): string =>
  generateKeyPairSync("ed25519").privateKey.export({ format: "pem", type: "pkcs8" }).toString()

// Each test goes on where the one before ended: before the rotation, while both are in use, and after it.
describe("the pepper and the token key are rotated", () => {
  const before = { KEY_PEPPER: pepper(), TOKEN_KEY: tokenKey() }
  const after = { KEY_PEPPER: pepper(), TOKEN_KEY: tokenKey() }
  const overlap = { ...after, KEY_PEPPER_EARLIER: before.KEY_PEPPER, TOKEN_KEY_EARLIER: before.TOKEN_KEY }
  const email = `rotation-${Date.now()}@example.org`
  let service: Service
  let api: ServerProcess
  let recoveryCodes: readonly string[]
  beforeAll(async () => {
    service = await startService({ env: before })
    api = service.api
    const who = await registered(service.url, email)
    recoveryCodes = (await withSecondFactor(who)).recoveryCodes
  })
  afterAll(() => service?.close())

  const restart = async (env: Record<string, string>) => {
    await api.stop()
    api = await service.startApi({ KEY_PEPPER_EARLIER: "", TOKEN_KEY_EARLIER: "", ...env })
  }
  const logIn = (key: string) =>
    call(service.url, "POST", "/v2/access/login", { username: service.username, "api-key": key }, {})
  /** The password, then a recovery code. */
  const enter = async (code: string): Promise<number> => {
    const browser = person(service.url)
    const { status, body } = await browser.post(`${API}/login`, { email, password: PASSWORD })
    if (status !== 200) return status
    return (await browser.post(`${API}/login/second`, { step: body.step, code })).status
  }
  const isTaken = async (token: string) =>
    (await withToken(service.url, token).get("/v2/signature-requests?limit=1")).status
  const kids = async (): Promise<readonly string[]> =>
    (await call(service.url, "GET", "/.well-known/jwks.json", undefined, {})).body.keys.map(
      ({ kid }: { kid: string }) => kid,
    )
  const doctor = async (env: Record<string, string>): Promise<string> => {
    const printed = await typed({ ...service.env, ...env, ROLES: "api" }, ["doctor", "--json"]).catch(
      (error: { stdout: string }) => error.stdout,
    )
    return JSON.parse(printed).parts.find(({ part }: { part: string }) => part === "pepper").found
  }
  const kidOf = (token: string) => decodeProtectedHeader(token).kid ?? ""

  it("[11.2.2] a key, a token, a password and a recovery code from before are taken while both are in use", async () => {
    const old = service.caller.token
    await restart(overlap)
    expect(await isTaken(old)).toBe(200)
    const { token } = await createApi(service.url, service.username, service.demoKey)
    expect(kidOf(token)).not.toBe(kidOf(old))
    expect(await kids()).toEqual([kidOf(token), kidOf(old)])
    expect(await doctor(overlap)).toContain("1 API keys, 1 passwords, recovery codes of 1 people")
    expect(await enter(recoveryCodes[0] ?? "")).toBeLessThan(300)
    expect(await enter(recoveryCodes[0] ?? "")).toBeGreaterThanOrEqual(400)
    expect(await doctor(overlap)).toContain("1 API keys, 0 passwords, recovery codes of 1 people")
  })

  it("[11.2.2] without the earlier ones a used key goes on, and an unused key, the old token and old codes are dead", async () => {
    const { token } = await createApi(service.url, service.username, service.demoKey)
    await restart(after)
    expect(await isTaken(service.caller.token)).toBe(401)
    expect(await isTaken(token)).toBe(200)
    expect(await kids()).toEqual([kidOf(token)])
    expect((await logIn(service.demoKey)).status).toBe(200)
    expect((await logIn(service.productionKey)).status).toBe(401)
    expect(await enter(recoveryCodes[1] ?? "")).toBeGreaterThanOrEqual(400)
    expect(await doctor({ ...after, KEY_PEPPER_EARLIER: "" })).toContain("is the only one")
  })
})
