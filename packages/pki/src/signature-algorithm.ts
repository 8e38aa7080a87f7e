// The signature algorithms that we make, one row each, and the wider set that we read
// (RFC 4055, 4056, 5754, 5758, 8017, 8410, 8419).

import { constants, createPublicKey, type KeyObject, verify } from "node:crypto"
import type { Certificate, KeyKind } from "./certificate.ts"
import {
  DerError,
  type DerNode,
  expectTag,
  explicit,
  integer,
  nullValue,
  oid,
  readDer,
  readInteger,
  readOid,
  sequence,
  TAG,
} from "./der.ts"

const RSA = "1.2.840.113549.1.1.1"
const RSA_PSS = "1.2.840.113549.1.1.10"
const MGF1 = "1.2.840.113549.1.1.8"
const ED25519 = "1.3.101.112"

const DIGESTS = {
  sha1: "1.3.14.3.2.26",
  sha224: "2.16.840.1.101.3.4.2.4",
  sha256: "2.16.840.1.101.3.4.2.1",
  sha384: "2.16.840.1.101.3.4.2.2",
  sha512: "2.16.840.1.101.3.4.2.3",
} as const

/** As node:crypto spells it. SHA-1 is read only: whoever relies on a signature decides if it still counts. */
export type DigestName = keyof typeof DIGESTS

/** RFC 5754, 2: parameters are absent. */
export function digestIdentifier(digest: DigestName): Uint8Array {
  return sequence(oid(DIGESTS[digest]))
}

/** The digest that an AlgorithmIdentifier names; undefined for one that we do not know. */
export function digestAlgorithmName(identifier: Uint8Array): DigestName | undefined {
  const { algorithm, parameters } = readIdentifier(readDer(identifier))
  // RFC 5754, 2: absent parameters and NULL mean the same, and both must be read.
  if (parameters !== undefined && parameters.tag !== TAG.null)
    throw new DerError("a digest algorithm with parameters")
  return (Object.keys(DIGESTS) as DigestName[]).find((name) => DIGESTS[name] === algorithm)
}

/** The digests that we make signatures with. */
export type DigestAlgorithm = "sha256" | "sha384" | "sha512"

type Row = {
  readonly keyKind: KeyKind
  /** The digest of the content in a CMS; Ed25519 itself takes the bytes as they are. */
  readonly digest: DigestAlgorithm
  /** The AlgorithmIdentifier of digest and signature. */
  readonly digestIdentifier: Uint8Array
  readonly identifier: Uint8Array
  /** The encodings in which a key provider may hand over the value, as CMS wants it. */
  readonly encodings: (value: Uint8Array) => readonly Uint8Array[]
}

const asItIs = (value: Uint8Array): readonly Uint8Array[] => [value]

// The first row of a kind of key is its default.
export const SIGNATURE_ALGORITHMS = {
  "ecdsa-sha256": {
    keyKind: "EC P-256",
    digest: "sha256",
    digestIdentifier: digestIdentifier("sha256"),
    identifier: sequence(oid("1.2.840.10045.4.3.2")),
    encodings: (value) => ecdsaEncodings(value, 32),
  },
  "ecdsa-sha384": {
    keyKind: "EC P-384",
    digest: "sha384",
    digestIdentifier: digestIdentifier("sha384"),
    identifier: sequence(oid("1.2.840.10045.4.3.3")),
    encodings: (value) => ecdsaEncodings(value, 48),
  },
  "rsa-sha256": {
    keyKind: "RSA",
    digest: "sha256",
    digestIdentifier: digestIdentifier("sha256"),
    identifier: sequence(oid("1.2.840.113549.1.1.11"), nullValue()),
    encodings: asItIs,
  },
  "rsa-pss-sha256": {
    keyKind: "RSA",
    digest: "sha256",
    digestIdentifier: digestIdentifier("sha256"),
    identifier: pssIdentifier(),
    encodings: asItIs,
  },
  // RFC 8419, 3.1: with signed attributes the digest of the content is SHA-512.
  ed25519: {
    keyKind: "Ed25519",
    digest: "sha512",
    digestIdentifier: digestIdentifier("sha512"),
    identifier: sequence(oid(ED25519)),
    encodings: asItIs,
  },
} as const satisfies Record<string, Row>

export type SignatureAlgorithm = keyof typeof SIGNATURE_ALGORITHMS

/** The algorithm that a certificate's key signs with, unless the caller names another of the same kind of key. */
export function algorithmFor(certificate: Certificate): SignatureAlgorithm {
  const names = Object.keys(SIGNATURE_ALGORITHMS) as SignatureAlgorithm[]
  const found = names.find((name) => SIGNATURE_ALGORITHMS[name].keyKind === certificate.keyKind)
  if (found === undefined)
    throw new DerError(`no signature algorithm for a key of kind ${certificate.keyKind}`)
  return found
}

