import { type CscFailure, isWorthRepeating } from "@paraph/gateways/csc-failed"
import fc from "fast-check"
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest"
import { startTrustSandbox, type TrustSandbox } from "../sandbox.ts"
import { judgedStatus } from "../testing/our-verdict.ts"
import { makeToken } from "../testing/softhsm.ts"
import type { CscMisbehaviour } from "./misbehaviour.ts"
import { visitCscProvider } from "./person.ts"
import { bytes, FACTORS, failure, newWay, type Rig, signingOf, startRig, verifies } from "./testing/client.ts"

const token = makeToken()
let sandbox: TrustSandbox
/** People release on the provider's page; and by what they tell us. */
let rig: Rig
let explicit: Rig
beforeAll(async () => {
  sandbox = await startTrustSandbox({ now: () => new Date() })
  rig = await startRig(sandbox)
  explicit = await startRig(sandbox, {
    mode: "explicit",
    listsDetails: false,
    legislation: "ZERTES",
    multisign: 50,
  })
})
afterEach(() => {
  rig.csc.misbehave({})
  explicit.csc.misbehave({})
})
afterAll(async () => {
  await Promise.all([rig?.close(), explicit?.close()])
  await sandbox?.close()
  token.remove()
})

const ADA = { login: "ada.lovelace@example.org" }
describe("the whole way", () => {
  it.each([
    ["ecdsa-sha256", "memory", "oauth2"],
    ["ecdsa-sha384", "memory", "oauth2Issuer"],
    ["rsa-sha256", "memory", "oauth2"],
    ["rsa-pss-sha256", "memory", "oauth2Issuer"],
    ["ecdsa-sha256", "a token", "oauth2"],
    ["rsa-pss-sha256", "a token", "oauth2"],
  ] as const)(
    "%s, keys in %s, found by %s: node:crypto verifies each signature",
    async (algorithm, place, discovery) => {
      const keys = place === "memory" ? place : token.settings
      const one = await startRig(sandbox, { algorithm, keys, discovery })
      const { credential } = await one.find(ADA.login)
      expect(credential).toMatchObject({
        subjectName: "Ada Lovelace",
        scal: 2,
        release: { mode: "oauth2code" },
      })
      expect(credential.algorithms.map(({ name }) => name)).toContain(algorithm)
      expect(credential.chain).toEqual([sandbox.issuing])
      const toBeSigned = bytes("one", "two", "three")
      const signing = await one.release(credential, toBeSigned, ADA)
      const signed = await one.provider.signHash(signing)
      const isRight = verifies(signing)
      if (signed.state !== "signed") throw new Error("Not signed.")
      expect(signed.values.map((value, index) => isRight(toBeSigned[index] ?? Buffer.of(), value))).toEqual([
        true,
        true,
        true,
      ])
      expect(isRight(Buffer.from("four"), signed.values[0])).toBe(false)
      expect(one.csc.signatures().map(({ login }) => login)).toEqual([ADA.login, ADA.login, ADA.login])
      await one.close()
    },
  )

  it("shows the person what is released, and who asks, on pages without a script", async () => {
    const { credential } = await rig.find(ADA.login)
    const way = newWay()
    const asked = { scope: "credential", ...way, ...signingOf(credential, bytes("one", "two")) } as const
    const url = await rig.provider.authorizationUrl({
      ...asked,
      description: "<b>Lease</b>",
      loginHint: 'a"b',
    })
    expect(Object.fromEntries(new URL(url).searchParams)).toMatchObject({
      scope: "credential",
      credentialID: credential.id,
      numSignatures: "2",
      hashes: expect.stringMatching(/^[\w-]{43},[\w-]{43}$/),
      hashAlgorithmOID: "2.16.840.1.101.3.4.2.1",
      code_challenge_method: "S256",
    })
    expect(url).not.toContain(way.codeVerifier)
    const { pages } = await visitCscProvider(url, ADA)
    const [login = "", release = ""] = pages
    expect(login).toContain('value="a&#34;b"')
    expect(release).toContain("<h1>Sign 2 documents</h1>")
    expect(release).toContain("&#60;b&#62;Lease")
    for (const hash of new URL(url).searchParams.get("hashes")?.split(",") ?? [])
      expect(release).toContain(Buffer.from(hash, "base64url").toString("base64"))
    for (const page of pages) expect(page).toContain("nothing that is signed here has any legal effect")
    expect(pages.join()).not.toContain("<script")
  })

  it("takes a long list: any one to fifty texts come back as signatures of just these", async () => {
    const { accessToken, credential } = await explicit.find(ADA.login)
    const isRight = verifies(signingOf(credential, []))
    const texts = fc.array(fc.uint8Array({ maxLength: 300 }), { minLength: 1, maxLength: 50 })
    let count = explicit.csc.signatures().length
    await fc.assert(
      fc.asyncProperty(texts, fc.boolean(), async (toBeSigned, asynchronous) => {
        const asked = { ...signingOf(credential, toBeSigned), accessToken }
        const activated = await explicit.provider.activate({ ...asked, factors: FACTORS })
        if (activated.state !== "released") throw new Error("Not released.")
        const signing = { ...asked, sad: activated.sad, asynchronous }
        const first = await explicit.provider.signHash(signing)
        const signed =
          first.state === "pending" ? await explicit.provider.signPolling(signing, first.responseId) : first
        if (signed.state !== "signed") throw new Error("Not signed.")
        expect(signed.values.length).toBe(toBeSigned.length)
        expect(toBeSigned.every((text, index) => isRight(text, signed.values[index]))).toBe(true)
        count += toBeSigned.length
        expect(explicit.csc.signatures().length).toBe(count)
      }),
      { numRuns: 40 },
    )
  })
})

