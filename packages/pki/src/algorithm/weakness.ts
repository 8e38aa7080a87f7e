// Which algorithms a signature may still rely upon. ETSI TS 119 312 takes the mechanisms that SOG-IS has agreed; this is
// wider than what they recommend (RSA from 3000 bits on), so that the certificates in use pass, and has nothing that they
// have given up. SHA-1 in identifiers (the CertID of OCSP, key identifiers) is no signature and is not judged here.

import { DerError } from "../der/der.ts"
import type { DigestName } from "./digest.ts"
import { P256, readPublicKey } from "./public-key.ts"
import type { SignatureScheme } from "./verify-signature.ts"

/**
 * Weak algorithms are refused unless the caller says "any", which is for two: whoever looks back, with a proof that the
 * signature existed while its algorithms were strong (EN 319 102-1, 5.6.2.4), and whoever tests with material of old.
 */
export type AlgorithmPolicy = "acceptable-today" | "any"

export type Weakness =
  /** SHA-1: collisions can be bought (CVE-2005-4900; Leurent and Peyrin, 2020). */
  | "digest"
  | "dsa"
  | "key-size"
  | "exponent"
  /** Not one of the agreed curves, or its parameters are spelt out. */
  | "curve"
  /** What cannot be read is not known to be strong, even if the library underneath reads it. */
  | "unreadable"

export function isTooWeak(
  scheme: SignatureScheme,
  publicKeySpki: Uint8Array,
  policy: AlgorithmPolicy | undefined,
): boolean {
  return policy !== "any" && weakness(scheme, publicKeySpki) !== undefined
}

/** What is weak about a signature of this scheme by this key. An algorithm that we do not know verifies nothing. */
export function weakness(scheme: SignatureScheme, publicKeySpki: Uint8Array): Weakness | undefined {
  if (scheme.scheme === "dsa") return "dsa"
  if (scheme.scheme !== "ed25519" && isWeakDigest(scheme.digest)) return "digest"
  return keyWeakness(publicKeySpki)
}

export function isWeakDigest(digest: DigestName): boolean {
  return digest === "sha1"
}

const MIN_RSA_BITS = 2048
// As OpenSSL has it; no authority comes near.
const MAX_RSA_BITS = 16_384
// FIPS 186-5, 5.4 allows exponents from 65,537 to 256 bits. Roots on European trusted lists have 41,851 and 43,147. None
// above 32 bits is in use, others refuse them as well, and they are what makes a verification slow.
const MIN_RSA_EXPONENT = 32_769n
const MAX_RSA_EXPONENT = 2n ** 32n - 1n

// NIST's and the German ones (RFC 5480, 2.1.1.1; RFC 5639, 3).
const CURVES: ReadonlySet<string | undefined> = new Set([
  P256,
  "1.3.132.0.34",
  "1.3.132.0.35",
  "1.3.36.3.3.2.8.1.1.7",
  "1.3.36.3.3.2.8.1.1.11",
  "1.3.36.3.3.2.8.1.1.13",
])

export function keyWeakness(publicKeySpki: Uint8Array): Weakness | undefined {
  try {
    const key = readPublicKey(publicKeySpki)
    if (key.kind === "DSA") return "dsa"
    if (key.kind === "EC") return CURVES.has(key.curve) ? undefined : "curve"
    if (key.kind !== "RSA") return undefined
    const { modulusBits, exponent } = key
    if (modulusBits < MIN_RSA_BITS || modulusBits > MAX_RSA_BITS) return "key-size"
    const isUsual = exponent >= MIN_RSA_EXPONENT && exponent <= MAX_RSA_EXPONENT && exponent % 2n === 1n
    return isUsual ? undefined : "exponent"
  } catch (error) {
    if (error instanceof DerError) return "unreadable"
    throw error
  }
}
