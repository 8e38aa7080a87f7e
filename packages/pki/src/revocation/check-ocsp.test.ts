import { randomBytes } from "node:crypto"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { writeName } from "../certificate/certificate-writer.ts"
import { readDer } from "../der/der.ts"
import { boolean, nullValue, octetString, oid, sequence, writeTagged } from "../der/der-writer.ts"
import { surviveMutations } from "../testing/mutations.ts"
import { type OpenSsl, openssl } from "../testing/openssl.ts"
import { type Holder, newHolder, newRoot, OCSP_SIGNING } from "../testing/small-pki.ts"
import { rsaKey, withSha1 } from "../testing/weak.ts"
import { checkOcsp, type OcspCheck } from "./check-ocsp.ts"
import { ocspRequest, writeCertId } from "./ocsp.ts"
import { type CertStatus, type OcspResponse, readOcspResponse } from "./ocsp-response.ts"
import { NEVER_ISSUED, type OcspIssue, writeOcspError, writeOcspResponse } from "./ocsp-writer.ts"

const NOW = new Date("2026-11-15T10:00:00Z")
const minutes = (count: number) => new Date(NOW.getTime() + count * 60_000)
const GOOD: CertStatus = { status: "good" }
const refused = (reason: string) => ({ status: "refused", reason })

let root: Holder
let delegate: Holder
let ada: Holder
beforeAll(async () => {
  root = await newRoot()
  delegate = await newHolder(root, "ecdsa-sha256", OCSP_SIGNING)
  ada = await newHolder(root, "ecdsa-sha256")
})

describe("checkOcsp", () => {
  it("says good, and by whom and when", async () => {
    const verdict = check(await answer(GOOD))
    expect(verdict).toEqual({
      status: "good",
      producedAt: minutes(-1),
      thisUpdate: minutes(-2),
      nextUpdate: minutes(60),
      neverIssued: false,
      signatureDigest: "sha256",
      responderCertificate: expect.objectContaining({ subjectName: "Responder" }),
      responderNeedsCheck: false,
    })
  })

  it("says revoked with time and reason, unknown, and never issued", async () => {
    const revoked = { status: "revoked", revokedAt: minutes(-600), reason: "superseded" } as const
    expect(check(await answer(revoked))).toMatchObject({ ...revoked, neverIssued: false })
    expect(check(await answer({ status: "revoked", revokedAt: minutes(-600) }))).not.toHaveProperty("reason")
    expect(check(await answer({ status: "unknown" }))).toMatchObject({ status: "unknown" })
    const never = await answer(NEVER_ISSUED, { extendedRevoke: true })
    expect(check(never)).toMatchObject({ status: "revoked", neverIssued: true })
    expect(check(await answer(NEVER_ISSUED))).toMatchObject({ status: "revoked", neverIssued: false })
  })

  it("keeps the archive cutoff", async () => {
    const response = await answer(GOOD, {}, { archiveCutoff: minutes(-100_000) })
    expect(check(response)).toMatchObject({ archiveCutoff: minutes(-100_000) })
  })

  it("refuses a responder's error and an answer about another certificate", async () => {
    expect(check(readOcspResponse(writeOcspError("tryLater")))).toEqual(refused("not-successful"))
    const bea = await newHolder(root, "ecdsa-sha256")
    expect(check(await answer(GOOD), { certificate: bea.certificate })).toEqual(refused("certificate"))
    const other = await newRoot()
    expect(check(await answer(GOOD), { issuer: other.certificate })).toEqual(refused("certificate"))
  })

  it("takes a permanent revocation of several entries about one certificate, else the newest, and of equals the worse", async () => {
    const revoked: CertStatus = { status: "revoked", revokedAt: minutes(-600) }
    const onHold: CertStatus = { ...revoked, reason: "certificateHold" }
    const entry = (certStatus: CertStatus, thisUpdate: Date) => ({ ...entryOf(certStatus), thisUpdate })
    const older = [entry(revoked, minutes(-9)), entry(GOOD, minutes(-3))]
    expect(check(await answer(GOOD, { entries: older }))).toMatchObject({ status: "revoked" })
    const ended = [entry(onHold, minutes(-9)), entry(GOOD, minutes(-3))]
    expect(check(await answer(GOOD, { entries: ended }))).toMatchObject({ status: "good" })
    const equals = [
      entry(GOOD, minutes(-3)),
      entry(revoked, minutes(-3)),
      entry({ status: "unknown" }, minutes(-3)),
    ]
    expect(check(await answer(GOOD, { entries: equals }))).toMatchObject({ status: "revoked" })
  })

  it("compares the nonce, and misses it only when told", async () => {
    const nonce = new Uint8Array(randomBytes(32))
    const response = await answer(GOOD, { nonce })
    expect(check(response, { nonce })).toMatchObject({ status: "good" })
    expect(check(response, { nonce: nonce.toReversed() })).toEqual(refused("nonce"))
    const prepared = await answer(GOOD)
    expect(check(prepared, { nonce })).toMatchObject({ status: "good" })
    expect(check(prepared, { nonce, needsNonce: true })).toEqual(refused("nonce"))
  })

  it("refuses a critical extension that it does not know", async () => {
    const response = await answer(GOOD)
    if (response.status !== "successful") throw new Error(response.status)
    const extension = { id: "2.999.1", critical: true, value: nullValue() }
    const basic = { ...response.basic, extensions: [extension] }
    expect(check({ status: "successful", basic })).toEqual(refused("extension"))
    const [single] = basic.responses
    if (single === undefined) throw new Error("no entry")
    const responses = [{ ...single, extensions: [extension] }]
    expect(check({ status: "successful", basic: { ...response.basic, responses } })).toEqual(
      refused("extension"),
    )
  })

  it("refuses an answer that was changed after signing", async () => {
    const response = await answer({ status: "revoked", revokedAt: minutes(-600) })
    if (response.status !== "successful") throw new Error(response.status)
    const tbs = Buffer.from(response.basic.tbs)
    tbs[tbs.length - 3] = (tbs[tbs.length - 3] ?? 0) ^ 1
    expect(check({ status: "successful", basic: { ...response.basic, tbs } })).toEqual(refused("signature"))
  })
})

