import { createPublicKey, verify } from "node:crypto"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Keys, startKeys } from "./keys.ts"
import { SESSIONS } from "./protocol.ts"
import { makeSofthsmToken } from "./testing/softhsm-token.ts"

const token = makeSofthsmToken()
const { settings } = token
const keys = startKeys(settings)
const data = Buffer.from("what is to be signed")

beforeAll(async () => {
  await keys.generate("seal", "P-256")
})
afterAll(async () => {
  await keys.close()
  token.remove()
})

describe("a token in trouble", () => {
  it("starts a fresh process after one was killed, and rejects what was in flight", async () => {
    await keys.health("seal")
    const pid = keys.processId() ?? 0
    // Stopped first, so that it cannot answer before it dies.
    process.kill(pid, "SIGSTOP")
    const inFlight = keys.sign("seal", data)
    process.kill(pid, "SIGKILL")
    await expect(inFlight).rejects.toMatchObject({ name: "KeysFailed", code: "device" })
    await keys.health("seal")
    expect(keys.processId()).not.toBe(pid)
  })

  it("keeps what waits: a death costs only the calls that were in the device", async () => {
    await keys.health("seal")
    const pid = keys.processId() ?? 0
    process.kill(pid, "SIGSTOP")
    const many = Array.from({ length: 100 }, () => keys.sign("seal", data))
    process.kill(pid, "SIGKILL")
    const results = await Promise.allSettled(many)
    expect(results.filter(({ status }) => status === "rejected")).toHaveLength(SESSIONS)
  })

  it("[R33] starts a fresh process after its sessions were closed behind its back", async () => {
    const preload = new URL("./testing/close-sessions.ts", import.meta.url).href
    const env = { ...settings.env, NODE_OPTIONS: `--import=${preload}`, CLOSE_SESSIONS_OF: settings.module }
    const shaken = startKeys({ ...settings, env })
    await shaken.health("seal")
    const pid = shaken.processId() ?? 0
    process.kill(pid, "SIGUSR2")
    expect(await firstFailure(shaken)).toMatchObject({
      code: "device",
      message: expect.stringMatching(/CKR_SESSION_HANDLE_INVALID/),
    })
    await shaken.health("seal")
    expect(shaken.processId()).not.toBe(pid)
    await shaken.close()
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
    token.goAway()
    await expect(keys.generate("while away", "P-256")).rejects.toMatchObject({ code: "device" })
    await expect(keys.sign("seal", data)).rejects.toMatchObject({ code: "device" })
    token.comeBack()
    await keys.health("seal")
    expect(await keys.publicKey("while away")).toBeNull()
  })

  it("does not take a key for missing because its session lost sight of the token", async () => {
    const other = startKeys(settings)
    await other.generate("made by another", "P-256")
    await keys.health("seal")
    token.goAway()
    const asked = await keys.publicKey("made by another").catch((error) => error.code)
    token.comeBack()
    expect(asked).not.toBeNull()
    expect(await keys.publicKey("made by another")).toBeInstanceOf(Uint8Array)
    await other.close()
  })

  it("tries a wrong PIN once and never again", async () => {
    const wrongPin = join(token.folder, "wrong-pin")
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

/** A signal takes its time; until it is heard every signature is a good one, and then one call pays for it. */
async function firstFailure(shaken: Keys): Promise<unknown> {
  const spki = (await keys.publicKey("seal")) ?? new Uint8Array()
  const key = createPublicKey({ key: Buffer.from(spki), format: "der", type: "spki" })
  for (;;) {
    try {
      expect(verify("sha256", data, key, await shaken.sign("seal", data))).toBe(true)
    } catch (error) {
      return error
    }
  }
}
