// Every reason that a validation may give, with the values that come along. A reason without words in every language does not
// compile (words/), and one that is not listed here cannot be said.

/** What a value is, which decides how it is written: a name that somebody else chose, a time, a term. */
export type ReasonValue =
  | "algorithm"
  | "certificate"
  | "fault"
  | "field"
  | "issuer"
  | "law"
  | "notAfter"
  | "notBefore"
  | "page"
  | "path"
  | "reason"
  | "since"
  | "subFilter"
  | "thisUpdate"
  | "time"
  | "until"
  | "when"

export const REASON_VALUES = {
  // The form of the signature (EN 319 102-1, 5.2.2).
  "byte-range": ["fault"],
  "sub-filter": ["subFilter"],
  "cms-unreadable": [],
  "not-one-signer": [],
  "content-inside": [],
  "undefined-changes": ["path"],
  "value-replaced": ["field"],
  "value-unsigned": ["field"],
  "filled-later": ["field"],
  "looks-different": ["page"],
  "not-all-compared": [],
  // Who signed, and whether it is right (5.2.3, 5.2.7).
  "no-signing-certificate": [],
  "other-certificate-named": [],
  "algorithm-unknown": [],
  "signed-attributes": [],
  "content-type": [],
  "document-changed": [],
  "algorithms-exchanged": [],
  "signature-wrong": [],
  // The certificates (5.2.6).
  "no-chain": [],
  "chain-invalid": ["certificate", "reason"],
  "key-usage": ["certificate"],
  "no-revocation-information": ["certificate"],
  "on-hold": ["certificate", "reason", "since"],
  revoked: ["certificate", "reason", "since"],
  "revocation-information-old": ["certificate", "thisUpdate"],
  "revocation-information-weak": ["algorithm", "certificate", "until"],
  "revocation-issuer-ended": ["certificate", "issuer"],
  "certificate-weak": ["algorithm", "certificate", "until"],
  expired: ["certificate", "notAfter", "notBefore"],
  "not-yet-valid": ["certificate", "notAfter", "notBefore"],
  // What the policy wants of the signature (5.2.8).
  "signature-weak": ["algorithm", "until"],
  "no-signing-time": [],
  "signing-time-outside-certificate": ["certificate", "time"],
  "certificate-not-named": [],
  // Times and proofs of existence (5.4 to 5.6).
  "signed-before-certificate": ["certificate"],
  "signed-after-certificate": ["certificate"],
  "timestamp-unreadable": [],
  "timestamp-over-other-bytes": [],
  "timestamp-certificate-not-named": [],
  "not-for-timestamps": ["certificate"],
  "changed-after-timestamp": [],
  // What it is worth by law (TS 119 615).
  "qualification-certificate-unreadable": [],
  "qualification-declared-anchor": [],
  "qualification-for-websites": ["law"],
  "qualification-changed": ["law"],
  "qualification-list-expired": ["law"],
  "qualification-no-service": ["law", "when"],
  "qualification-not-granted": ["law", "when"],
  "qualification-services-differ": ["law", "when"],
  "qualification-list-inconsistent": ["law", "when"],
  "qualification-list-not-understood": ["law", "when"],
  "qualification-not-for-this-use": ["law", "when"],
  "qualification-not-qualified-by-list": ["law", "when"],
  "qualification-not-qualified-by-certificate": ["law", "when"],
  "qualification-use-unclear": ["law", "when"],
  "qualification-two-uses": ["law", "when"],
  "qualification-device-unclear": ["law", "when"],
  "qualification-no-device": ["law", "when"],
} as const satisfies Readonly<Record<string, readonly ReasonValue[]>>

export type ReasonCode = keyof typeof REASON_VALUES

export function isReasonCode(code: string): code is ReasonCode {
  return Object.hasOwn(REASON_VALUES, code)
}