describe("the responder", () => {
  it("may be the issuer itself", async () => {
    const response = await answer(GOOD, { ...root, responder: root.certificate, certificates: [] })
    expect(check(response)).toMatchObject({ status: "good", responderCertificate: { subjectName: "Root" } })
  })

  it("may be named by name", async () => {
    const response = await answer(GOOD)
    if (response.status !== "successful") throw new Error(response.status)
    const { tbs } = response.basic
    const parts = readDer(tbs).children.map(({ bytes }) => bytes)
    const named = sequence(writeTagged(0xa1, delegate.certificate.subject), ...parts.slice(1))
    const signature = await delegate.signBytes(named)
    const responderId = { name: delegate.certificate.subject }
    const basic = { ...response.basic, tbs: named, signature, responderId }
    expect(check({ status: "successful", basic })).toMatchObject({ status: "good" })
  })

  it("must be checked in its turn unless its certificate says otherwise", async () => {
    const other = await newHolder(root, "ecdsa-sha256", { ...OCSP_SIGNING, ocspNoCheck: false })
    expect(check(await answerOf(other))).toMatchObject({ status: "good", responderNeedsCheck: true })
  })

  it("is found among certificates that the caller has", async () => {
    const response = await answer(GOOD, { certificates: [] })
    expect(check(response)).toEqual(refused("responder"))
    expect(check(response, { certificates: [delegate.certificate] })).toMatchObject({ status: "good" })
  })

  it.each([
    ["has no such purpose", { extendedKeyUsage: ["1.3.6.1.5.5.7.3.4"] }],
    ["has any purpose", { extendedKeyUsage: ["2.5.29.37.0"] }],
    ["may not sign", { keyUsage: ["keyEncipherment"] }],
  ] as const)("is refused if its certificate %s", async (_, order) => {
    const other = await newHolder(root, "ecdsa-sha256", { ...OCSP_SIGNING, ...order })
    expect(check(await answerOf(other))).toEqual(refused("responder"))
  })

  it("is refused if another authority certified it, even one of the same name", async () => {
    for (const authority of [await newRoot("ecdsa-sha256", "Root"), await newRoot("ecdsa-sha256", "Other")]) {
      const other = await newHolder(authority, "ecdsa-sha256", OCSP_SIGNING)
      const response = await answerOf(other)
      expect(check(response)).toEqual(refused("responder"))
      const trustedResponders = [other.certificate]
      expect(check(response, { trustedResponders })).toMatchObject({
        status: "good",
        responderNeedsCheck: false,
      })
    }
  })

  it("is refused if its certificate names another issuer, though the key is the same", async () => {
    const issuer = writeName({ commonName: "Other" })
    const other = await newHolder(root, "ecdsa-sha256", { ...OCSP_SIGNING, issuer })
    expect(check(await answerOf(other))).toEqual(refused("responder"))
  })

  it("is refused if only the issuer of the issuer certified it", async () => {
    const issuing = await newHolder(root, "ecdsa-sha256", {
      basicConstraints: { ca: true },
      keyUsage: ["keyCertSign"],
    })
    const bea = await newHolder(issuing, "ecdsa-sha256")
    const certId = writeCertId(bea.certificate, issuing.certificate, "sha1")
    const response = await answer(GOOD, { entries: [{ ...entryOf(GOOD), certId }] })
    const about = { certificate: bea.certificate, issuer: issuing.certificate }
    expect(check(response, about)).toEqual(refused("responder"))
  })

  it("is refused if its certificate was not valid when it answered", async () => {
    const old = await newHolder(root, "ecdsa-sha256", { ...OCSP_SIGNING, notAfter: minutes(-30) })
    expect(check(await answerOf(old))).toEqual(refused("responder-validity"))
  })

  it("is refused once its certificate has expired, whatever time it writes", async () => {
    const notAfter = minutes(-30)
    const old = await newHolder(root, "ecdsa-sha256", { ...OCSP_SIGNING, notAfter })
    const { certificate } = old
    const by = { ...old, responder: certificate, certificates: [certificate], producedAt: minutes(-60) }
    const entry = { ...entryOf(GOOD), thisUpdate: minutes(-61) }
    const response = await answer(GOOD, { ...by, entries: [entry] })
    expect(check(response)).toEqual(refused("responder-validity"))
    const trustedResponders = [certificate]
    expect(check(response, { trustedResponders })).toEqual(refused("responder-validity"))
    // Looking back, at a time at which it could still answer, it did.
    for (const at of [minutes(-60), minutes(-31)]) {
      expect(check(response, { at })).toMatchObject({ status: "good" })
      expect(check(response, { at, trustedResponders })).toMatchObject({ status: "good" })
    }
    // What it says to have made then, it cannot have made of what was known only now.
    const later = await answer(GOOD, { ...by, entries: [entryOf(GOOD)] })
    expect(check(later, { at: minutes(-31) })).toEqual(refused("not-yet-valid"))
  })

  it("may have a certificate that is younger than our clock, by the tolerance", async () => {
    const young = await newHolder(root, "ecdsa-sha256", { ...OCSP_SIGNING, notBefore: minutes(-2) })
    const response = await answerOf(young)
    expect(check(response, { at: minutes(-4) })).toMatchObject({ status: "good" })
    expect(check(response, { at: minutes(-9) })).toMatchObject({ status: "refused" })
  })

  it("is refused with a critical extension that we do not know", async () => {
    const otherExtensions = [{ id: "2.999.1", critical: true, value: nullValue() }]
    const odd = await newHolder(root, "ecdsa-sha256", { ...OCSP_SIGNING, otherExtensions })
    expect(check(await answerOf(odd))).toEqual(refused("responder"))
  })

  it("is refused with a weak key, a weak certificate or a weak answer, unless the caller takes any", async () => {
    const key = rsaKey(1024)
    const order = { ...OCSP_SIGNING, publicKeySpki: key.publicKeySpki }
    const weak = await answerOf({ ...(await newHolder(root, "ecdsa-sha256", order)), ...key })
    const response = await answer(GOOD)
    if (response.status !== "successful") throw new Error(response.status)
    const signedWeakly = { ...response, basic: withSha1(response.basic, delegate) }
    const certificates = [withSha1(delegate.certificate, root)]
    const bare = await answer(GOOD, { certificates: [] })
    for (const [one, options] of [
      [weak, {}],
      [signedWeakly, {}],
      [bare, { certificates }],
    ] as const) {
      expect(check(one, options)).toEqual(refused("algorithm-too-weak"))
      expect(check(one, { ...options, algorithms: "any" })).toMatchObject({ status: "good" })
    }
  })
})

