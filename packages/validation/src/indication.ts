// The verdicts of ETSI EN 319 102-1, 5.1.3, tables 5 and 6, spelled as the standard spells them.

/** Of a whole validation. */
export type Indication = "TOTAL-PASSED" | "TOTAL-FAILED" | "INDETERMINATE"

/** Of one building block or process; only the last word on a signature is TOTAL. */
export type BlockIndication = "PASSED" | "FAILED" | "INDETERMINATE"

export type SubIndication =
  | "FORMAT_FAILURE"
  | "HASH_FAILURE"
  | "SIG_CRYPTO_FAILURE"
  | "REVOKED"
  | "EXPIRED"
  | "NOT_YET_VALID"
  | "SIG_CONSTRAINTS_FAILURE"
  | "CHAIN_CONSTRAINTS_FAILURE"
  | "CERTIFICATE_CHAIN_GENERAL_FAILURE"
  | "CRYPTO_CONSTRAINTS_FAILURE"
  | "POLICY_PROCESSING_ERROR"
  | "SIGNATURE_POLICY_NOT_AVAILABLE"
  | "TIMESTAMP_ORDER_FAILURE"
  | "NO_SIGNING_CERTIFICATE_FOUND"
  | "NO_CERTIFICATE_CHAIN_FOUND"
  | "NO_CERTIFICATE_CHAIN_FOUND_NO_POE"
  | "REVOKED_NO_POE"
  | "REVOKED_CA_NO_POE"
  | "OUT_OF_BOUNDS_NOT_REVOKED"
  | "OUT_OF_BOUNDS_NO_POE"
  | "REVOCATION_OUT_OF_BOUNDS_NO_POE"
  | "CRYPTO_CONSTRAINTS_FAILURE_NO_POE"
  | "NO_POE"
  | "TRY_LATER"
  | "SIGNED_DATA_NOT_FOUND"

export function total(indication: BlockIndication): Indication {
  if (indication === "INDETERMINATE") return "INDETERMINATE"
  return indication === "PASSED" ? "TOTAL-PASSED" : "TOTAL-FAILED"
}
