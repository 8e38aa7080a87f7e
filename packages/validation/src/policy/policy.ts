// What a signature must meet to be accepted (EN 319 102-1, 5.1.4.2: the validation constraints), as data. A file of JSON
// may say another policy; read-policy.ts refuses one that it does not understand.

import type { DigestName } from "@paraph/pki/digest"

/** `fail` decides the verdict, `note` is told with it, `ignore` is not looked at. */
export type Level = "fail" | "note" | "ignore"

export type ValidationPolicy = {
  readonly name: string
  readonly algorithms: AlgorithmConstraints
  readonly revocation: {
    /** 5.2.5: how recent revocation information must be, on the chain of a signature and on that of a time-stamp. */
    readonly freshness: Readonly<Record<"signature" | "timestamp", Freshness>>
    /** Whether the authorities above a time-stamp and a responder need revocation information as well. */
    readonly authoritiesOfTimestamps: Level
    /** Who gave the information on the signer's own certificate is still valid (5.2.6.4); and of a time-stamp's. */
    readonly issuerValidity: Readonly<Record<"signature" | "timestamp", Level>>
    /** By how much the clock of a responder or CA may be ahead. A good status from later than that counts for nothing. */
    readonly maxClockSkew: { readonly minutes: number }
  }
  readonly signature: {
    /** The claimed time is there (5.2.8.4.2.2). */
    readonly signingTime: Level
    readonly signingTimeInCertificateValidity: Level
    /** ESS signing-certificate, in a signature that says that it is PAdES; one of adbe.pkcs7.detached need not have it. */
    readonly signingCertificateAttribute: Level
    /**
     * The key is for signatures: nonRepudiation or digitalSignature, where the certificate has a key usage. It is for
     * documents, where a critical extended key usage limits its purposes.
     */
    readonly keyUsage: Level
  }
  readonly timestamp: {
    /** The token names its certificate by ESS signing-certificate (RFC 3161, 2.4.1 and RFC 5816). */
    readonly signingCertificateAttribute: Level
  }
  readonly changes: {
    /** What a later revision changed and no rule explains. */
    readonly undefined: Level
    /** What looks otherwise than when it was signed. */
    readonly visual: Level
    /** A value of the form that another one replaced after it was signed, or that no later signature covers. */
    readonly filled: Level
  }
}

export type Freshness = {
  /**
   * For which time: that of validation, or that at which the certificate was used. Of a signature only proofs of existence
   * tell when that was; a time-stamp says it itself.
   */
  readonly at: "validation" | "use"
  /** As old as it says itself, of any age, or so old. */
  readonly maxAge: "next-update" | "none" | { readonly hours: number }
}

/**
 * 5.2.8.4.2.1 and ETSI TS 119 312: until when an algorithm counts. A date is the first day on which it does not any more.
 * What is not named, such as DSA, never counts.
 */
export type AlgorithmConstraints = {
  readonly digests: Readonly<Partial<Record<DigestName, Until>>>
  readonly rsa: readonly KeySize[]
  readonly rsaPss: readonly KeySize[]
  readonly ecdsa: readonly KeySize[]
  /** On which curves; a key on another one never counts. */
  readonly curves: readonly CurveName[]
  readonly ed25519: Until | "never"
}

/** RFC 5480, 2.1.1.1, RFC 5639, 3 and SEC 2. */
export const CURVE_NAMES = [
  "P-192",
  "P-224",
  "P-256",
  "P-384",
  "P-521",
  "secp256k1",
  "brainpoolP256r1",
  "brainpoolP384r1",
  "brainpoolP512r1",
] as const
export type CurveName = (typeof CURVE_NAMES)[number]

export type Until = "for-now" | string

/** Keys of at least so many bits, up to the next entry. Smaller ones than the first never count. */
export type KeySize = { readonly bits: number; readonly until: Until }
