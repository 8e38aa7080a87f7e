import type { RemoteAlgorithm } from "../remote-key/model.ts"
import type { Kind } from "../signature-request/model.ts"

/** What a person releases their key with, beside the way they came (decisions, "what a quality means here"). */
export type FactorKind = "passkey" | "totp" | "sms"

/**
 * Who established the name in the certificate. `identification`: a provider of identification; `member`: a member of the business who
 * vouched; `certificate`: the qualified provider that issued the certificate; `account`: an account whose name one of the first two
 * established earlier, or, with a demo key, whatever the account says. `requester` and `signer` are statements without a proof.
 */
export type NameBy = "account" | "identification" | "member" | "requester" | "certificate" | "signer"
export type EstablishedName = {
  readonly name: string
  readonly givenName: string | null
  readonly surname: string | null
  readonly by: NameBy
  /** Null where only the sender or the signer stated the name. */
  readonly proof: NameProof | null
}

/** Kept as JSON with the turn of the signature. */
export type NameProof = {
  readonly by: "identification" | "member" | "certificate"
  /** Who checked it: the name of the provider, or the member who vouched. */
  readonly source: string
  /** When, in ISO 8601. */
  readonly at: string
}

/** What a member saw when they checked who the signer is. */
export const VOUCH_DOCUMENTS = ["passport", "identity-card", "residence-permit", "driving-licence"] as const
export type VouchDocument = (typeof VOUCH_DOCUMENTS)[number]

/** A member of the business met the signer and checked an official document (ADR 0090). Kept as JSON. */
export type Vouch = {
  readonly givenName: string
  readonly surname: string
  /** A number at which the member reached the signer during the check. */
  readonly mobileNumber: string | null
  readonly document: VouchDocument
  /** The e-mail address of the member. */
  readonly by: string
  /** In ISO 8601. */
  readonly at: string
}

/** One mark that the key may make: of these bytes, on this version of this document, and no other. */
export type ReleasedMark = {
  readonly documentId: string
  readonly onto: string
  readonly versionId: string
  /** SHA-256 of the bytes that the key signs, in hex. */
  readonly sha256: string
}

/**
 * The right to use one key for one signature: offered when everything that it is to sign is prepared, and passed by a factor of
 * the signer that is bound to exactly that (EN 419 241-1, sole control).
 */
export type Release = {
  readonly id: string
  readonly businessId: string
  readonly signatureId: string
  readonly kind: Kind
  readonly key: ReleasedKey
  /** DER, and its issuers from the nearest on. */
  readonly certificate: Uint8Array
  readonly chain: readonly Uint8Array[]
  /** SHA-256 of the certificate, in hex. */
  readonly certificateSha256: string
  readonly marks: readonly ReleasedMark[]
  readonly until: Date
  readonly passed: Passed | null
}

/** In our token, for this signature alone; or at a provider, whose own device asks the person (ADR 0046). */
export type ReleasedKey =
  | { readonly at: "token"; readonly label: string }
  | {
      readonly at: "provider"
      readonly provider: string
      readonly credentialId: string
      readonly algorithm: RemoteAlgorithm
    }

export type Passed = {
  readonly factor: FactorKind | "provider"
  /** Whose factor: the id of an account, the number that the code went to, or the name of the provider. */
  readonly by: string
  readonly at: Date
}
