// The extensions of RFC 5280, 4.2 (and two of RFC 6960 and RFC 3739), each with its reader. Every reader takes the list of a
// certificate or a CRL, gives undefined if the extension is not there, and throws a DerError if it is malformed.

import { DerError, type DerNode, expectTag, readInteger, readOid, TAG } from "../der/der.ts"
import { type Extension, findExtension } from "./extension.ts"
import { addressesOf, type GeneralName, readGeneralName, readGeneralNames } from "./general-name.ts"

export const EXTENSION = {
  subjectKeyIdentifier: "2.5.29.14",
  keyUsage: "2.5.29.15",
  subjectAltName: "2.5.29.17",
  issuerAltName: "2.5.29.18",
  basicConstraints: "2.5.29.19",
  cRLNumber: "2.5.29.20",
  reasonCode: "2.5.29.21",
  invalidityDate: "2.5.29.24",
  deltaCRLIndicator: "2.5.29.27",
  issuingDistributionPoint: "2.5.29.28",
  certificateIssuer: "2.5.29.29",
  nameConstraints: "2.5.29.30",
  cRLDistributionPoints: "2.5.29.31",
  certificatePolicies: "2.5.29.32",
  policyMappings: "2.5.29.33",
  authorityKeyIdentifier: "2.5.29.35",
  policyConstraints: "2.5.29.36",
  extendedKeyUsage: "2.5.29.37",
  freshestCRL: "2.5.29.46",
  inhibitAnyPolicy: "2.5.29.54",
  expiredCertsOnCRL: "2.5.29.60",
  authorityInfoAccess: "1.3.6.1.5.5.7.1.1",
  qcStatements: "1.3.6.1.5.5.7.1.3",
  ocspNoCheck: "1.3.6.1.5.5.7.48.1.5",
} as const

type Extensions = readonly Extension[]

export type BasicConstraints = { readonly ca: boolean; readonly pathLength?: number }

export function readBasicConstraints(extensions: Extensions): BasicConstraints | undefined {
  const node = findExtension(extensions, EXTENSION.basicConstraints)
  if (node === undefined) return undefined
  const parts = [...expectTag(node, TAG.sequence, "basic constraints").children]
  const ca = parts[0]?.tag === TAG.boolean ? parts.shift()?.content[0] === 0xff : false
  const length = parts.shift()
  if (parts.length > 0) throw new DerError("basic constraints of odd parts")
  return length === undefined ? { ca } : { ca, pathLength: count(length, "path length") }
}

// RFC 5280, 4.2.1.3: the position of a name in this list is its bit.
export const KEY_USAGES = [
  "digitalSignature",
  "contentCommitment",
  "keyEncipherment",
  "dataEncipherment",
  "keyAgreement",
  "keyCertSign",
  "cRLSign",
  "encipherOnly",
  "decipherOnly",
] as const

export type KeyUsage = (typeof KEY_USAGES)[number]

export function readKeyUsage(extensions: Extensions): readonly KeyUsage[] | undefined {
  const node = findExtension(extensions, EXTENSION.keyUsage)
  if (node === undefined) return undefined
  return readNamedBits(expectTag(node, TAG.bitString, "key usage").content, KEY_USAGES)
}

/** The names of the bits that are set; `content` is that of a BIT STRING. */
export function readNamedBits<Name>(content: Uint8Array, names: readonly Name[]): readonly Name[] {
  return names.filter((_, bit) => ((content[1 + (bit >> 3)] ?? 0) & (0x80 >> (bit & 7))) !== 0)
}

export function readExtendedKeyUsage(extensions: Extensions): readonly string[] | undefined {
  const node = findExtension(extensions, EXTENSION.extendedKeyUsage)
  if (node === undefined) return undefined
  return nonEmpty(node, "extended key usage").map((purpose) => readOid(purpose, "key purpose"))
}

