// Signatures of every algorithm that we read (RFC 4055, 5758, 8017, 8410): wider than what we make, since others signed.

import { constants, createPublicKey, type KeyObject, verify } from "node:crypto"
import { DerError, type DerNode, expectTag, readDer, readInteger, TAG } from "../der/der.ts"
import { inside, takeOptional } from "../der/optional.ts"
import { remembered } from "../der/remembered.ts"
import { type DigestName, digestAlgorithmName, isDigestName, readIdentifier } from "./digest.ts"
import { type PublicKey, readPublicKey } from "./public-key.ts"

const RSA = "1.2.840.113549.1.1.1"
export const RSA_PSS = "1.2.840.113549.1.1.10"
export const MGF1 = "1.2.840.113549.1.1.8"
export const ED25519 = "1.3.101.112"

/** What an AlgorithmIdentifier of a signature says, as far as it takes to verify one. */
export type SignatureScheme =
  | { readonly scheme: "rsa" | "dsa"; readonly digest: DigestName }
  /** Plain: the two numbers one after the other, and not as DER. */
  | { readonly scheme: "ecdsa"; readonly digest: DigestName; readonly plain?: true }
  | { readonly scheme: "rsa-pss"; readonly digest: DigestName; readonly saltLength: number }
  | { readonly scheme: "ed25519" }

/**
 * Whether the key made the value over the bytes. An algorithm that we do not know, a key of another kind and
 * anything malformed are `false`, since nothing is proved; `readSignatureScheme` tells an unknown one apart. What is
 * weak verifies here; weakness.ts says what still counts.
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
  const { algorithm, digest = "", publicKeySpki, signed, value } = input
  return hasMade(algorithm, Buffer.from(digest), publicKeySpki, signed, value)
}

/** Whoever builds a path, and whoever validates it, asks the same; and so do all who meet the same authorities. */
const hasMade = remembered((algorithm, digest, publicKeySpki, signed, value): boolean => {
  try {
    const scheme = readSignatureScheme(
      algorithm,
      digest.length === 0 ? undefined : Buffer.from(digest).toString(),
    )
    const key = readKey(publicKeySpki)
    return scheme !== undefined && key !== undefined && verifyWith(scheme, key, signed, value)
  } catch (error) {
    if (error instanceof DerError) return false
    throw error
  }
})

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
  // NIST's own, for SHA-3.
  "2.16.840.1.101.3.4.3.9": { scheme: "ecdsa", digest: "sha3-224" },
  "2.16.840.1.101.3.4.3.10": { scheme: "ecdsa", digest: "sha3-256" },
  "2.16.840.1.101.3.4.3.11": { scheme: "ecdsa", digest: "sha3-384" },
  "2.16.840.1.101.3.4.3.12": { scheme: "ecdsa", digest: "sha3-512" },
  "2.16.840.1.101.3.4.3.13": { scheme: "rsa", digest: "sha3-224" },
  "2.16.840.1.101.3.4.3.14": { scheme: "rsa", digest: "sha3-256" },
  "2.16.840.1.101.3.4.3.15": { scheme: "rsa", digest: "sha3-384" },
  "2.16.840.1.101.3.4.3.16": { scheme: "rsa", digest: "sha3-512" },
  "1.2.840.10040.4.3": { scheme: "dsa", digest: "sha1" },
  "2.16.840.1.101.3.4.3.1": { scheme: "dsa", digest: "sha224" },
  "2.16.840.1.101.3.4.3.2": { scheme: "dsa", digest: "sha256" },
  [ED25519]: { scheme: "ed25519" },
}

// BSI TR-03111, 5.2.1.1: as German authorities for qualified signatures have it. The parameters may repeat the curve.
const PLAIN_ECDSA: Readonly<Record<string, SignatureScheme>> = {
  "0.4.0.127.0.7.1.1.4.1.1": { scheme: "ecdsa", digest: "sha1", plain: true },
  "0.4.0.127.0.7.1.1.4.1.2": { scheme: "ecdsa", digest: "sha224", plain: true },
  "0.4.0.127.0.7.1.1.4.1.3": { scheme: "ecdsa", digest: "sha256", plain: true },
  "0.4.0.127.0.7.1.1.4.1.4": { scheme: "ecdsa", digest: "sha384", plain: true },
  "0.4.0.127.0.7.1.1.4.1.5": { scheme: "ecdsa", digest: "sha512", plain: true },
}

