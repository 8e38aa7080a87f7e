import { appendFileSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, it } from "vitest"
import { startTrustSandbox } from "./sandbox.ts"
import { judgedStatus } from "./testing/our-verdict.ts"
import { issueTo } from "./testing/relying-party.ts"
import { makeToken } from "./testing/softhsm.ts"

const folders = mkdtempSync(join(tmpdir(), "paraph-keep-"))
const token = makeToken()
const now = () => new Date()
afterAll(() => {
  rmSync(folders, { recursive: true })
  token.remove()
})

describe.each(["memory", "a token"] as const)("a sandbox with a folder, and its keys in %s", (place) => {
  const folder = join(folders, place)
  const keys = place === "memory" ? place : token.settings

  it("is the same after a restart, and knows what it issued and revoked", async () => {
    const first = await startTrustSandbox({ now, folder, keys })
    const [good, revoked] = [await issueTo(first, "Good"), await issueTo(first, "Revoked")]
    const at = new Date("2026-01-02T03:04:05Z")
    await first.revoke(revoked, "superseded", at)
    await first.close()

    const port = Number(new URL(first.url).port)
    const second = await startTrustSandbox({ now, folder, keys, port })
    expect([second.root, second.issuing]).toEqual([first.root, first.issuing])
    expect(await judgedStatus(second, good)).toMatchObject({ status: "good" })
    expect(await judgedStatus(second, revoked)).toMatchObject({
      status: "revoked",
      revokedAt: at,
      reason: "superseded",
    })
    expect(await judgedStatus(second, await issueTo(second, "New"))).toMatchObject({ status: "good" })
    await second.close()
  })

  it("goes on after a crash that cut the last line of a register short", async () => {
    const cut = join(folder, "cut")
    const first = await startTrustSandbox({ now, folder: cut, keys })
    const issued = [await issueTo(first, "Before")]
    await first.close()
    appendFileSync(join(cut, "issuing.register"), "1234")
    const port = Number(new URL(first.url).port)
    for (const name of ["After", "And after that"]) {
      const next = await startTrustSandbox({ now, folder: cut, keys, port })
      issued.push(await issueTo(next, name))
      for (const one of issued) expect(await judgedStatus(next, one)).toMatchObject({ status: "good" })
      await next.close()
    }
  })

  it("refuses to stand at another address, which nothing that it issued would name", async () => {
    await expect(startTrustSandbox({ now, folder, keys })).rejects.toThrow("another address")
  })
})

it("refuses a folder that belongs to other keys", async () => {
  const folder = join(folders, "memory")
  await expect(startTrustSandbox({ now, folder, keys: token.settings })).rejects.toThrow("other keys")
})

it("shows its keys to their owner only", () => {
  const folder = join(folders, "memory")
  const keys = readdirSync(folder).filter((name) => name.endsWith(".pem"))
  expect(keys.length).toBeGreaterThanOrEqual(2)
  for (const name of keys) expect(statSync(join(folder, name)).mode & 0o077).toBe(0)
})
