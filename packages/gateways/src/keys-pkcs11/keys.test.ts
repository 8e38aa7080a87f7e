import { execFileSync } from "node:child_process"
import { createPublicKey, verify } from "node:crypto"
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { startKeys } from "./keys.ts"

const MODULE = "/usr/lib/softhsm/libsofthsm2.so"
const folder = mkdtempSync(join(tmpdir(), "paraph-keys-"))
const tokens = join(folder, "tokens")
const conf = join(folder, "softhsm2.conf")
const pinFile = join(folder, "pin")
const env = { SOFTHSM2_CONF: conf }
const settings = { module: MODULE, tokenLabel: "paraph test", pinFile, env }
const keys = startKeys(settings)
const data = Buffer.from("what is to be signed")

beforeAll(async () => {
  mkdirSync(tokens)
  writeFileSync(conf, `directories.tokendir = ${tokens}\nobjectstore.backend = file\nlog.level = ERROR\n`)
  writeFileSync(pinFile, "987654\n")
  const pins = ["--so-pin", "12345678", "--pin", "987654"]
  execFileSync("softhsm2-util", ["--init-token", "--free", "--label", "paraph test", ...pins], {
    env,
    stdio: "pipe",
  })
  await keys.generate("seal", "P-256")
})
afterAll(async () => {
  await keys.close()
  rmSync(folder, { recursive: true })
})

