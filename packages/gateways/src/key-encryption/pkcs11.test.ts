import { randomBytes } from "node:crypto"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { startSecretKeys } from "../keys-pkcs11/secret-keys.ts"
import { makeSofthsmToken } from "../keys-pkcs11/testing/softhsm-token.ts"
import { createKeyRing } from "./key-ring.ts"
import { openKeyEncryption } from "./open-key-encryption.ts"
import type { Pkcs11Settings } from "./pkcs11.ts"
import { wrapsAndUnwraps } from "./testing/wraps-and-unwraps.ts"

const token = makeSofthsmToken()
const open = (other: Partial<Pkcs11Settings> = {}) =>
  openKeyEncryption({ type: "pkcs11", ...token.settings, label: "paraph-kek", ...other })
const provider = open()

beforeAll(async () => {
  const keys = startSecretKeys(token.settings)
  await keys.generate("paraph-kek")
  await keys.generate("paraph-kek 2")
  await keys.close()
})
afterAll(async () => {
  await provider.close()
  token.remove()
})

describe("a key in a token", () => {
  wrapsAndUnwraps(() => provider)

  it("is named by its token and its label, as RFC 7512 writes them", () => {
    expect(provider.id).toBe("pkcs11:token=paraph%20test;object=paraph-kek")
  })

  it("is rotated to another key of the token", async () => {
    const next = open({ label: "paraph-kek 2" })
    const key = randomBytes(32)
    const before = await createKeyRing(provider).wrap(key, "business a")
    const ring = createKeyRing(next, [provider])
    const after = await ring.wrap(await ring.unwrap(before, "business a"), "business a")
    expect(after.id).toBe("pkcs11:token=paraph%20test;object=paraph-kek%202")
    expect(Buffer.from(await createKeyRing(next).unwrap(after, "business a"))).toEqual(key)
    await next.close()
  })

  it("is down while the token is away, and well when it is back", async () => {
    const wrapped = await provider.wrap(randomBytes(32), "business a")
    token.goAway()
    for (const deed of [() => provider.unwrap(wrapped, "business a"), provider.health])
      await expect(deed()).rejects.toMatchObject({ name: "KeyEncryptionFailed", code: "down" })
    token.comeBack()
    await provider.unwrap(wrapped, "business a")
    await provider.health()
  })

  it("says what an operator has to put right: the PIN, the key's label", async () => {
    const wrongPin = join(token.folder, "wrong-pin")
    writeFileSync(wrongPin, "000000")
    const locked = open({ pinFile: wrongPin })
    await expect(locked.health()).rejects.toMatchObject({ code: "refused" })
    const nameless = open({ label: "nobody's" })
    await expect(nameless.health()).rejects.toMatchObject({ code: "no-such-key" })
    await Promise.all([locked.close(), nameless.close()])
  })
})

describe("a device with habits of its own", () => {
  it("may make the IV itself: what it wrote is what is kept", async () => {
    const odd = withHabit("own-iv")
    const key = randomBytes(32)
    const wrapped = Buffer.from(await odd.wrap(key, "business a"))
    expect(wrapped.subarray(0, 12).toString()).toBe("device's own")
    expect(Buffer.from(await provider.unwrap(wrapped, "business a"))).toEqual(key)
    await odd.close()
  })

  it("is not trusted with a key where it gives out more than ciphertext and tag", async () => {
    const odd = withHabit("appends-iv")
    await expect(odd.wrap(randomBytes(32), "business a")).rejects.toMatchObject({ code: "refused" })
    await odd.close()
  })

  it("is ill where it does not authenticate the context", async () => {
    const odd = withHabit("ignores-context")
    await expect(odd.health()).rejects.toMatchObject({
      code: "refused",
      message: "The context of a wrapped key is not authenticated.",
    })
    await odd.close()
  })
})

function withHabit(habit: string) {
  const preload = new URL("../keys-pkcs11/testing/odd-device.ts", import.meta.url).href
  return open({ env: { ...token.settings.env, NODE_OPTIONS: `--import=${preload}`, DEVICE_HABIT: habit } })
}
