// Verifies one signer of a CMS SignedData (RFC 5652, 5.4 and 5.6) with a certificate that the caller has. The verdict is
// about the bytes alone; whether the certificate can be trusted is path validation's to say.

import { createHash } from "node:crypto"
import { type DigestName, digestAlgorithmName } from "../algorithm/digest.ts"
import { isSameAlgorithm } from "../algorithm/same-algorithm.ts"
import { readSignatureScheme, verifySignature } from "../algorithm/verify-signature.ts"
import { type AlgorithmPolicy, isTooWeak, isWeakDigest } from "../algorithm/weakness.ts"
import type { Certificate } from "../certificate/certificate.ts"
import { sameName } from "../certificate/name.ts"
import { readableCertificates } from "../certificate/readable-certificates.ts"
import {
  DerError,
  type DerNode,
  expectTag,
  readDer,
  readInteger,
  readOid,
  scanValue,
  TAG,
} from "../der/der.ts"
import { writeTagged } from "../der/der-writer.ts"
import { ifReadable } from "../der/optional.ts"
import type { Attribute, SignedData, SignerInfo } from "./signed-data.ts"

export type SignerFault =
  /** The signer identifier names another certificate. */
  | "certificate"
  /** We do not know the algorithm, or its parameters are not those of the standard. */
  | "digest-algorithm"
  | "signature-algorithm"
  /** None, or one of them twice, of two values, or malformed. */
  | "signed-attributes"
  | "content-type"
  | "message-digest"
  /** The ESS attribute is missing though asked for, or names another certificate (RFC 2634, RFC 5035). */
  | "signing-certificate"
  /** RFC 6211: the algorithms were exchanged after signing. */
  | "algorithm-protection"
  /** The digest of the content, the signature, the key, or the hash that names the certificate. */
  | "algorithm-too-weak"
  | "signature"

export type SignerVerdict =
  | {
      readonly valid: true
      /** For whoever decides which algorithms still count. Ed25519 takes the bytes without a digest. */
      readonly digest: DigestName
      readonly signatureDigest: DigestName | "none"
      /** The hash by which the signed attributes name the certificate; absent if they do not. */
      readonly signingCertificateDigest?: DigestName
    }
  | { readonly valid: false; readonly reason: SignerFault }

export type SignerCheck = {
  readonly certificate: Certificate
  /** By default true: CAdES (EN 319 122-1, 5.2.2) and RFC 3161 demand it. Signatures of adbe.pkcs7.detached have none. */
  readonly needsSigningCertificate?: boolean
  readonly algorithms?: AlgorithmPolicy
  /** The eContentType; by default id-data, as EN 319 142-1, 4.1 and ISO 32000-2, 12.8.3.3 demand of a signature in a PDF. */
  readonly contentType?: string
} & (
  | { readonly content: Uint8Array }
  /** The digest by `digestAlgorithmName(signerInfo.digestAlgorithm)`. */
  | { readonly contentDigest: Uint8Array }
)

/**
 * RFC 5652, 5.3 lets a signature over id-data go without signed attributes. We do not: nothing would bind the
 * certificate, and the same value could be read as a signature over attributes.
 */
export function verifySignerInfo(signer: SignerInfo, check: SignerCheck): SignerVerdict {
  try {
    return verify(signer, check)
  } catch (error) {
    if (error instanceof Fault) return { valid: false, reason: error.reason }
    throw error
  }
}

/** The certificate that the signer identifier names, among those of the SignedData and others that the caller has. */
export function findSigner(
  signedData: SignedData,
  signer: SignerInfo,
  others: readonly Certificate[] = [],
): Certificate | undefined {
  const found = [...readableCertificates(signedData.certificates), ...others]
  return found.find((certificate) => names(signer, certificate))
}

/** Ends the verification from any depth; never leaves this file. */
class Fault extends Error {
  readonly reason: SignerFault
  constructor(reason: SignerFault) {
    super(reason)
    this.name = "Fault"
    this.reason = reason
  }
}

