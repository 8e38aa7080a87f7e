import { execFileSync } from "node:child_process"
import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { startSecretKeys } from "./secret-keys.ts"
import { makeSofthsmToken } from "./testing/softhsm-token.ts"

const token = makeSofthsmToken()
const { settings } = token
const keys = startSecretKeys(settings)
const secret = randomBytes(32)

beforeAll(async () => {
  await keys.generate("kek")
})
afterAll(async () => {
  await keys.close()
  token.remove()
})

describe("a secret key in a token", () => {
  it("decrypts what it encrypted, and never encrypts twice alike", async () => {
    const one = await keys.encrypt("kek", secret, "business a")
    const other = await keys.encrypt("kek", secret, "business a")
    expect(one.length).toBe(12 + 32 + 16)
    expect(Buffer.from(one).equals(other)).toBe(false)
    for (const value of [one, other])
      expect(Buffer.from(await keys.decrypt("kek", value, "business a")).equals(secret)).toBe(true)
  })

  it("makes and opens AES-256-GCM as OpenSSL does: iv, ciphertext, tag, with the context beside it", async () => {
    const value = randomBytes(32)
    putSecret("known", value)
    const made = Buffer.from(await keys.encrypt("known", secret, "business a"))
    const decipher = createDecipheriv("aes-256-gcm", value, made.subarray(0, 12))
      .setAAD(Buffer.from("business a"))
      .setAuthTag(made.subarray(-16))
    expect(Buffer.concat([decipher.update(made.subarray(12, -16)), decipher.final()])).toEqual(secret)

    const iv = randomBytes(12)
    const cipher = createCipheriv("aes-256-gcm", value, iv).setAAD(Buffer.from("übrige"))
    const foreign = Buffer.concat([iv, cipher.update(secret), cipher.final(), cipher.getAuthTag()])
    expect(Buffer.from(await keys.decrypt("known", foreign, "übrige"))).toEqual(secret)
  })

  it("refuses another context, every flipped byte, a cut and another key, and stays in the same process", async () => {
    await keys.generate("another")
    const value = Buffer.from(await keys.encrypt("kek", secret, "business a"))
    const pid = keys.processId()
    const wrong: [string, Uint8Array, string][] = [
      ["kek", value, "business b"],
      ["kek", value, ""],
      ["another", value, "business a"],
      ...[0, 11, 27, 28, 43, 59].map((cut): [string, Uint8Array, string] => [
        "kek",
        value.subarray(0, cut),
        "business a",
      ]),
      ...Array.from(value, (_, at): [string, Uint8Array, string] => [
        "kek",
        flipped(value, at),
        "business a",
      ]),
    ]
    for (const [label, bytes, context] of wrong)
      await expect(keys.decrypt(label, bytes, context)).rejects.toMatchObject({ code: "corrupt" })
    expect(Buffer.from(await keys.decrypt("kek", value, "business a")).equals(secret)).toBe(true)
    expect(keys.processId()).toBe(pid)
  })

  it("refuses a label that is taken, also by two at once, and has no answer for one that is not there", async () => {
    await expect(keys.generate("kek")).rejects.toMatchObject({ code: "label-taken" })
    const twice = await Promise.allSettled([keys.generate("twin"), keys.generate("twin")])
    expect(twice.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"])
    await expect(keys.encrypt("nobody", secret, "")).rejects.toMatchObject({ code: "no-such-key" })
    await expect(keys.decrypt("nobody", secret, "")).rejects.toMatchObject({ code: "no-such-key" })
  })

  it("is not used where it could leave the token, is too short, or is not the only one of its label", async () => {
    putSecret("leaves", randomBytes(32), "extractable")
    putSecret("short", randomBytes(16))
    putSecret("double", randomBytes(32))
    putSecret("double", randomBytes(32))
    for (const label of ["leaves", "short"])
      await expect(keys.encrypt(label, secret, "")).rejects.toMatchObject({ code: "wrong-algorithm" })
    await expect(keys.encrypt("double", secret, "")).rejects.toMatchObject({ code: "several-keys" })
  })

  it("takes keys and no documents", async () => {
    await expect(keys.encrypt("kek", randomBytes(1025), "")).rejects.toThrow("keys, not data")
  })
})

describe("a token with secret keys in trouble", () => {
  it("starts a fresh process after one was killed, and rejects what was in flight", async () => {
    const value = await keys.encrypt("kek", secret, "a")
    const pid = keys.processId() ?? 0
    process.kill(pid, "SIGSTOP")
    const inFlight = keys.decrypt("kek", value, "a")
    process.kill(pid, "SIGKILL")
    await expect(inFlight).rejects.toMatchObject({ code: "device" })
    expect(Buffer.from(await keys.decrypt("kek", value, "a")).equals(secret)).toBe(true)
    expect(keys.processId()).not.toBe(pid)
  })

  it("never calls a value corrupt or a key missing because the token is away", async () => {
    const other = startSecretKeys(settings)
    await other.generate("made by another")
    const value = await keys.encrypt("kek", secret, "a")
    token.goAway()
    const codes = new Set<unknown>()
    for (const label of ["made by another", "kek", "made by another", "kek"])
      await keys.decrypt(label, value, "a").catch((error) => codes.add(error.code))
    token.comeBack()
    expect([...codes]).toEqual(["device"])
    expect(Buffer.from(await keys.decrypt("kek", value, "a")).equals(secret)).toBe(true)
    await other.close()
  })
})

function flipped(value: Uint8Array, at: number): Uint8Array {
  return Uint8Array.from(value, (byte, n) => (n === at ? byte ^ 1 : byte))
}

function putSecret(label: string, value: Uint8Array, extractable = "stays"): void {
  const program = new URL("./testing/put-secret.ts", import.meta.url).pathname
  const { module, tokenLabel, env } = settings
  const hex = Buffer.from(value).toString("hex")
  execFileSync(process.execPath, [program, module, tokenLabel, token.pin, label, hex, extractable], { env })
}
