// Reads a CMS SignedData (RFC 5652, 5). Nothing here says that a signature is right: see verify-signer-info.ts.

import { type BerOptions, readBer } from "../der/ber.ts"
import { DerError, type DerNode, expectTag, readInteger, readOid, TAG } from "../der/der.ts"
import { writeTagged } from "../der/der-writer.ts"
import { inside, takeOptional } from "../der/optional.ts"

export type SignedData = {
  /** The whole ContentInfo with definite lengths; the bytes that were given, unless those were BER. */
  readonly der: Uint8Array
  readonly encoding: "DER" | "BER"
  readonly version: number
  /** AlgorithmIdentifiers. */
  readonly digestAlgorithms: readonly Uint8Array[]
  readonly contentType: string
  /** The octets of eContent; absent when the signature is detached. */
  readonly content?: Uint8Array
  /** X.509 certificates only, in the order of the encoding, which says nothing. */
  readonly certificates: readonly Uint8Array[]
  readonly crls: readonly Uint8Array[]
  /** OCSPResponses (RFC 5940, 2.1). */
  readonly ocspResponses: readonly Uint8Array[]
  readonly signerInfos: readonly SignerInfo[]
}

export type SignerIdentifier =
  | { readonly issuer: Uint8Array; readonly serialNumber: bigint }
  | { readonly subjectKeyIdentifier: Uint8Array }

export type SignerInfo = {
  /** `eContentType` of the SignedData, which the content-type attribute must repeat. */
  readonly contentType: string
  readonly sid: SignerIdentifier
  readonly digestAlgorithm: Uint8Array
  /** RFC 5652, 5.4: the bytes that were signed, which have the SET tag. */
  readonly signedAttributes?: Uint8Array
  readonly signedAttributeList: readonly Attribute[]
  readonly signatureAlgorithm: Uint8Array
  readonly signature: Uint8Array
  readonly unsignedAttributes: readonly Attribute[]
}

export type Attribute = {
  readonly type: string
  /** DER of each. */
  readonly values: readonly Uint8Array[]
}

// A SignedData of a thousand signers or certificates is not a signature that anyone made to be checked.
const MAX_SIGNERS = 64
const MAX_CERTIFICATES = 256
const MAX_ATTRIBUTES = 128

const ID_SIGNED_DATA = "1.2.840.113549.1.7.2"
const ID_RI_OCSP_RESPONSE = "1.3.6.1.5.5.7.16.2"

export function readSignedData(bytes: Uint8Array, options: BerOptions = {}): SignedData {
  const { node, encoding } = readBer(bytes, options)
  const [type, wrapped, ...more] = expectTag(node, TAG.sequence, "ContentInfo").children
  if (more.length > 0) throw new DerError("ContentInfo has more than two parts")
  if (readOid(type, "content type") !== ID_SIGNED_DATA) throw new DerError("content is not SignedData")
  return { der: node.bytes, encoding, ...readBody(inside(expectTag(wrapped, 0xa0, "content"), "content")) }
}

function readBody(body: DerNode): Omit<SignedData, "der" | "encoding"> {
  const fields = [...expectTag(body, TAG.sequence, "SignedData").children]
  const [version, digestAlgorithms, encapsulated] = fields.splice(0, 3)
  const certificates = takeOptional(fields, 0xa0)?.children ?? []
  const revocation = takeOptional(fields, 0xa1)?.children ?? []
  const [signerInfos, ...more] = fields
  const signers = expectTag(signerInfos, TAG.set, "signerInfos").children
  if (more.length > 0) throw new DerError("SignedData has more parts than the standard")
  if (signers.length > MAX_SIGNERS) throw new DerError("too many signers")
  if (certificates.length > MAX_CERTIFICATES) throw new DerError("too many certificates")

  const { contentType, content } = readEncapsulated(encapsulated)
  const algorithms = expectTag(digestAlgorithms, TAG.set, "digestAlgorithms").children
  return {
    version: readVersion(version, "SignedData version"),
    digestAlgorithms: algorithms.map((one) => expectTag(one, TAG.sequence, "digest algorithm").bytes),
    contentType,
    ...(content === undefined ? {} : { content }),
    // RFC 5652, 10.2.2: the choices with a context tag are attribute certificates and obsolete or foreign formats.
    certificates: certificates.filter(({ tag }) => tag === TAG.sequence).map(({ bytes }) => bytes),
    crls: revocation.filter(({ tag }) => tag === TAG.sequence).map(({ bytes }) => bytes),
    ocspResponses: revocation.flatMap(ocspResponse),
    signerInfos: signers.map((one) => readSignerInfo(one, contentType)),
  }
}

