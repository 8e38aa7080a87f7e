import { randomBytes } from "node:crypto"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type OpenSsl, openssl } from "../testing/openssl.ts"
import { ALGORITHMS, type Holder, newHolder, newRoot, OCSP_SIGNING } from "../testing/small-pki.ts"
import { ocspRequest, readOcspRequest, writeCertId } from "./ocsp.ts"
import { type CertStatus, readOcspResponse } from "./ocsp-response.ts"
import { NEVER_ISSUED, type OcspIssue, writeOcspError, writeOcspResponse } from "./ocsp-writer.ts"

// OpenSSL compares the times of an answer with its own clock.
const NOW = new Date()
const hours = (count: number) => new Date(NOW.getTime() + count * 3_600_000)
let judge: OpenSsl

beforeAll(async () => {
  judge = await openssl()
})
afterAll(() => judge.remove())

describe.each(ALGORITHMS)("an answer with %s", (algorithm) => {
  let root: Holder
  let responder: Holder
  let ada: Holder
  let bea: Holder
  beforeAll(async () => {
    root = await newRoot(algorithm)
    responder = await newHolder(root, algorithm, OCSP_SIGNING)
    ada = await newHolder(root, "ecdsa-sha256")
    bea = await newHolder(root, "ecdsa-sha256")
  })

  it("is believed by openssl: of a delegate, about two certificates", async () => {
    const revoked: CertStatus = { status: "revoked", revokedAt: hours(-5), reason: "keyCompromise" }
    const response = await answer(responder, root, [
      [ada, { status: "good" }],
      [bea, revoked],
    ])
    const { ok, text } = await ask(response, root, [ada, bea])
    expect(ok).toBe(true)
    expect(text).toContain("Response verify OK")
    expect(text).toMatch(/0\.pem: good\s+This Update: .* GMT\s+Next Update: .* GMT/)
    expect(text).toMatch(/1\.pem: revoked.*Reason: keyCompromise\s+Revocation Time: /s)
  })

  it("is believed by openssl: of the issuer itself, without certificates", async () => {
    const response = await answer(root, root, [[ada, { status: "unknown" }]], { certificates: [] })
    const { text } = await ask(response, root, [ada])
    expect(text).toContain("Response verify OK")
    expect(text).toContain("0.pem: unknown")
  })
})

describe("writeOcspResponse", () => {
  let root: Holder
  let responder: Holder
  let ada: Holder
  beforeAll(async () => {
    root = await newRoot()
    responder = await newHolder(root, "ecdsa-sha256", OCSP_SIGNING)
    ada = await newHolder(root, "ecdsa-sha256")
  })

  it("repeats the nonce, which openssl compares", async () => {
    const nonce = new Uint8Array(randomBytes(32))
    const { certificate } = ada
    const request = await judge.file("request", ocspRequest({ certificate, issuer: root.certificate, nonce }))
    const right = await answer(responder, root, [[ada, { status: "good" }]], { nonce })
    const wrong = await answer(responder, root, [[ada, { status: "good" }]], { nonce: nonce.toReversed() })
    const options = ["-reqin", request, "-CAfile", await judge.certificate("root.pem", root.certificate.der)]
    const compare = async (response: Uint8Array) =>
      (await judge.run("ocsp", ...options, "-respin", await judge.file("response", response))).text
    expect(await compare(right)).toContain("Response verify OK")
    expect(await compare(wrong)).toContain("Nonce Verify error")
  })

  it("says of a certificate that was never issued what RFC 6960 wants", async () => {
    const response = await answer(responder, root, [[ada, NEVER_ISSUED]], { extendedRevoke: true })
    const path = await judge.file("response", response)
    const { text } = await judge.run("ocsp", "-respin", path, "-noverify", "-resp_text")
    expect(text).toContain("Revocation Time: Jan  1 00:00:00 1970 GMT")
    expect(text).toContain("Revocation Reason: certificateHold (0x6)")
    // 1.3.6.1.5.5.7.48.1.9, for which OpenSSL 3.0 has an older name.
    expect(text).toMatch(/Response Extensions:\s+valid:/)
  })

  it("is read by us as it was written", async () => {
    const nonce = new Uint8Array(randomBytes(16))
    const request = readOcspRequest(ocspRequest({ ...pair(), nonce, digestAlgorithm: "sha256" }))
    const [certId] = request.certIds
    if (certId === undefined) throw new Error("no question")
    const entry = { certId: certId.bytes, thisUpdate: hours(-1), archiveCutoff: hours(-99) }
    const response = readOcspResponse(
      await writeOcspResponse({
        ...responder,
        entries: [{ ...entry, certStatus: { status: "good" } }],
        producedAt: NOW,
        nonce,
        responder: responder.certificate,
        certificates: [],
      }),
    )
    if (response.status !== "successful") throw new Error(response.status)
    const wholeSeconds = (at: Date) => new Date(Math.floor(at.getTime() / 1000) * 1000)
    expect(response.basic).toMatchObject({
      nonce,
      producedAt: wholeSeconds(NOW),
      extendedRevoke: false,
      certificates: [],
      responses: [
        {
          certId,
          certStatus: { status: "good" },
          thisUpdate: wholeSeconds(hours(-1)),
          archiveCutoff: wholeSeconds(hours(-99)),
        },
      ],
    })
    expect(response.basic.responses[0]?.nextUpdate).toBeUndefined()
  })

  it("refuses to hand out what another key signed", async () => {
    const foreign = { ...responder, signBytes: root.signBytes }
    await expect(answer(foreign, root, [[ada, { status: "good" }]])).rejects.toThrow("does not verify")
  })

  const pair = () => ({ certificate: ada.certificate, issuer: root.certificate })
})

describe("writeOcspError", () => {
  it.each([
    ["malformedRequest", "malformedrequest (1)"],
    ["internalError", "internalerror (2)"],
    ["tryLater", "trylater (3)"],
    ["sigRequired", "sigrequired (5)"],
    ["unauthorized", "unauthorized (6)"],
  ] as const)("says %s, which openssl and we read", async (error, printed) => {
    const path = await judge.file("response", writeOcspError(error))
    expect((await judge.run("ocsp", "-respin", path)).text).toContain(`Responder Error: ${printed}`)
    expect(readOcspResponse(writeOcspError(error))).toEqual({ status: error })
  })
})

async function answer(
  responder: Holder,
  issuer: Holder,
  about: readonly (readonly [Holder, CertStatus])[],
  options: Partial<OcspIssue> = {},
): Promise<Uint8Array> {
  return writeOcspResponse({
    ...responder,
    entries: about.map(([{ certificate }, certStatus]) => ({
      certId: writeCertId(certificate, issuer.certificate, "sha1"),
      certStatus,
      thisUpdate: hours(-1),
      nextUpdate: hours(1),
    })),
    producedAt: NOW,
    responder: responder.certificate,
    certificates: [responder.certificate],
    ...options,
  })
}

async function ask(response: Uint8Array, root: Holder, about: readonly Holder[]) {
  const anchor = await judge.certificate("root.pem", root.certificate.der)
  const questions: string[] = []
  for (const [index, { certificate }] of about.entries())
    questions.push("-cert", await judge.certificate(`${index}.pem`, certificate.der))
  const options = ["-issuer", anchor, "-CAfile", anchor, "-no_nonce", ...questions]
  return judge.run("ocsp", "-respin", await judge.file("response", response), ...options)
}
