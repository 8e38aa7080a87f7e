import { X509Certificate } from "node:crypto"
import { rootCertificates } from "node:tls"
import { describe, expect, it } from "vitest"
import { readDer } from "../der/der.ts"
import {
  bitString,
  boolean,
  explicit,
  implicit,
  integer,
  octetString,
  oid,
  sequence,
  writeTagged,
} from "../der/der-writer.ts"
import { ALGORITHMS, newHolder, newRoot } from "../testing/small-pki.ts"
import { readCertificate } from "./certificate.ts"
import type { CertificateOrder } from "./certificate-writer.ts"
import { distributionAddresses, readCrlDistributionPoints, readFreshestCrl } from "./distribution-point.ts"
import { type Extension, readExtensions } from "./extension.ts"
import {
  EXTENSION,
  hasOcspNoCheck,
  KEY_USAGES,
  readAuthorityInfoAccess,
  readAuthorityKeyIdentifier,
  readBasicConstraints,
  readCertificatePolicies,
  readExtendedKeyUsage,
  readInhibitAnyPolicy,
  readIssuerAltName,
  readKeyUsage,
  readNameConstraints,
  readPolicyConstraints,
  readPolicyMappings,
  readQcStatements,
  readSubjectAltName,
  readSubjectKeyIdentifier,
} from "./extensions.ts"
import { writeDirectoryName, writeUri } from "./general-name.ts"

const plain = (id: string, value: Uint8Array): Extension => ({ id, critical: false, value })
const one = (id: string, value: Uint8Array) => [plain(id, value)]

describe("what certificate-writer writes", async () => {
  const root = await newRoot()
  const issue = async (order: Partial<CertificateOrder>) =>
    (await newHolder(root, "ecdsa-sha256", order)).certificate

  it("is read here and by Node as it was ordered", async () => {
    const certificate = await issue({
      keyUsage: ["digitalSignature", "decipherOnly"],
      extendedKeyUsage: ["1.3.6.1.5.5.7.3.8"],
      extendedKeyUsageCritical: true,
      certificatePolicies: ["0.4.0.194112.1.2", "2.5.29.32.0"],
      crlDistributionPoints: ["http://crl.example/a.crl", "http://crl.example/b.crl"],
      authorityInfoAccess: { ocsp: ["http://ocsp.example"], caIssuers: ["http://ca.example/ca.cer"] },
      authorityKeyIdentifier: Uint8Array.of(1, 2, 3),
      ocspNoCheck: true,
      otherExtensions: [plain("1.2.3.4", integer(5))],
    })
    const { extensions } = certificate
    expect(readKeyUsage(extensions)).toEqual(["digitalSignature", "decipherOnly"])
    expect(readExtendedKeyUsage(extensions)).toEqual(["1.3.6.1.5.5.7.3.8"])
    expect(extensions.find(({ id }) => id === EXTENSION.extendedKeyUsage)?.critical).toBe(true)
    expect(readCertificatePolicies(extensions)?.map(({ policy }) => policy)).toEqual([
      "0.4.0.194112.1.2",
      "2.5.29.32.0",
    ])
    expect(distributionAddresses(readCrlDistributionPoints(extensions) ?? [])).toEqual([
      "http://crl.example/a.crl",
      "http://crl.example/b.crl",
    ])
    expect(readAuthorityInfoAccess(extensions)).toEqual({
      ocsp: ["http://ocsp.example"],
      caIssuers: ["http://ca.example/ca.cer"],
    })
    expect(readAuthorityKeyIdentifier(extensions)).toEqual({ keyIdentifier: Uint8Array.of(1, 2, 3) })
    expect(hasOcspNoCheck(extensions)).toBe(true)
    expect(readBasicConstraints(extensions)).toBeUndefined()

    const node = new X509Certificate(certificate.der)
    expect(node.keyUsage).toEqual(["1.3.6.1.5.5.7.3.8"])
    expect(node.infoAccess).toBe("OCSP - URI:http://ocsp.example\nCA Issuers - URI:http://ca.example/ca.cer")
    expect(node.verify(new X509Certificate(root.certificate.der).publicKey)).toBe(true)
  })

  it.each(KEY_USAGES)("has the bit of %s where the reader looks for it", async (usage) => {
    expect(readKeyUsage((await issue({ keyUsage: [usage] })).extensions)).toEqual([usage])
  })

  it.each(ALGORITHMS)("is signed with %s so that Node agrees", async (algorithm) => {
    const authority = await newRoot(algorithm)
    const { certificate } = await newHolder(authority, algorithm)
    const issuer = new X509Certificate(authority.certificate.der)
    expect(new X509Certificate(certificate.der).verify(issuer.publicKey)).toBe(true)
    expect(certificate.signatureAlgorithm).toEqual(authority.certificate.signatureAlgorithm)
  })

  it("has no extension twice", async () => {
    const twice = issue({ otherExtensions: [plain(EXTENSION.keyUsage, bitString(Uint8Array.of(0x80), 7))] })
    await expect(twice).rejects.toThrow("appears twice")
  })
})

