// What a validation says of a document: plain data, which the interface, the page and the reports are written from. All
// of it can be sent between processes and kept as JSON; a time is ISO 8601 in UTC, bytes are Base64.

import type { BlockIndication, Indication, SubIndication } from "./indication.ts"
import type { ReasonCode } from "./reason-codes.ts"

export type Quality = "SES" | "AES" | "QES"
/** Under which law the quality holds. WORLD: under none that gives it a rank of its own. */
export type Legislation = "WORLD" | "CH" | "EU" | "CH_EU"

export type DocumentReport = {
  readonly validatedAt: string
  /** That of the signature with the worst verdict. A document without signatures is INDETERMINATE, SIGNED_DATA_NOT_FOUND. */
  readonly indication: Indication
  readonly subIndication?: SubIndication
  readonly format: DocumentFormat
  /** In the order in which they were made. */
  readonly signatures: readonly SignatureReport[]
  /** Time-stamps over the document, in the order in which they were made. */
  readonly timestamps: readonly TimestampReport[]
  readonly policy: { readonly name: string }
  /** Each certificate that a chain names, once. */
  readonly certificates?: readonly CertificateValue[]
  /** Of the file, as far as whoever had it says so. */
  readonly document?: { readonly name?: string; readonly sha256?: string; readonly size?: number }
}

/** A certificate as it is. */
export type CertificateValue = {
  /** SHA-256 of the DER, hexadecimal. */
  readonly fingerprint: string
  readonly der: string
}

export type DocumentFormat = {
  readonly fileType: "PDF"
  /** What its metadata claim, such as "PDF/A-2B". */
  readonly quality?: string
  readonly producer?: string
  readonly pages?: number
}

export type Verdict = {
  readonly indication: Indication
  readonly subIndication?: SubIndication
  /** Why, the weightiest first; also what was noticed without changing the verdict (`weight: "note"`). */
  readonly reasons: readonly Reason[]
}

/** A code with its values; words/ says it in a language. */
export type Reason = {
  readonly code: ReasonCode
  readonly weight: "fail" | "note"
  readonly values?: Readonly<Record<string, string>>
}

export type SignatureReport = Verdict & {
  /** The name of the field, unique in the document. */
  readonly field: string
  readonly level: SignatureLevel
  /** The common name of the signing certificate, where there is one. */
  readonly signer?: string
  /** When it was made, as far as that is proved: the earliest proof of existence, or the claim where there is none. */
  readonly time?: string
  readonly timeProof: "time-stamp" | "claim" | "none"
  readonly claimedTime?: string
  readonly quality: Quality
  readonly legislation: Legislation
  /** It can be judged without asking anybody, for years: B-LT or B-LTA whose evidence is complete. */
  readonly longTermValidation: boolean
  readonly certificate?: CertificateReport
  readonly optionalInfos: {
    readonly name?: string
    readonly contact?: string
    readonly location?: string
    readonly reason?: string
  }
  readonly coverage: Coverage
  readonly undefinedChanges: boolean
  readonly visualDifferences: boolean
  /** What happened to the document after this signature; those that no rule explains have `undefined: true`. */
  readonly changes: readonly Change[]
  readonly timestamps: readonly TimestampReport[]
  /** Each building block with what it said, for the detailed report. */
  readonly blocks: readonly BlockReport[]
  /** Of the signed bytes of the document. */
  readonly digest?: DigestReport
  /** What stands in the dictionary of the signature. */
  readonly subFilter?: string
  readonly byteRange?: readonly number[]
  /** Of the data to be signed representation (EN 319 102-1, 4.2.8), and the value of the signature. */
  readonly dtbsr?: DigestReport
  readonly value?: string
  readonly chain?: ChainReport
}

export type DigestReport = { readonly algorithm: string; readonly value: string }

/** The fingerprints of the certificates from the signer's upwards; the last one is the anchor where one was reached. */
export type ChainReport = { readonly fingerprints: readonly string[]; readonly isAnchored: boolean }

export type SignatureLevel =
  | "PAdES-BASELINE-B"
  | "PAdES-BASELINE-T"
  | "PAdES-BASELINE-LT"
  | "PAdES-BASELINE-LTA"
  /** A CMS signature in a PDF that is not a baseline one, adbe.pkcs7.detached for instance. */
  | "PDF-NOT-ETSI"

export type Coverage = "ENTIRE_FILE" | "ENTIRE_REVISION" | "PARTIAL"

export type CertificateReport = {
  readonly subject: string
  readonly issuer: string
  readonly serialNumber: string
  readonly notBefore: string
  readonly notAfter: string
  /** SHA-256 of the DER, hexadecimal. */
  readonly fingerprint: string
  /** Who established the name of the subject, as the issuer states it in the certificate; absent where it does not. */
  readonly nameEstablished?: {
    readonly by: "identification" | "member"
    readonly provider: string | null
    readonly at: string
  }
}

export type TimestampReport = Verdict & {
  readonly type: "signature" | "document"
  readonly time?: string
  readonly authority?: string
  readonly certificate?: CertificateReport
  readonly field?: string
  /** SHA-256 of the token. */
  readonly digest?: DigestReport
}

/** The building blocks of EN 319 102-1, 5.2, and the processes of 5.3, 5.5 and 5.6. */
export type BlockName =
  | "format-checking"
  | "identification-of-the-signing-certificate"
  | "x509-certificate-validation"
  | "cryptographic-verification"
  | "signature-acceptance-validation"
  | "basic"
  | "long-term"
  | "archival"

export type BlockReport = {
  readonly block: BlockName
  readonly indication: BlockIndication
  readonly subIndication?: SubIndication
  readonly reasons: readonly Reason[]
}

/** One thing that a later revision changed. */
export type Change = {
  /** From the catalog, such as "/Pages/Kids[0]/Contents"; by every path that leads there. */
  readonly path: string
  readonly kind: ChangeKind
  /** Counted from 1. */
  readonly page?: number
  /** No rule explains it. */
  readonly undefined: boolean
  /** Of a visual difference: which picture shows it. */
  readonly picture?: number
  /** The full name of the form field whose value changed. */
  readonly field?: string
  readonly fill?: FillStatus
}

/**
 * Of a value that changed after the signature. "later": the field was empty, and a later signature covers the value;
 * "replaced": the field had another value when it was signed; "unsigned": no later signature covers the value.
 */
export type FillStatus = "later" | "replaced" | "unsigned"

export type ChangeKind =
  | "signature"
  | "form-fill"
  | "annotation"
  | "validation-data"
  | "timestamp"
  | "metadata"
  | "structure"
  | "page"
  | "content"
  | "font"
  | "image"
  | "action"
  | "other"
  | "visual"
