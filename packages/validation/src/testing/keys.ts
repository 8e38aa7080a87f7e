// Keys and certificates in memory: what trusted lists of tests are signed with, and what they list.

import { constants, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto"
import { type Certificate, readCertificate } from "@paraph/pki/certificate"
import { type CertificateOrder, issueCertificate, writeName } from "@paraph/pki/certificate-writer"

export type KeyKind = "P-256" | "P-384" | "RSA" | "RSA-1024"

export type Holder = {
  readonly kind: KeyKind
  readonly privateKey: KeyObject
  readonly publicKeySpki: Uint8Array
  readonly certificate: Certificate
}

export type HolderOrder = Partial<Omit<CertificateOrder, "issuer" | "algorithm">> & {
  readonly name: string
  readonly country?: string
  readonly kind?: KeyKind
}

export const NOT_BEFORE = new Date("2020-01-01T00:00:00Z")
export const NOT_AFTER = new Date("2045-01-01T00:00:00Z")

/** One who certifies itself. */
export async function newRoot(order: HolderOrder): Promise<Holder> {
  const keys = newKeys(order.kind ?? "P-256")
  return certify(keys, { ...keys, subject: nameOf(order) }, { basicConstraints: { ca: true }, ...order })
}

/** One whom the issuer certifies: an authority only if the order says so. */
export async function newHolder(issuer: Holder, order: HolderOrder): Promise<Holder> {
  const keys = newKeys(order.kind ?? "P-256")
  return certify(keys, { ...issuer, subject: issuer.certificate.subject }, order)
}

const ALGORITHMS = {
  RSA: "rsa-sha256",
  "RSA-1024": "rsa-sha256",
  "P-256": "ecdsa-sha256",
  "P-384": "ecdsa-sha384",
} as const

type Keys = Omit<Holder, "certificate">

function newKeys(kind: KeyKind): Keys {
  const { privateKey, publicKey } = kind.startsWith("RSA")
    ? generateKeyPairSync("rsa", { modulusLength: kind === "RSA" ? 2048 : 1024 })
    : generateKeyPairSync("ec", { namedCurve: kind })
  return {
    kind,
    privateKey,
    publicKeySpki: new Uint8Array(publicKey.export({ type: "spki", format: "der" })),
  }
}

function nameOf({ name, country = "AT" }: HolderOrder): Uint8Array {
  return writeName({ commonName: name, organization: `${name} Ltd`, country })
}

async function certify(
  keys: Keys,
  issuer: Keys & { readonly subject: Uint8Array },
  order: HolderOrder,
): Promise<Holder> {
  const { name: _name, country: _country, kind: _kind, ...rest } = order
  const der = await issueCertificate({
    subject: nameOf(order),
    serialNumber: BigInt(`0x${randomBytes(12).toString("hex")}`) | 1n,
    notBefore: NOT_BEFORE,
    notAfter: NOT_AFTER,
    publicKeySpki: keys.publicKeySpki,
    keyUsage:
      order.basicConstraints?.ca === true
        ? ["keyCertSign", "cRLSign"]
        : ["digitalSignature", "contentCommitment"],
    issuerPublicKeySpki: issuer.publicKeySpki,
    signBytes: async (bytes) =>
      new Uint8Array(sign(issuer.kind === "P-384" ? "sha384" : "sha256", bytes, issuer.privateKey)),
    ...rest,
    issuer: issuer.subject,
    algorithm: ALGORITHMS[issuer.kind],
  })
  return { ...keys, certificate: readCertificate(der) }
}

/** As XMLDSig has it: ECDSA as two numbers, one after the other. */
export function signRaw(
  { kind, privateKey }: Holder,
  bytes: Uint8Array,
  digest: string,
  isPss: boolean,
): Uint8Array {
  if (!kind.startsWith("RSA")) return sign(digest, bytes, { key: privateKey, dsaEncoding: "ieee-p1363" })
  const padding = isPss ? constants.RSA_PKCS1_PSS_PADDING : constants.RSA_PKCS1_PADDING
  return sign(digest, bytes, { key: privateKey, padding, saltLength: constants.RSA_PSS_SALTLEN_DIGEST })
}
