// The policy of whoever names none: strict. Dates of algorithms are those of ETSI TS 119 312 V1.5.1 and, for what it no
// longer lists, of its predecessor ETSI TS 102 176-1.

import type { ValidationPolicy } from "./policy.ts"

export const DEFAULT_POLICY: ValidationPolicy = {
  name: "strict",
  algorithms: {
    digests: {
      sha1: "2012-08-01",
      sha224: "2029-01-01",
      sha256: "for-now",
      sha384: "for-now",
      sha512: "for-now",
      "sha3-256": "for-now",
      "sha3-384": "for-now",
      "sha3-512": "for-now",
    },
    rsa: [
      { bits: 786, until: "2010-08-01" },
      { bits: 1024, until: "2019-10-01" },
      { bits: 1900, until: "2029-01-01" },
    ],
    rsaPss: [
      { bits: 786, until: "2010-08-01" },
      { bits: 1024, until: "2019-10-01" },
      { bits: 1900, until: "2029-01-01" },
      { bits: 3000, until: "for-now" },
    ],
    ecdsa: [
      { bits: 160, until: "2012-08-01" },
      { bits: 224, until: "2021-10-01" },
      { bits: 256, until: "for-now" },
    ],
    // TS 119 312, 6.2.2.3: the curves of NIST and Brainpool. secp256k1 is not among them.
    curves: [
      "P-192",
      "P-224",
      "P-256",
      "P-384",
      "P-521",
      "brainpoolP256r1",
      "brainpoolP384r1",
      "brainpoolP512r1",
    ],
    // Not among the mechanisms of TS 119 312.
    ed25519: "never",
  },
  revocation: {
    // Whoever has a network gets news of the authority for time-stamps; whoever has none still has what was said when it stamped.
    freshness: {
      signature: { at: "validation", maxAge: "next-update" },
      timestamp: { at: "use", maxAge: "next-update" },
    },
    authoritiesOfTimestamps: "note",
    issuerValidity: { signature: "fail", timestamp: "fail" },
    maxClockSkew: { minutes: 5 },
  },
  signature: {
    signingTime: "fail",
    signingTimeInCertificateValidity: "fail",
    signingCertificateAttribute: "fail",
    keyUsage: "fail",
  },
  timestamp: { signingCertificateAttribute: "fail" },
  changes: { undefined: "fail", visual: "fail", filled: "fail" },
}
