import { randomBytes } from "node:crypto"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeEach, describe, expect, it } from "vitest"
import { createOutbound } from "../outbound/outbound.ts"
import { createKeyRing } from "./key-ring.ts"
import { openKeyEncryption } from "./open-key-encryption.ts"
import { startTransitPeer } from "./testing/transit-peer.ts"
import { CORRUPT, wrapsAndUnwraps } from "./testing/wraps-and-unwraps.ts"
import type { TransitSettings } from "./transit.ts"

const folder = mkdtempSync(join(tmpdir(), "paraph-transit-"))
const tokenFile = join(folder, "token")
const peer = await startTransitPeer({ mount: "team/transit", key: "paraph" })
const outbound = createOutbound({ allowedHosts: { keys: [peer.host] }, caFile: peer.caFile })
const settings = { address: peer.address, mount: "team/transit", key: "paraph", tokenFile, outbound }
const open = (other: Partial<TransitSettings> = {}) =>
  openKeyEncryption({ type: "transit", ...settings, ...other })
const provider = open()
const key = randomBytes(32)

beforeEach(() => {
  peer.answerWith(() => "as-usual")
  Object.assign(peer.state, { token: "hvs.first", sealed: false, oldestAllowed: 1, ignoresContext: false })
  writeFileSync(tokenFile, "hvs.first\n")
  peer.seen.length = 0
})
afterAll(async () => {
  await peer.close()
  rmSync(folder, { recursive: true })
})

describe("a key in a transit engine", () => {
  wrapsAndUnwraps(() => provider)

  it("is asked with the token in a header, the key in Base64, and the context as associated data", async () => {
    await provider.wrap(key, "business a")
    const [asked] = peer.seen
    expect(asked?.path).toBe("/v1/team/transit/encrypt/paraph")
    expect(asked?.headers).toMatchObject({ "x-vault-token": "hvs.first", "x-vault-request": "true" })
    expect(JSON.parse(asked?.body ?? "")).toEqual({
      plaintext: key.toString("base64"),
      associated_data: Buffer.from("business a").toString("base64"),
    })
  })

  it("keeps its id when the server rotates the key, and the wrapped value names the version", async () => {
    const ring = createKeyRing(provider)
    const before = await ring.wrap(key, "business a")
    peer.state.versions.push(randomBytes(32))
    const after = await ring.wrap(key, "business a")
    expect([before.id, after.id]).toEqual(["transit:team/transit/paraph", "transit:team/transit/paraph"])
    expect([before, after].map(({ wrapped }) => Buffer.from(wrapped).toString().slice(0, 9))).toEqual([
      "vault:v1:",
      "vault:v2:",
    ])
    for (const each of [before, after]) expect(await ring.unwrap(each, "business a")).toEqual(key)
    peer.state.oldestAllowed = 2
    await expect(ring.unwrap(before, "business a")).rejects.toMatchObject({ code: "refused" })
  })

  it("takes only names that lead nowhere else", () => {
    for (const wrong of ["", "..", "a/../b", "a b", "a%2fb", "a?b", "a.", ".a"]) {
      expect(() => open({ mount: wrong })).toThrow("not a name")
      expect(() => open({ key: wrong })).toThrow("not a name")
    }
    expect(() => open({ key: "a/b" })).toThrow("not a name")
    expect(open({ mount: "/transit/" }).id).toBe("transit:transit/paraph")
  })
})

describe("the token of a transit engine", () => {
  it("is read anew for every call, so that an agent can renew it", async () => {
    await provider.wrap(key, "a")
    peer.state.token = "hvs.second"
    writeFileSync(tokenFile, "hvs.second")
    await provider.wrap(key, "a")
    expect(peer.seen.map(({ headers }) => headers["x-vault-token"])).toEqual(["hvs.first", "hvs.second"])
  })

  it("is tried once more where it was renewed while it was refused", async () => {
    peer.state.token = "hvs.second"
    peer.answerWith(() => {
      writeFileSync(tokenFile, "hvs.second")
      return "as-usual"
    })
    await provider.wrap(key, "a")
    expect(peer.seen).toHaveLength(2)
  })

  it("is not tried again where it is the same, and is in no error", async () => {
    peer.state.token = "hvs.second"
    const error = await provider.wrap(key, "a").catch((thrown) => thrown)
    expect(error).toMatchObject({ name: "KeyEncryptionFailed", code: "refused" })
    expect(error.message).toContain("permission denied")
    expect(`${error.message} ${JSON.stringify(error)} ${error.stack}`).not.toContain("hvs.first")
    expect(peer.seen).toHaveLength(1)
  })

  it("must be there and be one", async () => {
    for (const content of ["", "two words", "é", "a\nb"]) {
      writeFileSync(tokenFile, content)
      await expect(provider.wrap(key, "a")).rejects.toMatchObject({ code: "refused" })
    }
    await expect(open({ tokenFile: join(folder, "none") }).health()).rejects.toMatchObject({
      code: "refused",
    })
    expect(peer.seen).toHaveLength(0)
  })
})

