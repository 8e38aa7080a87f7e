import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { writeName } from "../certificate/certificate-writer.ts"
import { EXTENSION } from "../certificate/extensions.ts"
import { writeUri } from "../certificate/general-name.ts"
import { TAG } from "../der/der.ts"
import { explicit, implicit, integer, octetString, sequence, writeTagged } from "../der/der-writer.ts"
import { type OpenSsl, openssl } from "../testing/openssl.ts"
import { type Holder, newHolder, newRoot } from "../testing/small-pki.ts"
import { rsaKey, withSha1 } from "../testing/weak.ts"
import { type Crl, readCrl } from "./crl.ts"
import { type CrlOrder, issueCrl } from "./crl-writer.ts"
import { checkByCrl } from "./revocation-by-crl.ts"

const THIS = new Date("2026-05-01T00:00:00Z")
const AT = new Date("2026-05-15T00:00:00Z")
const NEXT = new Date("2026-06-01T00:00:00Z")
const AUTHORITY = { basicConstraints: { ca: true }, keyUsage: ["keyCertSign", "cRLSign"] } as const

const root = await newRoot()
const ca = await newHolder(root, "ecdsa-sha256", { ...AUTHORITY, subject: writeName({ commonName: "CA" }) })
const signer = await newHolder(ca, "ecdsa-sha256")
const { serialNumber } = signer.certificate
const path = { anchor: root.certificate, certificates: [ca.certificate, signer.certificate] }

async function issue(order: Partial<CrlOrder> = {}, by: Holder = ca): Promise<Crl> {
  const der = await issueCrl({
    issuer: by.certificate.subject,
    thisUpdate: THIS,
    nextUpdate: NEXT,
    crlNumber: 10n,
    entries: [],
    algorithm: by.algorithm,
    issuerPublicKeySpki: by.publicKeySpki,
    signBytes: by.signBytes,
    ...order,
  })
  return readCrl(der)
}

const check = (...crls: readonly Crl[]) => checkByCrl({ path, position: 1, crls, at: AT })
const revoked = (reason?: "keyCompromise" | "certificateHold" | "removeFromCRL") => [
  { serialNumber, revokedAt: THIS, ...(reason && { reason }) },
]
const critical = (id: string, value: Uint8Array) => ({ id, critical: true, value })
const delta = (base: number) => critical(EXTENSION.deltaCRLIndicator, integer(base))

