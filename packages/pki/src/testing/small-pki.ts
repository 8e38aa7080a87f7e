// A certification authority of a few lines, keys in memory: what the tests of this package sign with.

import { constants, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto"
import { SIGNATURE_ALGORITHMS, type SignatureAlgorithm } from "../algorithm/signature-algorithm.ts"
import { type Certificate, readCertificate } from "../certificate/certificate.ts"
import { type CertificateOrder, issueCertificate, writeName } from "../certificate/certificate-writer.ts"

export type TestKey = {
  readonly algorithm: SignatureAlgorithm
  readonly privateKey: KeyObject
  readonly publicKeySpki: Uint8Array
  readonly signBytes: (bytes: Uint8Array) => Promise<Uint8Array>
}

export type Holder = TestKey & { readonly certificate: Certificate }

export const ALGORITHMS = Object.keys(SIGNATURE_ALGORITHMS) as SignatureAlgorithm[]

export const NOT_BEFORE = new Date("2026-01-01T00:00:00Z")
export const NOT_AFTER = new Date("2051-01-01T00:00:00Z")

export function newKey(algorithm: SignatureAlgorithm): TestKey {
  const { privateKey, publicKey } = makeKeys(algorithm)
  return {
    algorithm,
    privateKey,
    publicKeySpki: new Uint8Array(publicKey.export({ type: "spki", format: "der" })),
    signBytes: async (bytes) => signWith(algorithm, privateKey, bytes),
  }
}

function makeKeys(algorithm: SignatureAlgorithm): { privateKey: KeyObject; publicKey: KeyObject } {
  switch (SIGNATURE_ALGORITHMS[algorithm].keyKind) {
    case "RSA":
      return generateKeyPairSync("rsa", { modulusLength: 2048 })
    case "EC P-256":
      return generateKeyPairSync("ec", { namedCurve: "P-256" })
    case "EC P-384":
      return generateKeyPairSync("ec", { namedCurve: "P-384" })
    case "Ed25519":
      return generateKeyPairSync("ed25519")
  }
}

function signWith(algorithm: SignatureAlgorithm, key: KeyObject, bytes: Uint8Array): Uint8Array {
  if (algorithm === "ed25519") return sign(null, bytes, key)
  if (algorithm === "rsa-pss-sha256")
    return sign("sha256", bytes, { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 })
  return sign(SIGNATURE_ALGORITHMS[algorithm].digest, bytes, key)
}

/** A root that signs with the algorithm. */
export async function newRoot(
  algorithm: SignatureAlgorithm = "ecdsa-sha256",
  commonName = "Root",
): Promise<Holder> {
  const key = newKey(algorithm)
  const subject = writeName({ commonName })
  const order = { subject, basicConstraints: { ca: true }, keyUsage: ["keyCertSign", "cRLSign"] } as const
  return { ...key, certificate: await issue({ ...key, subject }, key, order) }
}

/** One whom the authority certifies, with a key of the algorithm; what the order says goes into the certificate. */
export async function newHolder(
  authority: Holder,
  algorithm: SignatureAlgorithm,
  order: Partial<CertificateOrder> = {},
): Promise<Holder> {
  const key = newKey(algorithm)
  const issuer = { ...authority, subject: authority.certificate.subject }
  return { ...key, certificate: await issue(issuer, key, order) }
}

async function issue(
  issuer: TestKey & { readonly subject: Uint8Array },
  key: TestKey,
  order: Partial<CertificateOrder>,
): Promise<Certificate> {
  const der = await issueCertificate({
    subject: writeName({ commonName: "Ada" }),
    issuer: issuer.subject,
    serialNumber: BigInt(`0x${randomBytes(12).toString("hex")}`) | 1n,
    notBefore: NOT_BEFORE,
    notAfter: NOT_AFTER,
    publicKeySpki: key.publicKeySpki,
    keyUsage: ["digitalSignature", "contentCommitment"],
    algorithm: issuer.algorithm,
    issuerPublicKeySpki: issuer.publicKeySpki,
    signBytes: issuer.signBytes,
    ...order,
  })
  return readCertificate(der)
}

/** RFC 3161, 2.3. */
export const TIME_STAMPING: Partial<CertificateOrder> = {
  subject: writeName({ commonName: "Clock" }),
  keyUsage: ["digitalSignature"],
  extendedKeyUsage: ["1.3.6.1.5.5.7.3.8"],
  extendedKeyUsageCritical: true,
}

/** RFC 6960, 4.2.2.2. */
export const OCSP_SIGNING: Partial<CertificateOrder> = {
  subject: writeName({ commonName: "Responder" }),
  keyUsage: ["digitalSignature"],
  extendedKeyUsage: ["1.3.6.1.5.5.7.3.9"],
  ocspNoCheck: true,
}
