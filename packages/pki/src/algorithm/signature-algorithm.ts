// The signature algorithms that we make, one row each (RFC 4056, 5754, 5758, 8419).

import { DerError, readDer, readInteger, TAG } from "../der/der.ts"
import { explicit, integer, nullValue, oid, sequence } from "../der/der-writer.ts"
import { digestIdentifier } from "./digest.ts"
import { ED25519, MGF1, RSA_PSS, verifySignature } from "./verify-signature.ts"

export type KeyKind = "RSA" | "EC P-256" | "EC P-384" | "Ed25519" | "other"

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
export function algorithmFor(certificate: { readonly keyKind: KeyKind }): SignatureAlgorithm {
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

// RFC 4055, 3.1: the parameters say everything, because all the defaults are those of SHA-1. Here the digest carries a
// NULL, which is how the standard prints these identifiers.
function pssIdentifier(): Uint8Array {
  const sha256 = sequence(oid("2.16.840.1.101.3.4.2.1"), nullValue())
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
