import { describe, expect, it } from "vitest"
import { type Certificate, readCertificate } from "../certificate/certificate.ts"
import { issueCertificate, writeName } from "../certificate/certificate-writer.ts"
import { oid, sequence, setOf, utf8String } from "../der/der-writer.ts"
import { type Holder, newHolder, newRoot } from "../testing/small-pki.ts"
import { rsaKey, rsaSpki } from "../testing/weak.ts"
import { findPath } from "./path.ts"
import { buildPaths } from "./path-building.ts"
import type { CertificatePath } from "./path-validation.ts"

const AT = new Date("2026-06-01T00:00:00Z")
const AUTHORITY = { basicConstraints: { ca: true }, keyUsage: ["keyCertSign", "cRLSign"] } as const

const root = await newRoot()
const authority = (issuer: Holder, commonName: string) =>
  newHolder(issuer, "ecdsa-sha256", { ...AUTHORITY, subject: writeName({ commonName }) })

let serial = 1n

/** A certificate for a key that has one already, by another authority. */
async function crossCertify(issuer: Holder, subject: Pick<Holder, "certificate">): Promise<Certificate> {
  const { certificate } = subject
  const der = await issueCertificate({
    ...AUTHORITY,
    subject: certificate.subject,
    issuer: issuer.certificate.subject,
    serialNumber: serial++,
    notBefore: certificate.notBefore,
    notAfter: certificate.notAfter,
    publicKeySpki: certificate.publicKeySpki,
    algorithm: issuer.algorithm,
    issuerPublicKeySpki: issuer.publicKeySpki,
    signBytes: issuer.signBytes,
  })
  return readCertificate(der)
}

function all(target: Holder, intermediates: readonly Certificate[], limits = {}) {
  const paths: CertificatePath[] = []
  const search = buildPaths(target.certificate, { intermediates, anchors: [root.certificate], limits })
  for (;;) {
    const next = search.next()
    if (next.done) return { paths, end: next.value }
    paths.push(next.value)
  }
}

