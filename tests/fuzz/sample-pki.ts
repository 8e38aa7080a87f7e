// A small world of trust whose bytes are the same in every run: Ed25519 signs without chance, and the keys are fixed.
// Nothing here is secret, and nothing here is to be trusted.

import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign } from "node:crypto"
import { type Certificate, readCertificate } from "@paraph/pki/certificate"
import { type CertificateOrder, issueCertificate, writeName } from "@paraph/pki/certificate-writer"
import {
  SIGNATURE_TIMESTAMP_TOKEN,
  signedAttributes,
  signedData,
  withUnsignedAttribute,
} from "@paraph/pki/cms"
import { explicit, integer, oid, sequence, utf8String, writeTagged } from "@paraph/pki/der-writer"
import { EXTENSION } from "@paraph/pki/extensions"
import { readTimestampRequest, timestampRequest } from "@paraph/pki/timestamp"
import { writeTimestampToken } from "@paraph/pki/timestamp-writer"

export const NOW = new Date("2026-11-15T05:00:00Z")
const DAY_MS = 86_400_000

export type Holder = {
  readonly certificate: Certificate
  readonly signBytes: (bytes: Uint8Array) => Promise<Uint8Array>
}

export type World = {
  readonly root: Holder
  readonly signer: Holder
  readonly tsa: Holder
  readonly responder: Holder
}

let world: Promise<World> | undefined

export function sampleWorld(): Promise<World> {
  world ??= makeWorld()
  return world
}

async function makeWorld(): Promise<World> {
  const rootKey = newKey(1)
  const name = writeName({ commonName: "Fuzz root", organization: "Nobody", country: "DE" })
  const issue = issuerOf(rootKey, name)
  const root = await issue(1, rootKey, {
    subject: name,
    basicConstraints: { ca: true, pathLength: 3 },
    keyUsage: ["keyCertSign", "cRLSign"],
    otherExtensions: constraints(),
  })
  const signer = await issue(2, newKey(2), {
    keyUsage: ["digitalSignature", "contentCommitment"],
    certificatePolicies: ["2.23.140.1.2.1", "1.3.6.1.4.1.99999.1"],
    crlDistributionPoints: ["http://crl.test/a.crl", "ldap://crl.test/b"],
    authorityInfoAccess: { ocsp: ["http://ocsp.test"], caIssuers: ["http://ca.test/a.cer"] },
    otherExtensions: alternativeNames(),
  })
  const tsa = await issue(3, newKey(3), {
    keyUsage: ["digitalSignature"],
    extendedKeyUsage: ["1.3.6.1.5.5.7.3.8"],
    extendedKeyUsageCritical: true,
  })
  const responder = await issue(4, newKey(4), {
    keyUsage: ["digitalSignature"],
    extendedKeyUsage: ["1.3.6.1.5.5.7.3.9"],
    ocspNoCheck: true,
  })
  return { root, signer, tsa, responder }
}

type Wishes = Partial<CertificateOrder> & Pick<CertificateOrder, "keyUsage">

function issuerOf(issuerKey: KeyObject, issuer: Uint8Array) {
  return async (serial: number, key: KeyObject, wishes: Wishes): Promise<Holder> => {
    const der = await issueCertificate({
      subject: writeName({ commonName: `Fuzz ${serial}`, country: "DE" }),
      issuer,
      serialNumber: BigInt(serial) << 64n,
      notBefore: new Date(NOW.getTime() - DAY_MS),
      notAfter: new Date(NOW.getTime() + 9_000 * DAY_MS),
      publicKeySpki: spki(key),
      authorityKeyIdentifier: createHash("sha256").update(issuer).digest().subarray(0, 20),
      algorithm: "ed25519",
      issuerPublicKeySpki: spki(issuerKey),
      signBytes: signWith(issuerKey),
      ...wishes,
    })
    return { certificate: readCertificate(der), signBytes: signWith(key) }
  }
}