describe("the time of an answer", () => {
  it("may be ahead by the tolerance and no more", async () => {
    const response = await answer(GOOD)
    expect(check(response, { at: minutes(-6) })).toMatchObject({ status: "good" })
    expect(check(response, { at: minutes(-6.1) })).toEqual(refused("not-yet-valid"))
    expect(check(response, { at: minutes(-2), toleranceMs: 0 })).toEqual(refused("not-yet-valid"))
  })

  it("ends with nextUpdate and the tolerance", async () => {
    const response = await answer(GOOD)
    expect(check(response, { at: minutes(65) })).toMatchObject({ status: "good" })
    expect(check(response, { at: minutes(65.1) })).toEqual(refused("stale"))
  })

  it("ends after the greatest age where there is no nextUpdate", async () => {
    const { nextUpdate: _, ...entry } = entryOf(GOOD)
    const response = await answer(GOOD, { entries: [entry] })
    expect(check(response, { at: minutes(24 * 60) })).toMatchObject({ status: "good" })
    expect(check(response, { at: minutes(24 * 60 + 10) })).toEqual(refused("stale"))
    expect(check(response, { at: minutes(20), maxAgeMs: 600_000 })).toEqual(refused("stale"))
  })
})

describe("the greatest age", () => {
  const days = (count: number) => minutes(count * 24 * 60)

  it("is 35 days for a subscriber, whatever nextUpdate says", async () => {
    const response = await answer(GOOD, { entries: [{ ...entryOf(GOOD), nextUpdate: days(2000) }] })
    expect(check(response, { at: days(34) })).toMatchObject({ status: "good" })
    expect(check(response, { at: days(36) })).toEqual(refused("stale"))
    expect(check(response, { at: days(36), maxAgeMs: 40 * 86_400_000 })).toMatchObject({ status: "good" })
  })

  it("is a year for an authority, whose root is seldom asked", async () => {
    const order = { basicConstraints: { ca: true }, keyUsage: ["keyCertSign"] } as const
    const { certificate } = await newHolder(root, "ecdsa-sha256", order)
    const certId = writeCertId(certificate, root.certificate, "sha1")
    const entries = [{ ...entryOf(GOOD), certId, nextUpdate: days(2000) }]
    const response = await answer(GOOD, { entries })
    expect(check(response, { certificate, at: days(365) })).toMatchObject({ status: "good" })
    expect(check(response, { certificate, at: days(367) })).toEqual(refused("stale"))
  })
})

