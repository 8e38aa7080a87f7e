import type { Kind } from "../signature-request/model.ts"

/**
 * What a validation says of a document, as far as anything here decides by it or answers it. Whoever validates says more, in the
 * words of ETSI EN 319 102-1; all of it is kept as it was said, for the reports.
 */
export type Report = {
  readonly validatedAt: string
  readonly indication: Indication
  readonly subIndication?: string
  readonly format: { readonly fileType: "PDF"; readonly quality?: string; readonly producer?: string }
  /** In the order in which they were made. */
  readonly signatures: readonly SignatureReport[]
}

export type Indication = "TOTAL-PASSED" | "TOTAL-FAILED" | "INDETERMINATE"
export const QUALITIES = ["SES", "AES", "QES"] as const
export type SignatureQuality = (typeof QUALITIES)[number]
/** Under which law a quality holds; WORLD: under none that gives it a rank of its own. */
export const LEGISLATIONS = ["WORLD", "CH", "EU", "CH_EU"] as const
export type Law = (typeof LEGISLATIONS)[number]

export type SignatureReport = {
  readonly field: string
  readonly indication: Indication
  readonly subIndication?: string
  /** The weightiest first. */
  readonly reasons: readonly Reason[]
  /** Which form it has, such as PAdES-BASELINE-LTA. */
  readonly level: string
  readonly signer?: string
  readonly time?: string
  /** By what the time is known. */
  readonly timeProof: TimeProof
  readonly quality: SignatureQuality
  readonly legislation: Law
  readonly longTermValidation: boolean
  readonly undefinedChanges: boolean
  readonly visualDifferences: boolean
  readonly changes: readonly Change[]
  readonly certificate?: {
    readonly subject: string
    readonly issuer: string
    readonly serialNumber: string
    /** Who established the name, as the issuer states it in the certificate. */
    readonly nameEstablished?: {
      readonly by: "identification" | "member"
      readonly provider: string | null
      readonly at: string
    }
  }
  readonly optionalInfos: {
    readonly name?: string
    readonly contact?: string
    readonly location?: string
    readonly reason?: string
  }
}

/** Proved by a time-stamp, only claimed by the signer, or not known at all. */
export const TIME_PROOFS = ["time-stamp", "claim", "none"] as const
export type TimeProof = (typeof TIME_PROOFS)[number]

/** A code with its values, said in a language by whoever knows the codes. */
export type Reason = {
  readonly code: string
  readonly weight: "fail" | "note"
  readonly values?: Readonly<Record<string, string>>
}

export const FILL_STATUSES = ["later", "replaced", "unsigned"] as const
export type FillStatus = (typeof FILL_STATUSES)[number]

/** One thing that happened to the document after the signature. */
export type Change = {
  readonly path: string
  readonly kind: string
  readonly page?: number
  /** No rule explains it. */
  readonly undefined: boolean
  /** Which picture shows it. */
  readonly picture?: number
  /** The full name of the form field whose value changed. */
  readonly field?: string
  /** Of a value that changed: whether the field was empty and a later signature covers it, or which of the two is not so. */
  readonly fill?: FillStatus
}

/** Decisions, "validate": what a signature has to be, besides good. */
export type AskedValidation = {
  /** At least this; null: whichever it is. */
  readonly quality: SignatureQuality | null
  readonly legislation: Law | null
  readonly longTermValidation: boolean
  readonly rejectVisualDifferences: boolean
  readonly rejectUndefinedChanges: boolean
}

/** The same page before and after what was changed, and where they differ. */
export const VIEWS = ["before", "after", "difference"] as const
export type View = (typeof VIEWS)[number]
/** PNG, each; null where the page was not there. `n` is what a change calls its `picture`. */
export type DifferencePictures = { readonly n: number } & Readonly<Record<View, Uint8Array | null>>

/** The result, which lives for ten minutes; the document is not kept. */
export type Validation = {
  readonly id: string
  readonly businessId: string
  readonly kind: Kind
  readonly ownerId: string
  readonly asked: AskedValidation
  readonly report: Report
  readonly createdAt: Date
  readonly expiresAt: Date
}
