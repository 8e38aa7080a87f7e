// Raising, with real authorities over HTTP and the guarded client between: what they answer wrong is noticed before it
// is embedded, and what was collected once is not asked for again.

import { generateKeyPairSync, sign } from "node:crypto"
import { createOutbound } from "@paraph/gateways/outbound"
import { revocationPorts } from "@paraph/gateways/revocation"
import { askAuthority } from "@paraph/gateways/timestamp"
import { openPdf } from "@paraph/pades/document"
import { finish, timestampSignature } from "@paraph/pades/finish"
import { type PrepareOptions, prepare } from "@paraph/pades/prepare"
import { type Level, raise } from "@paraph/pades/raise"
import { samplePdf } from "@paraph/pades/sample"
import { readSecurityStore } from "@paraph/pades/security-store"
import { readSignatures } from "@paraph/pades/signatures"
import { bytesSource } from "@paraph/pades/source"
import { type TimestampAuthority, TimestampRefused } from "@paraph/pades/timestamp"
import { readCertificate } from "@paraph/pki/certificate"
import type { RevocationPorts } from "@paraph/pki/revocation-evidence"
import { collectValidationData } from "@paraph/pki/validation-data"
import { ValidationDataFailed } from "@paraph/pki/validation-data-failed"
import { type SandboxOrder, startTrustSandbox, type TrustSandbox } from "@paraph/trust-sandbox/sandbox"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"

const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" })
const publicKeySpki = new Uint8Array(publicKey.export({ type: "spki", format: "der" }))
const outbound = createOutbound({ allowedHosts: { revocation: ["127.0.0.1"], timestamp: ["127.0.0.1"] } })
const asked: string[] = []
const DAY_MS = 86_400_000
let clock = new Date("2026-11-15T09:00:00Z")
let sandbox: TrustSandbox
let certificate: Uint8Array

beforeAll(async () => {
  sandbox = await startTrustSandbox({ now: () => clock })
  certificate = await sandbox.issue({ commonName: "Zoë Müller", publicKeySpki })
})
afterAll(() => sandbox.close())
beforeEach(() => {
  sandbox.misbehave({})
  asked.length = 0
})

describe("a time-stamping authority that answers wrong", () => {
  it.each([
    ["wrong-imprint", "imprint"],
    ["wrong-nonce", "nonce"],
    ["rejection", "rejected"],
    ["garbage", "malformed"],
    ["stranger", "untrusted"],
  ] as const)("with %s is refused: %s", async (tsa, code) => {
    const signed = await signOnto(samplePdf())
    sandbox.misbehave({ tsa })
    await expect(raised(signed, "B-T")).rejects.toMatchObject({ name: "TimestampRefused", code })
    await expect(signOnto(samplePdf(), { timestamped: true })).rejects.toThrow(TimestampRefused)
  })

  it("by an hour is refused", async () => {
    const late = new Date(clock.getTime() + 3_600_000)
    const to = { ...options("B-T"), now: late }
    await expect(raise(await signOnto(samplePdf()), to)).rejects.toMatchObject({ code: "time" })
  })

  it("with a time at which the signer's certificate was not valid yet is refused, though our clock agrees with it", async () => {
    const begun = clock
    // As both are when the machine's clock is put back: what was stamped then nobody could ever validate.
    clock = new Date(begun.getTime() - 2 * 86_400_000)
    try {
      await expect(signOnto(samplePdf(), { timestamped: true })).rejects.toMatchObject({ code: "time" })
    } finally {
      clock = begun
    }
  })
})

