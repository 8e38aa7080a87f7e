// Until when what was signed in some way can be relied upon (EN 319 102-1, 5.2.8.4.2.1; ETSI TS 119 312).

import type { DigestName } from "@paraph/pki/digest"
import { ifReadable } from "@paraph/pki/optional"
import { type PublicKey, readPublicKey } from "@paraph/pki/public-key"
import { readSignatureScheme, type SignatureScheme } from "@paraph/pki/verify-signature"
import type { AlgorithmConstraints, CurveName, KeySize, Until } from "./policy.ts"

/** The algorithms of one signature: over a document, a certificate, an answer. */
export type AlgorithmUse = {
  /** Of the content, where it is hashed apart (CMS); and of the signature itself. */
  readonly digests: readonly DigestName[]
  readonly scheme: SignatureScheme["scheme"] | "unknown"
  readonly key: PublicKey | undefined
}

export function algorithmUse(
  signatureAlgorithm: Uint8Array,
  publicKeySpki: Uint8Array,
  contentDigest?: DigestName,
): AlgorithmUse {
  const scheme = ifReadable(() => readSignatureScheme(signatureAlgorithm, contentDigest))
  const own = scheme === undefined || scheme.scheme === "ed25519" ? [] : [scheme.digest]
  return {
    digests: contentDigest === undefined ? own : [...new Set([contentDigest, ...own])],
    scheme: scheme?.scheme ?? "unknown",
    key: ifReadable(() => readPublicKey(publicKeySpki)),
  }
}

export type Reliability =
  | { readonly until: "for-now" }
  /** No longer from `until` on; `what` names the weakest part. A use that never counted ends at the beginning of time. */
  | { readonly until: Date; readonly what: string }

/** The part of the use that ends first. */
export function reliability(use: AlgorithmUse, constraints: AlgorithmConstraints): Reliability {
  const parts: Reliability[] = [
    ...use.digests.map((digest) => ended(constraints.digests[digest], digest.toUpperCase())),
    keyReliability(use, constraints),
  ]
  return parts.reduce((worst, one) => (endOf(one) < endOf(worst) ? one : worst), FOR_NOW)
}

export function isReliable(found: Reliability, at: Date): boolean {
  return endOf(found) > at.getTime()
}

const FOR_NOW: Reliability = { until: "for-now" }

function endOf({ until }: Reliability): number {
  return until === "for-now" ? Number.POSITIVE_INFINITY : until.getTime()
}

function ended(until: Until | undefined, what: string): Reliability {
  if (until === "for-now") return FOR_NOW
  return {
    until: until === undefined || until === "never" ? new Date(0) : new Date(`${until}T00:00:00Z`),
    what,
  }
}

function keyReliability({ scheme, key }: AlgorithmUse, constraints: AlgorithmConstraints): Reliability {
  if (key === undefined || scheme === "unknown") return ended(undefined, "unknown")
  switch (key.kind) {
    case "RSA":
      return bySize(
        scheme === "rsa-pss" ? constraints.rsaPss : constraints.rsa,
        key.modulusBits,
        `RSA-${key.modulusBits}`,
      )
    case "EC": {
      const curve = CURVES.get(key.curve ?? "")
      if (curve === undefined) return ended(undefined, "ECDSA")
      if (!constraints.curves.includes(curve.name)) return ended(undefined, curve.name)
      return bySize(constraints.ecdsa, curve.bits, `ECDSA-${curve.bits}`)
    }
    case "Ed25519":
      return ended(constraints.ed25519, "Ed25519")
    default:
      return ended(undefined, key.kind)
  }
}

function bySize(sizes: readonly KeySize[], bits: number, what: string): Reliability {
  return ended(sizes.findLast((size) => size.bits <= bits)?.until, what)
}

// RFC 5480, 2.1.1.1, RFC 5639, 3 and SEC 2: the prime curves, which OpenSSL knows by these identifiers.
const CURVES: ReadonlyMap<string, { readonly name: CurveName; readonly bits: number }> = new Map([
  ["1.2.840.10045.3.1.1", { name: "P-192", bits: 192 }],
  ["1.3.132.0.33", { name: "P-224", bits: 224 }],
  ["1.2.840.10045.3.1.7", { name: "P-256", bits: 256 }],
  ["1.3.132.0.10", { name: "secp256k1", bits: 256 }],
  ["1.3.132.0.34", { name: "P-384", bits: 384 }],
  ["1.3.132.0.35", { name: "P-521", bits: 521 }],
  ["1.3.36.3.3.2.8.1.1.7", { name: "brainpoolP256r1", bits: 256 }],
  ["1.3.36.3.3.2.8.1.1.11", { name: "brainpoolP384r1", bits: 384 }],
  ["1.3.36.3.3.2.8.1.1.13", { name: "brainpoolP512r1", bits: 512 }],
])
