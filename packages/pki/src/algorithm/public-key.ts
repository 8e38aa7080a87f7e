// What a SubjectPublicKeyInfo says about its key (RFC 3279, 2.3; RFC 4055, 1.2; RFC 5480, 2.1; RFC 8410, 4). It is read
// before any cryptography sees the key: whoever chose the key chose how long it takes to verify with it.

import { DerError, expectTag, readBits, readDer, readInteger, readOid, TAG } from "../der/der.ts"
import { readIdentifier } from "./digest.ts"

export type PublicKey =
  | { readonly kind: "RSA"; readonly modulusBits: number; readonly exponent: bigint }
  /** The object identifier of the curve; undefined where its parameters are spelt out or inherited. */
  | { readonly kind: "EC"; readonly curve: string | undefined }
  | { readonly kind: "DSA" | "Ed25519" | "unknown" }

const RSA_KEYS = ["1.2.840.113549.1.1.1", "1.2.840.113549.1.1.10"]

/** Throws a DerError for a key that is not as its standard says. */
export function readPublicKey(spki: Uint8Array): PublicKey {
  const [identifier, bits, ...rest] = expectTag(readDer(spki), TAG.sequence, "subjectPublicKeyInfo").children
  if (rest.length > 0) throw new DerError("subjectPublicKeyInfo has more than two parts")
  const { algorithm, parameters } = readIdentifier(identifier)
  // OpenSSL takes a key whose bits do not fill their octets; then two encodings would be one key.
  const key = readBits(bits, "public key")
  if (RSA_KEYS.includes(algorithm)) return readRsaKey(key)
  switch (algorithm) {
    case "1.2.840.10045.2.1":
      return { kind: "EC", curve: parameters?.tag === TAG.oid ? readOid(parameters, "curve") : undefined }
    case "1.2.840.10040.4.1":
      return { kind: "DSA" }
    case "1.3.101.112":
      return { kind: "Ed25519" }
    default:
      return { kind: "unknown" }
  }
}

// RFC 8017, A.1.1
function readRsaKey(key: Uint8Array): PublicKey {
  const [modulus, exponent, ...rest] = expectTag(readDer(key), TAG.sequence, "RSA key").children
  if (rest.length > 0) throw new DerError("an RSA key of more than two parts")
  const e = readInteger(exponent, "exponent")
  if (readInteger(modulus, "modulus") <= 0n || e <= 0n) throw new DerError("an RSA key that is not positive")
  const [first = 0, ...others] = modulus?.content ?? []
  return { kind: "RSA", modulusBits: others.length * 8 + (32 - Math.clz32(first)), exponent: e }
}

export const P256 = "1.2.840.10045.3.1.7"

/** What a verification takes, as a multiple of one on P-256: two tenths of a millisecond, on the machine we measured. */
export function verificationCost(key: PublicKey): number {
  if (key.kind === "RSA") return 1 + Math.floor((key.modulusBits / 4096) ** 2)
  // The curves without code of their own in OpenSSL, the larger ones, and DSA: four to fourteen times as long.
  return key.kind === "Ed25519" || (key.kind === "EC" && key.curve === P256) ? 1 : 10
}
