// A certification authority for tests, development and the sandbox, and for nothing else: its key lies in memory or in a
// plain file, nobody is identified before a certificate is issued, and nothing can be revoked.

import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  sign,
  X509Certificate,
} from "node:crypto"
import { type Certificate, readCertificate } from "@paraph/pki/certificate"
import { issueCertificate, keyIdentifier, writeName } from "@paraph/pki/certificate-writer"
import { algorithmFor } from "@paraph/pki/signature-algorithm"

const DAY_MS = 86_400_000
const ROOT_DAYS = 3650

export type IssueOrder = {
  readonly commonName: string
  readonly organization?: string
  readonly publicKeySpki: Uint8Array
  readonly now: Date
  readonly validDays: number
}

export type Authority = {
  /** The root, DER. Never add it to a trust list. */
  readonly certificate: Uint8Array
  readonly certificatePem: string
  /** PKCS#8. Secret only in name: the sandbox writes it next to its database. */
  readonly keyPem: string
  /** A certificate for signing documents, DER. */
  readonly issue: (order: IssueOrder) => Promise<Uint8Array>
}

export async function createAuthority(options: {
  readonly commonName: string
  readonly now: Date
  readonly keyKind?: "EC P-256" | "RSA"
}): Promise<Authority> {
  const { privateKey, publicKey } =
    options.keyKind === "RSA"
      ? generateKeyPairSync("rsa", { modulusLength: 3072 })
      : generateKeyPairSync("ec", { namedCurve: "P-256" })
  const publicKeySpki = spki(publicKey)
  const name = writeName({ commonName: options.commonName })
  const root = await issueCertificate({
    subject: name,
    issuer: name,
    serialNumber: newSerialNumber(),
    ...validity(options.now, ROOT_DAYS),
    publicKeySpki,
    basicConstraints: { ca: true },
    keyUsage: ["keyCertSign", "cRLSign"],
    algorithm: options.keyKind === "RSA" ? "rsa-sha256" : "ecdsa-sha256",
    issuerPublicKeySpki: publicKeySpki,
    signBytes: async (bytes) => sign("sha256", bytes, privateKey),
  })
  return authority(privateKey, readCertificate(root))
}

/** The root of an earlier run, so that what it issued is still trusted after a restart. */
export function loadAuthority(pem: { readonly keyPem: string; readonly certificatePem: string }): Authority {
  const privateKey = createPrivateKey(pem.keyPem)
  const x509 = new X509Certificate(pem.certificatePem)
  if (!x509.checkPrivateKey(privateKey)) throw new Error("The key is not the one of the root certificate.")
  return authority(privateKey, readCertificate(new Uint8Array(x509.raw)))
}

export function toPem(certificate: Uint8Array): string {
  return new X509Certificate(certificate).toString()
}

export function fromPem(pem: string): Uint8Array {
  return new Uint8Array(new X509Certificate(pem).raw)
}

function authority(privateKey: KeyObject, root: Certificate): Authority {
  return {
    certificate: root.der,
    certificatePem: toPem(root.der),
    keyPem: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    issue: ({ commonName, organization, publicKeySpki, now, validDays }) =>
      issueCertificate({
        subject: writeName({ commonName, ...(organization === undefined ? {} : { organization }) }),
        issuer: root.subject,
        serialNumber: newSerialNumber(),
        ...validity(now, validDays),
        publicKeySpki: spki(
          createPublicKey({ key: Buffer.from(publicKeySpki), format: "der", type: "spki" }),
        ),
        basicConstraints: { ca: false },
        // EN 319 412-2, 4.3.2: a certificate for signatures that bind commits to content.
        keyUsage: ["digitalSignature", "contentCommitment"],
        authorityKeyIdentifier: root.subjectKeyIdentifier ?? keyIdentifier(root.publicKeySpki),
        algorithm: algorithmFor(root),
        issuerPublicKeySpki: root.publicKeySpki,
        signBytes: async (bytes) => sign("sha256", bytes, privateKey),
      }),
  }
}

// Clocks of two machines differ; a certificate from five minutes ago is valid on both.
function validity(now: Date, days: number): { notBefore: Date; notAfter: Date } {
  const start = now.getTime() - 5 * 60_000
  return { notBefore: new Date(start), notAfter: new Date(now.getTime() + days * DAY_MS) }
}

function newSerialNumber(): bigint {
  return BigInt(`0x${randomBytes(16).toString("hex")}`) | 1n
}

function spki(key: KeyObject): Uint8Array {
  return new Uint8Array(key.export({ type: "spki", format: "der" }))
}