describe("a revocation service that answers wrong", () => {
  it.each(["unknown", "stale", "wrong-nonce", "try-later", "stranger", "garbage", "unavailable"] as const)(
    "(%s) is passed over for the list, and without a list nothing is raised",
    async (ocsp) => {
      const withList = await signOnto(samplePdf(), { timestamped: true })
      const listless = await issued({ revocation: "ocsp" })
      const withoutList = await signOnto(samplePdf(), { timestamped: true, certificate: listless })
      sandbox.misbehave({ ocsp })
      expect(storeOf(await raised(withList, "B-LT"))).toMatchObject({ ocspResponses: 0 })
      await expect(raised(withoutList, "B-LT")).rejects.toMatchObject({ code: "no-revocation-information" })
    },
  )

  it("by its list too leaves nothing to raise with", async () => {
    const signed = await signOnto(samplePdf(), { timestamped: true })
    for (const crl of ["stale", "garbage", "unavailable"] as const) {
      sandbox.misbehave({ ocsp: "unavailable", crl })
      await expect(raised(signed, "B-LT")).rejects.toThrow(ValidationDataFailed)
    }
  })

  it("is no matter where the certificate was revoked: by answer or by list, that is the end", async () => {
    const revoked = await issued({ revocation: "both" })
    const signed = await signOnto(samplePdf(), { timestamped: true, certificate: revoked })
    await sandbox.revoke(revoked, "keyCompromise", clock)
    for (const ocsp of [undefined, "unavailable"] as const) {
      sandbox.misbehave(ocsp === undefined ? {} : { ocsp })
      await expect(raised(signed, "B-LT")).rejects.toMatchObject({ code: "revoked" })
    }
  })
})

