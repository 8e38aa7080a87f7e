import { describe, expect, it } from "vitest"
import { type Certificate, readCertificate } from "../certificate/certificate.ts"
import { issueCertificate, writeName } from "../certificate/certificate-writer.ts"
import { type Holder, newHolder, newRoot } from "../testing/small-pki.ts"
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
    const started = performance.now()
    expect(all(target, pool)).toEqual({ paths: [], end: "given-up" })
    expect(performance.now() - started).toBeLessThan(3_000)
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
