// The signature algorithms we make, one row each (RFC 5754, RFC 5758). RSA-PSS and Ed25519 will be rows here.

import { createPublicKey, type KeyObject, verify } from "node:crypto"
import type { Certificate, KeyKind } from "./certificate.ts"
import { DerError, integer, nullValue, oid, readDer, readInteger, sequence, TAG } from "./der.ts"

type Row = {
  readonly keyKind: KeyKind
  readonly digest: "sha256"
  /** The AlgorithmIdentifier of digest and signature. */
  readonly digestIdentifier: Uint8Array
  readonly identifier: Uint8Array
  /** The encodings in which a key provider may hand over the value, as CMS wants it. */
  readonly encodings: (value: Uint8Array) => readonly Uint8Array[]
}

const SHA256 = sequence(oid("2.16.840.1.101.3.4.2.1"))

export const SIGNATURE_ALGORITHMS = {
  "ecdsa-sha256": {
    keyKind: "EC P-256",
    digest: "sha256",
    digestIdentifier: SHA256,
    identifier: sequence(oid("1.2.840.10045.4.3.2")),
    encodings: ecdsaEncodings,
  },
  "rsa-sha256": {
    keyKind: "RSA",
    digest: "sha256",
    digestIdentifier: SHA256,
    identifier: sequence(oid("1.2.840.113549.1.1.11"), nullValue()),
    encodings: (value) => [value],
  },
} as const satisfies Record<string, Row>

export type SignatureAlgorithm = keyof typeof SIGNATURE_ALGORITHMS

/** The algorithm that a certificate's key signs with. */
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
  const key: KeyObject = createPublicKey({ key: Buffer.from(publicKeySpki), format: "der", type: "spki" })
  const row: Row = SIGNATURE_ALGORITHMS[algorithm]
  const encoded = row.encodings(value).find((candidate) => verify(row.digest, signed, key, candidate))
  if (encoded === undefined)
    throw new DerError("the signature value does not verify with the certificate's key")
  return encoded
}

// node:crypto gives Ecdsa-Sig-Value (RFC 3279, 2.2.3), PKCS#11 gives r and s side by side. A value of 64 octets can in
// theory be read both ways, so both are offered and the verification decides.
function ecdsaEncodings(value: Uint8Array): readonly Uint8Array[] {
  const found: Uint8Array[] = []
  if (isEcdsaSigValue(value)) found.push(value)
  if (value.length === 64) {
    const half = (from: number) => BigInt(`0x${Buffer.from(value.subarray(from, from + 32)).toString("hex")}`)
    found.push(sequence(integer(half(0)), integer(half(32))))
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