/** The value in the encoding of CMS; a value that the key did not make over these bytes never gets further. */
export function encodeSignature(
  algorithm: SignatureAlgorithm,
  publicKeySpki: Uint8Array,
  signed: Uint8Array,
  value: Uint8Array,
): Uint8Array {
  const row: Row = SIGNATURE_ALGORITHMS[algorithm]
  const verifies = (candidate: Uint8Array) =>
    verifySignature({ algorithm: row.identifier, publicKeySpki, signed, value: candidate })
  const encoded = row.encodings(value).find(verifies)
  if (encoded === undefined)
    throw new DerError("the signature value does not verify with the certificate's key")
  return encoded
}

/** What an AlgorithmIdentifier of a signature says, as far as it takes to verify one. */
export type SignatureScheme =
  | { readonly scheme: "rsa" | "ecdsa" | "dsa"; readonly digest: DigestName }
  | { readonly scheme: "rsa-pss"; readonly digest: DigestName; readonly saltLength: number }
  | { readonly scheme: "ed25519" }

/**
 * Whether the key made the value over the bytes. An algorithm that we do not know, a key of another kind and
 * anything malformed are `false`, since nothing is proved; `readSignatureScheme` tells an unknown one apart.
 */
export function verifySignature(input: {
  /** The AlgorithmIdentifier, encoded. */
  readonly algorithm: Uint8Array
  /** The digest that CMS names, for an algorithm that names none itself, such as rsaEncryption. */
  readonly digest?: string
  readonly publicKeySpki: Uint8Array
  readonly signed: Uint8Array
  readonly value: Uint8Array
}): boolean {
  try {
    const scheme = readSignatureScheme(input.algorithm, input.digest)
    const key = readKey(input.publicKeySpki)
    return scheme !== undefined && key !== undefined && verifyWith(scheme, key, input.signed, input.value)
  } catch (error) {
    if (error instanceof DerError) return false
    throw error
  }
}

const NAMED: Readonly<Record<string, SignatureScheme>> = {
  "1.2.840.113549.1.1.5": { scheme: "rsa", digest: "sha1" },
  "1.2.840.113549.1.1.14": { scheme: "rsa", digest: "sha224" },
  "1.2.840.113549.1.1.11": { scheme: "rsa", digest: "sha256" },
  "1.2.840.113549.1.1.12": { scheme: "rsa", digest: "sha384" },
  "1.2.840.113549.1.1.13": { scheme: "rsa", digest: "sha512" },
  "1.2.840.10045.4.1": { scheme: "ecdsa", digest: "sha1" },
  "1.2.840.10045.4.3.1": { scheme: "ecdsa", digest: "sha224" },
  "1.2.840.10045.4.3.2": { scheme: "ecdsa", digest: "sha256" },
  "1.2.840.10045.4.3.3": { scheme: "ecdsa", digest: "sha384" },
  "1.2.840.10045.4.3.4": { scheme: "ecdsa", digest: "sha512" },
  "1.2.840.10040.4.3": { scheme: "dsa", digest: "sha1" },
  "2.16.840.1.101.3.4.3.1": { scheme: "dsa", digest: "sha224" },
  "2.16.840.1.101.3.4.3.2": { scheme: "dsa", digest: "sha256" },
  [ED25519]: { scheme: "ed25519" },
}

/** The scheme, or undefined if we do not know it; throws a DerError for parameters that it must not have. */
export function readSignatureScheme(identifier: Uint8Array, digest?: string): SignatureScheme | undefined {
  const { algorithm, parameters } = readIdentifier(readDer(identifier))
  if (algorithm === RSA_PSS) return readPss(parameters)
  if (parameters !== undefined && (parameters.tag !== TAG.null || algorithm === ED25519))
    throw new DerError("a signature algorithm with parameters")
  if (algorithm !== RSA) return NAMED[algorithm]
  return digest !== undefined && isDigestName(digest) ? { scheme: "rsa", digest } : undefined
}

function isDigestName(name: string): name is DigestName {
  return Object.hasOwn(DIGESTS, name)
}

function readIdentifier(node: DerNode | undefined): { algorithm: string; parameters: DerNode | undefined } {
  const [algorithm, parameters, ...rest] = expectTag(node, TAG.sequence, "algorithm").children
  if (rest.length > 0) throw new DerError("an algorithm of more than two parts")
  return { algorithm: readOid(algorithm, "algorithm"), parameters }
}