describe("an answer of openssl", () => {
  let peer: OpenSsl
  beforeAll(async () => {
    peer = await openssl()
  })
  afterAll(() => peer.remove())

  it("is read and believed: good, revoked and unknown", async () => {
    const bea = await newHolder(root, "ecdsa-sha256")
    const lines = [`V\t510101000000Z\t\t${serial(ada)}\tunknown\t/CN=Ada`]
    lines.push(`R\t510101000000Z\t260301120000Z,cessationOfOperation\t${serial(bea)}\tunknown\t/CN=Bea`)
    const index = await peer.file("index", `${lines.join("\n")}\n`)
    const good = await askPeer(index, ada)
    expect(good).toMatchObject({ status: "good", responderCertificate: { der: delegate.certificate.der } })
    expect(await askPeer(index, bea)).toMatchObject({
      status: "revoked",
      revokedAt: new Date("2026-03-01T12:00:00Z"),
      reason: "cessationOfOperation",
    })
    expect(await askPeer(index, await newHolder(root, "ecdsa-sha256"))).toMatchObject({ status: "unknown" })
  })

  async function askPeer(index: string, { certificate }: Holder) {
    const nonce = new Uint8Array(randomBytes(32))
    const request = await peer.file("request", ocspRequest({ certificate, issuer: root.certificate, nonce }))
    const ca = ["-CA", await peer.certificate("root.pem", root.certificate.der), "-index", index]
    const responder = await peer.certificate("responder.pem", delegate.certificate.der)
    const signer = ["-rsigner", responder, "-rkey", await peer.key("responder.key", delegate)]
    const files = ["-reqin", request, "-respout", peer.path("response")]
    const { ok, text } = await peer.run("ocsp", ...ca, ...signer, ...files, "-ndays", "1")
    if (!ok) throw new Error(text)
    const response = readOcspResponse(await peer.read("response"))
    const about = { certificate, issuer: root.certificate, at: new Date() }
    return checkOcsp(response, { ...about, nonce, needsNonce: true })
  }
})

