// Writes CMS signatures (RFC 5652; EN 319 122-1): the detached one that PAdES puts into a PDF (EN 319 142-1, 6.3), and,
// around a content, the token of a time-stamping authority (RFC 3161, 2.4.2).

import { createHash } from "node:crypto"
import {
  algorithmFor,
  encodeSignature,
  SIGNATURE_ALGORITHMS,
  type SignatureAlgorithm,
} from "../algorithm/signature-algorithm.ts"
import type { Certificate } from "../certificate/certificate.ts"
import { BER_LIMITS } from "../der/ber.ts"
import { DerError, expectTag, readDer, TAG } from "../der/der.ts"
import { explicit, integer, octetString, oid, sequence, setOf, writeTagged } from "../der/der-writer.ts"

const ID_DATA = "1.2.840.113549.1.7.1"
const ID_SIGNED_DATA = oid("1.2.840.113549.1.7.2")
const CONTENT_TYPE = oid("1.2.840.113549.1.9.3")
const MESSAGE_DIGEST = oid("1.2.840.113549.1.9.4")
const SIGNING_CERTIFICATE_V2 = oid("1.2.840.113549.1.9.16.2.47")
const ALGORITHM_PROTECTION = oid("1.2.840.113549.1.9.52")

/** RFC 3161, appendix A: the unsigned attribute that makes B-T out of B-B. */
export const SIGNATURE_TIMESTAMP_TOKEN = "1.2.840.113549.1.9.16.2.14"

/**
 * The SET OF attributes that the key signs (RFC 5652, 5.4: the encoding with the SET tag, not the [0] of SignerInfo).
 * There is no signing-time: EN 319 142-1, 6.3 forbids it, and the time claimed is /M of the PDF.
 */
export function signedAttributes(input: {
  /** Made with the digest of the algorithm: SIGNATURE_ALGORITHMS[algorithm].digest. */
  readonly contentDigest: Uint8Array
  readonly certificate: Certificate
  /** By default the one of the certificate's key. */
  readonly algorithm?: SignatureAlgorithm
  /** By default id-data. */
  readonly contentType?: string
}): Uint8Array {
  const { contentDigest, certificate, algorithm = algorithmFor(input.certificate) } = input
  const expected = createHash(SIGNATURE_ALGORITHMS[algorithm].digest).digest().length
  if (contentDigest.length !== expected)
    throw new RangeError(`${algorithm} needs a content digest of ${expected} octets`)
  const attribute = (type: Uint8Array, value: Uint8Array) => sequence(type, setOf(value))
  return setOf(
    attribute(CONTENT_TYPE, oid(input.contentType ?? ID_DATA)),
    attribute(MESSAGE_DIGEST, octetString(contentDigest)),
    attribute(SIGNING_CERTIFICATE_V2, signingCertificate(certificate)),
    attribute(ALGORITHM_PROTECTION, algorithmProtection(algorithm)),
  )
}

// RFC 5035, 4: SHA-256 is the default of hashAlgorithm, and DER leaves a default out. issuerSerial is left out too: the
// hash binds the certificate already, and SignerInfo names issuer and serial number.
function signingCertificate({ der }: Certificate): Uint8Array {
  const certHash = createHash("sha256").update(der).digest()
  return sequence(sequence(sequence(octetString(certHash))))
}

// RFC 6211, 2: SignerInfo names its algorithms outside of what is signed; this repeats them inside.
function algorithmProtection(algorithm: SignatureAlgorithm): Uint8Array {
  const { digestIdentifier, identifier } = SIGNATURE_ALGORITHMS[algorithm]
  return sequence(digestIdentifier, writeTagged(0xa1, readDer(identifier).content))
}

