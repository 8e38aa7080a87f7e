// Issues X.509 version 3 certificates (RFC 5280, 4). The key stays behind `signBytes`: a file, an HSM or a remote one.

import { createHash } from "node:crypto"
import {
  encodeSignature,
  SIGNATURE_ALGORITHMS,
  type SignatureAlgorithm,
} from "../algorithm/signature-algorithm.ts"
import { readBits, readDer } from "../der/der.ts"
import {
  bitString,
  boolean,
  explicit,
  implicit,
  integer,
  nullValue,
  octetString,
  oid,
  printableString,
  sequence,
  setOf,
  time,
  utf8String,
} from "../der/der-writer.ts"
import type { Extension } from "./extension.ts"
import { EXTENSION, KEY_USAGES, type KeyUsage } from "./extensions.ts"
import { writeUri } from "./general-name.ts"
import { type NameProofStatement, writeNameProof } from "./name-proof.ts"

export type DistinguishedName = {
  readonly commonName: string
  readonly organization?: string
  /** X.520, 6.4.4: the number of a company in a register (EN 319 412-1, 5.1.4). */
  readonly organizationIdentifier?: string
  readonly country?: string
  readonly givenName?: string
  readonly surname?: string
  readonly serialNumber?: string
}

export type CertificateOrder = {
  /** Encoded names; the issuer's must be the bytes of its own subject. See `writeName`. */
  readonly subject: Uint8Array
  readonly issuer: Uint8Array
  readonly serialNumber: bigint
  readonly notBefore: Date
  readonly notAfter: Date
  readonly publicKeySpki: Uint8Array
  readonly basicConstraints?: { readonly ca: boolean; readonly pathLength?: number }
  /** None at all leaves the extension out. */
  readonly keyUsage: readonly KeyUsage[]
  readonly extendedKeyUsage?: readonly string[]
  /** RFC 3161, 2.3 demands it of a time-stamping authority; others leave it be. */
  readonly extendedKeyUsageCritical?: boolean
  /** The ids of the policies. */
  readonly certificatePolicies?: readonly string[]
  /** Who established the name of the subject: a further policy. */
  readonly nameProof?: NameProofStatement
  /** Where the CRL of the issuer is, one point per address. */
  readonly crlDistributionPoints?: readonly string[]
  readonly authorityInfoAccess?: { readonly ocsp?: readonly string[]; readonly caIssuers?: readonly string[] }
  /** RFC 6960, 4.2.2.2.1: on the certificate of an OCSP responder. */
  readonly ocspNoCheck?: boolean
  /** The issuer's subjectKeyIdentifier. */
  readonly authorityKeyIdentifier?: Uint8Array
  /** Whatever else, as encoded, after the others. */
  readonly otherExtensions?: readonly Extension[]
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

/** In the order from the widest to the narrowest; throws a RangeError where a value is longer than its bound. */
export function writeName(name: DistinguishedName): Uint8Array {
  const rows = NAME_ATTRIBUTES.flatMap(({ part, type, most, write }) => {
    const value = name[part]
    if (value === undefined) return []
    // Counted in characters, as X.520 does, not in octets or halves of them.
    if (value === "" || [...value].length > most) throw new RangeError(`${part} is empty or too long`)
    return [setOf(sequence(oid(type), write(value)))]
  })
  return sequence(...rows)
}

/** RFC 5280, appendix A: the upper bounds of X.520. */
export const NAME_BOUNDS = { commonName: 64, organization: 64, serialNumber: 64, name: 32_768 } as const

// RFC 5280, 4.1.2.4: UTF8String, but for what X.520 knows as PrintableString alone.
const NAME_ATTRIBUTES = [
  { part: "country", type: "2.5.4.6", most: 2, write: printableString },
  { part: "organization", type: "2.5.4.10", most: NAME_BOUNDS.organization, write: utf8String },
  { part: "organizationIdentifier", type: "2.5.4.97", most: NAME_BOUNDS.organization, write: utf8String },
  { part: "surname", type: "2.5.4.4", most: NAME_BOUNDS.name, write: utf8String },
  { part: "givenName", type: "2.5.4.42", most: NAME_BOUNDS.name, write: utf8String },
  { part: "serialNumber", type: "2.5.4.5", most: NAME_BOUNDS.serialNumber, write: printableString },
  { part: "commonName", type: "2.5.4.3", most: NAME_BOUNDS.commonName, write: utf8String },
] as const satisfies readonly {
  part: keyof DistinguishedName
  type: string
  most: number
  write: (text: string) => Uint8Array
}[]

/** RFC 7093, 2, method 1: the leftmost 160 bits of the SHA-256 of the key; nothing of ours needs SHA-1. */
export function keyIdentifier(publicKeySpki: Uint8Array): Uint8Array {
  const key = readBits(readDer(publicKeySpki).children[1], "public key")
  return new Uint8Array(createHash("sha256").update(key).digest().subarray(0, 20))
}

function extensions(order: CertificateOrder): Uint8Array[] {
  const written: Uint8Array[] = []
  const add = (id: string, value: Uint8Array | undefined, critical = false) => {
    if (value !== undefined) written.push(writeExtension({ id, critical, value }))
  }
  const { basicConstraints, keyUsage, extendedKeyUsage, authorityKeyIdentifier } = order
  add(EXTENSION.basicConstraints, basicConstraints && writeBasicConstraints(basicConstraints), true)
  add(EXTENSION.keyUsage, keyUsage.length > 0 ? writeKeyUsage(keyUsage) : undefined, true)
  add(
    EXTENSION.extendedKeyUsage,
    extendedKeyUsage && sequence(...extendedKeyUsage.map(oid)),
    order.extendedKeyUsageCritical,
  )
  add(EXTENSION.subjectKeyIdentifier, octetString(keyIdentifier(order.publicKeySpki)))
  add(
    EXTENSION.authorityKeyIdentifier,
    authorityKeyIdentifier && sequence(implicit(0, octetString(authorityKeyIdentifier))),
  )
  add(EXTENSION.certificatePolicies, writePolicies(order))
  add(
    EXTENSION.cRLDistributionPoints,
    order.crlDistributionPoints && writePoints(order.crlDistributionPoints),
  )
  add(EXTENSION.authorityInfoAccess, order.authorityInfoAccess && writeAccess(order.authorityInfoAccess))
  add(EXTENSION.ocspNoCheck, order.ocspNoCheck === true ? nullValue() : undefined)
  for (const { id, value, critical } of order.otherExtensions ?? []) add(id, value, critical)
  return written
}

function writePolicies({ certificatePolicies = [], nameProof }: CertificateOrder): Uint8Array | undefined {
  const policies = certificatePolicies.map((id) => sequence(oid(id)))
  if (nameProof !== undefined) policies.push(writeNameProof(nameProof))
  return policies.length === 0 ? undefined : sequence(...policies)
}

export function writeExtension({ id, critical, value }: Extension): Uint8Array {
  return critical
    ? sequence(oid(id), boolean(true), octetString(value))
    : sequence(oid(id), octetString(value))
}

function writePoints(addresses: readonly string[]): Uint8Array {
  const fullName = (address: string) => explicit(0, writeUri(address))
  return sequence(...addresses.map((address) => sequence(explicit(0, fullName(address)))))
}

function writeAccess({
  ocsp = [],
  caIssuers = [],
}: NonNullable<CertificateOrder["authorityInfoAccess"]>): Uint8Array {
  const describe = (method: string) => (address: string) => sequence(oid(method), writeUri(address))
  return sequence(
    ...ocsp.map(describe("1.3.6.1.5.5.7.48.1")),
    ...caIssuers.map(describe("1.3.6.1.5.5.7.48.2")),
  )
}

export function writeBasicConstraints({ ca, pathLength }: { ca: boolean; pathLength?: number }): Uint8Array {
  // `cA` is FALSE by default, and DER leaves a default out.
  if (!ca) return sequence()
  return pathLength === undefined ? sequence(boolean(true)) : sequence(boolean(true), integer(pathLength))
}

// X.690, 11.2.2: a named bit list ends with its last bit that is set.
export function writeKeyUsage(usages: readonly KeyUsage[]): Uint8Array {
  const bits = usages.map((usage) => KEY_USAGES.indexOf(usage))
  const last = Math.max(...bits)
  const octets = new Uint8Array((last >> 3) + 1)
  for (const bit of bits) octets[bit >> 3] = (octets[bit >> 3] ?? 0) | (0x80 >> (bit & 7))
  return bitString(octets, 7 - (last & 7))
}