describe("checkByCrl", () => {
  it("says good, with the list that says so", async () => {
    const crl = await issue({ entries: [{ serialNumber: serialNumber + 1n, revokedAt: THIS }] })
    expect(check(crl)).toMatchObject({ status: "good", crls: [crl] })
    const own = await issue({}, root)
    expect(checkByCrl({ path, position: 0, crls: [crl, own], at: AT })).toMatchObject({
      status: "good",
      crls: [own],
    })
  })

  it("says revoked, since when and why", async () => {
    const crl = await issue({ entries: revoked("keyCompromise") })
    expect(check(crl)).toEqual({
      status: "revoked",
      serialNumber,
      revokedAt: THIS,
      reason: "keyCompromise",
      crl,
    })
  })

  it("does not believe a list that is signed weakly, unless the caller takes any", async () => {
    const crl = withSha1(await issue(), ca)
    const told = { status: "undetermined", reason: "algorithm-too-weak" }
    expect(check(crl)).toEqual(told)
    const any = { path, position: 1, at: AT, algorithms: "any" } as const
    expect(checkByCrl({ ...any, crls: [crl] })).toMatchObject({ status: "good", crls: [crl] })

    const key = rsaKey(1024)
    const order = { ...AUTHORITY, subject: writeName({ commonName: "CA" }), publicKeySpki: key.publicKeySpki }
    const weak = { ...(await newHolder(root, "ecdsa-sha256", order)), ...key }
    const { certificate } = await newHolder(weak, "ecdsa-sha256")
    const weakPath = { anchor: root.certificate, certificates: [weak.certificate, certificate] }
    const crls = [await issue({}, weak)]
    expect(checkByCrl({ path: weakPath, position: 1, crls, at: AT })).toEqual(told)
    expect(checkByCrl({ ...any, path: weakPath, crls })).toMatchObject({ status: "good" })
    // Somebody else of that name, with a weak key: not a list of the issuer.
    const foreign = { path, position: 1, crls, at: AT, intermediates: [weak.certificate] }
    expect(checkByCrl(foreign)).toEqual({ status: "undetermined", reason: "issuer" })
    expect(checkByCrl({ ...foreign, ...any })).toMatchObject({ status: "undetermined", reason: "issuer" })
  })

  it("does not search long for the path of an issuer that somebody made up, for each of its lists", async () => {
    const named = (issuer: Holder, commonName: string) =>
      newHolder(issuer, "ecdsa-sha256", { ...AUTHORITY, subject: writeName({ commonName }) })
    // Authorities of one name, each of which could have certified the issuer: a search through them takes long.
    const top = await newRoot("ecdsa-sha256", "Many")
    const many = await Promise.all(Array.from({ length: 300 }, () => named(top, "Many")))
    const [first] = many
    if (first === undefined) throw new Error("nobody")
    const issuer = await named(first, "CA")
    const crls = await Promise.all(Array.from({ length: 150 }, () => issue({}, issuer)))
    const intermediates = [...many, issuer].map(({ certificate }) => certificate)
    const started = process.cpuUsage()
    expect(checkByCrl({ path, position: 1, crls, at: AT, intermediates })).toMatchObject({
      reason: "too-much-work",
    })
    // Half a second; without a bound, half a minute.
    expect(process.cpuUsage(started).user / 1000).toBeLessThan(4_000)
  })

  it("believes the newer of two lists, in whatever order they come", async () => {
    const before = new Date(THIS.getTime() - 86_400_000)
    const older = { thisUpdate: before, crlNumber: 9n }
    const silent = await issue(older)
    const newer = await issue({ entries: revoked() })
    for (const crls of [
      [silent, newer],
      [newer, silent],
    ])
      expect(check(...crls).status).toBe("revoked")
    const held = await issue({ ...older, entries: revoked("certificateHold") })
    const lifted = await issue()
    for (const crls of [
      [held, lifted],
      [lifted, held],
    ])
      expect(check(...crls).status).toBe("good")
  })

  it("takes a list from a clock that is a little ahead", async () => {
    const ahead = await issue({ thisUpdate: new Date(AT.getTime() + 2_000) })
    expect(check(ahead).status).toBe("good")
  })

  it("is not fooled by the same serial number of another authority", async () => {
    const other = await newHolder(root, "ecdsa-sha256", {
      ...AUTHORITY,
      subject: writeName({ commonName: "B" }),
    })
    expect(check(await issue({ entries: revoked() }, other))).toEqual({
      status: "undetermined",
      reason: "no-crl",
    })
  })

  it.each([
    ["not-yet-valid", { thisUpdate: new Date(AT.getTime() + 301_000) }],
    ["stale", { nextUpdate: new Date(AT.getTime() - 1000) }],
    ["extension", { otherExtensions: [critical("1.2.3", integer(1))] }],
    [
      "extension",
      { entries: [{ serialNumber: 1n, revokedAt: THIS, otherExtensions: [critical("1.2.3", integer(1))] }] },
    ],
  ] as const)("does not decide by a list that is %s", async (reason, order) => {
    expect(check(await issue(order))).toEqual({ status: "undetermined", reason })
    const sound = await issue()
    expect(check(await issue(order), sound)).toMatchObject({ status: "good", crls: [sound] })
  })

  it("does not decide by a list that somebody else signed, or who may not", async () => {
    const impostor = await newHolder(root, "ecdsa-sha256", {
      ...AUTHORITY,
      subject: writeName({ commonName: "X" }),
    })
    const forged = await issue({ issuer: ca.certificate.subject }, impostor)
    expect(check(forged)).toEqual({ status: "undetermined", reason: "issuer" })
    const weak = await newHolder(root, "ecdsa-sha256", {
      ...AUTHORITY,
      subject: writeName({ commonName: "Weak" }),
      keyUsage: ["keyCertSign"],
    })
    const { certificate } = await newHolder(weak, "ecdsa-sha256")
    const weakPath = { anchor: root.certificate, certificates: [weak.certificate, certificate] }
    const crls = [await issue({}, weak)]
    expect(checkByCrl({ path: weakPath, position: 1, crls, at: AT })).toMatchObject({ reason: "issuer" })
  })

  it("takes a list of another key of the authority only if that key leads to the anchor and is not revoked", async () => {
    const { subject } = ca.certificate
    const crlKey = await newHolder(root, "ecdsa-sha256", { subject, keyUsage: ["cRLSign"] })
    const crl = await issue({}, crlKey)
    const fromRoot = await issue({}, root)
    const intermediates = [crlKey.certificate]
    const ask = (crls: readonly Crl[]) =>
      checkByCrl({ path, position: 1, crls, at: AT, intermediates }).status
    expect(ask([crl, fromRoot])).toBe("good")
    expect(ask([crl])).toBe("undetermined")
    const gone = { serialNumber: crlKey.certificate.serialNumber, revokedAt: THIS }
    expect(ask([crl, await issue({ entries: [gone] }, root)])).toBe("undetermined")
    const elsewhere = await newHolder(await newRoot(), "ecdsa-sha256", { subject, keyUsage: ["cRLSign"] })
    const stray = { path, position: 1, crls: [await issue({}, elsewhere), fromRoot], at: AT }
    expect(checkByCrl({ ...stray, intermediates: [elsewhere.certificate] }).status).toBe("undetermined")
  })

  it("does not let a key vouch for itself, nor two for each other", async () => {
    const { subject } = ca.certificate
    const one = await newHolder(ca, "ecdsa-sha256", { subject, keyUsage: ["cRLSign"] })
    const two = await newHolder(ca, "ecdsa-sha256", { subject, keyUsage: ["cRLSign"] })
    const crls = [await issue({}, one), await issue({}, two)]
    const itself = { anchor: root.certificate, certificates: [ca.certificate, one.certificate] }
    expect(checkByCrl({ path: itself, position: 1, crls: crls.slice(0, 1), at: AT })).toEqual({
      status: "undetermined",
      reason: "issuer",
    })
    const intermediates = [one.certificate, two.certificate]
    expect(checkByCrl({ path, position: 1, crls, at: AT, intermediates })).toMatchObject({
      reason: "issuer",
    })
  })

  it("gives up when a thousand certificates could be the issuer of the list", async () => {
    const { subject } = ca.certificate
    const delegate = await newHolder(root, "ecdsa-sha256", { subject, keyUsage: ["cRLSign"] })
    const { certificate } = await newHolder(root, "ecdsa-sha256", { subject, keyUsage: ["cRLSign"] })
    const intermediates = Array.from({ length: 1_000 }, () => ({ ...certificate }))
    const ask = { path, position: 1, crls: [await issue({}, delegate), await issue({}, root)], at: AT }
    const first = { ...ask, intermediates: [delegate.certificate, ...intermediates] }
    expect(checkByCrl(first).status).toBe("good")
    const last = { ...ask, intermediates: [...intermediates, delegate.certificate] }
    expect(checkByCrl(last)).toEqual({ status: "undetermined", reason: "too-much-work" })
    const authorityKeyIdentifier = delegate.certificate.subjectKeyIdentifier ?? new Uint8Array()
    const hinted = [await issue({ authorityKeyIdentifier }, delegate), await issue({}, root)]
    expect(checkByCrl({ ...last, crls: hinted }).status).toBe("good")
  })

  it("says malformed where the certificate cannot say which list is about it", async () => {
    const otherExtensions = [{ id: EXTENSION.cRLDistributionPoints, critical: false, value: integer(1) }]
    const { certificate } = await newHolder(ca, "ecdsa-sha256", { otherExtensions })
    const odd = { anchor: root.certificate, certificates: [ca.certificate, certificate] }
    expect(checkByCrl({ path: odd, position: 1, crls: [await issue()], at: AT })).toEqual({
      status: "undetermined",
      reason: "malformed",
    })
  })

  it("does not take silence about an expired certificate for an answer", async () => {
    const old = await newHolder(ca, "ecdsa-sha256", { notAfter: new Date("2026-04-01T00:00:00Z") })
    const oldPath = { anchor: root.certificate, certificates: [ca.certificate, old.certificate] }
    const ask = (crl: Crl) => checkByCrl({ path: oldPath, position: 1, crls: [crl], at: AT })
    expect(ask(await issue())).toEqual({ status: "undetermined", reason: "certificate-expired" })
    const since = writeTagged(TAG.generalizedTime, Buffer.from("20200101000000Z"))
    const kept = { id: EXTENSION.expiredCertsOnCRL, critical: false, value: since }
    expect(ask(await issue({ otherExtensions: [kept] })).status).toBe("good")
  })

  it("wants all reasons to be covered, and the right kind of certificate", async () => {
    const idp = (...parts: readonly Uint8Array[]) => ({
      otherExtensions: [critical(EXTENSION.issuingDistributionPoint, sequence(...parts))],
    })
    const reasons = (octet: number, unused: number) => implicit(3, octetString(Uint8Array.of(unused, octet)))
    const some = await issue(idp(reasons(0x60, 5)))
    const others = await issue(idp(reasons(0x1f, 0)))
    const aa = await issue(idp(implicit(3, octetString(Uint8Array.of(7, 0x00, 0x80)))))
    expect(check(some)).toEqual({ status: "undetermined", reason: "no-crl" })
    expect(check(some, others)).toEqual({ status: "undetermined", reason: "no-crl" })
    expect(check(some, others, aa).status).toBe("good")
    const flag = (number: number) => implicit(number, octetString(Uint8Array.of(0xff)))
    expect(check(await issue(idp(flag(1)))).status).toBe("good")
    expect(check(await issue(idp(flag(2)))).status).toBe("undetermined")
    expect(check(await issue(idp(flag(5)))).status).toBe("undetermined")
    const elsewhere = explicit(0, explicit(0, writeUri("http://elsewhere.example")))
    expect(check(await issue(idp(elsewhere))).status).toBe("undetermined")
    expect(check(await issue(idp(implicit(1, octetString(Uint8Array.of(1)))))).status).toBe("undetermined")
  })

  it("finds a permanent revocation in a list that adds no reasons, and no hold there", async () => {
    const keyOnly = critical(
      EXTENSION.issuingDistributionPoint,
      sequence(implicit(3, octetString(Uint8Array.of(5, 0x60)))),
    )
    const older = { thisUpdate: new Date(THIS.getTime() - 180_000), otherExtensions: [keyOnly] }
    const full = await issue()
    const partial = await issue({ ...older, entries: revoked("keyCompromise") })
    expect(check(full, partial)).toMatchObject({ status: "revoked", crl: partial })
    const held = await issue({ ...older, entries: revoked("certificateHold") })
    expect(check(full, held).status).toBe("good")
  })

  it("finds an entry in the list of the second distribution point", async () => {
    const uris = ["http://one.example/crl", "http://two.example/crl"] as const
    const point = (uri: string) => sequence(explicit(0, explicit(0, writeUri(uri))))
    const points = {
      id: EXTENSION.cRLDistributionPoints,
      critical: false,
      value: sequence(...uris.map(point)),
    }
    const { certificate } = await newHolder(ca, "ecdsa-sha256", { otherExtensions: [points] })
    const idp = (uri: string) => critical(EXTENSION.issuingDistributionPoint, point(uri))
    const silent = await issue({ otherExtensions: [idp(uris[0])] })
    const entries = [{ serialNumber: certificate.serialNumber, revokedAt: THIS }]
    const listing = await issue({ entries, otherExtensions: [idp(uris[1])] })
    const two = { anchor: root.certificate, certificates: [ca.certificate, certificate] }
    for (const crls of [
      [silent, listing],
      [listing, silent],
    ])
      expect(checkByCrl({ path: two, position: 1, crls, at: AT })).toMatchObject({
        status: "revoked",
        crl: listing,
      })
  })

  it("takes a permanent revocation before a hold where a list has the certificate twice", async () => {
    for (const first of ["certificateHold", "removeFromCRL"] as const) {
      const twice = await issue({ entries: [...revoked(first), ...revoked("keyCompromise")] })
      expect(check(twice)).toMatchObject({ status: "revoked", reason: "keyCompromise" })
    }
  })

  it("finds an entry in a list of any scope where the times are not checked, but not if a stranger signed it", async () => {
    const flag = (number: number) => implicit(number, octetString(Uint8Array.of(0xff)))
    const scope = (part: Uint8Array) => critical(EXTENSION.issuingDistributionPoint, sequence(part))
    const ask = (crl: Crl) =>
      checkByCrl({ path, position: 1, crls: [crl], at: AT, times: "unchecked" }).status
    const stranger = { ...ca, ...(await newHolder(root, "ecdsa-sha256")), certificate: ca.certificate }
    for (const extension of [scope(flag(2)), delta(5), critical("2.999.1", octetString(Uint8Array.of(1)))]) {
      const order = { entries: revoked(), otherExtensions: [extension], nextUpdate: THIS }
      expect(ask(await issue(order))).toBe("revoked")
      expect(ask(await issue(order, stranger))).toBe("undetermined")
    }
    // Attribute certificates have serial numbers of their own.
    expect(ask(await issue({ entries: revoked(), otherExtensions: [scope(flag(5))] }))).toBe("undetermined")
  })

  it("lets a delta CRL add and take back, if it continues the complete one", async () => {
    const base = await issue()
    const held = await issue({ entries: revoked("certificateHold") })
    const add = await issue({ crlNumber: 11n, entries: revoked(), otherExtensions: [delta(10)] })
    const lift = await issue({
      crlNumber: 12n,
      entries: revoked("removeFromCRL"),
      otherExtensions: [delta(9)],
    })
    const tooNew = await issue({ crlNumber: 13n, entries: revoked(), otherExtensions: [delta(11)] })
    expect(check(base, add)).toMatchObject({ status: "revoked", crl: add })
    expect(check(held).status).toBe("revoked")
    expect(check(held, lift)).toMatchObject({ status: "good", crls: [held, lift] })
    expect(check(held, add, lift).status).toBe("good")
    expect(check(base, tooNew)).toMatchObject({ status: "good", crls: [base] })
    expect(check(add)).toEqual({ status: "undetermined", reason: "no-crl" })
    const past = await issue({ crlNumber: 10n, entries: revoked(), otherExtensions: [delta(5)] })
    const users = sequence(implicit(1, octetString(Uint8Array.of(0xff))))
    const narrower = critical(EXTENSION.issuingDistributionPoint, users)
    const ofUsers = await issue({
      crlNumber: 11n,
      entries: revoked(),
      otherExtensions: [delta(10), narrower],
    })
    const authorityKeyIdentifier = Uint8Array.of(1)
    const ofKey = await issue({
      crlNumber: 11n,
      entries: revoked(),
      otherExtensions: [delta(10)],
      authorityKeyIdentifier,
    })
    for (const other of [past, ofUsers, ofKey])
      expect(check(base, other)).toMatchObject({ status: "good", crls: [base] })
  })
})