export function readSubjectKeyIdentifier(extensions: Extensions): Uint8Array | undefined {
  const node = findExtension(extensions, EXTENSION.subjectKeyIdentifier)
  return node && expectTag(node, TAG.octetString, "subject key identifier").content
}

export type AuthorityKeyIdentifier = {
  readonly keyIdentifier?: Uint8Array
  readonly authorityCertIssuer?: readonly GeneralName[]
  readonly authorityCertSerialNumber?: bigint
}

export function readAuthorityKeyIdentifier(extensions: Extensions): AuthorityKeyIdentifier | undefined {
  const node = findExtension(extensions, EXTENSION.authorityKeyIdentifier)
  if (node === undefined) return undefined
  const part = byTag(expectTag(node, TAG.sequence, "authority key identifier"))
  const key = part(0x80)
  const issuer = part(0xa1)
  const serial = part(0x82)
  return {
    ...(key && { keyIdentifier: key.content }),
    ...(issuer && { authorityCertIssuer: readGeneralNames(issuer) }),
    ...(serial && {
      authorityCertSerialNumber: readInteger({ ...serial, tag: TAG.integer }, "serial number"),
    }),
  }
}

export function readSubjectAltName(extensions: Extensions): readonly GeneralName[] | undefined {
  const node = findExtension(extensions, EXTENSION.subjectAltName)
  return node && readGeneralNames(expectTag(node, TAG.sequence, "subject alternative name"))
}

export function readIssuerAltName(extensions: Extensions): readonly GeneralName[] | undefined {
  const node = findExtension(extensions, EXTENSION.issuerAltName)
  return node && readGeneralNames(expectTag(node, TAG.sequence, "issuer alternative name"))
}

export type NameConstraints = {
  readonly permitted: readonly GeneralName[]
  readonly excluded: readonly GeneralName[]
}

export function readNameConstraints(extensions: Extensions): NameConstraints | undefined {
  const node = findExtension(extensions, EXTENSION.nameConstraints)
  if (node === undefined) return undefined
  const part = byTag(expectTag(node, TAG.sequence, "name constraints"))
  const subtrees = (tag: number) => part(tag)?.children.map(readSubtree) ?? []
  return { permitted: subtrees(0xa0), excluded: subtrees(0xa1) }
}

// RFC 5280, 4.2.1.10: minimum is zero and maximum absent; nobody has ever said what another number would mean.
function readSubtree(node: DerNode): GeneralName {
  const [base, ...rest] = expectTag(node, TAG.sequence, "subtree").children
  if (base === undefined || rest.length > 0) throw new DerError("a subtree with a minimum or a maximum")
  return readGeneralName(base)
}

/** The policies, with their qualifiers as they are encoded. */
export type PolicyInformation = { readonly policy: string; readonly qualifiers?: Uint8Array }

export function readCertificatePolicies(extensions: Extensions): readonly PolicyInformation[] | undefined {
  const node = findExtension(extensions, EXTENSION.certificatePolicies)
  if (node === undefined) return undefined
  const policies = nonEmpty(node, "certificate policies").map((information) => {
    const [policy, qualifiers] = expectTag(information, TAG.sequence, "policy information").children
    const id = readOid(policy, "policy")
    return qualifiers === undefined ? { policy: id } : { policy: id, qualifiers: qualifiers.bytes }
  })
  if (new Set(policies.map(({ policy }) => policy)).size !== policies.length)
    throw new DerError("a policy that appears twice")
  return policies
}

export type PolicyMapping = { readonly issuerDomain: string; readonly subjectDomain: string }

export function readPolicyMappings(extensions: Extensions): readonly PolicyMapping[] | undefined {
  const node = findExtension(extensions, EXTENSION.policyMappings)
  if (node === undefined) return undefined
  return nonEmpty(node, "policy mappings").map((mapping) => {
    const [issuerDomain, subjectDomain] = expectTag(mapping, TAG.sequence, "policy mapping").children
    return {
      issuerDomain: readOid(issuerDomain, "issuer domain policy"),
      subjectDomain: readOid(subjectDomain, "subject domain policy"),
    }
  })
}