describe("a transit engine in trouble", () => {
  const said = (status: number, body: unknown, headers?: Record<string, string>) => () =>
    headers === undefined ? { status, body } : { status, body, headers }
  const DOWN = {
    "is sealed": said(503, { errors: ["Vault is sealed"] }),
    "hangs up": () => "hangs-up" as const,
    "has too much to do": said(429, { errors: ["request path: rate limit quota exceeded"] }),
    "fails inside": said(500, { errors: ["internal error"] }),
    "has a gateway's page before it": said(502, "<html>Bad Gateway</html>"),
    "points to another server": said(307, "", { location: "https://elsewhere.example/v1/" }),
    "answers with a page": said(200, "<html>Welcome</html>"),
    "answers with something else": said(200, { data: null }),
    "answers without a value": said(200, { data: {} }),
    "answers with a value of another form": said(200, { data: { ciphertext: "v1:abc", plaintext: 7 } }),
    "answers with a value that is no Base64": said(200, { data: { plaintext: "not/a-key!" } }),
    "answers at too great a length": said(200, { data: {}, filler: "x".repeat(70_000) }),
  }

  it.each(Object.entries(DOWN))("that %s is down, and the wrapped key is not to blame", async (_, script) => {
    const wrapped = await provider.wrap(key, "business a")
    peer.answerWith(script)
    const deeds = [
      () => provider.wrap(key, "a"),
      () => provider.unwrap(wrapped, "business a"),
      provider.health,
    ]
    for (const deed of deeds)
      await expect(deed()).rejects.toMatchObject({ name: "KeyEncryptionFailed", code: "down" })
    peer.answerWith(() => "as-usual")
    expect(await provider.unwrap(wrapped, "business a")).toEqual(key)
  })

  it("is down where nobody listens, and is refused where its address is not named", async () => {
    const nobody = createOutbound({ allowedHosts: { keys: ["localhost:1"] } })
    const deaf = open({ address: "https://localhost:1", outbound: nobody })
    await expect(deaf.wrap(key, "a")).rejects.toMatchObject({ code: "down" })
    const unnamed = open({ outbound: createOutbound({ allowedHosts: {}, caFile: peer.caFile }) })
    await expect(unnamed.wrap(key, "a")).rejects.toMatchObject({ code: "refused" })
    const untrusted = open({ outbound: createOutbound({ allowedHosts: { keys: [peer.host] } }) })
    await expect(untrusted.wrap(key, "a")).rejects.toMatchObject({ code: "down" })
    expect(peer.seen).toHaveLength(0)
  })

  it("has no such key, or no such mount", async () => {
    for (const wrong of [{ key: "nobody" }, { mount: "nowhere" }])
      await expect(open(wrong).health()).rejects.toMatchObject({ code: "no-such-key" })
  })

  it("is refused where its key takes no associated data, and is ill where it ignores it", async () => {
    peer.answerWith(
      said(400, { errors: ["'[0].associated_data' provided for non-AEAD cipher suite rsa-4096"] }),
    )
    await expect(provider.health()).rejects.toMatchObject({ code: "refused" })
    peer.answerWith(() => "as-usual")
    peer.state.ignoresContext = true
    await expect(provider.health()).rejects.toMatchObject({
      code: "refused",
      message: "The context of a wrapped key is not authenticated.",
    })
  })

  it("says in its own words why a value is corrupt", async () => {
    const wrapped = await provider.wrap(key, "business a")
    await expect(provider.unwrap(wrapped, "business b")).rejects.toMatchObject({
      ...CORRUPT,
      message: expect.stringContaining("message authentication failed"),
    })
  })
})