/** From the first call to the signatures, by a person who says yes to everything. */
async function wholeWay({ csc, find, release, provider }: Rig, how: CscMisbehaviour): Promise<unknown> {
  const before = await find(ADA.login)
  csc.misbehave(how)
  const { credential } = how.certificate === undefined && !how.credential ? before : await find(ADA.login)
  return provider.signHash(await release(credential, bytes("one"), ADA))
}

describe("a provider on a bad day", () => {
  it.each<[string, CscFailure, boolean, CscMisbehaviour]>([
    ["does not work", "unreachable", false, { answers: { info: "error" } }],
    ["hangs up", "unreachable", false, { answers: { info: "drop" } }],
    ["has too much to do", "rate-limited", false, { answers: { info: "rate-limited" } }],
    ["talks nonsense", "invalid-answer", false, { answers: { info: "garbage" } }],
    ["talks without end", "invalid-answer", false, { answers: { info: "huge" } }],
    ["does not work for codes", "unreachable", false, { answers: { "oauth2/token": "error" } }],
    ["talks nonsense for codes", "invalid-answer", false, { answers: { "oauth2/token": "garbage" } }],
    ["limits codes", "rate-limited", false, { answers: { "oauth2/token": "rate-limited" } }],
    ["does not let the person in", "refused", false, { login: "refuse" }],
    ["lets the person refuse", "refused", false, { release: "refuse" }],
    ["has a release that is over", "expired", false, { authorisation: "expired" }],
    ["has no time to sign", "rate-limited", false, { answers: { "signatures/signHash": "rate-limited" } }],
    ["fails while it signs", "unreachable", true, { answers: { "signatures/signHash": "error" } }],
    ["hangs up before it signs", "unreachable", true, { answers: { "signatures/signHash": "drop" } }],
    ["hangs up when it has signed", "unreachable", true, { answers: { "signatures/signHash": "lost" } }],
    [
      "answers a signature with nonsense",
      "invalid-answer",
      true,
      { answers: { "signatures/signHash": "garbage" } },
    ],
    [
      "answers a signature without end",
      "invalid-answer",
      true,
      { answers: { "signatures/signHash": "huge" } },
    ],
    ["signs another hash", "invalid-answer", true, { signs: "another-hash" }],
    ["signs too few", "invalid-answer", true, { signs: "too-few" }],
    ["signs too many", "invalid-answer", true, { signs: "too-many" }],
    ["shows the certificate of another key", "invalid-answer", true, { certificate: "other-key" }],
  ])("that %s: %s, may have signed: %s", async (_, code, mayHaveSigned, how) => {
    const error = await failure(wholeWay(rig, how))
    expect([error.code, error.mayHaveSigned]).toEqual([code, mayHaveSigned])
    expect(isWorthRepeating(error)).toBe(code === "unreachable" || code === "rate-limited")
    expect(error.retryAfterSeconds).toBe(code === "rate-limited" ? 7 : undefined)
    // Nothing of what it says is shown to anybody.
    expect(error.message).not.toMatch(/html|xxx|127\.0/)
  })

  it.each<[string, CscMisbehaviour]>([
    ["not-qualified", { certificate: "unqualified" }],
    ["not-qualified", { certificate: "other-law" }],
    ["untrusted", { certificate: "stranger" }],
    ["untrusted", { certificate: "expired" }],
    ["status", { credential: "revoked" }],
    ["disabled", { credential: "disabled" }],
    ["not-bound", { credential: "not-bound" }],
  ])("shows a credential that is %s: %j", async (reason, how) => {
    for (const one of [rig, explicit]) {
      const { accessToken, credential } = await one.find(ADA.login)
      one.csc.misbehave(how)
      expect(await one.provider.credentials(accessToken)).toEqual({
        usable: [],
        unusable: [{ id: credential.id, reason }],
      })
      one.csc.misbehave({})
    }
  })

  it("shows a credential whose authority has revoked it: that is asked there", async () => {
    const { credential } = await rig.find("revoked@example.org")
    expect(await judgedStatus(sandbox, credential.certificate)).toMatchObject({ status: "good" })
    await sandbox.revoke(await rig.csc.certificateOf("revoked@example.org"))
    expect(await judgedStatus(sandbox, credential.certificate)).toMatchObject({ status: "revoked" })
  })

  it("says nothing, and is not waited for forever", async () => {
    const { credential } = await rig.find(ADA.login)
    const signing = await rig.release(credential, bytes("one"), ADA)
    rig.csc.misbehave({ answers: { info: "silence", "signatures/signHash": "silence" } })
    expect(await failure(rig.impatient.info())).toMatchObject({ code: "unreachable", mayHaveSigned: false })
    const error = await failure(rig.impatient.signHash(signing))
    expect([error.code, error.mayHaveSigned]).toEqual(["unreachable", true])
  })

  it("is slow, and is waited for", async () => {
    rig.csc.misbehave({ slowMs: 150 })
    const { credential } = await rig.find(ADA.login)
    const signing = await rig.release(credential, bytes("one"), ADA)
    expect(await rig.provider.signHash(signing)).toMatchObject({ state: "signed" })
  })
})