describe("buildPaths", () => {
  it("gives every way to the anchor, the shortest first", async () => {
    const a = await authority(root, "A")
    const b = await authority(root, "B")
    const target = await newHolder(a, "ecdsa-sha256")
    const aByB = await crossCertify(b, a)
    const { paths, end } = all(target, [aByB, b.certificate, a.certificate, root.certificate])
    expect(end).toBe("searched")
    expect(paths.map(({ certificates }) => certificates)).toEqual([
      [a.certificate, target.certificate],
      [b.certificate, aByB, target.certificate],
    ])
  })

  it("gives nothing where nothing leads to an anchor", async () => {
    const other = await newRoot("ecdsa-sha256", "Other")
    const target = await newHolder(other, "ecdsa-sha256")
    expect(all(target, [other.certificate])).toEqual({ paths: [], end: "searched" })
    const options = { intermediates: [other.certificate], anchors: [root.certificate], at: AT }
    expect(findPath(target.certificate, options)).toEqual({ valid: false, reason: "no-path" })
  })

  it("trusts an anchor by itself, and a name with a key as much as a certificate", async () => {
    expect(all(root, []).paths[0]).toEqual({ anchor: root.certificate, certificates: [] })
    const target = await newHolder(root, "ecdsa-sha256")
    const anchor = { subject: root.certificate.subject, publicKeySpki: root.publicKeySpki }
    const found = findPath(target.certificate, { intermediates: [], anchors: [anchor], at: AT })
    expect(found).toMatchObject({ valid: true, path: { anchor, certificates: [target.certificate] } })
  })

  it("is not led astray by five hundred certificates with the name of the issuer", async () => {
    const a = await authority(root, "A")
    const impostors = await Promise.all(Array.from({ length: 500 }, () => authority(root, "A")))
    const target = await newHolder(a, "ecdsa-sha256")
    const pool = [...impostors.map(({ certificate }) => certificate), a.certificate]
    const { paths } = all(target, pool)
    expect(paths.map(({ certificates }) => certificates)).toEqual([[a.certificate, target.certificate]])
  })

  it("spends nothing to speak of on keys that cannot have signed, however many and slow", async () => {
    const a = await authority(root, "A")
    const target = await newHolder(a, "ecdsa-sha256")
    const impostor = (publicKeySpki: Uint8Array) =>
      newHolder(root, "ecdsa-sha256", { ...AUTHORITY, subject: a.certificate.subject, publicKeySpki })
    const odd = (bits: number, add: number) => (1n << BigInt(bits - 1)) + BigInt(add)
    const keys = Array.from({ length: 150 }, (_, index) => [
      rsaSpki(odd(3072, 2 * index + 3), odd(3072, 1)),
      rsaSpki(odd(2048, 2 * index + 1), 65_537n),
    ])
    const impostors = await Promise.all(keys.flat().map(impostor))
    const pool = [...impostors.map(({ certificate }) => certificate), a.certificate]
    // Three hundred keys that are read, and one that verifies.
    const { paths, end } = all(target, pool, { maxSignatures: 32 })
    expect(paths.map(({ certificates }) => certificates)).toEqual([[a.certificate, target.certificate]])
    expect(end).toBe("searched")
  })

  it("counts a slow key for more, and says that it gave up", async () => {
    const [a, b] = [await authority(root, "A"), await authority(root, "A")]
    const slow = await newHolder(root, "ecdsa-sha384", { ...AUTHORITY, subject: a.certificate.subject })
    const target = await newHolder(a, "ecdsa-sha256")
    const limits = { maxSignatures: 5 }
    expect(all(target, [b.certificate, a.certificate], limits)).toMatchObject({ end: "searched" })
    const { paths, end } = all(target, [slow.certificate, a.certificate], limits)
    expect(paths).toHaveLength(1)
    expect(end).toBe("given-up")
  })

  it("looks at so many certificates of one name, those with the key identifier first", async () => {
    const others = await Promise.all(Array.from({ length: 5 }, () => authority(root, "A")))
    const a = await authority(root, "A")
    const pool = [...others.map(({ certificate }) => certificate), a.certificate]
    const plain = await newHolder(a, "ecdsa-sha256")
    const limits = { maxCandidates: 3 }
    expect(all(plain, pool, limits).end).toBe("given-up")
    const { subjectKeyIdentifier: authorityKeyIdentifier = new Uint8Array() } = a.certificate
    const hinted = await newHolder(a, "ecdsa-sha256", { authorityKeyIdentifier })
    expect(all(hinted, pool, limits).paths[0]?.certificates).toEqual([a.certificate, hinted.certificate])
  })

  it("follows no key that is too weak, unless told", async () => {
    const key = rsaKey(1024)
    const subject = writeName({ commonName: "A" })
    const order = { ...AUTHORITY, subject, publicKeySpki: key.publicKeySpki }
    const weak = { ...(await newHolder(root, "ecdsa-sha256", order)), ...key }
    const target = await newHolder(weak, "ecdsa-sha256")
    const pool = [(await authority(root, "A")).certificate, weak.certificate]
    const options = { intermediates: pool, anchors: [root.certificate], at: AT }
    expect(findPath(target.certificate, options)).toMatchObject({ valid: false })
    expect(findPath(target.certificate, { ...options, algorithms: "any" })).toMatchObject({ valid: true })
    const alone = { ...options, intermediates: [weak.certificate] }
    expect(findPath(target.certificate, alone)).toMatchObject({ reason: "algorithm-too-weak", at: 1 })
  })

  it("prepares a long name once, however often it is met", async () => {
    // NFKC makes eighteen characters of each of these.
    const subject = sequence(setOf(sequence(oid("2.5.4.3"), utf8String("\ufdfa".repeat(20_000)))))
    const keys = await Promise.all(
      Array.from({ length: 8 }, () => newHolder(root, "ecdsa-sha256", { ...AUTHORITY, subject })),
    )
    const pool = await Promise.all(
      keys.flatMap((issuer) => keys.filter((one) => one !== issuer).map((one) => crossCertify(issuer, one))),
    )
    const [first] = keys
    if (first === undefined) throw new Error("no key")
    const target = await newHolder(first, "ecdsa-sha256")
    const started = process.cpuUsage()
    expect(all(target, pool)).toEqual({ paths: [], end: "given-up" })
    // A third of a second; were names prepared each time they are met, thirty.
    expect(process.cpuUsage(started).user / 1000).toBeLessThan(3_000)
  })

  it("says which signature is wrong if none of several issuers made it", async () => {
    const [a, b, c] = [await authority(root, "A"), await authority(root, "A"), await authority(root, "A")]
    const target = await newHolder(c, "ecdsa-sha256")
    const options = { intermediates: [a.certificate, b.certificate], anchors: [root.certificate], at: AT }
    expect(findPath(target.certificate, options)).toMatchObject({ reason: "signature-invalid", at: 1 })
  })

  it("does not run in circles", async () => {
    const a = await authority(root, "A")
    const b = await authority(a, "B")
    const target = await newHolder(b, "ecdsa-sha256")
    const aByB = await crossCertify(b, a)
    expect(all(target, [aByB, b.certificate])).toEqual({ paths: [], end: "searched" })
    expect(all(target, [aByB, a.certificate, b.certificate]).paths).toHaveLength(1)
  })

  it("does not follow a path beyond its length", async () => {
    let last = root
    const chain: Certificate[] = []
    for (let length = 0; length < 12; length++) {
      last = await authority(last, `Level ${length}`)
      chain.push(last.certificate)
    }
    const target = await newHolder(last, "ecdsa-sha256")
    expect(all(target, chain)).toEqual({ paths: [], end: "given-up" })
    expect(all(target, chain, { maxLength: 13 }).paths).toHaveLength(1)
  })
})