function verify(signer: SignerInfo, check: SignerCheck): SignerVerdict {
  const { certificate } = check
  if (!names(signer, certificate)) throw new Fault("certificate")
  const digest = orFault("digest-algorithm", () => digestAlgorithmName(signer.digestAlgorithm))
  const scheme = orFault("signature-algorithm", () => readSignatureScheme(signer.signatureAlgorithm, digest))
  if (signer.signedAttributes === undefined) throw new Fault("signed-attributes")
  checkContentType(signer, check.contentType ?? ID_DATA)
  checkMessageDigest(signer, "content" in check ? hash(digest, check.content) : check.contentDigest)
  const named = checkSigningCertificate(signer, certificate)
  if (named === undefined && check.needsSigningCertificate !== false) throw new Fault("signing-certificate")
  checkAlgorithmProtection(signer)

  const { publicKeySpki } = certificate
  // Not the hash by which ESS names the certificate: to deceive by it takes a second preimage that is a certificate of the
  // same key, and nearly half of the time-stamping authorities in use still name theirs by SHA-1.
  const hasWeakDigest = check.algorithms !== "any" && isWeakDigest(digest)
  if (hasWeakDigest || isTooWeak(scheme, publicKeySpki, check.algorithms))
    throw new Fault("algorithm-too-weak")
  const { signatureAlgorithm: algorithm, signature: value } = signer
  const signed = inOrder(signer.signedAttributes)
  if (!verifySignature({ algorithm, digest, publicKeySpki, signed, value })) throw new Fault("signature")
  return {
    valid: true,
    digest,
    signatureDigest: scheme.scheme === "ed25519" ? "none" : scheme.digest,
    ...(named === undefined ? {} : { signingCertificateDigest: named }),
  }
}

// RFC 5652, 5.4: what is signed is the DER of the attributes, whichever order they have in the message (X.690, 11.6). Some
// sign the order that they wrote; others than the standard's own readers take that for right.
function inOrder(signedAttributes: Uint8Array): Uint8Array {
  // Not looked into: one of them may be a list with all certificates that an authority has revoked.
  const { contentStart, end } = scanValue(signedAttributes, 0, signedAttributes.length)
  const encoded: Uint8Array[] = []
  for (let at = contentStart; at < end; ) {
    const next = scanValue(signedAttributes, at, end).end
    encoded.push(signedAttributes.subarray(at, next))
    at = next
  }
  const isInOrder = encoded.every((one, i) => i === 0 || Buffer.compare(encoded[i - 1] ?? one, one) <= 0)
  return isInOrder ? signedAttributes : writeTagged(TAG.set, Buffer.concat(encoded.toSorted(Buffer.compare)))
}

function names({ sid }: SignerInfo, certificate: Certificate): boolean {
  if ("subjectKeyIdentifier" in sid) {
    const { subjectKeyIdentifier } = certificate
    return subjectKeyIdentifier !== undefined && equal(sid.subjectKeyIdentifier, subjectKeyIdentifier)
  }
  if (sid.serialNumber !== certificate.serialNumber) return false
  return ifReadable(() => sameName(sid.issuer, certificate.issuer)) === true
}

const ID_DATA = "1.2.840.113549.1.7.1"
const CONTENT_TYPE = "1.2.840.113549.1.9.3"
const MESSAGE_DIGEST = "1.2.840.113549.1.9.4"
const SIGNING_CERTIFICATE = "1.2.840.113549.1.9.16.2.12"
const SIGNING_CERTIFICATE_V2 = "1.2.840.113549.1.9.16.2.47"
const ALGORITHM_PROTECTION = "1.2.840.113549.1.9.52"

// RFC 5652, 11.1: the attribute repeats eContentType, so that a content cannot be read as one of another type.
function checkContentType(signer: SignerInfo, expected: string): void {
  const value = single(signer, CONTENT_TYPE)
  if (value === undefined) throw new Fault("signed-attributes")
  const type = orFault("signed-attributes", () => readOid(value, "content type"))
  if (type !== signer.contentType || type !== expected) throw new Fault("content-type")
}

function checkMessageDigest(signer: SignerInfo, contentDigest: Uint8Array): void {
  const value = single(signer, MESSAGE_DIGEST)
  if (value?.tag !== TAG.octetString) throw new Fault("signed-attributes")
  if (!equal(value.content, contentDigest)) throw new Fault("message-digest")
}

