// One policy in two languages: ours as EU DSS has it by default, and the lines of theirs that must be as strict as ours.

import { DEFAULT_POLICY } from "@paraph/validation/default-policy"
import type { ValidationPolicy } from "@paraph/validation/policy"

/** Their default does not ask how old revocation information is, nor whether who gave it for a time-stamp is still valid. */
export const AS_DSS: ValidationPolicy = {
  ...DEFAULT_POLICY,
  name: "as EU DSS",
  revocation: {
    ...DEFAULT_POLICY.revocation,
    freshness: {
      signature: { at: "validation", maxAge: "none" },
      timestamp: { at: "validation", maxAge: "none" },
    },
    authoritiesOfTimestamps: "note",
    issuerValidity: { signature: "fail", timestamp: "ignore" },
  },
  timestamp: { signingCertificateAttribute: "note" },
  signature: { ...DEFAULT_POLICY.signature, keyUsage: "note", signingCertificateAttribute: "note" },
  // Theirs has no rule for values that were filled in later.
  changes: { ...DEFAULT_POLICY.changes, filled: "note" },
}

/** Their default only warns of what happened after a signature, and of two signatures whose ranges collide. */
export const DSS_STRICT: Readonly<Record<string, string>> = Object.fromEntries(
  ["UndefinedChanges", "DocMDP", "FieldMDP", "SigFieldLock", "ByteRangeCollision"].map((name) => [
    `<${name} Level="WARN" />`,
    `<${name} Level="FAIL" />`,
  ]),
)