describe("a document", () => {
  it("whose signer leads to no anchor is not raised", async () => {
    const stranger = await startTrustSandbox({ now: () => clock })
    const foreign = await stranger.issue({ commonName: "Stranger", publicKeySpki })
    const chain = [stranger.issuing]
    const signed = await signOnto(samplePdf(), { timestamped: true, certificate: foreign, chain })
    await expect(raised(signed, "B-LT")).rejects.toMatchObject({ code: "no-path" })
    // Ours beside it can be raised alone.
    const both = await signOnto(signed, { timestamped: true, fieldName: "Paraph-2" })
    await expect(raised(both, "B-LTA")).rejects.toMatchObject({ code: "no-path" })
    expect(await raise(both, { ...options("B-LTA"), fields: ["Paraph-2"] })).not.toHaveLength(0)
    await stranger.close()
  })

  it("whose bytes were changed after it was signed is not raised", async () => {
    const signed = Buffer.from(await signOnto(samplePdf(), { timestamped: true }))
    signed.write("B", signed.indexOf("(A contract)") + 1)
    await expect(raised(signed, "B-LTA")).rejects.toMatchObject({
      name: "MarkRefused",
      code: "message-digest",
      fieldName: "Paraph-1",
    })
  })

  it("whose time-stamp was forged, or is of nobody we trust, is as if it had none", async () => {
    const stamped = Buffer.from(await raised(await signOnto(samplePdf()), "B-T"))
    expect(await raise(stamped, options("B-T"))).toHaveLength(0)
    // GeneralizedTime 20261115090000Z, one day earlier.
    const time = Buffer.from("20261115090000Z", "latin1").toString("hex")
    const at = stamped.lastIndexOf(time)
    expect(at).toBeGreaterThan(0)
    stamped.write(Buffer.from("20261114090000Z", "latin1").toString("hex"), at, "latin1")
    expect(typesOf(await raised(stamped, "B-T"))).toHaveLength(3)

    const stranger = await startTrustSandbox({ now: () => clock })
    const theirs = { timestamp: askAuthority(outbound, stranger.timestampUrl) }
    const signed = await signOnto(samplePdf())
    const tail = await raise(signed, { ...options("B-T"), ...theirs, anchors: [sandbox.root, stranger.root] })
    expect(typesOf(await raised(Buffer.concat([signed, tail]), "B-T"))).toHaveLength(3)
    await stranger.close()
  })

  it("stamped by an authority of another house is raised with the chain that the time-stamp brings", async () => {
    const other = await startTrustSandbox({ now: () => clock })
    const theirs = askAuthority(outbound, other.timestampUrl)
    const both = { anchors: [sandbox.root, other.root], timestamp: theirs }
    const unstamped = await signOnto(samplePdf())
    expect(await raise(unstamped, { ...options("B-LTA"), ...both })).not.toHaveLength(0)
    const signed = await signOnto(samplePdf(), { timestamped: both })
    expect(await raise(signed, { ...options("B-LTA"), ...both })).not.toHaveLength(0)
    // A time-stamp that can never be renewed is not put behind the document.
    await other.revoke(await other.timestampCertificate(), "keyCompromise", clock)
    const ours = { ...options("B-LTA"), anchors: both.anchors }
    await expect(raise(signed, { ...ours, timestamp: theirs })).rejects.toMatchObject({ code: "revoked" })
    await other.close()
  })

  it("keeps the proof that is left when one of two time-stamping authorities turns out to be worthless", async () => {
    const other = await startTrustSandbox({ now: () => clock })
    const theirs = askAuthority(outbound, other.timestampUrl)
    const both = { anchors: [sandbox.root, other.root], timestamp: theirs }
    const signed = await signOnto(samplePdf(), { timestamped: both })
    const ours = { ...options("B-LTA"), anchors: both.anchors }
    const archived = Buffer.concat([signed, await raise(signed, { ...ours, to: "B-T" })])
    await other.revoke(await other.timestampCertificate(), "keyCompromise", clock)
    await expect(raise(archived, { ...ours, to: "B-LT" })).rejects.toMatchObject({ code: "revoked" })
    const twice = await signOnto(samplePdf(), { timestamped: both })
    const stamped = Buffer.concat([twice, await raise(twice, { ...options("B-T"), anchors: [sandbox.root] })])
    expect(await raise(stamped, { ...ours, to: "B-LT" })).not.toHaveLength(0)
    await other.close()
  })

  it("signed again by the same signer later is asked about again", async () => {
    const begun = clock
    const first = await raised(await signOnto(samplePdf(), { timestamped: true }), "B-LT")
    clock = new Date(begun.getTime() + 3_600_000)
    const second = await signOnto(first, { timestamped: true, fieldName: "Paraph-2" })
    asked.length = 0
    const again = await raised(second, "B-LT")
    expect(asked.length).toBeGreaterThan(0)
    expect(storeOf(again).ocspResponses).toBeGreaterThan(storeOf(first).ocspResponses)
    clock = begun
  })

  it("whose signer was revoked after the time-stamp is raised, and one who was revoked before is not", async () => {
    const begun = clock
    const later = (hours: number) => new Date(begun.getTime() + hours * 3_600_000)
    const certificate = await issued({ revocation: "both" })
    const before = await signOnto(samplePdf(), { timestamped: true, certificate })
    await sandbox.revoke(certificate, "superseded", later(1))
    clock = later(2)
    const after = await signOnto(samplePdf(), { timestamped: true, certificate })
    expect(typesOf(await raised(before, "B-LTA"))).toHaveLength(2)
    await expect(raised(after, "B-LTA")).rejects.toMatchObject({ code: "revoked" })
    clock = begun
  })

  it("whose mark lacks the issuing authority is raised with the one that the certificate names", async () => {
    const targets = [{ certificate: readCertificate(certificate), at: clock }]
    const known = { certificates: [], ocspResponses: [], crls: [] }
    const anchors = [readCertificate(sandbox.root)]
    const { fetchCertificate: _, ...offline } = revocationPorts(outbound)
    const collect = (ports: RevocationPorts) =>
      collectValidationData(targets, { now: clock, anchors, known, ports })
    await expect(collect(offline)).rejects.toMatchObject({ code: "no-path" })
    const { certificates } = await collect(revocationPorts(outbound))
    expect(certificates.some((der) => Buffer.compare(der, sandbox.issuing) === 0)).toBe(true)
  })

  it("without a signature is not raised", async () => {
    await expect(raised(samplePdf(), "B-LTA")).rejects.toMatchObject({ code: "missing" })
  })

  it("without a signature time-stamp gets one over the document first", async () => {
    const signed = await signOnto(samplePdf())
    expect(typesOf(await raised(signed, "B-T"))).toEqual(["approval", "document-timestamp"])
    expect(typesOf(await raised(signed, "B-LTA"))).toEqual([
      "approval",
      "document-timestamp",
      "document-timestamp",
    ])
    const stamped = await signOnto(samplePdf(), { timestamped: true })
    expect((await raise(stamped, options("B-T"))).length).toBe(0)
    expect(typesOf(await raised(stamped, "B-LTA"))).toEqual(["approval", "document-timestamp"])
  })

  it("that a certification closed is still raised, for that changes nothing of it", async () => {
    const signed = await signOnto(samplePdf(), { timestamped: true, certify: 1 })
    expect(typesOf(await raised(signed, "B-LTA"))).toEqual(["certification", "document-timestamp"])
  })

  it("keeps every earlier byte, at each level", async () => {
    const signed = await signOnto(samplePdf(), { timestamped: true })
    for (const level of ["B-T", "B-LT", "B-LTA"] as const) {
      const result = await raised(signed, level)
      expect(Buffer.compare(result.subarray(0, signed.length), signed)).toBe(0)
    }
  })

  it("raised twice to B-LT does not grow the second time", async () => {
    const once = await raised(await signOnto(samplePdf(), { timestamped: true }), "B-LT")
    expect((await raise(once, options("B-LT"))).length).toBe(0)
  })

  it("is renewed for years: only what is new is asked for, though the signer's certificate ended long ago", async () => {
    const begun = clock
    const shortLived = await issued({ validDays: 30 })
    const signed = await signOnto(samplePdf(), { timestamped: true, certificate: shortLived })
    let document = await raised(signed, "B-LTA")
    for (const renewals of [1, 2, 3]) {
      clock = new Date(begun.getTime() + renewals * 200 * DAY_MS)
      asked.length = 0
      document = await raised(document, "B-LTA")
      // The signer was asked about once, at the beginning; now it is the authorities of the last time-stamp and the new.
      expect(asked.length).toBeGreaterThan(0)
      expect(asked.length).toBeLessThanOrEqual(4)
      expect(typesOf(document)).toHaveLength(2 + renewals)
    }
    clock = new Date(clock.getTime() + 3_000 * DAY_MS)
    await expect(raised(document, "B-LTA")).rejects.toMatchObject({ code: "no-path" })
    clock = begun
  })
})

