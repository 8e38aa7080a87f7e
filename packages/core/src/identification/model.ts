/** Decisions, "express QES". */
export const IDENTIFICATION_STATUSES = [
  "CREATED",
  "STARTED",
  "PENDING_REVIEW",
  "ACCEPTED",
  "REJECTED",
  "EXPIRED",
] as const
export type IdentificationStatus = (typeof IDENTIFICATION_STATUSES)[number]

/** What is kept; that its time has passed follows from the clock. */
export type IdentificationState = Exclude<IdentificationStatus, "EXPIRED">

/** What it waits for, or why it was refused (choice 384). */
export const IDENTIFICATION_REASONS = [
  "provider-reviews",
  "name-differs",
  "country-differs",
  "refused",
  "answer-invalid",
  "not-verified",
  "other-person",
  "sender-refused",
] as const
export type IdentificationReason = (typeof IDENTIFICATION_REASONS)[number]

/** Who somebody is, by a provider of identification, for one signature. What the provider said lies apart, sealed. */
export type Identification = {
  /** `evidence_id` of the interface. */
  readonly id: string
  /** As `signer_identity_data` names it. */
  readonly provider: string
  /** Asked for by `identification_require_evidence`, whatever the quality. */
  readonly required: boolean
  readonly state: IdentificationState
  /** How often the person was sent to the provider; an answer counts for the attempt that it belongs to. */
  readonly attempt: number
  readonly startedAt: Date | null
  /** When the person came back from there. */
  readonly returnedAt: Date | null
  readonly decidedAt: Date | null
  /** How long the state holds; null: for good. */
  readonly until: Date | null
  /** When the provider is asked again, while it reviews. */
  readonly askAt: Date | null
  readonly reason: IdentificationReason | null
  /** The person, as the provider knows them; null until it has said so. */
  readonly name: string | null
  /** Of the browser that came back from this attempt: SHA-256 of its secret, in hex. */
  readonly browserHash: string | null
}

export const newIdentification = (id: string, provider: string, required: boolean): Identification => ({
  id,
  provider,
  required,
  state: "CREATED",
  attempt: 0,
  startedAt: null,
  returnedAt: null,
  decidedAt: null,
  until: null,
  askAt: null,
  reason: null,
  name: null,
  browserHash: null,
})

export const identificationStatus = ({ state, until }: Identification, at: Date): IdentificationStatus =>
  until !== null && until.getTime() <= at.getTime() ? "EXPIRED" : state
