import type { StoredAttachment } from "../attachment/ports.ts"
import type { Kind } from "../signature-request/model.ts"
import type { EvidenceFile } from "./verified-claims.ts"

/** A provider of identification, as the operator has it in the registry (decisions, "provider"). */
export type IdentityProvider = {
  /** As `signer_identity_data` names it. */
  readonly name: string
  /** As people read it. */
  readonly title: string
  /** For signatures of demo keys, or of production keys; none for the other. */
  readonly kind: Kind
  /** By which the claims must be verified that are taken from it. */
  readonly trustFrameworks: readonly string[]
  /** Those that are enough; none named: all. */
  readonly assuranceLevels: readonly string[]
  /** How old a verification may be; null: as old as the provider takes it for good. */
  readonly verifiedWithinDays: number | null
}

/** What opens the provider's word on one person, for as long as it takes. Sealed wherever it lies. */
export type ProviderTokens = {
  /** The provider's own name for the person. */
  readonly subject: string
  readonly accessToken: string
  readonly refreshToken: string | null
  readonly idToken: string
}

/** Signed by the provider, for us, about this subject; all of that is checked. */
export type Told = {
  readonly claims: Readonly<Record<string, unknown>>
  /** The very token, and the keys by which its signature is checked (RFC 7517). */
  readonly userInfo: string
  readonly keys: string
  /** Newer ones, where the first were used up. */
  readonly tokens: ProviderTokens
}

/** Refuses with `part-down` where the provider does not answer; "invalid": it did, and its word does not count. */
export type AskProvider = (provider: string, kind: Kind, tokens: ProviderTokens) => Promise<Told | "invalid">
/** The bytes of a file that the evidence has, or names with their digest. The same refusals. */
export type FetchEvidence = (provider: string, file: EvidenceFile) => Promise<Uint8Array | "invalid">

export type IdentificationsReading = {
  /** Of the attempt that is under way; null where there is none to ask with. */
  readonly findTokens: (identificationId: string) => Promise<ProviderTokens | null>
  /** In the order in which they came. */
  readonly evidenceFiles: (identificationId: string) => Promise<readonly StoredAttachment[]>
}

export type IdentificationsTx = {
  /** Null takes them away. */
  readonly keepTokens: (identificationId: string, tokens: ProviderTokens | null) => Promise<void>
  /** Those of an earlier attempt go. */
  readonly keepEvidenceFiles: (
    identificationId: string,
    files: readonly StoredAttachment[],
    at: Date,
  ) => Promise<void>
}
