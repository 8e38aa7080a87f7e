// Issues X.509 version 3 certificates (RFC 5280, 4). The key stays behind `signBytes`: a file, an HSM or a remote one.

import { createHash } from "node:crypto"
import {
  bitString,
  boolean,
  explicit,
  implicit,
  integer,
  octetString,
  oid,
  printableString,
  readBits,
  readDer,
  sequence,
  setOf,
  time,
  utf8String,
} from "./der.ts"
import { encodeSignature, SIGNATURE_ALGORITHMS, type SignatureAlgorithm } from "./signature-algorithm.ts"

export type DistinguishedName = {
  readonly commonName: string
  readonly organization?: string
  readonly country?: string
}

// RFC 5280, 4.2.1.3: the position of a name in this list is its bit.
const KEY_USAGES = [
  "digitalSignature",
  "contentCommitment",
  "keyEncipherment",
  "dataEncipherment",
  "keyAgreement",
  "keyCertSign",
  "cRLSign",
] as const

export type KeyUsage = (typeof KEY_USAGES)[number]

export type CertificateOrder = {
  /** Encoded names; the issuer's must be the bytes of its own subject. See `writeName`. */
  readonly subject: Uint8Array
  readonly issuer: Uint8Array
  readonly serialNumber: bigint
  readonly notBefore: Date
  readonly notAfter: Date
  readonly publicKeySpki: Uint8Array
  readonly basicConstraints?: { readonly ca: boolean; readonly pathLength?: number }
  readonly keyUsage: readonly KeyUsage[]
  readonly extendedKeyUsage?: readonly string[]
  /** The issuer's subjectKeyIdentifier. */
  readonly authorityKeyIdentifier?: Uint8Array
  readonly algorithm: SignatureAlgorithm
  /** The issuer's key, to check what `signBytes` gave. */
  readonly issuerPublicKeySpki: Uint8Array
  readonly signBytes: (toBeSigned: Uint8Array) => Promise<Uint8Array>
}

export async function issueCertificate(order: CertificateOrder): Promise<Uint8Array> {
  const { identifier } = SIGNATURE_ALGORITHMS[order.algorithm]
  // RFC 5280, 4.1.2.2: positive and at most 20 octets.
  if (order.serialNumber <= 0n || order.serialNumber >= 1n << 159n)
    throw new RangeError("serial number out of range")
  const tbs = sequence(
    explicit(0, integer(2)),
    integer(order.serialNumber),
    identifier,
    order.issuer,
    sequence(time(order.notBefore), time(order.notAfter)),
    order.subject,
    order.publicKeySpki,
    explicit(3, sequence(...extensions(order))),
  )
  const value = await order.signBytes(tbs)
  const signature = encodeSignature(order.algorithm, order.issuerPublicKeySpki, tbs, value)
  return sequence(tbs, identifier, bitString(signature))
}

export function writeName({ commonName, organization, country }: DistinguishedName): Uint8Array {
  const relative = (type: string, value: Uint8Array) => setOf(sequence(oid(type), value))
  const parts: Uint8Array[] = []
  if (country !== undefined) parts.push(relative("2.5.4.6", printableString(country)))
  if (organization !== undefined) parts.push(relative("2.5.4.10", utf8String(organization)))
  parts.push(relative("2.5.4.3", utf8String(commonName)))
  return sequence(...parts)
}

/** RFC 7093, 2, method 1: the leftmost 160 bits of the SHA-256 of the key; nothing of ours needs SHA-1. */
export function keyIdentifier(publicKeySpki: Uint8Array): Uint8Array {
  const key = readBits(readDer(publicKeySpki).children[1], "public key")
  return new Uint8Array(createHash("sha256").update(key).digest().subarray(0, 20))
}

function extensions(order: CertificateOrder): Uint8Array[] {
  const critical = (type: string, value: Uint8Array) => sequence(oid(type), boolean(true), octetString(value))
  const plain = (type: string, value: Uint8Array) => sequence(oid(type), octetString(value))
  const { basicConstraints, keyUsage, extendedKeyUsage, authorityKeyIdentifier } = order
  const written: Uint8Array[] = []
  if (basicConstraints !== undefined)
    written.push(critical("2.5.29.19", writeBasicConstraints(basicConstraints)))
  written.push(critical("2.5.29.15", writeKeyUsage(keyUsage)))
  if (extendedKeyUsage !== undefined) written.push(plain("2.5.29.37", sequence(...extendedKeyUsage.map(oid))))
  written.push(plain("2.5.29.14", octetString(keyIdentifier(order.publicKeySpki))))
  if (authorityKeyIdentifier !== undefined)
    written.push(plain("2.5.29.35", sequence(implicit(0, octetString(authorityKeyIdentifier)))))
  return written
}

function writeBasicConstraints({ ca, pathLength }: { ca: boolean; pathLength?: number }): Uint8Array {
  // `cA` is FALSE by default, and DER leaves a default out.
  if (!ca) return sequence()
  return pathLength === undefined ? sequence(boolean(true)) : sequence(boolean(true), integer(pathLength))
}

// X.690, 11.2.2: a named bit list ends with its last bit that is set.
function writeKeyUsage(usages: readonly KeyUsage[]): Uint8Array {
  const bits = usages.map((usage) => KEY_USAGES.indexOf(usage))
  const octet = bits.reduce((sum, bit) => sum | (0x80 >> bit), 0)
  return bitString(Uint8Array.of(octet), 7 - Math.max(...bits))
}
