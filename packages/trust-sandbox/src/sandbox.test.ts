import { readCertificate } from "@paraph/pki/certificate"
import { distributionAddresses, readCrlDistributionPoints } from "@paraph/pki/distribution-point"
import { readAuthorityInfoAccess } from "@paraph/pki/extensions"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { memoryKey } from "./keyring.ts"
import { startTrustSandbox, type TrustSandbox } from "./sandbox.ts"
import { makeOpenssl } from "./testing/openssl.ts"
import { judgedStamp, judgedStatus } from "./testing/our-verdict.ts"
import { crls, issueTo, relyingParty, statuses } from "./testing/relying-party.ts"
import { makeToken } from "./testing/softhsm.ts"

const openssl = await makeOpenssl()
const token = makeToken()
const { verify, ask, stamp } = relyingParty(openssl)
const now = () => new Date()
afterAll(async () => {
  await openssl.remove()
  token.remove()
})

// OpenSSL 3.0 judges a time-stamp by its PKCS#7 code, which reads no parameters of PSS, and has no CMS with Ed25519.
const SANDBOXES = [
  ["ecdsa-sha256", "memory", ["ts", "cms"]],
  ["ecdsa-sha384", "memory", ["ts", "cms"]],
  ["rsa-sha256", "memory", ["ts", "cms"]],
  ["rsa-pss-sha256", "memory", ["cms"]],
  ["ed25519", "memory", []],
  ["ecdsa-sha256", "a token", ["ts", "cms"]],
] as const

describe.each(SANDBOXES)(
  "trust services with keys for %s, in %s, as OpenSSL judges them",
  (algorithm, place, judges) => {
    let sandbox: TrustSandbox
    let signer: Uint8Array

    beforeAll(async () => {
      const keys = place === "memory" ? place : token.settings
      sandbox = await startTrustSandbox({ now, algorithm, keys })
      signer = await issueTo(sandbox, "Ada Lovelace")
    })
    afterAll(() => sandbox.close())

    it("issue a certificate with a path to the root", async () => {
      expect(await verify(sandbox, signer)).toEqual({ ok: true, said: expect.stringMatching(/: OK\n$/) })
      const other = await startTrustSandbox({ now, algorithm })
      expect((await verify(other, signer)).ok).toBe(false)
      await other.close()
    })

    it("say in a list what was revoked", async () => {
      const revoked = await issueTo(sandbox, "Revoked")
      await sandbox.revoke(revoked, "keyCompromise")
      expect(await verify(sandbox, signer, ...(await crls(openssl, sandbox)))).toMatchObject({ ok: true })
      expect(await verify(sandbox, revoked, ...(await crls(openssl, sandbox)))).toEqual({
        ok: false,
        said: expect.stringContaining("certificate revoked"),
      })
    })

    it("answer by OCSP what is good, revoked and unknown, with the nonce", async () => {
      const revoked = await issueTo(sandbox, "Revoked")
      await sandbox.revoke(revoked, "superseded")
      const stranger = await startTrustSandbox({ now })
      const asked = await ask(sandbox, signer, revoked, await issueTo(stranger, "Somebody else's"))
      await stranger.close()
      expect(asked).toEqual({ ok: true, said: expect.stringMatching(/^Response verify OK$/m) })
      expect(asked.said).not.toContain("no nonce")
      expect(statuses(asked.said)).toEqual(["good", "revoked", "unknown"])
      expect(asked.said).toContain("Reason: superseded")
    })

    it("answer for the issuing authority at the root's responder", async () => {
      const root = await openssl.pem(sandbox.root)
      const about = ["-issuer", root, "-cert", await openssl.pem(sandbox.issuing)]
      const asked = await openssl.run("ocsp", ...about, "-url", `${sandbox.url}/ocsp/root`, "-CAfile", root)
      expect(asked).toEqual({ ok: true, said: expect.stringContaining("Response verify OK") })
      expect(statuses(asked.said)).toEqual(["good"])
    })

    it("stamp what was asked, with a certificate that has a path and a status", async () => {
      const verdicts = await stamp(sandbox, "what is to be stamped")
      for (const judge of judges)
        expect([judge, verdicts[judge]]).toEqual([
          judge,
          { ok: true, said: expect.stringMatching(/: OK|successful/) },
        ])
      expect(await judgedStamp(sandbox)).toMatchObject({ valid: true })
      const tsa = await sandbox.timestampCertificate()
      const path = await verify(sandbox, tsa, "-purpose", "timestampsign", ...(await crls(openssl, sandbox)))
      expect(path).toMatchObject({ ok: true })
      expect(statuses((await ask(sandbox, tsa)).said)).toEqual(["good"])
    })
  },
)