export type PolicyConstraints = {
  readonly requireExplicitPolicy?: number
  readonly inhibitPolicyMapping?: number
}

export function readPolicyConstraints(extensions: Extensions): PolicyConstraints | undefined {
  const node = findExtension(extensions, EXTENSION.policyConstraints)
  if (node === undefined) return undefined
  const part = byTag(expectTag(node, TAG.sequence, "policy constraints"))
  const number = (tag: number) => {
    const found = part(tag)
    return found && count({ ...found, tag: TAG.integer }, "policy constraint")
  }
  const requireExplicitPolicy = number(0x80)
  const inhibitPolicyMapping = number(0x81)
  return {
    ...(requireExplicitPolicy !== undefined && { requireExplicitPolicy }),
    ...(inhibitPolicyMapping !== undefined && { inhibitPolicyMapping }),
  }
}

export function readInhibitAnyPolicy(extensions: Extensions): number | undefined {
  const node = findExtension(extensions, EXTENSION.inhibitAnyPolicy)
  return node && count(node, "inhibit any-policy")
}

/** The addresses of the two methods that matter here; other methods and other forms of name are passed over. */
export type AuthorityInfoAccess = { readonly ocsp: readonly string[]; readonly caIssuers: readonly string[] }

export function readAuthorityInfoAccess(extensions: Extensions): AuthorityInfoAccess | undefined {
  const node = findExtension(extensions, EXTENSION.authorityInfoAccess)
  if (node === undefined) return undefined
  const descriptions = nonEmpty(node, "authority information access").map((description) => {
    const [method, location] = expectTag(description, TAG.sequence, "access description").children
    if (location === undefined) throw new DerError("access location is missing")
    return { method: readOid(method, "access method"), location: readGeneralName(location) }
  })
  const addresses = (wanted: string) =>
    addressesOf(descriptions.filter(({ method }) => method === wanted).map(({ location }) => location))
  return { ocsp: addresses("1.3.6.1.5.5.7.48.1"), caIssuers: addresses("1.3.6.1.5.5.7.48.2") }
}

/** RFC 6960, 4.2.2.2.1: nobody needs to ask whether this certificate of a responder is revoked. */
export function hasOcspNoCheck(extensions: Extensions): boolean {
  const node = findExtension(extensions, EXTENSION.ocspNoCheck)
  return node !== undefined && expectTag(node, TAG.null, "OCSP no-check").content.length === 0
}

/** The QCStatements (RFC 3739, 3.2.6), as encoded. */
export function readQcStatements(extensions: Extensions): Uint8Array | undefined {
  return extensions.find(({ id }) => id === EXTENSION.qcStatements)?.value
}

function nonEmpty(node: DerNode, what: string): readonly DerNode[] {
  const { children } = expectTag(node, TAG.sequence, what)
  if (children.length === 0) throw new DerError(`${what} is empty`)
  return children
}

// RFC 5280 counts certificates with these numbers; whatever does not fit a path is as good as no limit.
function count(node: DerNode, what: string): number {
  const value = readInteger(node, what)
  if (value < 0n) throw new DerError(`${what} is negative`)
  return value > 1_000_000n ? 1_000_000 : Number(value)
}

/** The parts of a SEQUENCE whose parts are all optional and told apart, and ordered, by their tags. */
export function byTag(node: DerNode): (tag: number) => DerNode | undefined {
  const numbers = node.children.map(({ tag }) => tag & 0x1f)
  if (numbers.some((number, index) => index > 0 && number <= (numbers[index - 1] ?? 0)))
    throw new DerError("parts that repeat or are out of order")
  return (tag) => node.children.find((child) => child.tag === tag)
}
