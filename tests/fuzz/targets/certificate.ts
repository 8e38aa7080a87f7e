// Certificates, their extensions, their paths, and the verification of a signature as such.

import { join } from "node:path"
import { type Certificate, readCertificate } from "@paraph/pki/certificate"
import { DerError, readDer } from "@paraph/pki/der"
import { bitString, explicit, integer, nullValue, octetString, oid, sequence } from "@paraph/pki/der-writer"
import { readCrlDistributionPoints, readFreshestCrl } from "@paraph/pki/distribution-point"
import {
  hasOcspNoCheck,
  readAuthorityInfoAccess,
  readAuthorityKeyIdentifier,
  readBasicConstraints,
  readCertificatePolicies,
  readExtendedKeyUsage,
  readInhibitAnyPolicy,
  readIssuerAltName,
  readKeyUsage,
  readNameConstraints,
  readPolicyConstraints,
  readPolicyMappings,
  readQcStatements,
  readSubjectAltName,
} from "@paraph/pki/extensions"
import { SIGNATURE_ALGORITHMS } from "@paraph/pki/signature-algorithm"
import { verifySignature } from "@paraph/pki/verify-signature"
import { filesIn } from "../corpus.ts"
import { sampleWorld, type World } from "../sample-pki.ts"
import { must, same, type Target } from "../target.ts"

export const certificate: Target = {
  name: "certificate",
  kind: "der",
  seeds,
  corpus,
  refusals: [DerError],
  run: async (input) => {
    const read = readCertificate(input)
    checkParts(read)
    const world = await sampleWorld()
    if (signedBy(read, world))
      must(
        ownTbs(world).some((tbs) => same(tbs, read.tbs)),
        "only what the issuer signed verifies",
      )
    return `${read.version} ${read.keyKind}`
  },
}

function corpus(folder: string): readonly Uint8Array[] {
  return filesIn(join(folder, "pkits"), ".crt", 4_000)
}

async function seeds(): Promise<readonly Uint8Array[]> {
  return Object.values(await sampleWorld()).map(({ certificate }) => certificate.der)
}

// RFC 5280, 4.1, from the fields as they were read, one by one, so that one fault does not hide another. What optional
// fields hold has a target of its own.
function checkParts(read: Certificate): void {
  const [tbs, algorithm, , ...rest] = readDer(read.der).children
  const fields = [...(tbs?.children ?? [])]
  const version = read.version === 1 ? undefined : fields.shift()
  const [serialNumber, , , validity, , spki] = fields
  must(rest.length === 0, "a certificate has three parts")
  must(
    version === undefined || same(version.bytes, explicit(0, integer(read.version - 1))),
    "the version, written from what was read, is the same",
  )
  must(
    serialNumber !== undefined && same(serialNumber.bytes, integer(read.serialNumber)),
    "the serial number, written from what was read, is the same",
  )
  // PKITS 4.2.4 has a GeneralizedTime where RFC 5280, 4.1.2.5 wants UTCTime, and wants it accepted.
  must(validity?.children.length === 2, "a validity has two parts")
  must(spki?.children.length === 2, "a SubjectPublicKeyInfo has two parts")
  for (const one of [algorithm, spki?.children[0]])
    must((one?.children.length ?? 0) <= 2, "an AlgorithmIdentifier has at most two parts")
}

function signedBy(read: Certificate, { root }: World): boolean {
  const { publicKeySpki } = root.certificate
  const { signatureAlgorithm: algorithm, tbs: signed, signature: value } = read
  return verifySignature({ algorithm, publicKeySpki, signed, value })
}

function ownTbs(world: World): readonly Uint8Array[] {
  return Object.values(world).map(({ certificate }) => certificate.tbs)
}

const READERS = {
  basicConstraints: readBasicConstraints,
  keyUsage: readKeyUsage,
  extendedKeyUsage: readExtendedKeyUsage,
  authorityKeyIdentifier: readAuthorityKeyIdentifier,
  subjectAltName: readSubjectAltName,
  issuerAltName: readIssuerAltName,
  nameConstraints: readNameConstraints,
  certificatePolicies: readCertificatePolicies,
  policyMappings: readPolicyMappings,
  policyConstraints: readPolicyConstraints,
  inhibitAnyPolicy: readInhibitAnyPolicy,
  crlDistributionPoints: readCrlDistributionPoints,
  freshestCrl: readFreshestCrl,
  authorityInfoAccess: readAuthorityInfoAccess,
  ocspNoCheck: hasOcspNoCheck,
  qcStatements: readQcStatements,
}

export const extensions: Target = {
  name: "extensions",
  kind: "der",
  seeds,
  corpus,
  refusals: [DerError],
  run: (input) => {
    const { extensions: list } = readCertificate(input)
    const ways: string[] = []
    for (const [name, read] of Object.entries(READERS)) {
      try {
        const value = read(list)
        if (value !== undefined && value !== false) ways.push(name)
      } catch (error) {
        // One that cannot be read spoils no other.
        if (!(error instanceof DerError)) throw error
        ways.push(`${name}: ${error.message}`)
      }
    }
    return ways.join(", ")
  },
}

export const signatureValue: Target = {
  name: "signature-value",
  kind: "der",
  seeds: async () => {
    const { signer, root } = await sampleWorld()
    const { signatureAlgorithm, signature } = signer.certificate
    const { publicKeySpki } = root.certificate
    const value = sequence(signatureAlgorithm, publicKeySpki, octetString(signature))
    return [value, ...OTHER_KINDS]
  },
  corpus: (folder) =>
    corpus(folder).flatMap((one) => {
      try {
        const { signatureAlgorithm, publicKeySpki } = readCertificate(one)
        return [sequence(signatureAlgorithm, publicKeySpki, integer(1))]
      } catch {
        return []
      }
    }),
  refusals: [DerError],
  run: async (input) => {
    const [algorithm, key, value] = readDer(input).children
    if (algorithm === undefined || key === undefined || value === undefined) return "no parts"
    const { signer, root } = await sampleWorld()
    const order = { algorithm: algorithm.bytes, publicKeySpki: key.bytes, value: value.content }
    const valid = verifySignature({ ...order, signed: signer.certificate.tbs, digest: "sha256" })
    if (valid) must(same(value.content, signer.certificate.signature), "a signature has one encoding")
    if (valid) must(same(key.bytes, root.certificate.publicKeySpki), "a key has one encoding")
    return String(valid)
  },
}

// Keys that nobody has: the base point of P-256, and a modulus that is just large and odd.
const P256 = sequence(
  sequence(oid("1.2.840.10045.2.1"), oid("1.2.840.10045.3.1.7")),
  bitString(
    Buffer.from(
      "046b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296" +
        "4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5",
      "hex",
    ),
  ),
)
const RSA = sequence(
  sequence(oid("1.2.840.113549.1.1.1"), nullValue()),
  bitString(sequence(integer((1n << 2047n) + 987_654_321n), integer(65_537))),
)

const OTHER_KINDS: readonly Uint8Array[] = [
  [SIGNATURE_ALGORITHMS["ecdsa-sha256"], P256, sequence(integer(5), integer(7))] as const,
  [SIGNATURE_ALGORITHMS["rsa-sha256"], RSA, new Uint8Array(256).fill(3)] as const,
  [SIGNATURE_ALGORITHMS["rsa-pss-sha256"], RSA, new Uint8Array(256).fill(3)] as const,
].map(([{ identifier }, key, value]) => sequence(identifier, key, octetString(value)))
