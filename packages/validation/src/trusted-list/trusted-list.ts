// A trusted list (ETSI TS 119 612, versions 5 and 6) as plain data: what of it says whom to trust, for what, and since
// when. All of it can be kept as JSON; a time is ISO 8601 in UTC, a certificate is Base64 of its DER.

import type { Identity } from "./identity.ts"

/** The law that a list is kept by. It follows from who pointed to the list, never from what the list says of itself. */
export type Law = "EU" | "CH"

export type TrustedList = {
  readonly version: 5 | 6
  readonly sequenceNumber: number
  readonly form: "list-of-lists" | "list"
  readonly territory: string
  readonly operator: string
  readonly issued: string
  /** Null: closed, there will be no other (5.3.15). */
  readonly nextUpdate: string | null
  readonly pointers: readonly ListPointer[]
  /** Where earlier lists of lists are that changed who signs it, the newest first; only a list of lists has any. */
  readonly pivots: readonly string[]
  readonly services: readonly TrustService[]
}

/** Clause 5.3.13. */
export type ListPointer = {
  readonly address: string
  readonly form: "list-of-lists" | "list"
  readonly territory: string
  /** The certificates of those who may sign it, DER in Base64. */
  readonly signers: readonly string[]
}

export type TrustService = {
  readonly law: Law
  readonly territory: string
  /** Where the list is from, and until when it counts: null for a closed one. */
  readonly list: string
  readonly listExpires: string | null
  readonly provider: string
  readonly name: string
  readonly identities: readonly ServiceIdentity[]
  /** The newest first; together without gaps and without overlaps. */
  readonly periods: readonly ServicePeriod[]
}

/** Whom a service is: a name and a key, as one of its certificates has them (5.5.3). */
export type ServiceIdentity = Identity & { readonly certificate: string }

/** What was so from a time on until the next began: clauses 5.5.1 to 5.5.10 and 5.6. */
export type ServicePeriod = {
  /** What stands behind ".../Svctype/", such as "CA/QC" or "TSA/QTST". */
  readonly type: string
  /** What stands behind ".../Svcstatus/", such as "granted". */
  readonly status: string
  readonly from: string
  /** Exclusive; undefined for the newest of a list that goes on. */
  readonly until?: string
  /** additionalServiceInformation (5.5.9.4): what its certificates are for. */
  readonly uses: readonly CertificateUse[]
  readonly qualifications: readonly Qualification[]
  /** Since when it keeps the revocation of expired certificates (5.5.9.1). */
  readonly expiredCertificatesSince?: string
  /** Who has taken it over (5.5.9.3). */
  readonly takenOverBy?: string
  /** False if something that must not be passed over is not known to us: then it says nothing. */
  readonly isUnderstood: boolean
}

export type CertificateUse = "esign" | "eseal" | "web"

/** Clause 5.5.9.2: the qualifiers hold for the certificates that meet the criteria. */
export type Qualification = {
  readonly qualifiers: readonly Qualifier[]
  readonly criteria: Criterion
  /** False if there is a qualifier that we do not know and must not pass over (TS 119 615, PRO-4.5.4-04 b). */
  readonly isUnderstood: boolean
}

export const QUALIFIERS = [
  "QCStatement",
  "NotQualified",
  "QCWithSSCD",
  "QCWithQSCD",
  "QCNoSSCD",
  "QCNoQSCD",
  "QCSSCDStatusAsInCert",
  "QCQSCDStatusAsInCert",
  "QCQSCDManagedOnBehalf",
  "QCForLegalPerson",
  "QCForESig",
  "QCForESeal",
  "QCForWSA",
] as const

export type Qualifier = (typeof QUALIFIERS)[number]

export type Criterion =
  | {
      readonly kind: "list"
      readonly assert: "all" | "atLeastOne" | "none"
      readonly of: readonly Criterion[]
    }
  /** Every bit as stated. */
  | { readonly kind: "key-usage"; readonly bits: Readonly<Record<string, boolean>> }
  /** All of the policies. */
  | { readonly kind: "policies"; readonly policies: readonly string[] }
  | { readonly kind: "extended-key-usage"; readonly purposes: readonly string[] }
  /** The subject has an attribute of each type. */
  | { readonly kind: "subject-attributes"; readonly types: readonly string[] }
  /** Something that we do not know: neither met nor not met. */
  | { readonly kind: "unknown" }