// RFC 4055, 3.1. The defaults are those of SHA-1; a mask of another digest than the signature's is refused, as RFC 4055
// recommends against it and node:crypto takes one digest for both.
function readPss(parameters: DerNode | undefined): SignatureScheme | undefined {
  const parts = new Map(expectTag(parameters, TAG.sequence, "PSS parameters").children.map((p) => [p.tag, p]))
  if (parts.size !== parameters?.children.length) throw new DerError("PSS parameters that repeat")
  const inside = (tag: number) => parts.get(tag)?.children[0]
  const hash = inside(0xa0)
  const digest = hash === undefined ? "sha1" : digestAlgorithmName(hash.bytes)
  const mask = inside(0xa1)
  const saltLength = parts.has(0xa2) ? Number(readInteger(inside(0xa2), "salt length")) : 20
  const trailer = parts.has(0xa3) ? readInteger(inside(0xa3), "trailer field") : 1n
  if (digest === undefined) return undefined
  if (saltLength < 0 || saltLength > 1024 || trailer !== 1n) throw new DerError("PSS parameters out of range")
  if (maskDigest(mask) !== digest) throw new DerError("a PSS mask of another digest")
  return { scheme: "rsa-pss", digest, saltLength }
}

function maskDigest(mask: DerNode | undefined): DigestName | undefined {
  if (mask === undefined) return "sha1"
  const { algorithm, parameters } = readIdentifier(mask)
  if (algorithm !== MGF1 || parameters === undefined) throw new DerError("a PSS mask that is not MGF1")
  return digestAlgorithmName(parameters.bytes)
}

function readKey(spki: Uint8Array): KeyObject | undefined {
  try {
    return createPublicKey({ key: Buffer.from(spki), format: "der", type: "spki" })
  } catch {
    // Whatever OpenSSL has against a key, nothing can be verified with it.
    return undefined
  }
}

const KEY_TYPES: Record<SignatureScheme["scheme"], readonly string[]> = {
  rsa: ["rsa"],
  "rsa-pss": ["rsa", "rsa-pss"],
  ecdsa: ["ec"],
  dsa: ["dsa"],
  ed25519: ["ed25519"],
}

function verifyWith(scheme: SignatureScheme, key: KeyObject, signed: Uint8Array, value: Uint8Array): boolean {
  if (!KEY_TYPES[scheme.scheme].includes(key.asymmetricKeyType ?? "")) return false
  try {
    switch (scheme.scheme) {
      case "ed25519":
        return verify(null, signed, key, value)
      case "rsa-pss": {
        const { saltLength } = scheme
        return verify(
          scheme.digest,
          signed,
          { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength },
          value,
        )
      }
      case "rsa":
        return verify(scheme.digest, signed, { key, padding: constants.RSA_PKCS1_PADDING }, value)
      default:
        return verify(scheme.digest, signed, key, value)
    }
  } catch {
    // OpenSSL refuses some values and keys (a DSA key without parameters, say) with an error instead of "no".
    return false
  }
}

// RFC 4055, 3.1: the parameters say everything, because all the defaults are those of SHA-1. Here the digest carries a
// NULL, which is how the standard prints these identifiers.
function pssIdentifier(): Uint8Array {
  const sha256 = sequence(oid(DIGESTS.sha256), nullValue())
  const mask = sequence(oid(MGF1), sha256)
  const parameters = sequence(explicit(0, sha256), explicit(1, mask), explicit(2, integer(32)))
  return sequence(oid(RSA_PSS), parameters)
}

// node:crypto gives Ecdsa-Sig-Value (RFC 3279, 2.2.3), PKCS#11 gives r and s side by side. A value of the right length
// can in theory be read both ways, so both are offered and the verification decides.
function ecdsaEncodings(value: Uint8Array, size: number): readonly Uint8Array[] {
  const found: Uint8Array[] = []
  if (isEcdsaSigValue(value)) found.push(value)
  if (value.length === 2 * size) {
    const half = (from: number) =>
      BigInt(`0x${Buffer.from(value.subarray(from, from + size)).toString("hex")}`)
    found.push(sequence(integer(half(0)), integer(half(size))))
  }
  return found
}

function isEcdsaSigValue(value: Uint8Array): boolean {
  try {
    const { tag, children } = readDer(value, { maxDepth: 2, maxNodes: 3 })
    const positive = (index: number) => readInteger(children[index], "r or s") > 0n
    return tag === TAG.sequence && children.length === 2 && positive(0) && positive(1)
  } catch (error) {
    if (error instanceof DerError) return false
    throw error
  }
}
