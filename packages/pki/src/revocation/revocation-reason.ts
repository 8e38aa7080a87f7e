// Why a certificate was revoked: CRLReason (RFC 5280, 5.3.1), the same in CRLs and in OCSP.

/** The number of each; 7 is not used. */
export const REVOCATION_REASONS = {
  unspecified: 0,
  keyCompromise: 1,
  cACompromise: 2,
  affiliationChanged: 3,
  superseded: 4,
  cessationOfOperation: 5,
  certificateHold: 6,
  removeFromCRL: 8,
  privilegeWithdrawn: 9,
  aACompromise: 10,
} as const

export type RevocationReason = keyof typeof REVOCATION_REASONS

/** Only a hold can end, and removeFromCRL ends it (RFC 5280, 5.3.1). */
export function isPermanentReason(reason: RevocationReason): boolean {
  return reason !== "certificateHold" && reason !== "removeFromCRL"
}

/** A number without a meaning is "unspecified": the certificate is revoked all the same, and never on hold. */
export function readRevocationReason(number: bigint): RevocationReason {
  const found = Object.entries(REVOCATION_REASONS).find(([, value]) => BigInt(value) === number)
  return found === undefined ? "unspecified" : (found[0] as RevocationReason)
}
