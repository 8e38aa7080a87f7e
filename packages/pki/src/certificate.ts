// What a signer needs to know of an X.509 certificate (RFC 5280, 4.1). Nothing here says that it can be trusted.

import {
  DerError,
  type DerNode,
  expectTag,
  readBits,
  readDer,
  readInteger,
  readOid,
  readTime,
  TAG,
} from "./der.ts"

export type KeyKind = "RSA" | "EC P-256" | "EC P-384" | "Ed25519" | "other"

export type Certificate = {
  readonly der: Uint8Array
  readonly serialNumber: bigint
  /** Names as encoded: two names are the same here only if their bytes are. */
  readonly issuer: Uint8Array
  readonly subject: Uint8Array
  /** The common name, else the organisation: to show, never to decide by. */
  readonly subjectName: string
  readonly publicKeySpki: Uint8Array
  readonly keyKind: KeyKind
  readonly notBefore: Date
  readonly notAfter: Date
  readonly subjectKeyIdentifier?: Uint8Array
}

export function readCertificate(der: Uint8Array): Certificate {
  const [tbs, algorithm, signature, ...rest] = expectTag(readDer(der), TAG.sequence, "certificate").children
  expectTag(algorithm, TAG.sequence, "signature algorithm")
  readBits(signature, "signature")
  if (rest.length > 0) throw new DerError("certificate has more than three parts")

  const fields = [...expectTag(tbs, TAG.sequence, "tbsCertificate").children]
  if (fields[0]?.tag === 0xa0) fields.shift() // version
  const [serialNumber, , issuer, validity, subject, spki, ...optional] = fields
  const [notBefore, notAfter] = expectTag(validity, TAG.sequence, "validity").children
  const publicKey = expectTag(spki, TAG.sequence, "subjectPublicKeyInfo")
  const subjectNode = expectTag(subject, TAG.sequence, "subject")
  const subjectKeyIdentifier = readSubjectKeyIdentifier(optional.find((field) => field.tag === 0xa3))
  return {
    der,
    serialNumber: readInteger(serialNumber, "serial number"),
    issuer: expectTag(issuer, TAG.sequence, "issuer").bytes,
    subject: subjectNode.bytes,
    subjectName: displayName(subjectNode),
    publicKeySpki: publicKey.bytes,
    keyKind: readKeyKind(publicKey),
    notBefore: readTime(notBefore, "notBefore"),
    notAfter: readTime(notAfter, "notAfter"),
    ...(subjectKeyIdentifier === undefined ? {} : { subjectKeyIdentifier }),
  }
}

function readKeyKind(spki: DerNode): KeyKind {
  const [algorithm, key] = spki.children
  const [kind, parameters] = expectTag(algorithm, TAG.sequence, "key algorithm").children
  readBits(key, "public key")
  switch (readOid(kind, "key algorithm")) {
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
    for (const attribute of expectTag(relative, TAG.set, "relative name").children) {
      const [type, value] = expectTag(attribute, TAG.sequence, "name attribute").children
      if (value !== undefined) found.set(readOid(type, "name attribute"), text(value))
    }
  }
  return found.get(COMMON_NAME) ?? found.get(ORGANIZATION) ?? ""
}

function text({ tag, content }: DerNode): string {
  const bytes = Buffer.from(content)
  if (tag === TAG.bmpString) return bytes.length % 2 === 0 ? bytes.swap16().toString("utf16le") : ""
  return bytes.toString(tag === TAG.t61String ? "latin1" : "utf8")
}

function readSubjectKeyIdentifier(extensions: DerNode | undefined): Uint8Array | undefined {
  for (const extension of extensions?.children[0]?.children ?? []) {
    const [id, ...rest] = expectTag(extension, TAG.sequence, "extension").children
    if (readOid(id, "extension") !== "2.5.29.14") continue
    const value = expectTag(rest[rest.length - 1], TAG.octetString, "extension value")
    return expectTag(readDer(value.content), TAG.octetString, "subject key identifier").content
  }
  return undefined
}
