import { DerError } from "@paraph/pki/der"
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest"
import type { Misbehaviour } from "./misbehaviour.ts"
import { startTrustSandbox, type TrustSandbox } from "./sandbox.ts"
import { makeOpenssl } from "./testing/openssl.ts"
import { judgedStamp, judgedStatus } from "./testing/our-verdict.ts"
import { crls, issueTo, relyingParty, statuses } from "./testing/relying-party.ts"

const openssl = await makeOpenssl()
const { verify, ask, stamp } = relyingParty(openssl)
let sandbox: TrustSandbox
let signer: Uint8Array

beforeAll(async () => {
  sandbox = await startTrustSandbox({ now: () => new Date() })
  signer = await issueTo(sandbox, "Ada Lovelace")
})
afterEach(() => sandbox.misbehave({}))
afterAll(async () => {
  await sandbox.close()
  await openssl.remove()
})

describe("a time-stamping authority that was told to", () => {
  it("behaves before and after", async () => {
    expect(await judgedStamp(sandbox)).toMatchObject({ valid: true })
    sandbox.misbehave({ tsa: "rejection" })
    sandbox.misbehave({})
    expect(await judgedStamp(sandbox)).toMatchObject({ valid: true })
  })

  it.each([
    ["wrong-imprint", { valid: false, reason: "imprint" }],
    ["wrong-nonce", { valid: false, reason: "nonce" }],
    ["rejection", { status: "rejection", failInfo: ["timeNotAvailable"] }],
    ["garbage", expect.any(DerError)],
    // Nothing in the token itself is wrong: only its path leads to another root.
    ["stranger", { valid: true }],
  ] as const)("answers with %s, and is caught", async (tsa, verdict) => {
    sandbox.misbehave({ tsa })
    expect(await judgedStamp(sandbox)).toEqual(tsa === "garbage" ? verdict : expect.objectContaining(verdict))
    expect(await stamp(sandbox, "anything")).toMatchObject({ ts: { ok: false } })
  })
})

describe("an OCSP responder that was told to", () => {
  it.each([
    ["unknown", { status: "unknown" }],
    ["revoked", { status: "revoked", reason: "keyCompromise" }],
    ["stale", { status: "refused", reason: "stale" }],
    ["wrong-nonce", { status: "refused", reason: "nonce" }],
    ["try-later", { status: "refused", reason: "not-successful" }],
    ["stranger", { status: "refused", reason: "responder" }],
    ["garbage", expect.any(DerError)],
  ] as const)("answers with %s, and is caught", async (ocsp, verdict) => {
    expect(await judgedStatus(sandbox, signer)).toMatchObject({ status: "good" })
    sandbox.misbehave({ ocsp })
    expect(await judgedStatus(sandbox, signer)).toEqual(
      ocsp === "garbage" ? verdict : expect.objectContaining(verdict),
    )
    const { said } = await ask(sandbox, signer)
    expect(
      said.includes("Response verify OK") && statuses(said).join() === "good" && !/WARNING/.test(said),
    ).toBe(false)
  })
})

describe("a list that was told to", () => {
  it("is stale", async () => {
    sandbox.misbehave({ crl: "stale" })
    expect(await verify(sandbox, signer, ...(await crls(openssl, sandbox)))).toEqual({
      ok: false,
      said: expect.stringContaining("CRL has expired"),
    })
  })

  it("is garbage", async () => {
    sandbox.misbehave({ crl: "garbage" })
    expect(await verify(sandbox, signer, ...(await crls(openssl, sandbox)))).toMatchObject({ ok: false })
  })
})

const PLACES = [
  ["tsa", "/tsa", "application/timestamp-query"],
  ["ocsp", "/ocsp/issuing", "application/ocsp-request"],
  ["crl", "/crl/issuing.crl", null],
] as const

describe.each(PLACES)("the service %s", (service, path, contentType) => {
  const knock = (target: TrustSandbox) =>
    fetch(
      `${target.url}${path}`,
      contentType === null ? {} : { method: "POST", headers: { "content-type": contentType }, body: "x" },
    )

  it("is unavailable when told so, and only that one is", async () => {
    sandbox.misbehave({ [service]: "unavailable" } as Misbehaviour)
    expect((await knock(sandbox)).status).toBe(503)
    expect((await fetch(`${sandbox.url}/root.crt`)).status).toBe(200)
  })

  it("is silent when told so, until the sandbox is closed", async () => {
    const silent = await startTrustSandbox({ now: () => new Date() })
    silent.misbehave({ [service]: "silence" } as Misbehaviour)
    let settled = false
    const knocking = knock(silent).finally(() => {
      settled = true
    })
    // A hundred others come and go meanwhile.
    for (let n = 0; n < 100; n += 1) await (await fetch(`${silent.url}/root.crt`)).arrayBuffer()
    expect(settled).toBe(false)
    await Promise.all([silent.close(), expect(knocking).rejects.toThrow("fetch failed")])
  })
})