type Stamping = { readonly anchors: readonly Uint8Array[]; readonly timestamp: TimestampAuthority }
type SignOptions = { readonly timestamped?: boolean | Stamping } & Partial<PrepareOptions>

async function signOnto(base: Uint8Array, { timestamped, ...more }: SignOptions = {}): Promise<Uint8Array> {
  const chain = [sandbox.issuing]
  const prepared = prepare(base, { fieldName: "Paraph-1", certificate, chain, signedAt: clock, ...more })
  const value = sign("sha256", Buffer.from(prepared.signedAttributes, "base64"), privateKey)
  const ours = options("B-T")
  const { anchors, timestamp: authority } = typeof timestamped === "object" ? timestamped : ours
  const timestamp =
    timestamped === undefined
      ? undefined
      : await timestampSignature(prepared, value, authority, { now: clock, anchors })
  return Buffer.concat([base, finish(prepared, value, timestamp && { timestamp })])
}

function issued(order: Partial<SandboxOrder>): Promise<Uint8Array> {
  return sandbox.issue({ commonName: "Ada", publicKeySpki, ...order })
}

async function raised(document: Uint8Array, to: Level): Promise<Uint8Array> {
  return Buffer.concat([document, await raise(document, options(to))])
}

function typesOf(document: Uint8Array): readonly string[] {
  return readSignatures(openPdf(bytesSource(document))).map(({ type }) => type)
}

function storeOf(document: Uint8Array) {
  const { certificates, ocspResponses, crls } = readSecurityStore(openPdf(bytesSource(document)))
  return { certificates: certificates.length, ocspResponses: ocspResponses.length, crls: crls.length }
}

function options(to: Level) {
  const ports = revocationPorts(outbound)
  const noting =
    <Rest extends unknown[]>(ask: (url: string, ...rest: Rest) => Promise<Uint8Array>) =>
    (url: string, ...rest: Rest) => {
      asked.push(url)
      return ask(url, ...rest)
    }
  return {
    to,
    now: clock,
    timestamp: askAuthority(outbound, sandbox.timestampUrl),
    anchors: [sandbox.root],
    revocation: { askOcsp: noting(ports.askOcsp), fetchCrl: noting(ports.fetchCrl) },
  }
}
