// What nobody should rely on any more, for tests that see it refused: weak keys, and signatures with SHA-1.

import { generateKeyPairSync, sign } from "node:crypto"
import { bitString, integer, nullValue, oid, sequence } from "../der/der-writer.ts"
import type { TestKey } from "./small-pki.ts"

/** An RSA key that signs as its size allows. */
export function rsaKey(modulusLength: number, publicExponent = 65_537): TestKey {
  const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength, publicExponent })
  return {
    algorithm: "rsa-sha256",
    privateKey,
    publicKeySpki: new Uint8Array(publicKey.export({ type: "spki", format: "der" })),
    signBytes: async (bytes) => sign("sha256", bytes, privateKey),
  }
}

/** A public key of these numbers, to which nobody has the other half. */
export function rsaSpki(modulus: bigint, exponent: bigint): Uint8Array {
  const key = sequence(integer(modulus), integer(exponent))
  return sequence(sequence(oid("1.2.840.113549.1.1.1"), nullValue()), bitString(key))
}

/** The same thing, signed anew by a P-256 key with ECDSA and SHA-1. */
export function withSha1<Signed extends { readonly tbs: Uint8Array }>(
  signed: Signed,
  { privateKey }: TestKey,
): Signed & { readonly signatureAlgorithm: Uint8Array; readonly signature: Uint8Array } {
  return { ...signed, signatureAlgorithm: ECDSA_WITH_SHA1, signature: sign("sha1", signed.tbs, privateKey) }
}

export const ECDSA_WITH_SHA1 = sequence(oid("1.2.840.10045.4.1"))
