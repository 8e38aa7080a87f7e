import { randomBytes } from "node:crypto"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { createKeyRing } from "./key-ring.ts"
import { openKeyEncryption } from "./open-key-encryption.ts"
import { ENGINE_TOKEN, hasTransitEngine, startTransitEngine } from "./testing/start-transit-engine.ts"
import { CORRUPT, wrapsAndUnwraps } from "./testing/wraps-and-unwraps.ts"

const title = hasTransitEngine
  ? "a key in the real transit engine"
  : "a key in the real transit engine (skipped: .tools/bin/transit-engine has not been built)"

describe.skipIf(!hasTransitEngine)(title, () => {
  const folder = mkdtempSync(join(tmpdir(), "paraph-engine-"))
  const tokenFile = join(folder, "token")
  let engine: Awaited<ReturnType<typeof startTransitEngine>>
  const open = (key = "paraph") => {
    const { address, outbound } = engine
    return openKeyEncryption({ type: "transit", address, mount: "transit", key, tokenFile, outbound })
  }

  beforeAll(async () => {
    writeFileSync(tokenFile, ENGINE_TOKEN)
    engine = await startTransitEngine()
    await engine.manage("keys/paraph", { type: "aes256-gcm96" })
  })
  afterAll(async () => {
    await engine?.close()
    rmSync(folder, { recursive: true })
  })

  wrapsAndUnwraps(() => open())

  it("is rotated there, wraps with the new version, and opens the old one until that is disallowed", async () => {
    const ring = createKeyRing(open())
    const key = randomBytes(32)
    const before = await ring.wrap(key, "business a")
    await engine.manage("keys/paraph/rotate", {})
    const after = await ring.wrap(await ring.unwrap(before, "business a"), "business a")
    expect([before, after].map(({ wrapped }) => Buffer.from(wrapped).toString().slice(0, 9))).toEqual([
      "vault:v1:",
      "vault:v2:",
    ])
    await engine.manage("keys/paraph/config", { min_decryption_version: 2 })
    expect(Buffer.from(await ring.unwrap(after, "business a"))).toEqual(key)
    await expect(ring.unwrap(before, "business a")).rejects.toMatchObject({
      code: "refused",
      message: expect.stringContaining("too old"),
    })
  })

  it("does not take what another key of the engine wrapped", async () => {
    for (const name of ["one", "another"]) await engine.manage(`keys/${name}`, { type: "aes256-gcm96" })
    const wrapped = await open("another").wrap(randomBytes(32), "business a")
    await expect(open("one").unwrap(wrapped, "business a")).rejects.toMatchObject(CORRUPT)
  })

  it("says that a key is not there, takes no associated data, or needs more than we give", async () => {
    await engine.manage("keys/rsa", { type: "rsa-2048" })
    await engine.manage("keys/derived", { type: "aes256-gcm96", derived: true })
    await expect(open("nobody").health()).rejects.toMatchObject({ code: "no-such-key" })
    for (const name of ["rsa", "derived"])
      await expect(open(name).health()).rejects.toMatchObject({ code: "refused" })
  })

  it("refuses a token that it does not know", async () => {
    writeFileSync(tokenFile, "another")
    await expect(open().health()).rejects.toMatchObject({ code: "refused" })
    writeFileSync(tokenFile, ENGINE_TOKEN)
    await open().health()
  })
})
