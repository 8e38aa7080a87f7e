// What a validation says, in words for people who know nothing of cryptography; the standard's term stands beside it for those
// who do. One sentence for each reason, with its values in braces.

import type { RevocationReason } from "@paraph/pki/revocation-reason"
import type { Indication, SubIndication } from "../indication.ts"
import type { ReasonCode } from "../reason-codes.ts"
import type {
  BlockName,
  ChangeKind,
  Coverage,
  FillStatus,
  Legislation,
  Quality,
  SignatureLevel,
} from "../report.ts"

export const LANGUAGES = ["en", "de", "fr", "it"] as const
export type Language = (typeof LANGUAGES)[number]

export type Words = {
  readonly indications: Readonly<Record<Indication, { readonly heading: string; readonly sentence: string }>>
  /** Of a valid signature after which form fields were filled in: never that nothing was altered. */
  readonly validButFilled: string
  /** Of a signature after which a value or the look of a page changed, and that is not valid for it. */
  readonly changedAfterwards: string
  /** Of a whole document, where it has several signatures or none. */
  readonly documents: Readonly<Record<Indication | "unsigned", string>>
  readonly subIndications: Readonly<Record<SubIndication, string>>
  readonly reasons: Readonly<Record<ReasonCode, string>>
  readonly qualities: Readonly<Record<Quality, string>>
  readonly legislations: Readonly<Record<Legislation, string>>
  readonly levels: Readonly<Record<SignatureLevel, string>>
  readonly coverages: Readonly<Record<Coverage, string>>
  readonly changes: Readonly<Record<ChangeKind, string>>
  readonly fills: Readonly<Record<FillStatus, string>>
  readonly blocks: Readonly<Record<BlockName, string>>
  readonly values: ValueWords
  readonly report: ReportWords
}

/** How values are said that are codes themselves. */
export type ValueWords = {
  /** Of a certificate that names nobody. */
  readonly nameless: string
  readonly unknownAlgorithm: string
  /** A clause that follows the name of an algorithm. */
  readonly weakSince: string
  readonly weakAlways: string
  readonly laws: Readonly<Record<"EU" | "CH", string>>
  readonly whens: Readonly<Record<"signing" | "issuance", string>>
  /** RFC 5280, 5.3.1. */
  readonly revocations: Readonly<Record<RevocationReason, string>>
}

/** The report as a document: its headings and labels. */
export type ReportWords = {
  readonly title: string
  readonly subtitle: string
  readonly fileName: string
  readonly fingerprint: string
  readonly size: string
  readonly bytes: string
  readonly format: string
  readonly producer: string
  readonly validatedAt: string
  readonly policy: string
  readonly number: string
  readonly signatures: string
  /** Counts, in braces: {valid} of {all}. */
  readonly validOf: string
  readonly signature: string
  readonly verdict: string
  readonly signer: string
  readonly unknownSigner: string
  readonly time: string
  readonly timeProofs: Readonly<Record<"time-stamp" | "claim" | "none", string>>
  readonly claimedTime: string
  readonly quality: string
  readonly legislation: string
  readonly longTerm: string
  readonly longTermYes: string
  readonly longTermNo: string
  readonly coverage: string
  readonly subject: string
  readonly issuer: string
  readonly serialNumber: string
  readonly validity: string
  readonly validFromTo: string
  readonly why: string
  readonly notes: string
  /** What the signer wrote into the file, and nobody has checked. */
  readonly claims: string
  readonly claimName: string
  readonly claimContact: string
  readonly claimLocation: string
  readonly claimReason: string
  readonly changes: string
  readonly noChanges: string
  readonly page: string
  readonly unexplained: string
  readonly moreChanges: string
  readonly seePicture: string
  readonly timestamps: string
  readonly timestampOver: Readonly<Record<"signature" | "document", string>>
  readonly timestampBy: string
  readonly pictures: string
  readonly picturesLead: string
  readonly picture: string
  readonly before: string
  readonly after: string
  readonly difference: string
  readonly absent: string
  readonly annex: string
  readonly annexLead: string
  readonly field: string
  readonly level: string
  readonly digest: string
  readonly certificateFingerprint: string
  readonly sealedBy: string
  readonly sealed: string
  readonly demo: string
  readonly footer: string
  readonly pageOf: string
}