function readEncapsulated(node: DerNode | undefined): { contentType: string; content?: Uint8Array } {
  const [type, wrapped, ...more] = expectTag(node, TAG.sequence, "encapContentInfo").children
  const contentType = readOid(type, "eContentType")
  if (more.length > 0) throw new DerError("encapContentInfo has more than two parts")
  if (wrapped === undefined) return { contentType }
  const content = inside(expectTag(wrapped, 0xa0, "eContent"), "eContent")
  return { contentType, content: expectTag(content, TAG.octetString, "eContent").content }
}

function ocspResponse({ tag, children }: DerNode): readonly Uint8Array[] {
  if (tag !== 0xa1) return []
  const [format, info, ...more] = children
  if (info === undefined || more.length > 0) throw new DerError("revocation information of odd parts")
  if (readOid(format, "revocation format") !== ID_RI_OCSP_RESPONSE) return []
  return [info.bytes]
}

function readSignerInfo(node: DerNode, contentType: string): SignerInfo {
  const fields = [...expectTag(node, TAG.sequence, "SignerInfo").children]
  const [version, sid, digestAlgorithm] = fields.splice(0, 3)
  readVersion(version, "SignerInfo version")
  const signed = takeOptional(fields, 0xa0)
  const [signatureAlgorithm, signature] = fields.splice(0, 2)
  const unsigned = takeOptional(fields, 0xa1)
  if (fields.length > 0) throw new DerError("SignerInfo has more parts than the standard")
  return {
    contentType,
    sid: readSignerIdentifier(sid),
    digestAlgorithm: expectTag(digestAlgorithm, TAG.sequence, "digest algorithm").bytes,
    ...(signed === undefined ? {} : { signedAttributes: writeTagged(TAG.set, signed.content) }),
    signedAttributeList: readAttributes(signed),
    signatureAlgorithm: expectTag(signatureAlgorithm, TAG.sequence, "signature algorithm").bytes,
    signature: expectTag(signature, TAG.octetString, "signature").content,
    unsignedAttributes: readAttributes(unsigned),
  }
}

function readSignerIdentifier(node: DerNode | undefined): SignerIdentifier {
  if (node?.tag === 0x80) return { subjectKeyIdentifier: node.content }
  const [issuer, serialNumber, ...more] = expectTag(node, TAG.sequence, "signer identifier").children
  if (more.length > 0) throw new DerError("signer identifier has more than two parts")
  return {
    issuer: expectTag(issuer, TAG.sequence, "issuer").bytes,
    serialNumber: readInteger(serialNumber, "serial number"),
  }
}

function readAttributes(set: DerNode | undefined): readonly Attribute[] {
  const attributes = set?.children ?? []
  if (attributes.length > MAX_ATTRIBUTES) throw new DerError("too many attributes")
  return attributes.map((attribute) => {
    const [type, values, ...more] = expectTag(attribute, TAG.sequence, "attribute").children
    if (more.length > 0) throw new DerError("attribute has more than two parts")
    const { children } = expectTag(values, TAG.set, "attribute values")
    return { type: readOid(type, "attribute type"), values: children.map(({ bytes }) => bytes) }
  })
}

function readVersion(node: DerNode | undefined, what: string): number {
  const version = readInteger(node, what)
  // RFC 5652, 10.2.5: v0 to v5.
  if (version < 0n || version > 5n) throw new DerError(`${what} is unknown`)
  return Number(version)
}