describe("readOcspResponse", () => {
  it("gives a value or a DerError for mutated bytes, and no other status that is believed", async () => {
    const der = await bytes({ status: "revoked", revokedAt: minutes(-600), reason: "keyCompromise" })
    const read = surviveMutations(der, (mutated) => {
      const { status } = check(readOcspResponse(mutated))
      expect(["revoked", "refused"]).toContain(status)
    })
    expect(read).toBeGreaterThan(100)
  })

  it("refuses an error with an answer, a status and a type that do not exist, and too much", async () => {
    const [, wrapped] = readDer(await bytes(GOOD)).children
    const status = (number: number) => writeTagged(0x0a, Uint8Array.of(number))
    const read = (...parts: readonly Uint8Array[]) => readOcspResponse(sequence(...parts))
    expect(() => read(status(3), wrapped?.bytes ?? boolean(true))).toThrow("an error with an answer")
    expect(() => read(status(4))).toThrow("responseStatus is unknown")
    expect(() => read(status(0))).toThrow("responseBytes is missing")
    const odd = writeTagged(0xa0, sequence(oid("2.999.1"), octetString(nullValue())))
    expect(() => read(status(0), odd)).toThrow("responseType is unknown")
    expect(() => readOcspResponse(new Uint8Array(1024 * 1024 + 1))).toThrow("too large")
    const entries = (count: number) => ({ entries: Array.from({ length: count }, () => entryOf(GOOD)) })
    expect(await answer(GOOD, entries(256))).toMatchObject({ status: "successful" })
    await expect(answer(GOOD, entries(257))).rejects.toThrow("too many responses")
  })
})

function check(response: OcspResponse, options: Partial<OcspCheck> = {}) {
  const about = { certificate: ada.certificate, issuer: root.certificate, at: NOW }
  return checkOcsp(response, { ...about, ...options })
}

function entryOf(certStatus: CertStatus) {
  const certId = writeCertId(ada.certificate, root.certificate, "sha1")
  return { certId, certStatus, thisUpdate: minutes(-2), nextUpdate: minutes(60) }
}

async function bytes(
  certStatus: CertStatus,
  issue: Partial<OcspIssue> = {},
  entry: { readonly archiveCutoff?: Date } = {},
): Promise<Uint8Array> {
  return writeOcspResponse({
    ...delegate,
    entries: [{ ...entryOf(certStatus), ...entry }],
    producedAt: minutes(-1),
    responder: delegate.certificate,
    certificates: [delegate.certificate],
    ...issue,
  })
}

async function answer(...input: Parameters<typeof bytes>): Promise<OcspResponse> {
  return readOcspResponse(await bytes(...input))
}

function answerOf(responder: Holder): Promise<OcspResponse> {
  const { certificate } = responder
  return answer(GOOD, { ...responder, responder: certificate, certificates: [certificate] })
}

function serial({ certificate }: Holder): string {
  const hex = certificate.serialNumber.toString(16).toUpperCase()
  return hex.length % 2 === 0 ? hex : `0${hex}`
}
