import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Json, VERSIONS } from "../service/api.ts"
import { askWith, logIn } from "../service/login.ts"
import { type Service, startService } from "../service/service.ts"
import { until } from "../service/until.ts"

const DAY_MS = 86_400_000
const CREDENTIALS_INVALID = [401, "error.auth.credentials_invalid"]

let service: Service
beforeAll(async () => {
  service = await startService({ worker: false })
})
afterAll(() => service?.close())

const admin = (...words: string[]): Promise<Json> => service.paraph("admin", ...words)
const newKey = (...words: string[]) =>
  admin("create-key", "--user", service.username, "--kind", "demo", ...words)
const statusAndKey = ({ status, body }: Json) => [status, body?.key]

/** A token of each version, by this key. */
async function tokensOf(apiKey: string): Promise<readonly string[]> {
  const logins = await Promise.all(VERSIONS.map((v) => logIn(service.url, v, service.username, apiKey)))
  expect(logins.map(({ status }) => status)).toEqual([200, 200, 200])
  return logins.map(({ bytes }) => bytes.toString())
}

/** What each version says to each of the tokens. */
const statusesOf = (tokens: readonly string[]) =>
  Promise.all(
    tokens.flatMap((token) => VERSIONS.map(async (v) => (await askWith(service.url, v, token)).status)),
  )
const ALL = (status: number) => Array(VERSIONS.length ** 2).fill(status)

describe("API keys", () => {
  it("[AUTH-08] live as long as was agreed with the business, or as long as the operator says; then the key and its tokens are dead", async () => {
    const days = ({ expires }: Json) => Math.round((Date.parse(expires) - Date.now()) / DAY_MS)
    expect(days(await newKey())).toBe(365)
    await admin("set-key-lifetime", "--business", service.business, "--days", "90")
    const [agreed, short] = await Promise.all([newKey(), newKey("--days", "1")])
    expect([days(agreed), days(short)]).toEqual([90, 1])

    // The tokens are of the key's last minute, so they would outlive it.
    service.moveClock(DAY_MS - 60_000)
    const tokens = await tokensOf(short["api-key"])
    expect(await statusesOf(tokens)).toEqual(ALL(200))
    service.moveClock(DAY_MS + 2_000)
    expect(await statusesOf(tokens)).toEqual(ALL(401))
    for (const v of VERSIONS) {
      const refused = await logIn(service.url, v, service.username, short["api-key"])
      expect(statusAndKey(refused)).toEqual(CREDENTIALS_INVALID)
      expect((await logIn(service.url, v, service.username, agreed["api-key"])).status).toBe(200)
    }
    service.moveClock(0)
  })

  it("[R03] [AUTH-08] [AUTH-14] are reset by the operator: within 5 seconds the old one and its tokens are dead, and a new one of the same user and kind lives", async () => {
    const [old, other] = await Promise.all([newKey(), newKey()])
    const tokens = await tokensOf(old["api-key"])
    const tokensOfOther = await tokensOf(other["api-key"])
    expect(await statusesOf(tokens)).toEqual(ALL(200))
    const reset = await admin("reset-key", "--key", old.key)
    const since = performance.now()
    for (const v of VERSIONS) {
      const refused = await logIn(service.url, v, service.username, old["api-key"])
      expect(statusAndKey(refused)).toEqual(CREDENTIALS_INVALID)
    }
    await until(
      "the old tokens are dead",
      async () => (await statusesOf(tokens)).every((s) => s === 401),
      4_000,
    )
    expect(performance.now() - since).toBeLessThan(5_000)

    expect(reset.reset).toBe(old.key)
    expect(reset["api-key"]).toMatch(/^api_demo_[\w-]{43}$/)
    expect(await statusesOf(await tokensOf(reset["api-key"]))).toEqual(ALL(200))
    expect(await statusesOf(tokensOfOther)).toEqual(ALL(200))
    await expect(admin("reset-key", "--key", old.key)).rejects.toThrow("This key is revoked already.")
  })

  it("are listed without what would help to use one", async () => {
    const { keys } = await admin("list-keys", "--business", service.business)
    const made = await newKey()
    await admin("revoke-key", "--key", made.key)
    const after = (await admin("list-keys", "--business", service.business)).keys
    expect(after).toHaveLength(keys.length + 1)
    const shown = after.find((key: Json) => key.key === made.key)
    expect(shown).toMatchObject({ user: service.username, kind: "demo", state: "revoked" })
    expect(made["api-key"].endsWith(shown.hint)).toBe(true)
    expect(JSON.stringify(after)).not.toContain(made["api-key"].slice(-6))
    expect(await admin("revoke-key", "--key", made.key)).toEqual({ revoked: false })
  })

  it("die with their user, whose name nobody else is given", async () => {
    await admin("create-user", "--business", service.business, "--username", "leaving")
    const made = await admin("create-key", "--user", "leaving", "--kind", "demo")
    const token = (await logIn(service.url, "v1", "leaving", made["api-key"])).bytes.toString()
    expect((await askWith(service.url, "v3", token)).status).toBe(200)
    expect(await admin("remove-user", "--user", "leaving")).toEqual({ removed: true })
    const dead = async () => (await askWith(service.url, "v3", token)).status === 401
    await until("the token is dead", dead, 4_000)
    expect(statusAndKey(await logIn(service.url, "v2", "leaving", made["api-key"]))).toEqual(
      CREDENTIALS_INVALID,
    )
    const again = ["create-user", "--business", service.business, "--username", "leaving"]
    await expect(admin(...again)).rejects.toThrow("This name is taken.")
    await expect(admin("create-key", "--user", "leaving", "--kind", "demo")).rejects.toThrow("no such user")
    await expect(admin("reset-key", "--key", made.key)).rejects.toThrow("is removed")
  })
})