describe("a mesh of 32 authorities that have all certified each other, 992 certificates", async () => {
  const mesh = await Promise.all(Array.from({ length: 32 }, (_, index) => authority(root, `Mesh ${index}`)))
  const pool = (
    await Promise.all(
      mesh.map((issuer) =>
        Promise.all(mesh.filter((one) => one !== issuer).map((one) => crossCertify(issuer, one))),
      ),
    )
  ).flat()
  const [first, second] = mesh
  if (first === undefined || second === undefined) throw new Error("no mesh")
  const target = await newHolder(first, "ecdsa-sha256")

  it("is given up in the end when it leads nowhere", () => {
    expect(pool).toHaveLength(992)
    const started = process.cpuUsage()
    expect(all(target, pool)).toEqual({ paths: [], end: "given-up" })
    expect(process.cpuUsage(started).user / 1000).toBeLessThan(3_000)
    const options = { intermediates: pool, anchors: [root.certificate], at: AT }
    expect(findPath(target.certificate, options)).toEqual({ valid: false, reason: "given-up" })
  })

  it("does not hide an honest path", () => {
    const options = { intermediates: [...pool, second.certificate], anchors: [root.certificate], at: AT }
    const found = findPath(target.certificate, options)
    expect(found).toMatchObject({ valid: true })
    expect(found.path?.certificates).toHaveLength(3)
  })
})

describe("findPath", () => {
  it("goes on to the next path when one is not valid or not accepted", async () => {
    const a = await authority(root, "A")
    const b = await authority(root, "B")
    const target = await newHolder(a, "ecdsa-sha256")
    const long = [b.certificate, await crossCertify(b, a), target.certificate]
    const options = { intermediates: [a.certificate, ...long], anchors: [root.certificate], at: AT }
    expect(findPath(target.certificate, options).path?.certificates).toHaveLength(2)
    const accepts = ({ certificates }: CertificatePath) => !certificates.includes(a.certificate)
    expect(findPath(target.certificate, { ...options, accepts }).path?.certificates).toEqual(long)
    expect(findPath(target.certificate, { ...options, accepts: () => false })).toMatchObject({
      valid: false,
      reason: "not-accepted",
    })
  })
})
