import type { Words } from "./words.ts"

export const en: Words = {
  indications: {
    "TOTAL-PASSED": {
      heading: "Valid",
      sentence: "The signature is genuine, and what was signed has not been altered.",
    },
    INDETERMINATE: {
      heading: "Cannot be decided",
      sentence: "There is too little proof to call the signature valid, and none that it is not.",
    },
    "TOTAL-FAILED": {
      heading: "Not valid",
      sentence: "The signature does not hold. Do not rely on it.",
    },
  },
  validButFilled: "The signature is genuine. Form fields were filled in after it; they are listed with it.",
  changedAfterwards:
    "The document was changed after this signature. Compare it with what was signed before you rely on it.",
  documents: {
    "TOTAL-PASSED": "All signatures of this document are valid.",
    INDETERMINATE: "Not every signature of this document can be called valid.",
    "TOTAL-FAILED": "At least one signature of this document is not valid.",
    unsigned: "This document carries no electronic signature.",
  },
  subIndications: {
    FORMAT_FAILURE:
      "The signature is not built as it should be, or the document was changed in a way that no rule allows.",
    HASH_FAILURE: "The document is not the one that was signed.",
    SIG_CRYPTO_FAILURE: "The signature does not match the signer’s certificate.",
    REVOKED: "The certificate had been revoked when the signature was made.",
    EXPIRED: "The certificate had expired when the signature was made.",
    NOT_YET_VALID: "The signature was made before its certificate was valid.",
    SIG_CONSTRAINTS_FAILURE: "The signature lacks something that the rules of this validation ask for.",
    CHAIN_CONSTRAINTS_FAILURE: "A certificate is not meant for what it was used for.",
    CERTIFICATE_CHAIN_GENERAL_FAILURE: "Not everything that vouches for the certificate could be confirmed.",
    CRYPTO_CONSTRAINTS_FAILURE: "A method was used that was no longer safe at that time.",
    POLICY_PROCESSING_ERROR: "The rules that the signature names could not be applied.",
    SIGNATURE_POLICY_NOT_AVAILABLE: "The rules that the signature names could not be obtained.",
    TIMESTAMP_ORDER_FAILURE: "The times of the time-stamps contradict each other.",
    NO_SIGNING_CERTIFICATE_FOUND: "It cannot be found out with which certificate the signature was made.",
    NO_CERTIFICATE_CHAIN_FOUND: "The certificate does not come from anybody who is trusted here.",
    NO_CERTIFICATE_CHAIN_FOUND_NO_POE:
      "The certificate does not come from anybody who is trusted today, and nothing proves that the signature is older.",
    REVOKED_NO_POE: "The certificate was revoked, and nothing proves that the signature was made before.",
    REVOKED_CA_NO_POE:
      "An issuer of the certificate was revoked, and nothing proves that the signature was made before.",
    OUT_OF_BOUNDS_NOT_REVOKED:
      "The certificate is not within its period of validity; as far as is known, it was not revoked.",
    OUT_OF_BOUNDS_NO_POE:
      "The certificate is not within its period of validity, and nothing proves that it was when the signature was made.",
    REVOCATION_OUT_OF_BOUNDS_NO_POE: "Whoever confirmed the certificate can no longer be relied upon today.",
    CRYPTO_CONSTRAINTS_FAILURE_NO_POE:
      "A method was used that is no longer safe, and nothing proves that the signature was made while it was.",
    NO_POE: "Nothing proves when the signature was made.",
    TRY_LATER: "Newer information on the certificate is needed; it may be there later.",
    SIGNED_DATA_NOT_FOUND: "There is nothing here that was signed.",
  },
  reasons: {
    "byte-range":
      "It is not clear which part of the file this signature covers; that is how signed content is exchanged unnoticed ({fault}).",
    "sub-filter": "This kind of signature is not known here ({subFilter}).",
    "cms-unreadable": "The signature itself cannot be read.",
    "not-one-signer": "The signature does not have exactly one signer, so it is not clear whose it is.",
    "content-inside": "The signature brings along a content of its own instead of being over this document.",
    "undefined-changes":
      "After this signature, the document was changed in a way that no rule explains ({path}).",
    "value-replaced":
      "The value of the form field {field} was changed after this signature. It is no longer the value that was signed.",
    "value-unsigned":
      "The form field {field} was filled in after this signature, and no later signature covers its value.",
    "filled-later":
      "Form fields that were empty when this signature was made were filled in later, and a later signature covers them: {field}.",
    "looks-different": "Page {page} looks different from when it was signed.",
    "not-all-compared": "Not all changed pages could be compared with what was signed.",
    "no-signing-certificate": "The signer’s certificate is missing.",
    "other-certificate-named": "The signature names another certificate than the one it came with.",
    "algorithm-unknown": "The signature was made with a method that is not known here or not supported.",
    "signed-attributes": "The details that were signed along are not in order.",
    "content-type": "The signature says that it is over something else than a document.",
    "document-changed": "What was signed has been altered since.",
    "algorithms-exchanged": "The method that the signature states is not the one that was signed.",
    "signature-wrong":
      "The signature was not made with the key that belongs to the certificate, or it was damaged.",
    "no-chain": "The certificate does not come from anybody who is trusted here.",
    "chain-invalid": "The certificate of {certificate} is not in order ({reason}).",
    "key-usage": "The certificate of {certificate} is not meant for signing documents.",
    "no-revocation-information":
      "Nobody could say whether the certificate of {certificate} has been revoked.",
    "on-hold": "The certificate of {certificate} has been suspended since {since}; it may be released again.",
    revoked:
      "The certificate of {certificate} was revoked on {since} ({reason}); nothing proves that the signature was made before.",
    "revocation-information-old":
      "What is known about whether the certificate of {certificate} was revoked is too old (of {thisUpdate}).",
    "revocation-information-weak":
      "What is known about whether the certificate of {certificate} was revoked is protected by {algorithm}, {until}.",
    "revocation-issuer-ended":
      "Whoever confirmed that the certificate of {certificate} was not revoked can no longer be relied upon: the confirmer’s own certificate has expired.",
    "certificate-weak": "The certificate of {certificate} is protected by {algorithm}, {until}.",
    expired: "The certificate of {certificate} expired on {notAfter}.",
    "not-yet-valid": "The certificate of {certificate} is valid only from {notBefore} on.",
    "signature-weak": "The signature uses {algorithm}, {until}.",
    "no-signing-time": "The signature does not say when it was made.",
    "signing-time-outside-certificate":
      "The signature states {time} as its time; at that time the certificate of {certificate} was not valid.",
    "certificate-not-named":
      "The signature does not name its certificate, so the certificate could have been exchanged.",
    "signed-before-certificate":
      "The signature is older than the certificate of {certificate}, which it is said to be made with.",
    "signed-after-certificate":
      "It is proved that the signature existed only after the certificate of {certificate} had expired.",
    "timestamp-unreadable": "The time-stamp cannot be read.",
    "timestamp-over-other-bytes": "The time-stamp is over something else than this document or signature.",
    "timestamp-certificate-not-named": "The time-stamp does not name its certificate, so it proves nothing.",
    "not-for-timestamps": "The certificate of {certificate} is not meant for time-stamps.",
    "changed-after-timestamp":
      "A time-stamp over the whole document no longer matches it: something in the file was changed afterwards.",
    "qualification-certificate-unreadable":
      "The certificate does not say, in a way that can be read, what it is worth by law.",
    "qualification-declared-anchor":
      "The rank of the signature was set by the operator of this service for this issuer.",
    "qualification-for-websites": "Under {law}, the certificate is one for websites and not for signatures.",
    "qualification-changed":
      "Under {law}, the certificate was worth something else when it was issued than when it was used.",
    "qualification-list-expired":
      "The official list of trust services under {law} is out of date and was not used.",
    "qualification-no-service": "Under {law}, the issuer was not on the official list {when}.",
    "qualification-not-granted":
      "Under {law}, the issuer was not approved for qualified certificates {when}.",
    "qualification-services-differ":
      "The official list under {law} contradicts itself about the issuer {when}.",
    "qualification-list-inconsistent":
      "The official list under {law} contradicts itself about the certificate {when}.",
    "qualification-list-not-understood":
      "The official list under {law} says something about the certificate {when} that is not understood here.",
    "qualification-not-for-this-use":
      "Under {law}, the issuer was not approved for certificates of this kind {when}.",
    "qualification-not-qualified-by-list":
      "The official list under {law} says that the certificate was not a qualified one {when}.",
    "qualification-not-qualified-by-certificate":
      "Under {law}, the certificate was not a qualified one {when}.",
    "qualification-use-unclear": "Under {law}, it is not clear what the certificate was for {when}.",
    "qualification-two-uses":
      "Under {law}, the certificate was for two uses at once {when}, which is not allowed.",
    "qualification-device-unclear":
      "Under {law}, it is not clear whether the key was kept in an approved secure device {when}.",
    "qualification-no-device": "Under {law}, the key was not kept in an approved secure device {when}.",
  },
  qualities: {
    SES: "simple electronic signature (SES)",
    AES: "advanced electronic signature (AES)",
    QES: "qualified electronic signature (QES)",
  },
  legislations: {
    WORLD: "no law that gives it a rank of its own",
    CH: "Swiss law (ZertES)",
    EU: "law of the European Union (eIDAS)",
    CH_EU: "Swiss law (ZertES) and law of the European Union (eIDAS)",
  },
  levels: {
    "PAdES-BASELINE-B": "signature without proof of time (PAdES-BASELINE-B)",
    "PAdES-BASELINE-T": "signature with proof of time (PAdES-BASELINE-T)",
    "PAdES-BASELINE-LT": "signature with proof of time and validation data (PAdES-BASELINE-LT)",
    "PAdES-BASELINE-LTA": "signature for long-term preservation (PAdES-BASELINE-LTA)",
    "PDF-NOT-ETSI": "PDF signature of an older kind (PDF-NOT-ETSI)",
  },
  coverages: {
    ENTIRE_FILE: "the whole file",
    ENTIRE_REVISION: "the whole document as it was when it was signed; something was added later",
    PARTIAL: "only a part of the document",
  },
  changes: {
    signature: "a further signature",
    "form-fill": "a form field filled in",
    annotation: "a comment or note",
    "validation-data": "data for later validation",
    timestamp: "a time-stamp",
    metadata: "information about the document",
    structure: "the inner structure of the document",
    page: "a page",
    content: "the content of a page",
    font: "a typeface",
    image: "a picture",
    action: "something that the document does by itself",
    other: "something else",
    visual: "the look of a page",
  },
  fills: {
    later: "empty before, covered by a later signature",
    replaced: "replaces the value that was signed",
    unsigned: "covered by no later signature",
  },
  blocks: {
    "format-checking": "Form of the signature",
    "identification-of-the-signing-certificate": "Who signed",
    "x509-certificate-validation": "Certificates",
    "cryptographic-verification": "Genuineness",
    "signature-acceptance-validation": "Rules of this validation",
    basic: "Verdict as of today",
    "long-term": "Verdict with proof of time",
    archival: "Verdict with all proofs from the past",
  },
  values: {
    nameless: "somebody without a name",
    unknownAlgorithm: "an unknown method",
    weakSince: "which has not counted as safe since {day}",
    weakAlways: "which does not count as safe",
    laws: { EU: "EU law", CH: "Swiss law" },
    whens: { signing: "at the time of signing", issuance: "when the certificate was issued" },
    revocations: {
      unspecified: "no reason given",
      keyCompromise: "the key may have fallen into other hands",
      cACompromise: "the issuer’s key may have fallen into other hands",
      affiliationChanged: "the holder’s details changed",
      superseded: "replaced by another one",
      cessationOfOperation: "no longer in use",
      certificateHold: "suspended",
      removeFromCRL: "released again",
      privilegeWithdrawn: "the right to it was withdrawn",
      aACompromise: "the confirming body’s key may have fallen into other hands",
    },
  },
  report: {
    title: "Report on the validation of electronic signatures",
    subtitle: "Judged by the European standard ETSI EN 319 102-1",
    fileName: "File name",
    fingerprint: "Fingerprint (SHA-256)",
    size: "Size",
    bytes: "{count} bytes",
    format: "Format",
    producer: "Made with (claimed)",
    validatedAt: "Validated on",
    policy: "Rules",
    number: "Report number",
    signatures: "Signatures",
    validOf: "{valid} of {all} valid",
    signature: "Signature {n}",
    verdict: "Verdict",
    signer: "Signed by",
    unknownSigner: "Signer unknown",
    time: "Time",
    timeProofs: {
      "time-stamp": "proved by a time-stamp",
      claim: "claimed by the signer, not proved",
      none: "not stated and not proved",
    },
    claimedTime: "Time stated by the signer",
    quality: "Kind",
    legislation: "By law",
    longTerm: "Long-term validation",
    longTermYes: "Yes: the proofs are in the document and can still be checked in years.",
    longTermNo: "No: the document does not contain all proofs that are needed later.",
    coverage: "Signed is",
    subject: "Issued to",
    issuer: "Issued by",
    serialNumber: "Serial number",
    validity: "Valid",
    validFromTo: "from {from} to {to}",
    why: "Why",
    notes: "Also noticed",
    claims: "Stated by the signer (not checked)",
    claimName: "Name",
    claimContact: "Contact",
    claimLocation: "Place",
    claimReason: "Reason",
    changes: "Changes after signing",
    noChanges: "None.",
    page: "page {page}",
    unexplained: "no rule explains it",
    moreChanges: "and {count} more",
    seePicture: "see picture {n}",
    timestamps: "Time-stamps",
    timestampOver: { signature: "over this signature", document: "over the document" },
    timestampBy: "by {authority}",
    pictures: "Pages that look different",
    picturesLead:
      "On the left the page as it was signed, in the middle as it is now, on the right where both differ.",
    picture: "Picture {n}",
    before: "As signed",
    after: "Now",
    difference: "Difference",
    absent: "not there",
    annex: "Annex: technical details",
    annexLead: "For experts: the steps of the validation with the terms of ETSI EN 319 102-1.",
    field: "Field",
    level: "Form",
    digest: "Digest of what was signed",
    certificateFingerprint: "Fingerprint of the certificate (SHA-256)",
    sealedBy: "Sealed by",
    sealed:
      "This report carries an electronic seal. A PDF reader shows it, and whether the report was changed since.",
    demo: "Made with a demo key, for tests only: here, signatures that were made with demo keys count as trusted.",
    footer: "Report on a validation, {time}",
    pageOf: "Page {page} of {pages}",
  },
}