// RFC 8410, 7: a private key is 32 octets, whichever they are.
function newKey(number: number): KeyObject {
  const header = Buffer.from("302e020100300506032b657004220420", "hex")
  const key = Buffer.concat([header, new Uint8Array(32).fill(number)])
  return createPrivateKey({ key, format: "der", type: "pkcs8" })
}

function spki(key: KeyObject): Uint8Array {
  return new Uint8Array(createPublicKey(key).export({ type: "spki", format: "der" }))
}

function signWith(key: KeyObject): (bytes: Uint8Array) => Promise<Uint8Array> {
  return async (bytes) => new Uint8Array(sign(null, bytes, key))
}

// Extensions that no certificate of ours has, so that their readers are met.
function constraints() {
  const subtree = sequence(writeTagged(0x82, Buffer.from("example.test")))
  const policy = oid("1.3.6.1.4.1.99999.1")
  return [
    {
      id: EXTENSION.nameConstraints,
      critical: true,
      value: sequence(writeTagged(0xa0, subtree), writeTagged(0xa1, subtree)),
    },
    {
      id: EXTENSION.policyMappings,
      critical: false,
      value: sequence(sequence(policy, oid("1.3.6.1.4.1.99999.2"))),
    },
    {
      id: EXTENSION.policyConstraints,
      critical: true,
      value: sequence(writeTagged(0x80, Uint8Array.of(1)), writeTagged(0x81, Uint8Array.of(0))),
    },
    { id: EXTENSION.inhibitAnyPolicy, critical: true, value: integer(2) },
  ]
}

function alternativeNames() {
  const other = writeTagged(0xa0, oid("1.3.6.1.4.1.311.20.2.3"), explicit(0, utf8String("a@b")))
  const directory = explicit(4, writeName({ commonName: "Somebody" }))
  const texts = [0x81, 0x82, 0x86].map((tag) => writeTagged(tag, Buffer.from("a.test")))
  const names = sequence(other, ...texts, directory, writeTagged(0x87, Uint8Array.of(127, 0, 0, 1)))
  return [
    { id: EXTENSION.subjectAltName, critical: false, value: names },
    { id: EXTENSION.qcStatements, critical: false, value: sequence(sequence(oid("0.4.0.1862.1.1"))) },
  ]
}

export const CONTENT = Buffer.from("what was signed")

/** A detached signature, and the same with a time-stamp. */
export async function sampleMarks({ root, signer, tsa }: World): Promise<readonly Uint8Array[]> {
  const contentDigest = createHash("sha512").update(CONTENT).digest()
  const attributes = signedAttributes({ contentDigest, certificate: signer.certificate })
  const signatureValue = await signer.signBytes(attributes)
  const mark = signedData({
    signedAttributes: attributes,
    signatureValue,
    certificate: signer.certificate,
    chain: [root.certificate],
    algorithm: "ed25519",
  })
  const token = await sampleToken(tsa, createHash("sha256").update(signatureValue).digest())
  return [mark, withUnsignedAttribute(mark, SIGNATURE_TIMESTAMP_TOKEN, token)]
}

export const NONCE = 0x1234567890abcdef1n

export function sampleTimestampRequest(digest: Uint8Array): Uint8Array {
  return timestampRequest({ digest, digestAlgorithm: "sha256", nonce: NONCE, policy: "1.3.6.1.4.1.99999.3" })
}

export function sampleToken(tsa: Holder, digest: Uint8Array): Promise<Uint8Array> {
  return writeTimestampToken({
    request: readTimestampRequest(sampleTimestampRequest(digest)),
    policy: "1.3.6.1.4.1.99999.3",
    serialNumber: 77n,
    genTime: new Date(NOW.getTime() + 120),
    accuracyMs: 1_500,
    certificate: tsa.certificate,
    chain: [],
    algorithm: "ed25519",
    signBytes: tsa.signBytes,
  })
}
