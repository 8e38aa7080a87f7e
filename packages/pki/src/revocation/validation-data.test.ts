// What is at hand may have been chosen by an attacker: a document brings its own answers. These are the ways in which
// one could try to have a revoked certificate raised, and the ways in which an honest document must not be refused.

import { describe, expect, it } from "vitest"
import type { Certificate } from "../certificate/certificate.ts"
import { writeName } from "../certificate/certificate-writer.ts"
import { type Holder, newHolder, newRoot, OCSP_SIGNING } from "../testing/small-pki.ts"
import { issueCrl } from "./crl-writer.ts"
import { readOcspRequest, writeCertId } from "./ocsp.ts"
import type { CertStatus } from "./ocsp-response.ts"
import { writeOcspResponse } from "./ocsp-writer.ts"
import type { RevocationPorts } from "./revocation-evidence.ts"
import { collectValidationData, type ValidationTarget } from "./validation-data.ts"

const root = await newRoot()
const asksAt = { authorityInfoAccess: { ocsp: ["http://ocsp.example"], caIssuers: [] } }
const ada = await newHolder(root, "ecdsa-sha256", asksAt)
const june = (day: number, hour = 0) => new Date(Date.UTC(2026, 5, day, hour))
const GOOD: CertStatus = { status: "good" }
const REVOKED: CertStatus = { status: "revoked", revokedAt: june(2, 12), reason: "keyCompromise" }
const DAY_MS = 86_400_000

describe("an answer that the document brings", () => {
  it("from before the use does not stand in for asking", async () => {
    const old = await answer(GOOD, june(1), 7)
    const found = await collect([use(june(3))], { ocspResponses: [old] }, { says: REVOKED, now: june(4) })
    expect(found).toEqual({ code: "revoked", asked: 1 })
  })

  it("that says revoked counts, whatever else it brings", async () => {
    const known = { ocspResponses: [await answer(GOOD, june(1), 7), await answer(REVOKED, june(3), 7)] }
    expect(await collect([use(june(3))], known, { now: june(4) })).toEqual({ code: "revoked", asked: 0 })
  })

  it("as a list that is newer and has the certificate counts before an older one", async () => {
    const crls = [await list(june(1), []), await list(june(3, 18), [ada.certificate])]
    expect(await collect([use(june(3))], { crls }, { now: june(4) })).toEqual({ code: "revoked", asked: 0 })
  })

  it("from after the use is taken, and nobody is asked", async () => {
    const known = { ocspResponses: [await answer(GOOD, june(3, 1), 7)] }
    expect(await collect([use(june(3))], known, { now: june(4) })).toEqual({ ocsp: 1, crls: 0, asked: 0 })
  })

  it("from before the use is taken where the certificate has ended and nobody knows it any more", async () => {
    const brief = await newHolder(root, "ecdsa-sha256", { ...asksAt, notAfter: june(10) })
    const old = await answer(GOOD, june(1), 7, brief.certificate)
    const uses = [{ certificate: brief.certificate, at: june(3) }]
    const known = { ocspResponses: [old] }
    const refused = { code: "no-revocation-information" }
    const says: CertStatus = { status: "unknown" }
    expect(await collect(uses, known, { says, now: june(5) })).toMatchObject(refused)
    // Who cannot be reached might have said revoked.
    expect(await collect(uses, known, { now: june(20) })).toMatchObject(refused)
    expect(await collect(uses, known, { says, now: june(20) })).toMatchObject({ ocsp: 1 })
  })

  it("of a responder whose certificate ended since is believed only if it is proved to be that old", async () => {
    const ended = { ...OCSP_SIGNING, notAfter: june(15) }
    const delegate = await newHolder(root, "ecdsa-sha256", ended)
    const old = await answer(GOOD, june(3, 1), 7, ada.certificate, delegate)
    const proved = [{ der: old, existedAt: june(4) }]
    const unproved = [{ der: old, existedAt: june(20) }]
    const asked = { now: june(20) }
    expect(await collect([use(june(3))], { proved }, asked)).toMatchObject({ ocsp: 1, asked: 0 })
    expect(await collect([use(june(3))], { proved: unproved }, asked)).toMatchObject({ asked: 1 })
  })
})