/** The scheme, or undefined if we do not know it; throws a DerError for parameters that it must not have. */
export function readSignatureScheme(identifier: Uint8Array, digest?: string): SignatureScheme | undefined {
  const { algorithm, parameters } = readIdentifier(readDer(identifier))
  if (algorithm === RSA_PSS) return readPss(parameters)
  if (PLAIN_ECDSA[algorithm] !== undefined) {
    if (parameters !== undefined && parameters.tag !== TAG.null && parameters.tag !== TAG.oid)
      throw new DerError("a signature algorithm with parameters")
    return PLAIN_ECDSA[algorithm]
  }
  if (parameters !== undefined && (parameters.tag !== TAG.null || algorithm === ED25519))
    throw new DerError("a signature algorithm with parameters")
  if (algorithm !== RSA) return NAMED[algorithm]
  return digest !== undefined && isDigestName(digest) ? { scheme: "rsa", digest } : undefined
}

// RFC 4055, 3.1. The defaults are those of SHA-1; a mask of another digest than the signature's is refused, as RFC 4055
// recommends against it and node:crypto takes one digest for both.
function readPss(parameters: DerNode | undefined): SignatureScheme | undefined {
  const parts = [...expectTag(parameters, TAG.sequence, "PSS parameters").children]
  const part = (tag: number) => {
    const found = takeOptional(parts, tag)
    return found && inside(found, "PSS parameter")
  }
  const [hash, mask, salt, trailer] = [part(0xa0), part(0xa1), part(0xa2), part(0xa3)]
  if (parts.length > 0) throw new DerError("PSS parameters that repeat, or that the standard does not have")
  const digest = hash === undefined ? "sha1" : digestAlgorithmName(hash.bytes)
  const saltLength = salt === undefined ? 20 : Number(readInteger(salt, "salt length"))
  if (trailer !== undefined && readInteger(trailer, "trailer field") !== 1n)
    throw new DerError("PSS parameters out of range")
  if (digest === undefined) return undefined
  if (saltLength < 0 || saltLength > 1024) throw new DerError("PSS parameters out of range")
  if (maskDigest(mask) !== digest) throw new DerError("a PSS mask of another digest")
  return { scheme: "rsa-pss", digest, saltLength }
}

function maskDigest(mask: DerNode | undefined): DigestName | undefined {
  if (mask === undefined) return "sha1"
  const { algorithm, parameters } = readIdentifier(mask)
  if (algorithm !== MGF1 || parameters === undefined) throw new DerError("a PSS mask that is not MGF1")
  return digestAlgorithmName(parameters.bytes)
}

const readKey = remembered((spki): KeyObject | undefined => {
  if (isOutOfUse(readPublicKey(spki))) return undefined
  try {
    return createPublicKey({ key: Buffer.from(spki), format: "der", type: "spki" })
  } catch {
    // Whatever OpenSSL has against a key, nothing can be verified with it.
    return undefined
  }
})

const MAX_EXPONENT = 2n ** 64n

// Whatever the policy: exponents that OpenSSL allows up to 3072 bits and not above, where one verification takes as long as
// a hundred; and curves that are spelt out, which RFC 5480, 2.1.1 forbids, as one can be made to fit any public key.
function isOutOfUse(key: PublicKey): boolean {
  if (key.kind === "RSA") return key.exponent >= MAX_EXPONENT
  return key.kind === "unknown" || (key.kind === "EC" && key.curve === undefined)
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
      case "ecdsa":
        return verify(scheme.digest, signed, { key, dsaEncoding: scheme.plain ? "ieee-p1363" : "der" }, value)
      default:
        return verify(scheme.digest, signed, key, value)
    }
  } catch {
    // OpenSSL refuses some values and keys (a DSA key without parameters, say) with an error instead of "no".
    return false
  }
}