/** The whole ContentInfo. Throws when the value was not made over these attributes by the key of the certificate. */
export function signedData(input: {
  readonly signedAttributes: Uint8Array
  readonly signatureValue: Uint8Array
  readonly certificate: Certificate
  readonly chain: readonly Certificate[]
  readonly algorithm: SignatureAlgorithm
  /** What is signed, if it is to be inside; its type is the one that the attributes name. Without it: detached id-data. */
  readonly encapsulated?: { readonly contentType: string; readonly content: Uint8Array }
  /** RFC 3161, 2.4.1: a request may ask for a token without certificates. */
  readonly withoutCertificates?: boolean
}): Uint8Array {
  const { encapsulated } = input
  const { digestIdentifier } = SIGNATURE_ALGORITHMS[input.algorithm]
  const certificates = input.withoutCertificates === true ? [] : distinct([input.certificate, ...input.chain])
  const body = sequence(
    // RFC 5652, 5.1: 3 where the content is not id-data, else 1.
    integer(encapsulated === undefined ? 1 : 3),
    setOf(digestIdentifier),
    encapsulated === undefined
      ? sequence(oid(ID_DATA))
      : sequence(oid(encapsulated.contentType), explicit(0, octetString(encapsulated.content))),
    ...(certificates.length === 0 ? [] : [writeTagged(0xa0, ...certificates)]),
    setOf(signerInfo(input)),
  )
  return sequence(ID_SIGNED_DATA, explicit(0, body))
}

function signerInfo(input: {
  readonly signedAttributes: Uint8Array
  readonly signatureValue: Uint8Array
  readonly certificate: Certificate
  readonly algorithm: SignatureAlgorithm
}): Uint8Array {
  const { certificate, algorithm } = input
  const { digestIdentifier, identifier } = SIGNATURE_ALGORITHMS[algorithm]
  const signature = encodeSignature(
    algorithm,
    certificate.publicKeySpki,
    input.signedAttributes,
    input.signatureValue,
  )
  return sequence(
    integer(1),
    sequence(certificate.issuer, integer(certificate.serialNumber)),
    digestIdentifier,
    writeTagged(0xa0, readDer(input.signedAttributes, BER_LIMITS).content),
    identifier,
    octetString(signature),
  )
}

// X.690, 11.6: the order of a SET OF.
function distinct(certificates: readonly Certificate[]): readonly Uint8Array[] {
  const byBytes = new Map(certificates.map(({ der }) => [Buffer.from(der).toString("latin1"), der]))
  return [...byBytes.values()].sort(Buffer.compare)
}

/**
 * The SignedData with one more unsigned attribute in its only SignerInfo. Every other value keeps its bytes, since the
 * signature and later time-stamps are over some of them; only the lengths around the addition grow.
 */
export function withUnsignedAttribute(
  signedDataDer: Uint8Array,
  type: string,
  value: Uint8Array,
): Uint8Array {
  readDer(value, BER_LIMITS)
  const [contentType, wrapped] = expectTag(
    readDer(signedDataDer, BER_LIMITS),
    TAG.sequence,
    "ContentInfo",
  ).children
  const body = expectTag(expectTag(wrapped, 0xa0, "content").children[0], TAG.sequence, "SignedData")
  const signers = expectTag(body.children.at(-1), TAG.set, "signerInfos")
  const [signer, ...others] = signers.children
  if (contentType === undefined || signer === undefined || others.length > 0)
    throw new DerError("SignedData does not have exactly one signer")

  const fields = [...signer.children]
  const unsigned = fields.at(-1)?.tag === 0xa1 ? fields.pop() : undefined
  const attributes = withOneMore(bytesOf(unsigned?.children ?? []), sequence(oid(type), setOf(value)))
  const grown = sequence(...bytesOf(fields), writeTagged(0xa1, Buffer.concat(attributes)))
  const before = bytesOf(body.children.slice(0, -1))
  return sequence(contentType.bytes, explicit(0, sequence(...before, setOf(grown))))
}

// X.690, 11.6: where the order of a SET OF puts it. The others stay as they stand, even out of order: a time-stamp of
// somebody else may be over them in that order.
function withOneMore(attributes: readonly Uint8Array[], added: Uint8Array): readonly Uint8Array[] {
  const next = attributes.findIndex((one) => Buffer.compare(one, added) > 0)
  return attributes.toSpliced(next === -1 ? attributes.length : next, 0, added)
}

function bytesOf(nodes: readonly { readonly bytes: Uint8Array }[]): Uint8Array[] {
  return nodes.map(({ bytes }) => bytes)
}