/** The digest by which the attributes name the certificate. Both versions may be there, and then both must be right. */
function checkSigningCertificate(signer: SignerInfo, certificate: Certificate): DigestName | undefined {
  const v1 = single(signer, SIGNING_CERTIFICATE)
  const v2 = single(signer, SIGNING_CERTIFICATE_V2)
  const first = v1 && orFault("signed-attributes", () => readEssCertId(v1, "sha1"))
  const second = v2 && orFault("signed-attributes", () => readEssCertId(v2, "sha256"))
  for (const named of [first, second]) {
    if (named === undefined) continue
    const { serialNumber } = named
    if (!equal(named.certHash, hash(named.digest, certificate.der))) throw new Fault("signing-certificate")
    if (serialNumber !== undefined && serialNumber !== certificate.serialNumber)
      throw new Fault("signing-certificate")
  }
  return (second ?? first)?.digest
}

type EssCertId = {
  readonly digest: DigestName
  readonly certHash: Uint8Array
  readonly serialNumber?: bigint
}

// RFC 5035, 3 and 4: the first one names the signer's certificate, others would limit its path. Version 1 is SHA-1;
// version 2 is SHA-256 unless it says otherwise, and some say so of the default too. The issuer's name in issuerSerial
// adds nothing to the hash.
function readEssCertId(attribute: DerNode, byDefault: DigestName): EssCertId {
  const [certs] = expectTag(attribute, TAG.sequence, "SigningCertificate").children
  const [first] = expectTag(certs, TAG.sequence, "certs").children
  const fields = [...expectTag(first, TAG.sequence, "ESSCertID").children]
  const algorithm = fields[0]?.tag === TAG.sequence ? fields.shift() : undefined
  const [certHash, issuerSerial, ...more] = fields
  if (more.length > 0) throw new DerError("ESSCertID has more parts than the standard")
  const { content } = expectTag(certHash, TAG.octetString, "certHash")
  const digest = algorithm === undefined ? byDefault : digestAlgorithmName(algorithm.bytes)
  if (digest === undefined) throw new Fault("signing-certificate")
  if (issuerSerial === undefined) return { digest, certHash: content }
  const [, serialNumber] = expectTag(issuerSerial, TAG.sequence, "issuerSerial").children
  return { digest, certHash: content, serialNumber: readInteger(serialNumber, "serial number") }
}

// RFC 6211, 3: what the attribute says must be what SignerInfo says.
function checkAlgorithmProtection(signer: SignerInfo): void {
  const value = single(signer, ALGORITHM_PROTECTION)
  if (value === undefined) return
  const [digest, signature, ...more] = value.children
  if (digest === undefined || signature?.tag !== 0xa1 || more.length > 0)
    throw new Fault("algorithm-protection")
  // The attribute has the signature algorithm with an implicit tag.
  const named = readDer(writeTagged(TAG.sequence, signature.content))
  const same =
    isSameAlgorithm(digest, readDer(signer.digestAlgorithm)) &&
    isSameAlgorithm(named, readDer(signer.signatureAlgorithm))
  if (!same) throw new Fault("algorithm-protection")
}

// RFC 5652, 11: each of these attributes stands there once and has one value.
function single({ signedAttributeList }: SignerInfo, type: string): DerNode | undefined {
  const found = signedAttributeList.filter((attribute: Attribute) => attribute.type === type)
  const [value, ...more] = found.flatMap(({ values }) => values)
  if (found.length === 0) return undefined
  if (found.length > 1 || value === undefined || more.length > 0) throw new Fault("signed-attributes")
  return orFault("signed-attributes", () => readDer(value))
}

function orFault<T>(reason: SignerFault, read: () => T | undefined): T {
  const value = ifReadable(read)
  if (value === undefined) throw new Fault(reason)
  return value
}

function hash(digest: DigestName, bytes: Uint8Array): Uint8Array {
  return createHash(digest).update(bytes).digest()
}

function equal(a: Uint8Array, b: Uint8Array): boolean {
  return Buffer.compare(a, b) === 0
}