describe("together with openssl", () => {
  let judge: OpenSsl
  beforeAll(async () => {
    judge = await openssl()
  })
  afterAll(() => judge.remove())

  it.each([
    ["good", { entries: [] }, /OK/],
    ["revoked", { entries: revoked("keyCompromise") }, /certificate revoked/],
    ["undetermined", { nextUpdate: new Date(AT.getTime() - 1000) }, /CRL has expired/],
    ["undetermined", { thisUpdate: new Date(AT.getTime() + 301_000) }, /CRL is not yet valid/],
  ] as const)("says %s", async (status, order, words) => {
    const crls = [await issue(order)]
    expect(checkByCrl({ path, position: 1, crls, at: AT }).status).toBe(status)
    const pem = (der: Uint8Array) =>
      `-----BEGIN X509 CRL-----\n${Buffer.from(der).toString("base64").replace(/.{64}/g, "$&\n")}\n-----END X509 CRL-----\n`
    const { text } = await judge.run(
      ...["verify", "-crl_check", "-attime", String(AT.getTime() / 1000)],
      ...["-CAfile", await judge.certificate("root.pem", root.certificate.der)],
      ...["-untrusted", await judge.certificate("ca.pem", ca.certificate.der)],
      ...["-CRLfile", await judge.file("ca.crl", pem(crls[0]?.der ?? new Uint8Array()))],
      await judge.certificate("signer.pem", signer.certificate.der),
    )
    expect(text).toMatch(words)
  })
})