describe("a certificate", () => {
  it("that is used twice must have been good at the later use too, in whichever order they come", async () => {
    const known = { ocspResponses: [await answer(GOOD, june(1, 13), 7)] }
    const uses = [use(june(1, 12)), use(june(20))]
    for (const targets of [uses, uses.toReversed()])
      expect(await collect(targets, known, { says: REVOKED, now: june(20) })).toMatchObject({
        code: "revoked",
      })
  })

  it("that was revoked after a use that is proved is no obstacle, and the answer that says so is kept", async () => {
    const found = await collect([use(june(1))], {}, { says: REVOKED, now: june(4) })
    expect(found).toEqual({ ocsp: 1, crls: 0, asked: 1 })
  })

  it("of an authority that was revoked before the answer is proved to exist makes the answer worthless", async () => {
    const issuing = {
      basicConstraints: { ca: true },
      keyUsage: ["keyCertSign", "cRLSign"],
      ...asksAt,
    } as const
    const sub = await newHolder(root, "ecdsa-sha256", {
      ...issuing,
      subject: writeName({ commonName: "Sub" }),
    })
    const bob = await newHolder(sub, "ecdsa-sha256")
    const word = await respond(
      sub,
      [writeCertId(bob.certificate, sub.certificate, "sha1")],
      GOOD,
      june(1, 1),
      7,
    )
    const uses = [{ certificate: bob.certificate, at: june(1) }]
    const known = { certificates: [sub.certificate.der], says: REVOKED, now: june(20) }
    const proved = (existedAt: Date) => ({ proved: [{ der: word, existedAt }] })
    expect(await collect(uses, proved(june(2)), known)).toMatchObject({ ocsp: 2 })
    expect(await collect(uses, proved(june(19)), known)).toMatchObject({ code: "no-revocation-information" })
  })

  it("of a responder cannot be vouched for by that responder, nor by one with the same key", async () => {
    const delegate = await newHolder(root, "ecdsa-sha256", { ...OCSP_SIGNING, ...asksAt, ocspNoCheck: false })
    const found = await collect([use(june(3))], {}, { says: GOOD, by: delegate, now: june(3) })
    expect(found).toMatchObject({ code: "no-revocation-information", asked: 2 })
  })

  it("of a responder that was revoked before its answer is proved to exist makes the answer worthless", async () => {
    const delegate = await newHolder(root, "ecdsa-sha256", { ...OCSP_SIGNING, ...asksAt, ocspNoCheck: false })
    const word = await answer(GOOD, june(1, 1), 7, ada.certificate, delegate)
    const network = { says: REVOKED, now: june(20) }
    const proved = (existedAt: Date) => ({ proved: [{ der: word, existedAt }] })
    expect(await collect([use(june(1))], proved(june(2)), network)).toMatchObject({ ocsp: 2 })
    // Passed over, and asked: revoked only after the use.
    expect(await collect([use(june(1))], proved(june(19)), network)).toMatchObject({ ocsp: 1 })
  })
})

function use(at: Date): ValidationTarget {
  return { certificate: ada.certificate, at }
}

type Known = {
  readonly ocspResponses?: readonly Uint8Array[]
  readonly crls?: readonly Uint8Array[]
  readonly proved?: readonly { readonly der: Uint8Array; readonly existedAt: Date }[]
}
type Network = {
  readonly now: Date
  readonly says?: CertStatus
  readonly by?: Holder
  readonly certificates?: readonly Uint8Array[]
}

/** How many answers and lists were collected and questions asked, or why nothing was. */
async function collect(targets: readonly ValidationTarget[], known: Known, network: Network) {
  const { now, says, by = root } = network
  let asked = 0
  const ports: RevocationPorts = {
    askOcsp: async (_, request) => {
      asked += 1
      const { certIds, nonce } = readOcspRequest(request)
      if (says === undefined) throw new Error("unreachable")
      return respond(
        by,
        certIds.map(({ bytes }) => bytes),
        says,
        now,
        1,
        nonce,
      )
    },
    fetchCrl: () => Promise.reject(new Error("unreachable")),
  }
  const item = (der: Uint8Array) => ({ der, existedAt: now })
  const items = {
    certificates: network.certificates ?? [],
    ocspResponses: [...(known.ocspResponses ?? []).map(item), ...(known.proved ?? [])],
    crls: (known.crls ?? []).map(item),
  }
  const options = { now, anchors: [root.certificate], known: items, ports }
  return collectValidationData(targets, options).then(
    ({ ocspResponses, crls }) => ({ ocsp: ocspResponses.length, crls: crls.length, asked }),
    ({ code }: { code: string }) => ({ code, asked }),
  )
}

function answer(
  status: CertStatus,
  at: Date,
  days: number,
  about: Certificate = ada.certificate,
  by: Holder = root,
): Promise<Uint8Array> {
  return respond(by, [writeCertId(about, root.certificate, "sha1")], status, at, days)
}

function respond(
  by: Holder,
  certIds: readonly Uint8Array[],
  certStatus: CertStatus,
  thisUpdate: Date,
  days: number,
  nonce?: Uint8Array,
): Promise<Uint8Array> {
  const nextUpdate = new Date(thisUpdate.getTime() + days * DAY_MS)
  return writeOcspResponse({
    entries: certIds.map((certId) => ({ certId, certStatus, thisUpdate, nextUpdate })),
    producedAt: thisUpdate,
    responder: by.certificate,
    certificates: by === root ? [] : [by.certificate],
    algorithm: by.algorithm,
    signBytes: by.signBytes,
    ...(nonce && { nonce }),
  })
}

function list(thisUpdate: Date, revoked: readonly Certificate[]): Promise<Uint8Array> {
  return issueCrl({
    issuer: root.certificate.subject,
    thisUpdate,
    nextUpdate: new Date(thisUpdate.getTime() + 7 * DAY_MS),
    crlNumber: BigInt(thisUpdate.getTime()),
    entries: revoked.map(({ serialNumber }) => ({
      serialNumber,
      revokedAt: june(2, 12),
      reason: "keyCompromise",
    })),
    algorithm: root.algorithm,
    issuerPublicKeySpki: root.publicKeySpki,
    signBytes: root.signBytes,
  })
}
