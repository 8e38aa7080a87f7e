import { createHash, randomBytes } from "node:crypto"
import { unwrapKey, wrapKey } from "@paraph/seal/wrap"
import { describe, expect, it } from "vitest"
import { localFileKeyEncryption } from "./local-file.ts"
import { CORRUPT, wrapsAndUnwraps } from "./testing/wraps-and-unwraps.ts"

const hex = randomBytes(32).toString("hex")
const provider = localFileKeyEncryption({ key: hex })

describe("a key in a file", () => {
  wrapsAndUnwraps(() => provider)

  it("opens what the same key wrapped before there were providers, and the other way round", async () => {
    const [kek, key] = [Buffer.from(hex, "hex"), randomBytes(32)]
    expect(await provider.unwrap(wrapKey(kek, key, "business a"), "business a")).toEqual(key)
    expect(unwrapKey(kek, await provider.wrap(key, "business a"), "business a")).toEqual(key)
  })

  it("has an id that is the key's, and that says nothing of the key", () => {
    expect(provider.id).toMatch(/^file:[0-9a-f]{16}$/)
    expect(localFileKeyEncryption({ key: hex.toUpperCase() }).id).toBe(provider.id)
    expect(localFileKeyEncryption({ key: randomBytes(32).toString("hex") }).id).not.toBe(provider.id)
    const ofTheKeyAlone = createHash("sha256").update(Buffer.from(hex, "hex")).digest("hex")
    expect(provider.id).not.toContain(ofTheKeyAlone.slice(0, 16))
    expect(localFileKeyEncryption({ key: "00".repeat(32) }).id).toBe("file:8da056f40368bc51")
  })

  it("does not open what another key wrapped", async () => {
    const other = localFileKeyEncryption({ key: randomBytes(32).toString("hex") })
    const wrapped = await other.wrap(randomBytes(32), "business a")
    await expect(provider.unwrap(wrapped, "business a")).rejects.toMatchObject(CORRUPT)
  })

  it("takes 32 bytes in hex only, and does not repeat in its error what it was given", () => {
    for (const key of ["", "a canary", "ab".repeat(31), `${"ab".repeat(32)}\n`, "zz".repeat(32)])
      expect(() => localFileKeyEncryption({ key })).toThrow(/^The key [a-z ]+ is not 32 bytes in hex\.$/)
  })

  it("wraps nothing once it is closed", async () => {
    const shortLived = localFileKeyEncryption({ key: hex })
    const wrapped = await shortLived.wrap(randomBytes(32), "business a")
    await shortLived.close()
    await expect(shortLived.wrap(randomBytes(32), "a")).rejects.toMatchObject({ code: "down" })
    await expect(shortLived.unwrap(wrapped, "business a")).rejects.toMatchObject({ code: "down" })
  })
})