describe("keys in a token", () => {
  it("signs with P-256 and with RSA-3072 so that OpenSSL verifies it", async () => {
    for (const algorithm of ["P-256", "RSA-3072"] as const) {
      const spki = await keys.generate(`signs ${algorithm}`, algorithm)
      const signature = await keys.sign(`signs ${algorithm}`, data)
      expect(verifies(spki, signature)).toBe(true)
      expect(verifies(spki, signature, Buffer.from("something else"))).toBe(false)
      expect(await keys.publicKey(`signs ${algorithm}`)).toEqual(spki)
      await keys.health(`signs ${algorithm}`)
    }
    const rsa = createPublicKey(der((await keys.publicKey("signs RSA-3072")) ?? new Uint8Array()))
    expect(rsa.asymmetricKeyDetails).toMatchObject({ modulusLength: 3072, publicExponent: 65537n })
  })

  it("writes each signature value as the shortest DER, whatever its r and s", async () => {
    const spki = (await keys.publicKey("seal")) ?? new Uint8Array()
    const lengths = new Set<number>()
    for (let n = 0; n < 300; n += 1) {
      const signature = await keys.sign("seal", data)
      lengths.add(signature.length)
      expect(verifies(spki, signature)).toBe(true)
    }
    expect(lengths.size).toBeGreaterThan(1)
  })

  it("refuses a label that is taken, also by two at once", async () => {
    await expect(keys.generate("seal", "P-256")).rejects.toMatchObject({ code: "label-taken" })
    const twice = await Promise.allSettled([
      keys.generate("twin", "P-256"),
      keys.generate("twin", "RSA-3072"),
    ])
    expect(twice.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"])
  })

  it("has no answer for a key that is not there", async () => {
    expect(await keys.publicKey("nobody")).toBeNull()
    await expect(keys.sign("nobody", data)).rejects.toMatchObject({ code: "no-such-key" })
    await expect(keys.health("nobody")).rejects.toMatchObject({ code: "no-such-key" })
    await keys.health("seal")
  })

  it("never shows a private value", async () => {
    const script = new URL("../testing/read-private-values.ts", import.meta.url)
    const args = [script.pathname, MODULE, "987654"]
    const shown = execFileSync(process.execPath, args, { env, encoding: "utf8" })
    const read = JSON.parse(shown) as {
      label: string
      value: string
      extractable: boolean
      sensitive: boolean
    }[]
    expect(read.length).toBeGreaterThanOrEqual(3)
    for (const key of read)
      expect(key).toMatchObject({ value: "CKR_ATTRIBUTE_SENSITIVE", extractable: false, sensitive: true })
  })

  it("makes 200 signatures at once, all valid", async () => {
    const spki = (await keys.publicKey("seal")) ?? new Uint8Array()
    const inputs = Array.from({ length: 200 }, (_, n) => Buffer.from(`input ${n}`))
    const signatures = await Promise.all(inputs.map((input) => keys.sign("seal", input)))
    expect(inputs.every((input, n) => verifies(spki, signatures[n] ?? input, input))).toBe(true)
  })
})

describe("a token in trouble", () => {
  it("starts a fresh process after one was killed, and rejects what was in flight", async () => {
    await keys.health("seal")
    const pid = keys.processId() ?? 0
    const inFlight = keys.sign("seal", data)
    process.kill(pid, "SIGKILL")
    await expect(inFlight).rejects.toMatchObject({ name: "KeysFailed", code: "device" })
    await keys.health("seal")
    expect(keys.processId()).not.toBe(pid)
  })

  it("cuts a call that hangs and goes on with the next", async () => {
    const hasty = startKeys({ ...settings, timeoutMs: 1500 })
    await hasty.health("seal")
    process.kill(hasty.processId() ?? 0, "SIGSTOP")
    await expect(hasty.sign("seal", data)).rejects.toMatchObject({ code: "timeout" })
    await hasty.health("seal")
    await hasty.close()
    await expect(hasty.sign("seal", data)).rejects.toMatchObject({ code: "closed" })
  })

  it("recovers when the token was away and came back", async () => {
    await keys.health("seal")
    renameSync(tokens, `${tokens}-away`)
    mkdirSync(tokens)
    await expect(keys.generate("while away", "P-256")).rejects.toMatchObject({ code: "device" })
    await expect(keys.sign("seal", data)).rejects.toMatchObject({ code: "device" })
    rmSync(tokens, { recursive: true })
    renameSync(`${tokens}-away`, tokens)
    await keys.health("seal")
    expect(await keys.publicKey("while away")).toBeNull()
  })

  it("does not take a key for missing because its session lost sight of the token", async () => {
    const other = startKeys(settings)
    await other.generate("made by another", "P-256")
    await keys.health("seal")
    renameSync(tokens, `${tokens}-away`)
    mkdirSync(tokens)
    const asked = await keys.publicKey("made by another").catch((error) => error.code)
    rmSync(tokens, { recursive: true })
    renameSync(`${tokens}-away`, tokens)
    expect(asked).not.toBeNull()
    expect(await keys.publicKey("made by another")).toBeInstanceOf(Uint8Array)
    await other.close()
  })

  it("tries a wrong PIN once and never again", async () => {
    const wrongPin = join(folder, "wrong-pin")
    writeFileSync(wrongPin, "000000")
    const locked = startKeys({ ...settings, pinFile: wrongPin })
    const all = await Promise.allSettled([locked.health(), locked.health(), locked.sign("seal", data)])
    expect(all.map((each) => each.status === "rejected" && each.reason.code)).toEqual(["pin", "pin", "pin"])
    expect(locked.processId()).toBeNull()
    await expect(locked.health()).rejects.toMatchObject({ code: "pin" })
    expect(locked.processId()).toBeNull()
    await locked.close()
  })

  it("says what is wrong with a module or a label that is not there", async () => {
    for (const wrong of [{ module: "/nowhere.so" }, { tokenLabel: "nobody's" }, { pinFile: "/nowhere" }]) {
      const broken = startKeys({ ...settings, ...wrong })
      await expect(broken.health()).rejects.toMatchObject({ code: "device" })
      await broken.close()
    }
  })
})

function verifies(spki: Uint8Array, signature: Uint8Array, input: Uint8Array = data): boolean {
  return verify("sha256", input, createPublicKey(der(spki)), signature)
}

function der(spki: Uint8Array) {
  return { key: Buffer.from(spki), format: "der", type: "spki" } as const
}