describe("a revocation", () => {
  it("can hit the issuing authority and the time-stamping authority", async () => {
    const sandbox = await startTrustSandbox({ now })
    const signer = await issueTo(sandbox, "Ada")
    const tsa = await sandbox.timestampCertificate()
    await sandbox.revoke(tsa, "keyCompromise")
    expect(await judgedStatus(sandbox, tsa)).toMatchObject({ status: "revoked", reason: "keyCompromise" })
    await sandbox.revoke(sandbox.issuing, "cACompromise")
    const path = await verify(sandbox, signer, ...(await crls(openssl, sandbox)))
    expect(path).toEqual({ ok: false, said: expect.stringMatching(/at 1 depth lookup: certificate revoked/) })
    await sandbox.close()
  })

  it("counts from its time on", async () => {
    let at = new Date("2030-01-01T00:00:00Z")
    const sandbox = await startTrustSandbox({ now: () => at })
    const signer = await issueTo(sandbox, "Ada")
    const revokedAt = new Date("2030-01-02T12:00:00Z")
    await sandbox.revoke(signer, "cessationOfOperation", revokedAt)
    expect(await judgedStatus(sandbox, signer, at)).toMatchObject({ status: "good", thisUpdate: at })
    at = new Date("2030-01-03T00:00:00Z")
    const revoked = { status: "revoked", revokedAt, reason: "cessationOfOperation" }
    expect(await judgedStatus(sandbox, signer, at)).toMatchObject(revoked)
    await sandbox.close()
  })

  it("is refused for a certificate of somebody else", async () => {
    const [ours, theirs] = [await startTrustSandbox({ now }), await startTrustSandbox({ now })]
    await expect(ours.revoke(await issueTo(theirs, "Ada"))).rejects.toThrow("No such certificate")
    await Promise.all([ours.close(), theirs.close()])
  })
})

describe("an order", () => {
  it("can be for a certificate that has run out, or has no address to ask", async () => {
    const sandbox = await startTrustSandbox({ now })
    const { publicKeySpki } = memoryKey("ecdsa-sha256")
    const old = { commonName: "Ada", publicKeySpki, standingDays: 10, validDays: -1 }
    const expired = await verify(sandbox, await sandbox.issue(old))
    expect(expired).toEqual({ ok: false, said: expect.stringContaining("certificate has expired") })
    for (const revocation of ["both", "ocsp", "crl", "none"] as const) {
      const { extensions } = readCertificate(await sandbox.issue({ ...old, revocation }))
      const { ocsp = [], caIssuers = [] } = readAuthorityInfoAccess(extensions) ?? {}
      const points = distributionAddresses(readCrlDistributionPoints(extensions) ?? [])
      expect(ocsp).toEqual(/both|ocsp/.test(revocation) ? [`${sandbox.url}/ocsp/issuing`] : [])
      expect(points).toEqual(/both|crl/.test(revocation) ? [`${sandbox.url}/crl/issuing.crl`] : [])
      expect(caIssuers).toEqual([`${sandbox.url}/issuing.crt`])
    }
    await sandbox.close()
  })
})

describe("time and serial numbers", () => {
  it("come from outside", async () => {
    const at = new Date("2031-05-06T07:08:09Z")
    let next = 1000n
    const sandbox = await startTrustSandbox({ now: () => at, serialNumber: () => next++ })
    const certificates = [sandbox.root, sandbox.issuing, await issueTo(sandbox, "Ada")].map(readCertificate)
    expect(certificates.map(({ serialNumber }) => serialNumber)).toEqual([1000n, 1001n, 1002n])
    expect(certificates[2]?.notAfter).toEqual(new Date("2032-05-05T07:08:09Z"))
    expect(await judgedStamp(sandbox)).toMatchObject({ valid: true, genTime: at })
    await sandbox.close()
  })

  it("may jump by years: services whose certificate has run out get a new one", async () => {
    let at = new Date("2030-01-01T00:00:00Z")
    const sandbox = await startTrustSandbox({ now: () => at })
    const first = await sandbox.timestampCertificate()
    at = new Date("2039-01-01T00:00:00Z")
    const signer = await issueTo(sandbox, "Ada")
    expect(await sandbox.timestampCertificate()).not.toEqual(first)
    expect(await judgedStamp(sandbox)).toMatchObject({ valid: true, genTime: at })
    expect(await judgedStatus(sandbox, signer, at)).toMatchObject({ status: "good" })
    expect(await judgedStatus(sandbox, first, at)).toMatchObject({ status: "good" })
    await sandbox.close()
  })
})

it("keeps its keys in the token, and finds them there again", async () => {
  const sandboxes = [await startTrustSandbox({ now, keys: token.settings })]
  sandboxes.push(await startTrustSandbox({ now, keys: token.settings }))
  const [first, second] = sandboxes.map(({ root }) => readCertificate(root))
  expect(second?.publicKeySpki).toEqual(first?.publicKeySpki)
  for (const sandbox of sandboxes) await sandbox.close()
})