describe("the extensions of the roots that Node ships", () => {
  it("are read without complaint, and say the same", () => {
    for (const pem of rootCertificates) {
      const root = new X509Certificate(pem)
      const { extensions, version } = readCertificate(new Uint8Array(root.raw))
      if (version === 3) expect(readBasicConstraints(extensions)?.ca).toBe(root.ca)
      const usages = readKeyUsage(extensions)
      if (usages !== undefined) expect(usages).toContain("keyCertSign")
      expect(readSubjectKeyIdentifier(extensions)?.length ?? 20).toBeGreaterThan(3)
      readAuthorityKeyIdentifier(extensions)
      readCertificatePolicies(extensions)
      readSubjectAltName(extensions)
      readNameConstraints(extensions)
    }
  })
})

describe("a reader", () => {
  const directory = writeDirectoryName(sequence())
  const mail = implicit(1, octetString(Buffer.from("a@b.example")))

  it("gives what the standard says", () => {
    const policy = (dotted: string) => oid(dotted)
    expect(
      readBasicConstraints(one(EXTENSION.basicConstraints, sequence(boolean(true), integer(3)))),
    ).toEqual({
      ca: true,
      pathLength: 3,
    })
    expect(
      readPolicyMappings(one(EXTENSION.policyMappings, sequence(sequence(policy("1.2.3"), policy("1.2.4"))))),
    ).toEqual([{ issuerDomain: "1.2.3", subjectDomain: "1.2.4" }])
    const constraints = sequence(implicit(0, integer(0)), implicit(1, integer(2)))
    expect(readPolicyConstraints(one(EXTENSION.policyConstraints, constraints))).toEqual({
      requireExplicitPolicy: 0,
      inhibitPolicyMapping: 2,
    })
    expect(readInhibitAnyPolicy(one(EXTENSION.inhibitAnyPolicy, integer(1n << 80n)))).toBe(1_000_000)
    expect(readIssuerAltName(one(EXTENSION.issuerAltName, sequence(mail, writeUri("urn:x"))))).toEqual([
      { form: "rfc822Name", text: "a@b.example" },
      { form: "uniformResourceIdentifier", text: "urn:x" },
    ])
    const trees = sequence(implicit(0, sequence(sequence(mail))), implicit(1, sequence(sequence(directory))))
    expect(readNameConstraints(one(EXTENSION.nameConstraints, trees))).toEqual({
      permitted: [{ form: "rfc822Name", text: "a@b.example" }],
      excluded: [{ form: "directoryName", name: sequence() }],
    })
    expect(readQcStatements(one(EXTENSION.qcStatements, sequence()))).toEqual(sequence())
    const point = sequence(
      explicit(0, explicit(0, writeUri("http://x"))),
      implicit(1, bitString(Uint8Array.of(0x60), 5)),
    )
    expect(readFreshestCrl(one(EXTENSION.freshestCRL, sequence(point)))).toEqual([
      {
        name: { form: "fullName", names: [{ form: "uniformResourceIdentifier", text: "http://x" }] },
        reasons: ["keyCompromise", "cACompromise"],
      },
    ])
  })

  it("passes over addresses that are none", () => {
    const broken = implicit(6, octetString(Buffer.from("http://a.example/\r\nx", "latin1")))
    const access = (location: Uint8Array) => sequence(oid("1.3.6.1.5.5.7.48.1"), location)
    const value = sequence(access(broken), access(writeUri("http://ocsp.example")))
    expect(readAuthorityInfoAccess(one(EXTENSION.authorityInfoAccess, value))).toEqual({
      ocsp: ["http://ocsp.example"],
      caIssuers: [],
    })
    const points = sequence(sequence(explicit(0, writeTagged(0xa0, broken, writeUri("http://crl.example")))))
    const read = readCrlDistributionPoints(one(EXTENSION.cRLDistributionPoints, points)) ?? []
    expect(distributionAddresses(read)).toEqual(["http://crl.example"])
  })

  it("refuses what the standard does not allow", () => {
    const refused: readonly (() => unknown)[] = [
      () => readBasicConstraints(one(EXTENSION.basicConstraints, sequence(boolean(true), integer(-1)))),
      () => readBasicConstraints(one(EXTENSION.basicConstraints, integer(1))),
      () => readExtendedKeyUsage(one(EXTENSION.extendedKeyUsage, sequence())),
      () => readSubjectAltName(one(EXTENSION.subjectAltName, sequence())),
      () =>
        readSubjectAltName(
          one(EXTENSION.subjectAltName, sequence(implicit(2, octetString(Uint8Array.of(0x61, 0))))),
        ),
      () =>
        readSubjectAltName(
          one(EXTENSION.subjectAltName, sequence(implicit(9, octetString(Uint8Array.of(1))))),
        ),
      () =>
        readCertificatePolicies(
          one(EXTENSION.certificatePolicies, sequence(...Array(2).fill(sequence(oid("1.2.3"))))),
        ),
      () =>
        readPolicyConstraints(
          one(EXTENSION.policyConstraints, sequence(implicit(1, integer(0)), implicit(0, integer(0)))),
        ),
      () =>
        readNameConstraints(
          one(
            EXTENSION.nameConstraints,
            sequence(implicit(0, sequence(sequence(mail, implicit(0, integer(1)))))),
          ),
        ),
      () => readCrlDistributionPoints(one(EXTENSION.cRLDistributionPoints, sequence(sequence()))),
      () => readKeyUsage([plain(EXTENSION.keyUsage, Uint8Array.of(3, 2, 7, 0xff))]),
      () => readExtensions(readDer(sequence())),
    ]
    for (const read of refused) expect(read).toThrow(expect.objectContaining({ name: "DerError" }))
  })
})
