// An X.509 certificate (RFC 5280, 4.1), read. Nothing here says that it can be trusted: see path-validation.ts. What its
// extensions mean is read by extensions.ts, when it is needed.

import { readIdentifier } from "../algorithm/digest.ts"
import type { KeyKind } from "../algorithm/signature-algorithm.ts"
import {
  DerError,
  type DerNode,
  expectTag,
  readBits,
  readDer,
  readInteger,
  readOid,
  readSignatureBits,
  readTime,
  TAG,
} from "../der/der.ts"
import { remembered } from "../der/remembered.ts"
import { shownText } from "../der/shown-text.ts"
import { type Extension, readExtensions } from "./extension.ts"
import { readSubjectKeyIdentifier } from "./extensions.ts"
import { checkName, readDirectoryText } from "./name.ts"

export type Certificate = {
  readonly der: Uint8Array
  /** The bytes that the issuer signed, the AlgorithmIdentifier of the signature, and its value. */
  readonly tbs: Uint8Array
  readonly signatureAlgorithm: Uint8Array
  readonly signature: Uint8Array
  readonly version: 1 | 2 | 3
  readonly serialNumber: bigint
  /** Names as encoded; `sameName` compares them as RFC 5280, 7.1 wants. */
  readonly issuer: Uint8Array
  readonly subject: Uint8Array
  /** The common name, else the organisation: to show, never to decide by. Without controls, and of bounded length. */
  readonly subjectName: string
  readonly publicKeySpki: Uint8Array
  readonly keyKind: KeyKind
  readonly notBefore: Date
  readonly notAfter: Date
  readonly extensions: readonly Extension[]
  readonly subjectKeyIdentifier?: Uint8Array
}

export const readCertificate: (der: Uint8Array) => Certificate = remembered((der) => {
  const [tbs, algorithm, signature, ...rest] = expectTag(readDer(der), TAG.sequence, "certificate").children
  if (rest.length > 0) throw new DerError("certificate has more than three parts")

  const fields = [...expectTag(tbs, TAG.sequence, "tbsCertificate").children]
  const version = readVersion(fields[0]?.tag === 0xa0 ? fields.shift() : undefined)
  const [serialNumber, innerAlgorithm, issuer, validity, subject, spki, ...optional] = fields
  const [notBefore, notAfter, ...later] = expectTag(validity, TAG.sequence, "validity").children
  if (later.length > 0) throw new DerError("validity has more than two parts")
  const publicKey = expectTag(spki, TAG.sequence, "subjectPublicKeyInfo")
  const subjectNode = expectTag(subject, TAG.sequence, "subject")
  const issuerNode = expectTag(issuer, TAG.sequence, "issuer")
  checkName(subjectNode)
  checkName(issuerNode)
  const extensions = readOptional(optional, version)
  const subjectKeyIdentifier = readSubjectKeyIdentifier(extensions)
  return {
    der,
    tbs: expectTag(tbs, TAG.sequence, "tbsCertificate").bytes,
    signatureAlgorithm: readAlgorithm(algorithm, innerAlgorithm),
    signature: readSignatureBits(signature, "signature"),
    version,
    serialNumber: readInteger(serialNumber, "serial number"),
    issuer: issuerNode.bytes,
    subject: subjectNode.bytes,
    subjectName: displayName(subjectNode),
    publicKeySpki: publicKey.bytes,
    keyKind: readKeyKind(publicKey),
    notBefore: readTime(notBefore, "notBefore"),
    notAfter: readTime(notAfter, "notAfter"),
    extensions,
    ...(subjectKeyIdentifier === undefined ? {} : { subjectKeyIdentifier }),
  }
})

// RFC 5280, 4.1.2.1: version 1 is the default, and DER leaves a default out.
function readVersion(field: DerNode | undefined): 1 | 2 | 3 {
  if (field === undefined) return 1
  if (field.children.length > 1) throw new DerError("a version of more than one part")
  const version = readInteger(field.children[0], "version")
  if (version !== 1n && version !== 2n) throw new DerError("an unknown version")
  return version === 1n ? 2 : 3
}

// RFC 5280, 4.1.1.2: what is signed names the algorithm too, so that nobody can exchange it.
function readAlgorithm(outer: DerNode | undefined, inner: DerNode | undefined): Uint8Array {
  const { bytes } = expectTag(outer, TAG.sequence, "signature algorithm")
  readIdentifier(outer)
  if (!Buffer.from(bytes).equals(expectTag(inner, TAG.sequence, "signature algorithm").bytes))
    throw new DerError("the two signature algorithms differ")
  return bytes
}

// RFC 5280, 4.1.2.8 and 4.1.2.9: unique identifiers [1] and [2] belong to versions 2 and 3, extensions [3] to version 3.
function readOptional(fields: readonly DerNode[], version: number): readonly Extension[] {
  let expected = 1
  for (const { tag } of fields) {
    const number = [0x81, 0x82, 0xa3].indexOf(tag) + 1
    if (number < expected || version < (number === 3 ? 3 : 2)) throw new DerError("an unexpected field")
    expected = number + 1
  }
  const extensions = fields.find(({ tag }) => tag === 0xa3)
  if (extensions === undefined) return []
  if (extensions.children.length !== 1) throw new DerError("extensions of more than one part")
  return readExtensions(extensions.children[0])
}

function readKeyKind(spki: DerNode): KeyKind {
  const [algorithm, key, ...rest] = spki.children
  if (rest.length > 0) throw new DerError("subjectPublicKeyInfo has more than two parts")
  const { algorithm: kind, parameters } = readIdentifier(algorithm)
  readBits(key, "public key")
  switch (kind) {
    case "1.2.840.113549.1.1.1":
      return "RSA"
    case "1.3.101.112":
      return "Ed25519"
    case "1.2.840.10045.2.1":
      return parameters?.tag === TAG.oid ? curve(readOid(parameters, "curve")) : "other"
    default:
      return "other"
  }
}

function curve(oid: string): KeyKind {
  if (oid === "1.2.840.10045.3.1.7") return "EC P-256"
  return oid === "1.3.132.0.34" ? "EC P-384" : "other"
}

const COMMON_NAME = "2.5.4.3"
const ORGANIZATION = "2.5.4.10"

function displayName(name: DerNode): string {
  const found = new Map<string, string>()
  for (const relative of name.children) {
    for (const attribute of relative.children) {
      const [type, value] = attribute.children
      const text = value && readDirectoryText(value)
      if (text !== undefined) found.set(readOid(type, "name attribute"), text)
    }
  }
  return shownText(found.get(COMMON_NAME) ?? found.get(ORGANIZATION) ?? "")
}