describe("the audit log", () => {
  const entries = async (...words: string[]): Promise<Json[]> => (await admin("audit-log", ...words)).entries

  it("has one row for every act that changes something: who, what, when, before and after", async () => {
    const started = new Date().toISOString()
    const { business: id } = await admin("create-business", "--name", "Beta GmbH")
    const on = ["--business", id]
    await admin("add-operator", "--email", "olga@operator.example", "--name", "Olga Ops")
    const asOlga = ["--as", "Olga@operator.example"]
    const member = [...on, "--email", "bea@beta.example", "--name", "Bea"]
    await admin("add-member", ...member, "--role", "member", ...asOlga)
    await admin("add-member", ...member, "--role", "admin", ...asOlga)
    await admin("set-feature", ...on, "--feature", "expires_at", "--on")
    await admin("set-retention", ...on, "--days", "30")
    await admin("set-retention", ...on, "--days", "none")
    await admin("set-default-quality", ...on, "--quality", "AES")
    await admin("create-user", ...on, "--username", "beta-integration")
    const key = await admin("create-key", "--user", "beta-integration", "--kind", "production")
    const reset = await admin("reset-key", "--key", key.key, ...asOlga)
    await admin("remove-member", ...on, "--email", "bea@beta.example")
    const second = await admin("create-key", "--user", "beta-integration", "--kind", "demo")
    // Where nobody of the business could claim it, the shell shows the one in its place.
    const shown = await admin("reset-key", "--key", second.key)
    await admin("revoke-key", "--key", shown.key)
    await admin("remove-user", "--user", "beta-integration")
    await service.paraph("keys", "rotate", ...on)
    await admin("show-business", ...on)

    const log = (await entries(...on)).reverse()
    expect(log.map(({ act, target, before, after }) => [act, target.split(" ")[0], before, after])).toEqual([
      ["create-business", "business", null, { name: "Beta GmbH" }],
      ["add-member", "person", null, { role: "member" }],
      ["change-role", "person", { role: "member" }, { role: "admin" }],
      ["set-feature", "business", { expires_at: false }, { expires_at: true }],
      ["set-retention", "business", { days: null }, { days: 30 }],
      ["set-retention", "business", { days: 30 }, { days: null }],
      ["set-default-quality", "business", { quality: "SES" }, { quality: "AES" }],
      ["create-user", "user", null, null],
      ["create-key", "key", null, expect.objectContaining({ kind: "production" })],
      ["end-key-for-reset", "key", expect.objectContaining({ user: "beta-integration" }), expect.anything()],
      ["remove-member", "person", { role: "admin" }, { role: null }],
      ["create-key", "key", null, expect.objectContaining({ kind: "demo" })],
      ["reset-key", "key", expect.objectContaining({ user: "beta-integration" }), expect.anything()],
      ["revoke-key", "key", expect.anything(), expect.anything()],
      ["remove-user", "user", null, expect.anything()],
      ["keys rotate", "business", null, expect.anything()],
    ])
    for (const { at, shell } of log) {
      expect(Date.parse(at)).toBeGreaterThanOrEqual(Date.parse(started))
      expect(shell).toMatch(/./)
    }
    const byOlga = log.filter(({ actor }) => actor === "olga@operator.example").map(({ act }) => act)
    expect(byOlga).toEqual(["add-member", "change-role", "end-key-for-reset"])
    // Those of no business are in the whole log alone.
    expect((await entries("--since", started)).map(({ act }) => act)).toContain("add-operator")
    expect(await entries("--since", "2999-01-01")).toEqual([])
    const text = JSON.stringify(await entries())
    expect(reset).toEqual({ reset: key.key, "to-be-claimed": true })
    for (const secret of [key["api-key"], shown["api-key"], service.demoKey])
      expect(text).not.toContain(secret.slice(-8))
  })

  it("has no row of what was refused, and an act by somebody who is no operator is refused", async () => {
    const before = (await entries()).length
    const feature = ["set-feature", "--business", service.business, "--feature", "sealing", "--on"]
    await expect(admin(...feature, "--as", "bea@beta.example")).rejects.toThrow("is no operator here")
    await expect(admin("remove-operator", "--email", "bea@beta.example")).rejects.toThrow("no operator")
    await expect(admin("remove-user", "--user", "nobody")).rejects.toThrow("no such user")
    expect((await entries()).length).toBe(before)
    expect((await admin("show-business", "--business", service.business)).features).toEqual([])
  })

  it("[R37] cannot be changed or shortened, not even by whoever owns the database", async () => {
    for (const statement of ["update audit_log set act = 'x'", "delete from audit_log", "truncate audit_log"])
      await expect(service.sql(statement)).rejects.toThrow("append-only")
    expect((await entries()).length).toBeGreaterThan(10)
  })
})
